"""What is allowed to be wrong with a kernel, and why: a file of suppressions, or a comment in the source.

A file is TOML; ``kernel`` and ``file`` are patterns (``*`` for anything), ``line`` may be left out:

.. code-block:: toml

    [[suppress]]
    check = "lds-race"
    kernel = "layer_norm*"
    reason = "reads what is never used"

A comment stands on the line that is reported, or the other one of a race, or on the line before::

    s[threadIdx.x] = 1;  // layoutalg: allow lds-lane-race: all lanes mean the same

A reason is always asked for.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from layoutalg.check.toml_lines import line_of, lines_of
from layoutalg.codegen.kernel_checks import CHECKS, Check
from layoutalg.codegen.sanitizer import SanitizerFinding
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import no_such
from layoutalg.reading.text_file import read_text
from layoutalg.reading.toml_text import TomlError, read_toml

__all__ = ["Suppression", "allowed_in_source", "read_suppressions", "suppression_for"]

COMMENT = re.compile(r"layoutalg:\s*allow\s+([\w-]+)\s*(?::\s*(.*\S))?")
KEYS = ("check", "kernel", "file", "line", "reason")


@dataclass(frozen=True)
class Suppression:
    """A finding that is allowed, with the reason, and where that is written (``file``, ``line``)."""

    check: str
    reason: str
    kernel_pattern: str
    file_pattern: str
    source_line: int | None
    file: str
    line: int

    def allows(self, finding: SanitizerFinding) -> bool:
        return (
            finding.check.name == self.check
            and fnmatch(finding.kernel, self.kernel_pattern)
            and (fnmatch(finding.file, self.file_pattern) or Path(finding.file).match(self.file_pattern))
            and self.source_line in (None, finding.line)
        )


def suppression_for(finding: SanitizerFinding, suppressions: Sequence[Suppression]) -> Suppression | None:
    """The first that allows a finding."""
    return next((one for one in suppressions if one.allows(finding)), None)


def allowed_in_source(finding: SanitizerFinding) -> str:
    """The reason that a comment in the source gives; empty where there is none.

    Refused: a comment without a reason.
    """
    places = [(finding.file, finding.line)]
    if finding.other is not None and finding.other.source is not None:
        places.append((finding.other.source.file, finding.other.source.line))
    for file, line in ((file, number) for file, first in places for number in (first, first - 1)):
        linecache.checkcache(file)
        found = COMMENT.search(linecache.getline(file, line)) if line > 0 else None
        if found is None or found[1] not in (finding.check.name, finding.check.code):
            continue
        if not found[2]:
            msg = f"{file}:{line}: allow {found[1]}: wanted a reason, got none"
            raise LayoutError(msg, hint=f"layoutalg: allow {found[1]}: why it is no mistake")
        return found[2].removesuffix("*/").rstrip()
    return ""


def read_suppressions(path: Path) -> list[Suppression]:
    """The suppressions of a file; one error with the line where one is not what it must be."""
    try:
        text = read_text(path)
        content: Any = read_toml(text)
    except TomlError as error:
        raise LayoutError(f"{path}:{error.text_line + 1}: {error.message}", hint=error.hint) from None
    rows = content.get("suppress")
    if not isinstance(rows, list) or set(content) != {"suppress"}:
        raise LayoutError(f"{path}: wanted [[suppress]] tables, got {', '.join(content) or 'nothing'}")
    lines = lines_of(text)
    return [
        _suppression(row, str(path), line_of(lines, ("suppress", number))) for number, row in enumerate(rows)
    ]


def _suppression(row: Any, file: str, line: int) -> Suppression:
    where = f"{file}:{line}"
    for key in row:
        if key not in KEYS:
            raise no_such("key", key, KEYS, where=where)
    for key in ("check", "reason"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise LayoutError(f"{where}: wanted {key}, a text, got {row.get(key)!r}")
    number = row.get("line")
    if not isinstance(number, int | None):
        raise LayoutError(f"{where}: line: wanted a whole number, got {number!r}")
    check = _check_of(row["check"], where)
    patterns = (str(row.get("kernel", "*")), str(row.get("file", "*")))
    return Suppression(check.name, row["reason"].strip(), *patterns, number, file, line)


def _check_of(name: str, where: str) -> Check:
    """A check by its name or its code."""
    found = next((check for check in CHECKS if name in (check.name, check.code)), None)
    if found is None:
        raise no_such("check", name, [check.name for check in CHECKS], where=where)
    return found
