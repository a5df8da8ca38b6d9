"""One file in, its findings out: the unit of work of a run, wherever it is done."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutalg.check.cache import Cache, key_of
from layoutalg.check.codes import UNCLAIMED, UNREADABLE, code_of, is_selected
from layoutalg.check.file_error import FileError
from layoutalg.check.finding import Finding
from layoutalg.check.layout_source import Source
from layoutalg.check.sources import asked_in
from layoutalg.errors import LayoutError, ToolError
from layoutalg.reading.input_limits import ENUMERATED
from layoutalg.reading.recursion import deeply
from layoutalg.reading.toml_text import read_toml
from layoutalg.verdict import Proved, Unknown

if TYPE_CHECKING:
    from layoutalg.check.asked import Obligation, Passed, Unclaimed
    from layoutalg.check.codes import Code
    from layoutalg.claim import Claim
    from layoutalg.proofs import Limits
    from layoutalg.verdict import Refuted, Verdict

__all__ = ["Options", "failed", "findings_of"]


@dataclass(frozen=True)
class Options:
    """What of a file is decided, and how.

    ``max_points``: what enumeration may try, as ``points`` of ``proofs.Limits``; ``recheck``: the solver
    that must confirm each proof by its certificate, none if empty.
    """

    select: tuple[str, ...] = ("LA",)
    ignore: tuple[str, ...] = ()
    cache: str = ""
    certificates: bool = False
    max_points: int = ENUMERATED
    recheck: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        """What of the options a verdict depends on."""
        return self.certificates, self.max_points, self.recheck


def findings_of(source: str, options: Options) -> list[Finding]:
    """The findings of a layout file or Python source; an error of the file is a finding too."""
    store = Cache(Path(options.cache) if options.cache else None)
    try:
        with deeply(source):
            return _findings(source, options, store)
    except Exception as error:  # noqa: BLE001  one file must not cost the report of all others
        return [failed(source, error)]
    finally:
        store.close()


def failed(source: str, error: Exception) -> Finding:
    """The finding about a file that could not be judged at all."""
    what = f"cannot be judged: {type(error).__name__}: {error}".replace("\n", " ")
    if isinstance(error, LayoutError):
        what = f"cannot be judged: {error.message}".partition("\n")[0]
    return _error(FileError(source, 1, "", what))


def _findings(source: str, options: Options, store: Cache) -> list[Finding]:
    named = Source.of(source)
    if named.kind != "layout file":
        return _decided(source, "", options, store)
    try:
        text = Path(named.place).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return [_error(FileError(source, 1, "", f"cannot be read: {error}"))]
    if not options.cache:
        return _decided(source, text, options, store)
    said = (text, source, options.select, options.ignore, options.key)
    before = _headers_read(text)
    kept = _kept(store.get(key_of("file", *said, before)))
    if kept is not None:
        return kept
    found = _decided(source, text, options, store)
    is_as_before = _headers_read(text) == before  # a header may be written while it is judged
    if is_as_before and all(finding.status != "error" for finding in found):
        store.put(key_of("file", *said, before), [finding.as_json() for finding in found])
    return found


def _headers_read(text: str) -> list[list[str]]:
    """What the layouts of a file are read from beside it: the roots of CK's headers, with their digests."""
    try:
        targets = _targets(read_toml(text))
    except LayoutError:
        return []  # it is an error, which is not kept
    if not targets:
        return []
    from layoutalg.ck.cpp.ck_library import library_of  # noqa: PLC0415
    from layoutalg.ck.cpp.headers import header_texts  # noqa: PLC0415  reads CK's headers
    from layoutalg.ck.fetch import find_root  # noqa: PLC0415

    found = []
    for library in dict.fromkeys(map(library_of, targets)):
        try:
            headers = header_texts(find_root(), library)
        except ToolError as error:  # there are none, which is an error of the layout alone
            found.append([library.space, str(error)])
        else:
            found.append([library.space, str(headers.root), headers.digest])
    return found


def _targets(content: Any) -> list[str]:
    """The functions of CK that a layout file names, wherever in it."""
    if not isinstance(content, dict | list):
        return []
    values = content.values() if isinstance(content, dict) else content
    found = [target for value in values for target in _targets(value)]
    named = content.get("from_ck") if isinstance(content, dict) else None
    return [*found, str(named.get("target") or named.get("file"))] if isinstance(named, dict) else found


def _kept(rows: Any) -> list[Finding] | None:
    """The findings of a row of the cache, None where it holds anything else."""
    if not isinstance(rows, list):
        return None
    try:
        return [replace(Finding.from_json(row), is_cached=True) for row in rows]
    except ValueError:
        return None


