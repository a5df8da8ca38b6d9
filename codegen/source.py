"""Laying out HIP source: comment, includes, types, the kernel."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["comment", "function", "translation_unit"]

WIDTH = 100


def comment(text: str) -> list[str]:
    """Prose as ``//`` lines; a line break in the text stays one."""
    lines: list[str] = []
    for paragraph in text.strip().splitlines():
        wrapped = textwrap.wrap(paragraph, WIDTH - 3) if not paragraph.startswith(" ") else [paragraph]
        lines += [f"// {line}".rstrip() for line in wrapped or [""]]
    return lines


def function(name: str, parameters: Sequence[str], threads: int, body: Iterable[str]) -> list[str]:
    """A kernel with its launch bounds and its statements indented."""
    head = f'extern "C" __global__ __launch_bounds__({threads})'
    joined = ", ".join(parameters)
    lines = [head, f"void {name}({joined})"]
    if len(lines[1]) > WIDTH:
        inner = (",\n    ".join(parameters)).splitlines()
        lines = [head, f"void {name}(", *(f"    {line.strip()}" for line in inner)]
        lines[-1] += ")"
    statements = [f"    {line}" if line else "" for line in body]
    return [*lines, "{", *statements, "}"]


def translation_unit(head: str, types: Iterable[str], kernel: Iterable[str]) -> str:
    """A complete source file that includes nothing but HIP's own header."""
    parts = [
        comment(head),
        ["#include <hip/hip_runtime.h>"],
        list(types),
        list(kernel),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"
