"""Mutated input of every kind a user can write, each judged as the command line would judge it.

``python -m tests.mutations --count 10000 --seed 1`` prints what came of them: nothing but errors of our own
may be raised, nothing may take the process more than 5 seconds, and no gigabyte may be used.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from layoutalg import proofs
from layoutalg.check.decide import Options, findings_of
from layoutalg.check.settings import nearest_settings
from layoutalg.cli import main
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.run_file import save_launch
from layoutalg.codegen.executors.saved_run import read_run
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, ToolError
from layoutalg.machine import Target
from layoutalg.proofs.limits import Limits
from layoutalg.rules.from_text import parse
from layoutalg.term.parse import Syntax
from tests.codegen.small_kernel import FACTOR, small_kernel

SECONDS = 5  # of the process, so that other work on the machine does not count
GIB = 1 << 20  # of ru_maxrss, which counts kibibytes
LAYOUTS = [path.read_text() for path in sorted((Path(__file__).parent / "regressions").glob("*.layout.toml"))]
EXPRESSIONS = (
    "row*64 + (col ^ (row % 8) * 8)",
    "(x - 1) / 8 + x % 3",
    "8*floor(row/8) + Mod(col, 8)",
    "col >= 32 ? row & 7 : row | 8",
    "(row << 3) + min(x // 4, 3) if x < 10 and row > 2 else 0",
    "Piecewise((x, x < 4), (row, True))",
    "-(x + 1)*(row - 5) % 16 ^ 3",
)
ENCODINGS = (
    (
        "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>,"
        " tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>,"
        " sequence<1, 2>, sequence<0, 1>>"
    ),
)
SYNTAXES: tuple[Syntax | None, ...] = ("python", "c", "sympy", None)
PROJECT = """[tool.layoutalg]
select = ["LA1", "LA2"]
unknown = "warn"
jobs = 2
max-points = 1000000
recheck = "z3"
paths = ["layouts"]
"""
COMMANDS = (
    ["check", "FILE", "--jobs", "2", "--max-points", "1000", "--no-cache", "--select", "LA1"],
    ["simplify", "x // 28 * 28 + x % 28", "--var", "x=0:420", "--param", "K=64:8192:64", "--fact", "x < 400"],
    ["mma", "v_mfma_f32_32x32x8_f16", "--wave-size", "64", "--operand", "A"],
    ["code", "FILE:rows", "--to", "c", "--step", "1=8"],
    ["kernel", "transpose", "--m", "2560", "--k", "32"],
    ["explain", "LA201"],
    ["show", "FILE:rows"],
)
NUMBERS: tuple[str, ...] = (
    "0",
    "-1",
    "1",
    "7",
    "010",
    "64",
    "2147483648",
    "18446744073709551616",
    "-9223372036854775809",
)
NUMBERS += ("9" * 40, "9" * 1200, "9" * 5000, "0x1f", "1e9", "100000000")
NUMBERS += ("60000000000", "4096", "nan", "", "3.5")
WORDS: tuple[str, ...] = (
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    '"',
    "'",
    "=",
    "\n",
    " ",
    "<",
    ">",
    "//",
    "/",
    "%",
    "^",
    "<<",
    "**",
)
WORDS += (
    "-",
    "not ",
    "if",
    "else",
    "x",
    "row",
    "K",
    "min(",
    "#",
    "\x00",
    "²",
    "é",
    "\ufeff",
    ".",
    "true",
    "null",
    "[[",
)


def mutated(text: str, random_: random.Random) -> str:
    """The text with one change, or a few; half of them are of a number."""
    for _ in range(random_.choice((1, 1, 1, 2, 4))):
        if random_.random() < 0.5:
            text = _with_number(text, random_)
            continue
        at = random_.randint(0, len(text))
        end = min(len(text), at + random_.randint(0, 12))
        match random_.randrange(8):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + random_.choice(WORDS) + text[end:]
            case 2:
                text = text[:at] + text[at:end] * random_.choice((2, 3, 30, 300)) + text[end:]
            case 3:
                text = _with_number(text, random_)
            case 4:
                opening, closing = random_.choice(("()", "[]", "{}"))
                count = random_.choice((1, 5, 150, 250, 2000))
                text = text[:at] + opening * count + text[at:end] + closing * count + text[end:]
            case 5:
                text = text[:at] + random_.choice(WORDS) * random_.choice((1, 10, 400)) + text[at:]
            case 6:
                other = random_.randint(0, len(text))
                text = text[:at] + text[other : other + 20] + text[at:]
            case _:
                text = _with_number(text[:at] if random_.random() < 0.1 else text, random_)
    return text


def _with_number(text: str, random_: random.Random) -> str:
    """One of the numbers replaced."""
    places = [i for i, sign in enumerate(text) if sign.isdigit() and (i == 0 or not text[i - 1].isalnum())]
    if not places:
        return text
    start = end = random_.choice(places)
    while end < len(text) and text[end].isalnum():
        end += 1
    return text[:start] + random_.choice(NUMBERS) + text[end:]


class TooLongError(BaseException):
    """An input that took longer than it may; no handler of ours catches it."""


@dataclass
class Outcome:
    """How many inputs of each kind were taken, refused, or went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str, str]] = field(default_factory=list)
    longest: tuple[float, str, str] = (0.0, "", "")
    grown: int = 0  # kibibytes


