r"""Layout files: ``*.layout.toml``, read, validated and turned into claims with their lines.

>>> text = '[layout.rows]\nbase = { packed = [4, 8] }\nclaims = ["one-to-one"]\n'
>>> [(o.line, str(o.claim.name)) for o in obligations_of(text, "rows.layout.toml")]
[(3, 'one-to-one')]
"""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from layoutalg.check.build import BuildError, subject_of, symbols_of
from layoutalg.check.claim_words import LAYOUT, WORDS, claims_of, default_claims
from layoutalg.check.expected import equals, table
from layoutalg.check.file_error import FileError
from layoutalg.check.subject import Asked, Obligation, Subject, Unclaimed
from layoutalg.check.toml_lines import Path, extents_of, line_of, lines_of
from layoutalg.domain.probes import has_point
from layoutalg.errors import LayoutError, LimitError, shortened
from layoutalg.reading.input_limits import DIGITS, FILE, NESTING
from layoutalg.reading.near_names import meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from layoutalg.claim import Claim

__all__ = ["SUFFIX", "asked_of", "obligations_of", "schema", "subjects_of"]

SUFFIX = ".layout.toml"
NAMING = {name for word in WORDS.values() for name, kind in word.arguments.items() if kind == LAYOUT}
LONGEST = 200  # characters shown of what came


