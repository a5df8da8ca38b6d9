"""Configurations of CK's kernels judged: every function that each of them uses, each different one once.

The unit of work is a function with its bindings. Configurations that differ in nothing that a function is
bound to share its verdicts; what a unit gave is kept by its headers and bindings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from layoutalg.check.cache import Cache, key_of
from layoutalg.check.codes import code_of
from layoutalg.check.finding import Finding, Status
from layoutalg.check.from_ck import claims_of_import
from layoutalg.check.lds_access import JudgedAccess, judged_accesses
from layoutalg.check.runner import judged
from layoutalg.check.subject import Subject
from layoutalg.ck import import_layout
from layoutalg.ck.configurations import Configuration, Unit, units_of
from layoutalg.ck.configurations.device_operations import is_device_operation
from layoutalg.ck.cpp.ck_library import CK_TILE, OLD_CK, library_of
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, OtherSpecialisationError, RejectedError
from layoutalg.ck.cpp.headers import header_texts, headers
from layoutalg.ck.lds_pairs import is_lds_name
from layoutalg.claim import Claim
from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted, Verdict

__all__ = ["Judged", "Sweep", "bindings_read", "swept"]

ACCEPTED = "accepted by CK"


@dataclass(frozen=True)
class Judged:
    """A function with its bindings, what came of it, and the configurations that use it."""

    unit: Unit
    configurations: tuple[Configuration, ...]
    findings: tuple[Finding, ...]

    @property
    def is_rejected(self) -> bool:
        """Whether CK's own assertions refuse it."""
        return any(f.claim == ACCEPTED and f.status == "refuted" for f in self.findings)


