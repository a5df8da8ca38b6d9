"""Where an assertion was called from outside of this package, and what its first argument is called there.

>>> rows = "a descriptor"
>>> call_site(otherwise="tile").line, call_site(rows).name
(1, 'rows')
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import FrameType

__all__ = ["CallSite", "call_site"]

HERE = f"{Path(__file__).parents[1]}{os.sep}"


@dataclass(frozen=True)
class CallSite:
    """A file and line, and the text of the first argument of the call that stands there."""

    file: str
    line: int
    name: str


def call_site(otherwise: str = "layout") -> CallSite:
    """The nearest call from outside; its argument's text if that is a name, such as ``self.rows``."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(HERE):
        frame = frame.f_back
    if frame is None:
        return CallSite("test", 1, otherwise)
    return CallSite(_shown(frame.f_code.co_filename), frame.f_lineno, _argument(frame) or otherwise)


def _shown(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _argument(frame: FrameType) -> str:
    """The first argument of the call that a frame is in, if it is a name or what a name holds; else empty."""
    places = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    begin, end, left, right = next(places, (None,) * 4)
    if begin is None or end is None or left is None or right is None:
        return ""
    lines = [linecache.getline(frame.f_code.co_filename, n).encode() for n in range(begin, end + 1)]
    lines[-1] = lines[-1][:right]
    lines[0] = lines[0][left:]
    try:
        call = ast.parse(b"".join(lines).decode(), mode="eval").body
    except (SyntaxError, UnicodeDecodeError, ValueError):  # not the text that was compiled
        return ""
    if not isinstance(call, ast.Call):
        return ""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    is_name = bool(given) and isinstance(given[0], ast.Name | ast.Attribute | ast.Subscript)
    return ast.unparse(given[0]) if is_name else ""
