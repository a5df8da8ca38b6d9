"""Baselines: problems that are known, so that only new ones fail a run; those that are gone are told."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from layoutalg.check.codes import STALE, is_selected
from layoutalg.check.finding import MAY_BE_KNOWN, Finding
from layoutalg.check.selection import EVERYTHING, Selection
from layoutalg.errors import LayoutError
from layoutalg.files import write_json

__all__ = ["KnownProblem", "read_baseline", "stale", "write_baseline"]

SCHEMA = "layoutalg-baseline-1"


@dataclass(frozen=True)
class KnownProblem:
    """An entry of a baseline: what is known, and the line of the baseline it stands on."""

    fingerprint: str
    file: str
    layout: str
    code: str
    line: int


def read_baseline(path: Path) -> list[KnownProblem]:
    """The entries of a baseline file; refused where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text)
        rows = content["known"] if content["schema"] == SCHEMA else content[SCHEMA]
        return [_known(row, text) for row in rows]
    except OSError as error:
        msg = f"the baseline {path} cannot be read: {error.strerror}"
        raise LayoutError(msg, hint="--write-baseline makes one") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        msg = f"{path} is no baseline of layoutalg"
        raise LayoutError(msg, hint="--write-baseline makes one") from None


def _known(row: dict[str, Any], text: str) -> KnownProblem:
    line = text.count("\n", 0, text.find(row["fingerprint"])) + 1
    return KnownProblem(row["fingerprint"], str(row["file"]), str(row["layout"]), str(row["code"]), line)


def stale(
    path: Path,
    known: Iterable[KnownProblem],
    findings: Sequence[Finding],
    sources: Collection[str],
    selection: Selection,
) -> Iterator[Finding]:
    """A note for each entry that no longer occurs, of what this run has judged or what is there no longer."""
    if not is_selected(STALE.id, EVERYTHING, selection.ignore):
        return
    found = {f.fingerprint for f in findings if f.status in MAY_BE_KNOWN}
    broken = {f.file for f in findings if f.status == "error"}
    for one in known:
        is_gone = not Path(one.file).exists() and one.file.endswith((".toml", ".py"))
        is_judged = one.file in sources or f"{one.file}:{one.layout}" in sources
        is_chosen = is_selected(one.code, selection.select, selection.ignore)
        if one.fingerprint in found or one.file in broken or not (is_gone or (is_judged and is_chosen)):
            continue
        why = "is gone with its file" if is_gone else "no longer occurs"
        said = f"the baseline knows {one.code} of {one.file}, which {why}; --write-baseline {path} drops it"
        yield Finding(str(path), one.line, one.layout, STALE.id, STALE.claim, "note", summary=said)


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Write what is refuted or unknown now; gives how many there are."""
    known = [
        {"fingerprint": f.fingerprint, "file": f.file, "layout": f.layout, "code": f.code, "status": f.status}
        for f in findings
        if f.status in MAY_BE_KNOWN
    ]
    write_json(path, {"schema": SCHEMA, "known": known})
    return len(known)