class Inputs:
    """Mutated inputs in a folder of their own, and how each kind is judged."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.random = random.Random()
        self.file = folder / "a.layout.toml"
        self.cache = folder / "cache.sqlite3"
        self.domain = Domain.of({"x": 1024, "row": 64, "col": 64}, {"K": (8, 4096, 8)})
        self.run = folder / "run" / "run.json"
        self.certificates: list[str] = []

    def _save_run(self):
        kernel = small_kernel()
        sizes = {"N": 64, "factor": FACTOR}
        compiled = compile_hip(kernel.text, Target.named("gfx942"))
        task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", seed=2))
        save_launch(self.run.parent, task, kernel.reference(task.given))
        self.run_text = self.run.read_text()
        self.object = next(self.run.parent.glob("*.co"))
        self.object_bytes = self.object.read_bytes()

    def _made_certificates(self) -> list[str]:
        made = []
        for text in LAYOUTS[:6]:
            self.file.write_text(text)
            found = findings_of(str(self.file), Options(certificates=True))
            made += [json.dumps(f.certificate) for f in found if f.certificate]
        return made

    def draw(self, kind: str, number: int):
        """Its text and its judge: a number's input is the same in each run, whatever came before it."""
        self.random.seed(f"{self.seed} {number}")
        return self.kinds[kind]()

    @property
    def kinds(self):
        return {
            "expression": self.expression,
            "layout file": self.layout_file,
            "encoding": self.encoding,
            "certificate": self.certificate,
            "run.json": self.run_json,
            "pyproject": self.pyproject,
            "cache": self.cache_row,
            "command line": self.command,
        }

    def expression(self):
        text = mutated(self.random.choice(EXPRESSIONS), self.random)
        syntax = self.random.choice(SYNTAXES)
        return text, lambda: str(parse(text, self.domain, syntax=syntax))

    def layout_file(self):
        text = mutated(self.random.choice(LAYOUTS), self.random)
        self.file.write_bytes(text.encode("utf-8", "surrogateescape"))
        return text, lambda: self._judged(Options(max_points=100_000))

    def _judged(self, options):
        for finding in findings_of(str(self.file), options):
            finding.as_json()
            if finding.status == "error" and "report it" in " ".join(finding.details):
                raise AssertionError(finding.summary)

    def encoding(self):
        text = mutated(self.random.choice(ENCODINGS), self.random)
        return text, lambda: str(make_static_tile_distribution(read_encoding(text)))

    def certificate(self):
        self.certificates = self.certificates or self._made_certificates()
        text = mutated(self.random.choice(self.certificates), self.random)
        path = self.folder / "certificate.json"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return text, lambda: self._command(["recheck", str(path), "--solver", "z3"])

    def run_json(self):
        if not self.run.exists():
            self._save_run()
        self.run.write_text(self.run_text)
        self.object.write_bytes(self.object_bytes)
        if self.random.random() < 0.5:
            text = mutated(self.run_text, self.random)
            self.run.write_bytes(text.encode("utf-8", "surrogateescape"))
        else:
            content = bytearray(self.object_bytes)
            for _ in range(self.random.randint(1, 20)):
                content[self.random.randrange(len(content))] = self.random.randrange(256)
            text = "code object"
            self.object.write_bytes(bytes(content[: self.random.randint(0, len(content))]))
        return text, lambda: read_run(self.run)

    def pyproject(self):
        text = mutated(PROJECT, self.random)
        content = text.encode("utf-8", "surrogateescape")
        if self.random.random() < 0.2:
            content = content.replace(b"warn", b"\xff\xfe")
        (self.folder / "pyproject.toml").write_bytes(content)
        return text, lambda: nearest_settings(self.folder)

    def cache_row(self):
        self.file.write_text(LAYOUTS[self.random.randrange(6)])
        options = Options(cache=str(self.cache))
        wanted = [f.fingerprint for f in findings_of(str(self.file), options)]
        store = sqlite3.connect(self.cache)
        rows = store.execute("SELECT key, value FROM results").fetchall()
        said = self.random.choice(("[1]", "{}", "[]", "null", "", "[{}]", '{"status": "proved"}', "MUTATED"))
        for key, value in rows:
            new = mutated(value, self.random) if said == "MUTATED" else said
            store.execute("UPDATE results SET value = ? WHERE key = ?", (new.encode(errors="replace"), key))
            store.execute("UPDATE results SET value = CAST(value AS TEXT) WHERE key = ?", (key,))
        store.commit()
        store.close()

        def judge():
            assert [f.fingerprint for f in findings_of(str(self.file), options)] == wanted

        return said, judge

    def command(self):
        self.file.write_text("[layout.rows]\nbase = {packed = [4, 8]}\n")
        words = list(self.random.choice(COMMANDS))
        for _ in range(self.random.randint(1, 2)):
            place = self.random.randrange(1, len(words))
            words[place] = mutated(words[place], self.random) if "FILE" not in words[place] else words[place]
        words = [word.replace("FILE", str(self.file)).replace("\x00", "") for word in words]
        return " ".join(words), lambda: self._command(words)

    def _command(self, words):
        before, sys.argv = sys.argv, ["layoutalg", *words]
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                main()
        except SystemExit:
            pass
        finally:
            sys.argv = before


