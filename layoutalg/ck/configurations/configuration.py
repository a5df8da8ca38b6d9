"""One configuration of a kernel: the sizes and types it is built with, and where that is written.

Parameters have the same names whatever source they are from: ``tile_m``, ``tile_n``, ``tile_k`` of a block;
``warp_m`` ... the warps of it; ``warp_tile_m`` ... what one warp multiplies at a time; ``a_type``,
``a_layout`` (``r`` by rows, ``c`` by columns) and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Configuration", "Value"]

Value = int | bool | str


@dataclass(frozen=True)
class Configuration:
    """A kernel and its parameters; ``bindings`` and ``targets`` are those that a file states itself.

    >>> Configuration("mine", "gemm compv3", {"tile_m": 256, "tile_k": 64}).said
    'tile_m=256, tile_k=64'
    """

    name: str
    kernel: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    file: str = ""
    line: int = 1
    arch: str = ""  # the GPU it is for, where its source says so
    targets: tuple[str, ...] = ()
    bindings: Mapping[str, Value] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """The parameters, or else the bindings, in words."""
        return ", ".join(f"{name}={value}" for name, value in (self.parameters or self.bindings).items())

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same configuration as another: all but its name and place."""
        return self.kernel, self.arch, self.targets, *map(_frozen, (self.parameters, self.bindings))


def _frozen(table: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted(table.items()))