def _decided(source: str, text: str, options: Options, store: Cache) -> list[Finding]:
    def is_wanted(code: str) -> bool:
        return is_selected(code, options.select, options.ignore)

    asked = asked_in(source, text)
    chosen = [one for one in asked.obligations if is_wanted(code_of(one.claim.name).id)]
    found = [_error(error) for error in asked.errors]
    found += [_finding(obligation, options, store) for obligation in chosen]
    found += [_note(one, UNREADABLE, f"not looked at: {one.why}") for one in asked.passed]
    if is_wanted(UNCLAIMED.id):
        said = "nothing is claimed of this layout: state claims, or give it a size"
        found += [_note(one, UNCLAIMED, said) for one in asked.unclaimed]
    return found


def _note(one: Unclaimed | Passed, code: Code, said: str) -> Finding:
    return Finding(one.file, one.line, one.layout, code.id, code.claim, "note", summary=said)


def _error(error: FileError) -> Finding:
    return Finding(
        error.file,
        error.line,
        "",
        UNREADABLE.id,
        f"{UNREADABLE.claim}: {error.what}",  # errors of one file are told apart by it
        "error",
        summary=error.what,
        details=(*error.details, *_hints(error.hint)),
    )


def _hints(hint: str) -> tuple[str, ...]:
    return (f"hint: {hint}",) if hint else ()


def _finding(obligation: Obligation, options: Options, store: Cache) -> Finding:
    from layoutalg.proofs.certificates.claim_json import json_of  # noqa: PLC0415  loads the solver

    claim = obligation.claim
    base = Finding(
        obligation.file, obligation.line, obligation.layout, code_of(claim.name).id, str(claim), "unknown"
    )
    key = key_of("claim", json_of(claim), repr(obligation.chain), options.key)
    kept = store.get(key)
    if isinstance(kept, dict):
        rows = _kept([{**base.as_json(), **kept}])
        if rows:
            return rows[0]
    start = time.perf_counter()
    found = _judged(obligation, options)
    found["seconds"] = round(time.perf_counter() - start, 6)
    if found["status"] != "error":
        store.put(key, found)
    return replace(base, **found)


def _judged(obligation: Obligation, options: Options) -> dict[str, Any]:
    try:
        return _verdict(obligation, options)
    except (MemoryError, OverflowError, RecursionError) as error:
        what = f"too large to be judged: {type(error).__name__}: {error}".partition("\n")[0]
        return {"status": "error", "summary": what, "details": ("smaller sizes, or fewer levels",)}
    except LayoutError as error:  # the claim speaks of no point, or is too large
        return {"status": "error", "summary": error.message, "details": _hints(error.hint)}
    except Exception as error:  # noqa: BLE001  one claim must not cost the report of all others
        what = f"internal error: {type(error).__name__}: {error}".partition("\n")[0]
        return {"status": "error", "summary": what, "details": ("please report it with the layout file",)}


def _verdict(obligation: Obligation, options: Options) -> dict[str, Any]:
    from layoutalg.check.explanation import explained  # noqa: PLC0415
    from layoutalg.proofs import (  # noqa: PLC0415
        Limits,
        certificate,
        prove,
    )
    from layoutalg.proofs.unknown import about_unknown  # noqa: PLC0415

    limits = Limits(points=options.max_points)
    verdict: Verdict = prove(obligation.claim, limits=limits)
    found: dict[str, Any] = {"details": ()}
    if isinstance(verdict, Proved):
        found |= {"status": "proved", "by": verdict.by}
    elif not isinstance(verdict, Unknown):
        found |= {"status": "refuted", "by": verdict.by, "summary": _summary(obligation.claim, verdict)}
        found |= {"details": tuple(explained(obligation, verdict)), "point": dict(verdict.point)}
    else:
        found |= {"status": "unknown", "summary": verdict.reason}
        found |= {"details": about_unknown(obligation.claim).lines}
    asked = options.recheck if isinstance(verdict, Proved) else ""
    if options.certificates or asked:
        made = certificate(obligation.claim, verdict, limits)
        found |= _rechecked(made, asked, limits) if asked else {}
        found |= {"certificate": made} if options.certificates else {}
    return found


def _rechecked(made: dict[str, Any], solver: str, limits: Limits) -> dict[str, Any]:
    """What a second look at its certificate makes of a proof's finding."""
    from layoutalg.proofs.certificates.recheck import recheck  # noqa: PLC0415

    found, by = recheck(made, [solver], limits), made["by"]
    if found.result == "confirmed":
        return {"by": f"{by}, {found.reason.replace('by ', 'confirmed by ', 1)}"}
    return {"status": "unconfirmed", "summary": f"by {by}; {solver} did not confirm it: {found.reason}"}


def _summary(claim: Claim, refuted: Refuted) -> str:
    """What fails, and for comparisons at which sizes and index."""
    if claim.kind != "comparisons":
        return refuted.explanation
    point = ", ".join(f"{name} = {value}" for name, value in refuted.point.items())
    return f"{refuted.explanation} ({point})" if point else refuted.explanation