def with_fewer_steps(points: int) -> Limits:
    """Limits with an eightieth of a solver's steps: what is measured is the input, not a solver's budget."""
    return Limits(points=points, z3=50_000, cvc5=2_500)


def tried(count: int, seed: int, folder: Path, kinds: tuple[str, ...] = ()) -> Outcome:
    """So many inputs, the kinds in turn."""
    inputs, found = Inputs(folder, seed), Outcome()
    chosen = [kind for kind in inputs.kinds if not kinds or kind in kinds]
    started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def alarm(_signal, _frame):
        raise TooLongError

    proofs.Limits = with_fewer_steps  # type: ignore[assignment, misc]
    before, where = signal.signal(signal.SIGPROF, alarm), Path.cwd()
    os.chdir(folder)
    try:
        for number in range(count):
            kind = chosen[number % len(chosen)]
            text, judge = inputs.draw(kind, number)
            _try_one(kind, text, judge, found)
    finally:
        proofs.Limits = Limits  # type: ignore[misc]
        os.chdir(where)
        signal.signal(signal.SIGPROF, before)
    found.grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - started
    return found


def _try_one(kind: str, text: str, judge: Callable[[], object], found: Outcome) -> None:
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        judge()
        found.counts[f"{kind}: taken"] += 1
    except (LayoutError, ToolError) as error:
        found.counts[f"{kind}: refused"] += 1
        if len(error.message) > 3000:
            found.wrong.append((kind, text[:2000], f"a message of {len(error.message)} characters"))
    except (Exception, TooLongError):  # noqa: BLE001  to be counted
        found.wrong.append((kind, text[:2000], traceback.format_exc()[-1500:]))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - start
    if seconds > found.longest[0]:
        found.longest = (seconds, kind, text[:500])


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--count", type=int, default=400)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--kind", action="append", default=[])
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as place:
        outcome = tried(given.count, given.seed, Path(place), tuple(given.kind))
    for name, number in sorted(outcome.counts.items()):
        sys.stdout.write(f"{number:6} {name}\n")
    for kind, text, why in outcome.wrong[:12]:
        sys.stdout.write(f"--- {kind}: {text[:300]!r}\n{why[-700:]}\n")
    seconds, kind, text = outcome.longest
    sys.stdout.write(f"{len(outcome.wrong)} went wrong; longest {seconds:.2f} s: {kind} {text[:200]!r}\n")
    sys.stdout.write(f"memory grew by {outcome.grown / 1024:.0f} MiB; seed {given.seed}\n")