@cache
def schema() -> dict[str, Any]:
    """The published JSON Schema of layout files."""
    text = files("layoutalg.check").joinpath("layout.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def obligations_of(text: str, file: str) -> list[Obligation]:
    """Every claim of a layout file; refused with file, line and key where the file is not what it must be."""
    return asked_of(text, file)[0]


def asked_of(text: str, file: str) -> Asked:
    """Every claim of a layout file, and the layouts of which there is none."""
    content, lines = _read(text, file), lines_of(text)
    found = list(_File(content, lines, file).obligations())
    claimed = {obligation.layout for obligation in found} | _helpers(content["layout"])
    rest = [name for name in content["layout"] if name not in claimed]
    return found, [Unclaimed(file, line_of(lines, ("layout", name)), name) for name in rest]


def _helpers(layouts: Mapping[str, Any]) -> set[str]:
    """Layouts that others stand on or are compared with: what is claimed there is about them too."""
    found = {row["base"] for row in layouts.values() if isinstance(row.get("base"), str)}
    claims = [claim for row in layouts.values() for claim in row.get("claims", ()) if isinstance(claim, dict)]
    return found | {str(value) for claim in claims for key, value in claim.items() if key in NAMING}


def subjects_of(text: str, file: str) -> dict[str, Subject]:
    """The layouts of a file by name."""
    content = _read(text, file)
    return _File(content, lines_of(text), file).subjects()


def _read(text: str, file: str) -> dict[str, Any]:
    _require_readable(text, file)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise FileError(file, int(line[1]) if line else 1, "", f"not TOML: {error}") from None
    except (ValueError, RecursionError) as error:  # numbers and nesting beyond what Python reads
        raise FileError(file, 1, "", f"not TOML that can be read: {error}") from None


def _require_readable(text: str, file: str) -> None:
    """Refuse what is too long, too deep or has numbers too long, before any of it is read."""
    line = 1
    try:
        FILE.check(len(text))
        for line, depth, digits in extents_of(text):  # noqa: B007  where it stopped
            NESTING.check(depth)
            DIGITS.check(digits)
    except LimitError as error:
        raise FileError(file, line, "", error.message) from None


class _File:
    def __init__(self, content: dict[str, Any], lines: dict[Path, int], file: str) -> None:
        self.content = content
        self.lines = lines
        self.file = file

    def subjects(self) -> dict[str, Subject]:
        self._validate()
        with self._located():
            symbols = symbols_of(self.content.get("symbols", {}), self.content.get("facts", []))
        subjects: dict[str, Subject] = {}
        for name, row in self.content["layout"].items():
            with self._located("layout", name):
                own = {**self.content.get("symbols", {}), **row.get("symbols", {})}
                facts = [*self.content.get("facts", []), *row.get("facts", [])]
                has_own = "symbols" in row or "facts" in row
                known = symbols_of(own, facts) if has_own else symbols
                subjects[name] = subject_of(name, row, known, subjects)
                _require_points(subjects[name])
        return subjects

    def obligations(self) -> Iterator[Obligation]:
        subjects = self.subjects()
        for name, row in self.content["layout"].items():
            for path, claim in self._claims(name, row, subjects):
                yield Obligation(claim, self.file, line_of(self.lines, path), name, subjects[name].chain)

    def _claims(
        self, name: str, row: dict[str, Any], subjects: dict[str, Subject]
    ) -> Iterator[tuple[Path, Claim]]:
        subject, place = subjects[name], ("layout", name)
        if "claims" not in row:
            with self._located(*place):
                yield from [(place, claim) for claim in default_claims(subject)]
        for number, entry in enumerate(row.get("claims", ())):
            path: Path = (*place, "claims", number)
            word, arguments = (entry, {}) if isinstance(entry, str) else (entry["claim"], entry)
            with self._located(*path):
                found = claims_of(word, arguments, subject, subjects)
                if not found:
                    msg = f"{word} asks nothing of this layout: no part of it is concerned"
                    raise LayoutError(msg, hint="leave it out")
            yield from [(path, claim) for claim in found]
        if "equals" in row:
            with self._located(*place, "equals"):
                yield (*place, "equals"), equals(subject, row["equals"], row.get("syntax"))
        if "table" in row:
            with self._located(*place, "table"):
                yield (*place, "table"), table(subject, row["table"], row.get("at", {}))

    @contextmanager
    def _located(self, *place: str | int) -> Iterator[None]:
        try:
            yield
        except FileError:
            raise
        except BuildError as error:
            self._refuse((*place, *error.path), error.message, error.hint)
        except LayoutError as error:
            self._refuse(place, error.message, error.hint)
        except (MemoryError, OverflowError, RecursionError) as error:
            self._refuse(place, f"too large to be judged: {type(error).__name__}: {error}", "smaller sizes")
        except Exception as error:  # noqa: BLE001  whatever it is, it is about this place of this file
            self._refuse(place, f"cannot be used: {type(error).__name__}: {error}", "please report it")

    def _validate(self) -> None:
        import jsonschema  # noqa: PLC0415  slow to load, and not needed for Python files

        errors = list(jsonschema.Draft202012Validator(schema()).iter_errors(self.content))
        misspelt = [error for error in errors if error.validator == "additionalProperties"]
        error = jsonschema.exceptions.best_match(misspelt or errors)
        if error is not None:
            path = tuple(error.absolute_path)
            self._refuse(path, *_said(error))

    def _refuse(self, path: Path, what: str, hint: str) -> None:
        key = ".".join(map(str, path))
        raise FileError(self.file, line_of(self.lines, path), key, what.partition("\n")[0], hint=hint)


def _said(error: Any) -> tuple[str, str]:
    """What a schema's validator found, in our words where they are plainer, and a hint."""
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        unknown = sorted(set(error.instance) - set(known))
        what = f"there is no key {', '.join(map(_cut, unknown))}: known are {', '.join(known)}"
        return what, meant(unknown[0], known)
    near = ""
    if error.validator == "enum" and isinstance(error.instance, str) and error.instance not in WORDS:
        near = meant(error.instance, map(str, error.validator_value))
    return _wanted(error), near


def _wanted(error: Any) -> str:
    if error.validator == "enum" and isinstance(error.instance, str) and error.instance in WORDS:
        wanted_too = ", ".join(WORDS[error.instance].arguments)
        return f'{error.instance}: wanted {wanted_too} too: {{ claim = "{error.instance}", ... }}'
    if error.validator == "enum" and "one-to-one" in error.validator_value:
        return f"wanted one of {', '.join(WORDS)}; got {_shown(error.instance)}"
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"wanted {' and '.join(missing)}"
    if error.validator in ("enum", "const"):
        choices = error.validator_value if error.validator == "enum" else [error.validator_value]
        return f"wanted one of {', '.join(map(str, choices))}; got {_shown(error.instance)}"
    wanted = error.schema.get("description")
    got = _shown(error.instance)
    return f"wanted {wanted}, got {got}" if wanted else _cut(str(error.message))


def _shown(value: Any) -> str:
    return _cut(json.dumps(value, default=str))


def _cut(text: str) -> str:
    return shortened(text, LONGEST)


def _require_points(subject: Subject) -> None:
    if not has_point(subject.domain, subject.map.when):
        from layoutalg.proofs.existence import require_points  # noqa: PLC0415  loads the solver

        require_points(subject.domain, subject.map.when)
