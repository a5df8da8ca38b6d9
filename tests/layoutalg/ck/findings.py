"""What is refuted in CK Tile, as data; and the run over the whole tree that finds it again."""

from __future__ import annotations

import time
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.check.from_ck import claims_of_import
from layoutalg.check.subject import Subject
from layoutalg.ck import Imported, attempt, builders
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.proofs import prove
from layoutalg.verdict import Verdict

__all__ = ["COMPILES", "Finding", "checked", "findings", "imports"]

FILE = Path(__file__).with_name("findings.toml")
COMPILES = "compiles"  # the claim of a function that no compiler accepts


@dataclass(frozen=True)
class Finding:
    """A claim that does not hold of a layout in CK's headers, with the point that shows it."""

    target: str
    arch: tuple[str, ...]
    place: str
    claim: str
    kind: str
    why: str
    witness: dict[str, int]
    points: tuple[tuple[int, ...], ...]
    offsets: tuple[int, ...]
    more: dict[str, Any]

    @classmethod
    def of(cls, row: dict[str, Any]) -> Finding:
        rest = dict(row)
        names = ("target", "arch", "place", "claim", "kind", "why")
        target, arch, place, claim, kind, why = (rest.pop(name) for name in names)
        witness, offsets = rest.pop("witness", {}), tuple(rest.pop("offsets", ()))
        points = tuple(map(tuple, rest.pop("points", ())))
        return cls(target, tuple(arch), place, claim, kind, why, witness, points, offsets, rest)

    @property
    def function(self) -> str:
        """The target without its file."""
        return self.target.partition(".hpp::")[2].partition("#")[0]


@cache
def findings() -> tuple[Finding, ...]:
    """All of the file."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["finding"]
    return tuple(map(Finding.of, rows))


@cache
def imports(arch: str, only: str = "") -> list[tuple[str, Imported, float]]:
    """Every function with what its import gave and how long that took."""
    index = headers(find_root(), arch)
    found = []
    for builder, ordinal in sorted(
        ordinals(builders(index)).items(), key=lambda row: (row[0].file, row[0].line)
    ):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        if only in target:
            start = time.perf_counter()
            bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
            result = attempt(target, bindings, index=index)
            found.append((target, result, time.perf_counter() - start))
    return found


KNOWN: dict[Any, list[tuple[str, Verdict]]] = {}  # most layouts are the same for both targets


def checked(layout: Any) -> list[tuple[str, Verdict]]:
    """The claims on a layout with their verdicts."""
    if layout not in KNOWN:
        claims = claims_of_import(Subject.of("layout", layout))
        KNOWN[layout] = [(claim.name, prove(claim)) for claim in claims]
    return KNOWN[layout]