@dataclass(frozen=True)
class Sweep:
    """All that was judged."""

    configurations: tuple[Configuration, ...]
    judged: tuple[Judged, ...]
    errors: tuple[tuple[Configuration, Finding], ...] = ()  # of those that could not be judged at all

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings at the place of the first configuration that each is of."""
        rejected = {c.key for one in self.judged if one.is_rejected for c in one.configurations}
        placed = [_placed(finding, one, rejected) for one in self.judged for finding in one.findings]
        return (*placed, *(finding for _, finding in self.errors))


def swept(
    configurations: Sequence[Configuration],
    tree: Path,
    arch: str,
    *,
    cache_file: Path | None = None,
    jobs: int = 1,
    scheduler: str = "",
    shown: Callable[[Iterator[Any], int], Iterator[Any]] = lambda results, _: results,
) -> Sweep:
    """Judge all functions of all configurations; ``shown`` may pass the results on to a progress bar."""
    users: dict[Unit, list[Configuration]] = {}
    errors = []
    for one in configurations:
        try:
            library = OLD_CK if is_device_operation(one.kernel) else CK_TILE
            for unit in units_of(one, headers(tree, one.arch or arch, library)):
                users.setdefault(unit, []).append(one)
        except LayoutError as error:
            errors.append((one, _error(one, error)))
    store = Cache(cache_file)
    before = _keys(users, tree)
    known = {unit: _kept(store, before[unit]) for unit in users}
    left = [unit for unit, found in known.items() if found is None]
    work = partial(findings_of_unit, tree=tree)
    for unit, found in shown(judged(left, work, _lost, jobs=jobs, scheduler=scheduler), len(left)):
        known[unit] = tuple(found)
    after = _keys(left, tree)  # a header may be written while it is judged
    for unit in left:
        findings = known[unit] or ()
        if before[unit] == after[unit] and all(finding.status != "error" for finding in findings):
            store.put(before[unit], [finding.as_json() for finding in findings])
    store.close()
    rows = (Judged(unit, tuple(using), known[unit] or ()) for unit, using in users.items())
    return Sweep(tuple(configurations), tuple(rows), tuple(errors))


def findings_of_unit(unit: Unit, tree: Path) -> list[Finding]:
    """What a function gives with its bindings: whether CK accepts it, and the verdicts on its layout."""
    index, bindings = headers(tree, unit.arch, library_of(unit.target)), dict(unit.bindings)
    try:
        layout = import_layout(unit.target, bindings, index=index, spare=bindings).layout
    except OtherSpecialisationError:  # a function of a class that this configuration does not use
        return []
    except RejectedError as error:
        return [_finding(unit, ACCEPTED, "refuted", error.full_text(), ())]
    except ImportFailedError as error:
        return [_finding(unit, "readable", "error", f"{unit.function}: {error.full_text()}", ())]
    if isinstance(layout, TileDistributionEncoding):
        layout = make_static_tile_distribution(layout)
    found = [_finding(unit, ACCEPTED, "proved", "", ())]
    found += [_of_claim(unit, claim, verdict) for claim, verdict in _verdicts(layout)]
    if is_lds_name(unit.target):
        for access in judged_accesses(unit.target, bindings, index=index, defaults=True):
            if isinstance(access, JudgedAccess):
                found += _of_access(unit, access)
    return found


@lru_cache(maxsize=4096)  # configurations of a kernel share their layouts
def _verdicts(layout: Any) -> tuple[tuple[Claim, Verdict], ...]:
    return tuple((claim, prove(claim)) for claim in claims_of_import(Subject.of("layout", layout)))


def bindings_read(unit: Unit, tree: Path) -> set[str]:
    """The bindings that a function reads, and those that its accesses to shared memory read."""
    index, bindings = headers(tree, unit.arch, library_of(unit.target)), dict(unit.bindings)
    try:
        read = set(import_layout(unit.target, bindings, index=index, spare=bindings).read)
    except ImportFailedError as error:
        return set(error.read)
    if is_lds_name(unit.target):
        read = read.union(
            *(one.read for one in judged_accesses(unit.target, bindings, index=index, defaults=True))
        )
    return read


def _of_claim(unit: Unit, claim: Claim, verdict: Verdict, more: tuple[str, ...] = ()) -> Finding:
    status: Status = (
        "proved" if isinstance(verdict, Proved) else "refuted" if isinstance(verdict, Refuted) else "unknown"
    )
    said = "" if status == "proved" else str(verdict)
    found = _finding(unit, claim.name, status, said, more)
    return replace(found, point=dict(verdict.point)) if isinstance(verdict, Refuted) else found


def _of_access(unit: Unit, access: JudgedAccess) -> list[Finding]:
    """The claims of one access to shared memory, with its worst phase."""
    report = access.report
    more = () if report.is_free else (f"{report.conflicts} cycles lost in each execution: {report.worst}",)
    found = []
    for claim, verdict in zip(access.claims, access.verdicts, strict=True):
        one = _of_claim(unit, claim, verdict, more)
        named = f"{unit.function}, {report.access.direction} with {access.partner}"
        found.append(replace(one, layout=named))
    return found


def _finding(unit: Unit, claim: str, status: Status, said: str, details: tuple[str, ...]) -> Finding:
    code = code_of(claim).id
    return Finding("", 1, unit.function, code, claim, status, "", said, tuple(filter(None, details)))


def _placed(finding: Finding, one: Judged, rejected: set[tuple[object, ...]]) -> Finding:
    """A finding with the place and parameters of its first configuration, of those that CK takes if any."""
    taken = [c for c in one.configurations if c.key not in rejected]
    first, others = (taken or one.configurations)[0], len(one.configurations) - 1
    more = [f"configuration: {first.said}"] if finding.status != "proved" and first.said else []
    if others and finding.status != "proved":
        more.append(f"and {others} more configurations")
    if finding.status == "refuted" and finding.claim != ACCEPTED and not taken:
        more.append("CK rejects this configuration elsewhere: no kernel comes of it")
    layout = f"{first.name}: {finding.layout}"
    return replace(
        finding, file=first.file, line=first.line, layout=layout, details=(*more, *finding.details)
    )


def _error(one: Configuration, error: LayoutError) -> Finding:
    hint = (error.hint,) if error.hint else ()
    return Finding(
        one.file, one.line, one.name, code_of("readable").id, "readable", "error", "", error.message, hint
    )


def _lost(unit: Unit, error: Exception) -> Finding:
    return _finding(unit, "readable", "error", f"{unit.function}: its worker died: {error}", ())


# what is kept


def _keys(units: Iterable[Unit], tree: Path) -> dict[Unit, str]:
    """The key of what is said of each unit with the headers that are there now."""
    libraries = {unit: library_of(unit.target) for unit in units}
    digests = {library: header_texts(tree, library).digest for library in set(libraries.values())}
    return {
        unit: key_of(
            "ck sweep", unit.target, unit.arch, [list(row) for row in unit.bindings], digests[library]
        )
        for unit, library in libraries.items()
    }


def _kept(store: Cache, key: str) -> tuple[Finding, ...] | None:
    rows = store.get(key)
    if not isinstance(rows, list):
        return None
    try:
        return tuple(Finding.from_json(row) for row in rows)
    except ValueError:
        return None
