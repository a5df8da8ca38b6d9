"""HIP source as lines: comments, the include, types, loops, the kernel's function."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "INCLUDE",
    "INDENT",
    "comment",
    "declared",
    "function",
    "indented",
    "nested",
    "translation_unit",
    "typedef",
    "unrolled",
]

WIDTH = 100
INDENT = "    "
INCLUDE = "#include <hip/hip_runtime.h>"


def comment(text: str) -> list[str]:
    """Prose as ``//`` lines; a line break in the text stays one."""
    lines: list[str] = []
    for paragraph in text.strip().splitlines():
        wrapped = textwrap.wrap(paragraph, WIDTH - 3) if not paragraph.startswith(" ") else [paragraph]
        lines += [f"// {line}".rstrip() for line in wrapped or [""]]
    return lines


def declared(kind: str, name: str, values: Iterable[str]) -> str:
    """The declaration of a value, or of several as an array.

    >>> declared("const int", "first", ["lane"]), declared("const int", "first", ["lane", "lane + 1"])
    ('const int first = lane;', 'const int first[2] = {lane, lane + 1};')
    """
    first, *others = values
    if not others:
        return f"{kind} {name} = {first};"
    return f"{kind} {name}[{1 + len(others)}] = {{{', '.join((first, *others))}}};"


def function(
    name: str,
    parameters: Sequence[str],
    threads: int,
    body: Iterable[str],
    *,
    waves_per_simd: int | None = None,
) -> list[str]:
    """A kernel with its launch bounds and its statements indented.

    ``waves_per_simd``: registers are to be left for so many; on AMD GPUs alone.
    """
    head = f'extern "C" __global__ __launch_bounds__({threads})'
    if waves_per_simd is not None:
        head += f" __attribute__((amdgpu_waves_per_eu({waves_per_simd})))"
    joined = ", ".join(parameters)
    lines = [head, f"void {name}({joined})"]
    if len(lines[1]) > WIDTH:
        inner = (",\n    ".join(parameters)).splitlines()
        lines = [head, f"void {name}(", *(f"    {line.strip()}" for line in inner)]
        lines[-1] += ")"
    statements = [f"{INDENT}{line}" if line else "" for line in body]
    return [*lines, "{", *statements, "}"]


def translation_unit(head: str, types: Iterable[str], kernel: Iterable[str]) -> str:
    """A complete source file that includes nothing but HIP's own header."""
    parts = [
        comment(head),
        [INCLUDE],
        list(types),
        list(kernel),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def indented(lines: Iterable[str], depth: int = 1) -> Iterator[str]:
    """Lines indented by so many levels."""
    return (INDENT * depth + line for line in lines)


def unrolled(name: str, end: int, *, first: int = 0, opens: bool = False) -> Iterator[str]:
    """The head of a loop that the compiler unrolls; ``opens`` a block, or takes the next statement."""
    yield "#pragma unroll"
    yield f"for (int {name} = {first}; {name} < {end}; ++{name}){' {' if opens else ''}"


def nested(loops: Sequence[tuple[str, int]], body: Sequence[str]) -> Iterator[str]:
    """Unrolled loops by name and length, one in the other, around statements.

    >>> list(nested([("i", 2)], ["a[i] = 0;"]))
    ['#pragma unroll', 'for (int i = 0; i < 2; ++i)', '    a[i] = 0;']
    """
    opens = len(body) > 1
    for depth, (name, length) in enumerate(loops):
        is_inner = depth == len(loops) - 1
        yield from indented(unrolled(name, length, opens=opens and is_inner), depth)
    yield from indented(body, len(loops))
    if opens:
        yield from indented(["}"], len(loops) - 1)


def typedef(word: str, count: int, new: str) -> str:
    """A name for a type, or for a vector of it.

    >>> typedef("_Float16", 4, "fragment")
    'typedef _Float16 fragment __attribute__((ext_vector_type(4)));'
    """
    vector = "" if count == 1 else f" __attribute__((ext_vector_type({count})))"
    return f"typedef {word} {new}{vector};"
