"""The layouts of a file with their claims, as far as they are sound: an error costs its own layout, no other.

What stands on something in error (a base, a layout that a claim names, the file's symbols) is not looked at
and told once, so that no error is told twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from layoutalg.check.asked import Obligation, Passed
from layoutalg.check.build import ranges_of, subject_of, symbols_of
from layoutalg.check.claim_words import LAYOUT, WORDS, claims_of, default_claims
from layoutalg.check.expected import equals, table
from layoutalg.check.file_error import FileError
from layoutalg.check.gathered import BuildError, UnsoundLayoutError
from layoutalg.check.schema_words import form_errors
from layoutalg.check.subject import Subject
from layoutalg.check.toml_lines import Path, line_of, line_within
from layoutalg.claim import Claim
from layoutalg.domain import Domain
from layoutalg.domain.probes import has_point
from layoutalg.errors import LayoutError
from layoutalg.properties.inside_tables import inside_tables

__all__ = ["FileLayouts"]

NAMING = {name for word in WORDS.values() for name, kind in word.arguments.items() if kind == LAYOUT}
ASKED = {("claims",), ("equals",), ("table",), ("at",)}  # keys that ask, and do not make, the layout
NAME = re.compile(r"[A-Za-z_]\w*")


class FileLayouts:
    """What a file says: sound layouts by name, claims of them, and all errors."""

    def __init__(self, content: dict[str, Any], lines: dict[Path, int], file: str) -> None:
        self.content = content
        self.lines = lines
        self.file = file
        self.errors: list[FileError] = []
        self.passed: list[Passed] = []
        self.subjects: dict[str, Subject] = {}
        self.rows: dict[str, Any] = {}
        self.unread: set[Path] = set()  # what has not the form it must have
        broken = self._form()
        self._build(broken)
        self.obligations = [one for name in self.subjects for one in self._obligations(name)]

    @property
    def silent(self) -> list[str]:
        """Sound layouts that claim nothing, and that no other stands on or is compared with."""
        claimed = {o.layout for o in self.obligations} | {p.layout for p in self.passed} | self._helpers()
        troubled = {error.layout for error in self.errors}
        return [name for name in self.subjects if name not in claimed | troubled]

    def _helpers(self) -> set[str]:
        found = {row["base"] for row in self.rows.values() if isinstance(row.get("base"), str)}
        claims = [c for name in self.rows for _, c in self._entries(name) if isinstance(c, dict)]
        return found | {str(value) for claim in claims for key, value in claim.items() if key in NAMING}

    def _form(self) -> set[str]:
        """Note the errors of form; the layouts that have some."""
        broken = set()
        for error in form_errors(self.content):
            self._refuse(error.key, error.what, error.hint, error.place)
            if error.place[:1] == ("layout",) and error.place[2:3] not in ASKED:
                broken |= set(map(str, error.place[1:2]))
            self.unread.add(error.place)
        layouts = self.content.get("layout", {})
        if isinstance(layouts, dict):
            self.rows = {name: row for name, row in layouts.items() if name not in broken}
        return broken

    def _build(self, broken: set[str]) -> None:
        symbols = self._symbols()
        causes = dict.fromkeys(broken, "is in error")
        general = [error for error in self.errors if not error.layout]
        doubt = f"{general[0].key or 'the file'} (line {general[0].line})" if general else ""
        doubtful = self._names_of_the_file() if doubt else set()
        for name, row in self.rows.items():
            base = row.get("base")
            if isinstance(base, str) and base in causes:
                self._pass_by(("layout", name), f"its base {base} {causes[base]}")
            elif doubtful & set(NAME.findall(json.dumps(row, default=str))):
                self._pass_by(("layout", name), f"{doubt} is in error")
            else:
                count = len(self.errors)
                self._subject(name, row, symbols)
                if len(self.errors) > count:
                    causes[name] = "is in error"
                continue
            causes[name] = "is not looked at"

    def _symbols(self) -> Domain:
        if not all(error.layout for error in self.errors):
            return Domain.of({})
        with self._told():
            tables, let = self.content.get("tables", {}), self.content.get("let", {})
            return symbols_of(
                ranges_of(self.content.get("symbols", {})), self.content.get("facts", []), tables, let
            )
        return Domain.of({})

    def _names_of_the_file(self) -> set[str]:
        """What the file's own tables declare, also under a mistyped key."""
        tables = [row for key, row in self.content.items() if key != "layout" and isinstance(row, dict)]
        named = self.content.get("symbols", ())
        return {str(name) for row in (*tables, named if isinstance(named, list) else ()) for name in row}

    def _subject(self, name: str, row: dict[str, Any], symbols: Domain) -> None:
        shared, facts = ranges_of(self.content.get("symbols", {})), self.content.get("facts", [])
        with self._told("layout", name):
            if "symbols" in row:
                tables, let = self.content.get("tables", {}), self.content.get("let", {})
                own = ranges_of(row["symbols"])
                _require_no_name_of(let, own)
                symbols = symbols_of({**shared, **own}, facts, tables, let)
            found = subject_of(name, row, symbols, self.subjects)
            _require_points(found)
            vectors = tuple(_vectors(row.get("claims", ())))
            kind = row.get("element_type", found.element_type)
            self.subjects[name] = replace(found, element_type=kind, vectors=vectors)

    def _obligations(self, name: str) -> Iterator[Obligation]:
        subject, row, place = self.subjects[name], self.rows[name], ("layout", name)
        asked: list[tuple[Path, Claim]] = []
        if "claims" not in row:
            with self._told(*place):
                asked += [(place, claim) for claim in default_claims(subject)]
        for path, entry in self._entries(name):
            with self._told(*path):
                asked += [(path, claim) for claim in self._claims(path, entry, subject)]
        if "equals" in row and not self._is_unread(*place, "equals"):
            with self._told(*place, "equals"):
                asked.append(((*place, "equals"), equals(subject, row["equals"], row.get("syntax"))))
        if "table" in row and not (self._is_unread(*place, "table") or self._is_unread(*place, "at")):
            with self._told(*place, "table"):
                asked.append(((*place, "table"), table(subject, row["table"], row.get("at", {}))))
        reads = inside_tables(subject.map, name) if asked else None
        if reads is not None and all(claim.name != reads.name for _, claim in asked):
            asked.append(((*place, "valid" if "valid" in row else "offset"), reads))
        for where, claim in asked:
            yield Obligation(claim, self.file, line_of(self.lines, where), name, subject.chain)

    def _entries(self, name: str) -> Iterator[tuple[Path, Any]]:
        """The entries of a layout's claims that have the form they must have."""
        place: Path = ("layout", name, "claims")
        if place not in self.unread:
            for number, entry in enumerate(self.rows[name].get("claims", ())):
                if not self._is_unread(*place, number):
                    yield (*place, number), entry

    def _is_unread(self, *place: str | int) -> bool:
        return any(one[: len(place)] == place for one in self.unread)

    def _claims(self, path: Path, entry: Any, subject: Subject) -> list[Claim]:
        word, arguments = (entry, {}) if isinstance(entry, str) else (entry["claim"], entry)
        named = [value for key, value in arguments.items() if key in NAMING]
        unsound = [name for name in named if name in self.content["layout"] and name not in self.subjects]
        if unsound:
            self._pass_by(path, f"{unsound[0]}, which {word} names, is in error")
            return []
        found = list(claims_of(word, arguments, subject, self.subjects))
        if not found:
            msg = f"{word} asks nothing of this layout: no part of it is concerned"
            raise LayoutError(msg, hint="leave it out")
        return found

    @contextmanager
    def _told(self, *place: str | int) -> Iterator[None]:
        """Note the errors inside as this file's, and go on after them."""
        try:
            yield
        except UnsoundLayoutError as errors:
            for error in errors.found:
                self._note(error, *place, *error.path)
        except BuildError as error:
            self._note(error, *place, *error.path)
        except LayoutError as error:
            self._note(error, *place)
        except (MemoryError, OverflowError, RecursionError) as error:
            what = f"too large to be judged: {type(error).__name__}: {error}"
            self._refuse(place, what.partition("\n")[0], "smaller sizes")
        except Exception as error:  # noqa: BLE001  whatever it is, it is about this place of this file
            what = f"cannot be used: {type(error).__name__}: {error}"
            self._refuse(place, what.partition("\n")[0], "please report it")

    def _note(self, error: LayoutError, *place: str | int) -> None:
        line = line_within(self.lines, place, error.text_line)
        declared = f"[symbols] {error.undeclared} = {{ min = 1 }}"
        if isinstance(self.content.get("symbols"), list):
            declared = f'symbols = [..., "{error.undeclared}"]'
        mend = f"declare it: {declared}" if error.undeclared else ""
        hint = "; or ".join(filter(None, (error.hint, mend)))
        self.errors.append(FileError(self.file, line, _dotted(place), error.message, hint=hint))

    def _refuse(self, key: Path, what: str, hint: str, place: Path | None = None) -> None:
        line = line_of(self.lines, key if place is None else place)
        self.errors.append(FileError(self.file, line, _dotted(key), what, hint=hint))

    def _pass_by(self, place: Path, why: str) -> None:
        self.passed.append(Passed(self.file, line_of(self.lines, place), str(place[1]), why))


def _require_no_name_of(let: Mapping[str, Any], symbols: Mapping[str, Any]) -> None:
    for name in symbols:
        if name in let:
            raise BuildError(("symbols", name), LayoutError(f"{name} is a name of the file's let already"))


def _vectors(claims: Any) -> Iterator[tuple[str, int]]:
    """Axis and width of every vector that is claimed to move at once; others are told where they stand."""
    for claim in claims if isinstance(claims, list) else ():
        match claim:
            case {"claim": "vector access", "dimension": axis, "width": int(width)}:
                yield str(axis), width


def _dotted(path: Path) -> str:
    return ".".join(map(str, path))


def _require_points(subject: Subject) -> None:
    if not has_point(subject.domain, subject.map.when):
        from layoutalg.proofs.existence import require_points  # noqa: PLC0415  loads the solver

        require_points(subject.domain, subject.map.when)
