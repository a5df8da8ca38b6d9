"""The argument block of a launch held against the code object: sizes, places, pointers, hidden arguments."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.gfx9.kernel_arguments import explicit_places

__all__ = ["complaints", "numbers_in"]

POINTERS = ("global_buffer",)


def numbers_in(kernel: KernelResources, block: bytes) -> list[int]:
    """What a block holds for each explicit argument."""
    places = explicit_places(kernel.arguments)
    return [int.from_bytes(block[p.offset : p.offset + p.size], "little") for p in places]


def complaints(
    kernel: KernelResources, block: bytes, allocations: Mapping[int, int], threads: int
) -> Collection[str]:
    """What is wrong with a block; ``allocations``: sizes by their addresses."""
    places = explicit_places(kernel.arguments)
    end = max((place.offset + place.size for place in places), default=0)
    if len(block) != end:
        return [f"{kernel.name}: the arguments take {end} bytes, {len(block)} were passed"]
    if threads > kernel.max_workgroup:
        return [f"{kernel.name}: {threads} threads a workgroup, at most {kernel.max_workgroup} are allowed"]
    values = list(zip(places, numbers_in(kernel, block), strict=True))
    hidden = [place for place in kernel.arguments if place not in places]
    return [
        *(
            f"argument {i} lies at {place.offset}"
            for i, place in enumerate(places)
            if place.offset % place.size
        ),
        *(f"hidden argument {place.kind} lies among them" for place in hidden if place.offset < end),
        *(
            f"argument {i} points at {number:#x}, where nothing was allocated"
            for i, (place, number) in enumerate(values)
            if place.kind in POINTERS and not _is_held(number, allocations)
        ),
    ]


def _is_held(address: int, allocations: Mapping[int, int]) -> bool:
    return any(start <= address < start + size for start, size in allocations.items())
