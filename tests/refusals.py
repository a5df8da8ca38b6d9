"""How a test asserts that something is refused: by class, place and hint; the wording lies in a file.

``refused`` asserts what a reader of an error must be told: its class, the names and numbers that the message
points at, and what its hint names. How that is worded is compared with the entry of the running test in
``tests/snapshots/refusals.txt``, which ``pytest --update-snapshots`` writes, so that a sentence can be mended
in one place. Tests whose messages differ from run to run (random inputs, Hypothesis) use ``pytest.raises``.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

__all__ = ["SNAPSHOT", "Wording", "as_text", "lacking", "of_text", "portable", "refused", "wording_of"]

CHECKOUT = Path(__file__).parent.parent
SNAPSHOT = Path(__file__).parent / "snapshots" / "refusals.txt"
INDENT = "    "
FURTHER = f"{INDENT}|"  # before each further line of a message; its first one begins with a class

Kind = TypeVar("Kind", bound=BaseException)
Entries = Mapping[str, Sequence[str]]  # by the id of a test, what it was told in turn


@contextmanager
def refused(
    kind: type[Kind] | tuple[type[Kind], ...], *facts: str, hint: str | Sequence[str] = ()
) -> Iterator[pytest.ExceptionInfo[Kind]]:
    """The block raises an error of this class that tells these facts and is worded as the snapshot says.

    A fact is a name, number, path or quoted input that the message or its hint has as a whole token; ``hint``
    has those that the error's own ``hint`` must have. What the block gives is as with ``pytest.raises``.
    """
    __tracebackhide__ = True
    with _expected(kind), pytest.raises(kind) as caught:
        yield caught
    test = portable(os.environ["PYTEST_CURRENT_TEST"].rpartition(" (")[0])
    told = wording_of(caught.value)
    for what, among, names in (
        ("message", told.partition(": ")[2], facts),
        ("hint", getattr(caught.value, "hint", ""), (hint,) if isinstance(hint, str) else hint),
    ):
        if absent := lacking(among, names):
            msg = f"the {what} does not tell {', '.join(map(repr, absent))}:\n  {among!r}"
            raise AssertionError(msg)
    WORDING.tell(test, told)


@contextmanager
def _expected(kind: type[BaseException] | tuple[type[BaseException], ...]) -> Iterator[None]:
    """An error of another class goes on with a note that says which was wanted."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, kind):
            wanted = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
            error.add_note(f"refused: wanted {wanted}, got {type(error).__name__}")
        raise


def lacking(text: str, facts: Sequence[str]) -> list[str]:
    """The facts that a text does not have as whole tokens: 8 is neither in 128 nor in 0.8 nor in x8."""
    around = r"(?<!\w)(?<!\d\.){}(?!\w|\.\d)"
    return [fact for fact in facts if not re.search(around.format(re.escape(fact)), text)]


def wording_of(error: BaseException) -> str:
    """The class of an error and all that a user reads of it, the same on each machine."""
    text = error.full_text() if hasattr(error, "full_text") else str(error)
    return f"{type(error).__name__}: {portable(text)}"


def portable(text: str) -> str:
    """A text without what differs from machine to machine; characters that do not print are spelled out."""
    for pattern, name in _places():
        text = pattern.sub(name, text)
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


@cache
def _places() -> list[tuple[re.Pattern[str], str]]:
    """Folders of this machine: pytest's own for the test that runs, others that are temporary, the home."""
    temporary = {tempfile.gettempdir(), str(Path(tempfile.gettempdir()).resolve())}
    root = f"(?:{'|'.join(map(re.escape, sorted(temporary)))})"
    of_pytest = r"pytest-of-[^/\s]+/pytest-\d+(?:/popen-gw\d+)?(?:/[\w.+-]*\d)?\b"
    found = [(re.compile(rf"{root}/(?:{of_pytest}|\w[\w.-]*\w)"), "<tmp>")]
    for folder, name in ((CHECKOUT, "<checkout>"), (Path.home(), "<home>")):
        if folder != Path(folder.anchor):  # a user without a home has / for one
            found.append((re.compile(rf"(?<![\w/.-]){re.escape(str(folder))}(?![\w.-])"), name))
    return found


