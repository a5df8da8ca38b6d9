"""What may be chosen of a kernel on the command line: one row an option, and the field that it sets.

>>> OPTIONS["tile"].read("256x128x32"), OPTIONS["lds"].read("xor")
((256, 128, 32), 'xor')
>>> OPTIONS["waves"].read("4")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: --waves 4: wanted MxN, such as 2x2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from layoutalg.errors import LayoutError

__all__ = ["OPTIONS", "Option", "chosen_options"]


@dataclass(frozen=True)
class Option:
    """``--name``, the field it sets, how its text is read, what it may look like, and what it says.

    A flag has no text: to give it is to say yes.
    """

    name: str
    field: str
    parse: Callable[[Any], Any]
    example: str
    summary: str

    @property
    def is_flag(self) -> bool:
        return self.parse is bool

    def read(self, text: Any) -> Any:
        """The value of the field."""
        try:
            return self.parse(text)
        except ValueError:
            msg = f"--{self.name} {text}: wanted {self.example}"
            raise LayoutError(msg) from None


def _extents(*counts: int, least: int = 1) -> Callable[[str], tuple[int, ...]]:
    """Numbers with an x between them, as many as one of the counts says."""

    def parse(text: str) -> tuple[int, ...]:
        found = tuple(int(part) for part in text.lower().split("x"))
        if len(found) not in counts or min(found) < least:
            raise ValueError(text)
        return found

    return parse


RANKS = (1, 2, 3, 4, 5)


def _count(text: str) -> int:
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


OPTIONS: Mapping[str, Option] = {
    row.name: row
    for row in (
        Option("rung", "rung", str, "a rung's name", "Rung of the GEMM ladder, such as naive, xor, double."),
        Option("layouts", "layouts", str, "rcr", "GEMM: A, B and C by rows (r) or columns (c), as CK names."),
        Option("tile", "tile", _extents(3), "MxNxK, such as 256x128x32", "GEMM: the tile of a workgroup."),
        Option("waves", "waves", _extents(2), "MxN, such as 2x2", "GEMM: waves of a workgroup along M, N."),
        Option("instruction", "instruction", _extents(2), "MxN, such as 16x16", "GEMM: its M and N."),
        Option(
            "lds",
            "lds",
            str,
            "a layout's name",
            "The layout in shared memory: row-major or plain, padded, k0mk1, xor.",
        ),
        Option("order", "order", str, "a schedule's name", "GEMM: order of loads, barriers and products."),
        Option("group-m", "group_m", _count, "a number", "GEMM: blocks along M that are launched in a row."),
        Option("split-k", "split_k", _count, "a number", "GEMM: workgroups that share K, a part of C each."),
        Option("tails", "has_tails", bool, "", "GEMM: sizes need not be whole tiles."),
        Option("k1", "k1", _count, "a number", "GEMM: neighbours along K that stay together in LDS."),
        Option(
            "lengths", "lengths", _extents(*RANKS), "64x100x256", "permute, copies: the source's lengths."
        ),
        Option(
            "permutation",
            "permutation",
            _extents(*RANKS, least=0),
            "2x0x1",
            "permute, copy: the source's dimensions in the order of the target.",
        ),
        Option("path", "path", str, "lds, registers or direct", "permute: the way of the elements."),
        Option("scale", "has_scale", bool, "", "GEMM: C = alpha A B + beta D."),
        Option(
            "stages-result", "stages_result", bool, "", "GEMM: C through shared memory, 16 bytes a store."
        ),
        Option("pads", "pads", _extents(*RANKS, least=0), "1x1", "Zeros at both ends of each dimension."),
        Option("image", "image", _extents(3, 4, 5), "NxHxWxC", "image_to_column: batch, pixels, channels."),
        Option("filter", "filter", _extents(1, 2, 3), "YxX", "image_to_column: pixels of the filter."),
        Option("strides", "strides", _extents(1, 2, 3), "1x1", "image_to_column: steps of the filter."),
        Option("dilations", "dilations", _extents(1, 2, 3), "1x1", "image_to_column: steps in the filter."),
        Option("block-tile", "tile", _extents(1, 2, 3), "64x64", "blockwise_copy: a workgroup's tile."),
        Option("threads", "threads", _extents(1, 2, 3), "32x8", "blockwise_copy: threads, the last fastest."),
        Option("scalars", "scalars", _count, "a number", "blockwise_copy: elements of one access."),
        Option("traits", "traits", str, "32x32Xdl_4x2XdlPerWave_8K1", "wrapper_gemm: CK's name of traits."),
        Option("optimized", "is_optimized", bool, "", "wrapper_gemm: tiles are loaded ahead."),
    )
}


def chosen_options(
    family: str, taken: tuple[str, ...], texts: Mapping[str, str | bool | None]
) -> dict[str, Any]:
    """The fields that the texts of options set; refused is an option that the family does not have."""
    given = {name.replace("_", "-"): text for name, text in texts.items() if text not in (None, False)}
    for name in given:
        if name not in taken:
            have = ", ".join(f"--{known}" for known in taken) or "none of these"
            msg = f"--{name}: {family} has no such option"
            raise LayoutError(msg, hint=f"it has {have}")
    return {OPTIONS[name].field: OPTIONS[name].read(text) for name, text in given.items()}
