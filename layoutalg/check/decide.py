"""One file in, its findings out: the unit of work of a run, wherever it is done."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutalg.check.cache import Cache, key_of
from layoutalg.check.codes import UNREADABLE, code_of, is_selected
from layoutalg.check.finding import Finding
from layoutalg.check.problem import FileError
from layoutalg.check.python_file import is_python

if TYPE_CHECKING:
    from layoutalg.check.subject import Obligation
    from layoutalg.claim import Claim
    from layoutalg.verdict import Refuted, Verdict

__all__ = ["Options", "findings_of"]


@dataclass(frozen=True)
class Options:
    """What of a file is decided, and how: ``points`` and solver steps as in ``proofs.Limits``."""

    select: tuple[str, ...] = ("LA",)
    ignore: tuple[str, ...] = ()
    cache: str = ""
    certificates: bool = False
    points: int = 100_000_000


def findings_of(source: str, options: Options) -> list[Finding]:
    """The findings of a layout file or Python source; an error of the file is a finding too."""
    store = Cache(Path(options.cache) if options.cache else None)
    try:
        return _findings(source, options, store)
    finally:
        store.close()


def _findings(source: str, options: Options, store: Cache) -> list[Finding]:
    if is_python(source):
        return _decided(source, "", options, store)
    try:
        text = Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return [_error(FileError(source, 1, "", f"cannot be read: {error}"))]
    key = key_of("file", text, source, options.select, options.ignore, options.certificates, options.points)
    kept = store.get(key)
    if kept is not None:
        return [replace(Finding.from_json(row), is_cached=True) for row in kept]
    found = _decided(source, text, options, store)
    if all(finding.status != "error" for finding in found):
        store.put(key, [finding.as_json() for finding in found])
    return found


def _decided(source: str, text: str, options: Options, store: Cache) -> list[Finding]:
    try:
        if is_python(source):
            from layoutalg.check.python_file import obligations_in  # noqa: PLC0415

            obligations = obligations_in(source)
        else:
            from layoutalg.check.layout_file import obligations_of  # noqa: PLC0415  needs the algebra

            obligations = obligations_of(text, source)
    except FileError as error:
        return [_error(error)]
    chosen = [o for o in obligations if is_selected(code_of(o.claim.name).id, options.select, options.ignore)]
    return [_finding(obligation, options, store) for obligation in chosen]


def _error(error: FileError) -> Finding:
    details = (f"hint: {error.hint}",) if error.hint else ()
    return Finding(
        error.file,
        error.line,
        "",
        UNREADABLE.id,
        UNREADABLE.claim,
        "error",
        summary=error.what,
        details=details,
    )


def _finding(obligation: Obligation, options: Options, store: Cache) -> Finding:
    from layoutalg.proofs.claim_json import json_of  # noqa: PLC0415  loads the solver

    claim = obligation.claim
    base = Finding(
        obligation.file, obligation.line, obligation.layout, code_of(claim.name).id, str(claim), "unknown"
    )
    key = key_of("claim", json_of(claim), options.certificates, options.points)
    kept = store.get(key)
    if kept is not None:
        return replace(base, **{**kept, "details": tuple(kept["details"])}, is_cached=True)
    start = time.perf_counter()
    found = _judged(obligation, options)
    found["seconds"] = round(time.perf_counter() - start, 6)
    if found["status"] != "error":
        store.put(key, found)
    return replace(base, **found)


def _judged(obligation: Obligation, options: Options) -> dict[str, Any]:
    from layoutalg.check.explanation import explained  # noqa: PLC0415
    from layoutalg.proofs import Limits, certificate, prove  # noqa: PLC0415
    from layoutalg.verdict import Proved, Unknown  # noqa: PLC0415

    limits = Limits(points=options.points)
    try:
        verdict: Verdict = prove(obligation.claim, limits=limits)
    except Exception as error:  # noqa: BLE001  one claim must not cost the report of all others
        what = f"internal error: {type(error).__name__}: {error}".partition("\n")[0]
        return {"status": "error", "summary": what, "details": ("please report it with the layout file",)}
    found: dict[str, Any] = {"details": ()}
    if isinstance(verdict, Proved):
        found |= {"status": "proved", "by": verdict.by}
    elif not isinstance(verdict, Unknown):
        found |= {"status": "refuted", "by": verdict.by, "summary": _summary(obligation.claim, verdict)}
        found |= {"details": tuple(explained(obligation, verdict)), "point": dict(verdict.point)}
    else:
        found |= {"status": "unknown", "summary": verdict.reason}
    if options.certificates:
        found["certificate"] = certificate(obligation.claim, verdict, limits)
    return found


def _summary(claim: Claim, refuted: Refuted) -> str:
    """What fails, and for comparisons at which sizes and index."""
    if claim.kind != "comparisons":
        return refuted.explanation
    point = ", ".join(f"{name} = {value}" for name, value in refuted.point.items())
    return f"{refuted.explanation} ({point})" if point else refuted.explanation