def as_text(entries: Entries) -> str:
    """Entries as the snapshot has them, by the id of the test, each message indented below.

    >>> print(as_text({"tests/test_a.py::test_b[c]": ["LayoutError: two\\nlines", "ToolError: one"]}), end="")
    tests/test_a.py::test_b[c]
        LayoutError: two
        | lines
        ToolError: one
    """
    lines: list[str] = []
    for test, messages in sorted(entries.items()):
        lines.append(test)
        for message in messages:
            first, *further = message.split("\n")
            lines.append(INDENT + first)
            lines += [f"{FURTHER} {line}" if line else FURTHER for line in further]
    return "".join(f"{line}\n" for line in lines)


def of_text(text: str) -> dict[str, list[str]]:
    """The entries that a text has."""
    entries: dict[str, list[str]] = {}
    messages: list[str] = []
    for line in text.split("\n")[:-1]:
        if not line.startswith(INDENT):
            messages = entries.setdefault(line, [])
        elif line.startswith(FURTHER):
            messages[-1] += "\n" + line.removeprefix(FURTHER).removeprefix(" ")
        else:
            messages.append(line.removeprefix(INDENT))
    return entries


class Wording:
    """What tests are told, against what a file keeps of it; with ``update`` the file is written anew."""

    def __init__(self, path: Path, *, update: bool = False) -> None:
        self.path = path
        self.update = update
        self.told: dict[str, list[str]] = {}  # by tests that run or have passed
        self._kept: dict[str, list[str]] | None = None

    @property
    def kept(self) -> dict[str, list[str]]:
        """The entries of the file, read once."""
        if self._kept is None:
            text = self.path.read_bytes().decode() if self.path.exists() else ""
            self._kept = of_text(text)
        return self._kept

    def begin(self, test: str) -> None:
        """A test starts: nothing was told it so far."""
        self.told.pop(test, None)

    def tell(self, test: str, message: str) -> None:
        """The next message of a test is this; it fails where the file has another."""
        __tracebackhide__ = True
        told = self.told.setdefault(test, [])
        told.append(message)
        if self.update:
            return
        kept = self.kept.get(test, [])
        how = f"pytest --update-snapshots {test.partition('::')[0]}"
        if len(told) > len(kept):
            msg = f"no wording is kept of refusal {len(told)} of {test}:\n+ {message}\n"
            raise AssertionError(f"{msg}run {how} and read what it writes to {self.path.name}")
        if message != kept[len(told) - 1]:
            msg = f"refusal {len(told)} of {test} is worded anew:\n- {kept[len(told) - 1]}\n+ {message}\n"
            raise AssertionError(f"{msg}if it is better so, run {how} and read the diff of {self.path.name}")

    def end(self, test: str) -> None:
        """A test has passed; the file may not have more messages of it than it was told."""
        __tracebackhide__ = True
        told, kept = self.told.get(test, []), self.kept.get(test, [])
        if self.update:
            self.told[test] = told  # none, too: an entry that is there goes
        elif len(told) < len(kept):
            msg = f"{test} was told {len(told)} of the {len(kept)} refusals that {self.path.name} keeps of it"
            raise AssertionError(f"{msg}: run pytest --update-snapshots {test.partition('::')[0]}")

    def forget(self, test: str) -> None:
        """A test has failed: its entry stays what it is."""
        self.told.pop(test, None)

    def write(self) -> None:
        """The file, with the entries of the tests that passed and as they were those of all others."""
        entries = {test: told for test, told in (self.kept | self.told).items() if told}
        fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        fresh.write_bytes(as_text(entries).encode())
        fresh.replace(self.path)


WORDING = Wording(SNAPSHOT)
