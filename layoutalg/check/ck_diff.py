"""What changed between two trees of CK: functions new and gone, layouts that differ, verdicts that turned.

Both trees are read with the shipped bindings, as each of them spells these. A layout that is written in
another way and sends every index to the same place is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from layoutalg.check.from_ck import claims_of_import
from layoutalg.check.lds_access import JudgedAccess, judged_accesses
from layoutalg.check.subject import Subject
from layoutalg.ck import Imported, Index, attempt, builders
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.lds_pairs import is_lds_name
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.proofs import prove
from layoutalg.properties.same_layout import same_layout
from layoutalg.verdict import Proved, Refuted, Verdict

__all__ = ["Change", "TreeDiff", "compared_trees"]

FOLDER = "include/ck_tile/"
Kind = Literal["gone", "new", "layout", "import", "verdict"]


@dataclass(frozen=True)
class Change:
    """One change of a function: what it was, what it is, and a point that shows it where there is one."""

    function: str
    kind: Kind
    before: str = ""
    after: str = ""
    claim: str = ""
    witness: str = ""

    @property
    def is_worse(self) -> bool:
        """Whether a claim that was proved is not any more."""
        return self.kind == "verdict" and self.before == "proved" != self.after


@dataclass(frozen=True)
class TreeDiff:
    """The changes between two trees, and how many functions both have."""

    functions: tuple[int, int]
    shared: int
    changes: tuple[Change, ...]

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """The changes of a kind."""
        return tuple(change for change in self.changes if change.kind == kind)


def compared_trees(old: Index, new: Index, path: str = "") -> TreeDiff:
    """All changes between two trees, of the functions whose name has ``path`` in it."""
    before, after = (_functions(index, path) for index in (old, new))
    pairs = dict(_pairs(before, after))
    found = [Change(name, "gone") for name in before if name not in pairs]
    found += [Change(name, "new") for name in after if name not in pairs.values()]
    for name, now in pairs.items():
        found += _changes(_Function.of(before[name], old), _Function.of(after[now], new), now)
    return TreeDiff((len(before), len(after)), len(pairs), tuple(found))


Row = tuple[Any, int]


def _functions(index: Index, path: str) -> dict[str, Row]:
    """The functions of a tree by their short names: file, classes, function, and which of them."""
    found = {}
    for builder, ordinal in ordinals(builders(index)).items():
        name = f"{builder.file.removeprefix(FOLDER)}::{builder.name}" + (f"#{ordinal}" if ordinal > 1 else "")
        if path in name:
            found[name] = (builder, ordinal)
    return found


def _pairs(before: Mapping[str, Row], after: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    """The same functions: by the whole name, else by class and function where one file has them in each."""
    yield from ((name, name) for name in before if name in after)
    left, right = _by_class(before, after), _by_class(after, before)
    for name, rows in left.items():
        if len(rows) == len(right.get(name, ())) == 1:
            yield rows[0], right[name][0]


def _by_class(rows: Mapping[str, Row], others: Mapping[str, Row]) -> dict[str, list[str]]:
    """The functions that the other tree does not have, by their names without the file."""
    found: dict[str, list[str]] = {}
    for name in rows:
        if name not in others:
            found.setdefault(name.partition("::")[2], []).append(name)
    return found


@dataclass(frozen=True)
class _Function:
    """A function of one tree, imported."""

    target: str
    bindings: Mapping[str, Any]
    index: Index
    imported: Imported

    @classmethod
    def of(cls, row: Row, index: Index) -> _Function:
        builder, ordinal = row
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        target = f"{builder.file}::{builder.name}#{ordinal}"
        return cls(target, bindings, index, attempt(target, bindings, index=index, spare=bindings))

    @property
    def layout(self) -> Any:
        made = self.imported.layout
        return make_static_tile_distribution(made) if isinstance(made, TileDistributionEncoding) else made

    @property
    def outcome(self) -> str:
        """That it was imported, or why not."""
        return "imported" if self.layout is not None else f"{self.imported.verdict}: {self.imported.message}"

    def verdicts(self) -> dict[str, tuple[str, str]]:
        """By claim: the word of its verdict, and its witness; of several of one name what is not proved."""
        found: dict[str, tuple[str, str]] = {}
        for name, word, said in (*self._of_layout(), *self._of_accesses()):
            if found.get(name, ("proved", ""))[0] == "proved":
                found[name] = word, said
        return found

    def _of_layout(self) -> Iterator[tuple[str, str, str]]:
        for claim in claims_of_import(Subject.of("layout", self.layout)):
            verdict = prove(claim)
            yield claim.name, _word(verdict), str(verdict) if isinstance(verdict, Refuted) else ""

    def _of_accesses(self) -> Iterator[tuple[str, str, str]]:
        if not is_lds_name(self.target):
            return
        for access in judged_accesses(self.target, self.bindings, index=self.index, defaults=True):
            if isinstance(access, JudgedAccess):
                report = access.report
                name = f"{report.access.direction} of shared memory without conflicts"
                said = "" if access.is_proved else f"{report.degree}-way: {report.worst}"
                yield name, "proved" if access.is_proved else "refuted", said


def _word(verdict: Verdict) -> str:
    return type(verdict).__name__.lower()


def _changes(old: _Function, new: _Function, name: str) -> Iterator[Change]:
    if old.layout is None or new.layout is None:
        if (old.layout is None) != (new.layout is None):
            yield Change(name, "import", old.outcome, new.outcome)
        return
    differs = _difference(old.layout, new.layout)
    if differs is not None:
        yield Change(name, "layout", _shown(old.layout), _shown(new.layout), witness=differs)
    if differs is None and not is_lds_name(new.target):
        return
    was, now = old.verdicts(), new.verdicts()
    for claim in was:
        if claim in now and was[claim][0] != now[claim][0]:
            witness = now[claim][1] or was[claim][1]
            yield Change(name, "verdict", was[claim][0], now[claim][0], claim, witness)


def _difference(one: Any, other: Any) -> str | None:
    """Where two layouts part, or that they cannot be compared; None where they are one."""
    if one == other:
        return None
    try:
        verdict = prove(same_layout(one, other))
    except LayoutError as error:
        return error.message
    return None if isinstance(verdict, Proved) else str(verdict)


def _shown(layout: Any) -> str:
    lengths = "x".join(map(str, layout.lengths))
    if isinstance(layout, TileDistribution):
        return f"a tile of {lengths}: {layout.encoding}"
    return f"lengths {lengths}, offset {layout.bottom[0] if len(layout.bottom) == 1 else layout.bottom}"
