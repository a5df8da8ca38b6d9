"""Baselines: problems that are known, so that only new ones fail a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from layoutalg.check.finding import MAY_BE_KNOWN
from layoutalg.errors import LayoutError
from layoutalg.files import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from layoutalg.check.finding import Finding

__all__ = ["read_baseline", "write_baseline"]

SCHEMA = "layoutalg-baseline-1"


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints of a baseline file; refused where it is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        known = content["known"] if content["schema"] == SCHEMA else content[SCHEMA]
        return frozenset(row["fingerprint"] for row in known)
    except OSError as error:
        msg = f"the baseline {path} cannot be read: {error.strerror}"
        raise LayoutError(msg, hint="--write-baseline makes one") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        msg = f"{path} is no baseline of layoutalg"
        raise LayoutError(msg, hint="--write-baseline makes one") from None


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Write what is refuted or unknown now; gives how many there are."""
    known = [
        {"fingerprint": f.fingerprint, "file": f.file, "layout": f.layout, "code": f.code, "status": f.status}
        for f in findings
        if f.status in MAY_BE_KNOWN
    ]
    write_json(path, {"schema": SCHEMA, "known": known})
    return len(known)
