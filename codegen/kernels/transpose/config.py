"""What a permuting kernel is to be: its tile, its threads, its vectors, and the way of the elements.

A tile has ``rows`` along the fastest dimension of the target and ``columns`` along that of the source. A
thread loads squares of ``vector_out`` rows by ``vector_in`` columns.

>>> PermuteConfig("f32", 64, 64).squares
(16, 16)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from layoutalg.codegen.schedule import THROUGH_LDS, Schedule
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.machine import EVERY_GPU, Target
from layoutalg.reading.near_names import not_one_of

__all__ = ["LANES", "NARROW", "Path", "PermuteConfig", "moved"]

NARROW = 8  # bytes of an access that is too narrow
LANES = 64  # a plan has at least that many threads: whole waves of every GPU

Path = Literal["lds", "registers", "direct"]
LdsKind = Literal["xor", "padded", "plain"]
Along = Literal["source", "target", "batch"]


@dataclass(frozen=True)
class PermuteConfig:
    """A tile and how it is moved.

    ``path``: through shared memory, turned in the registers of a thread, or moved as it is (where the fastest
    dimension stays). ``along``: whether neighbouring workgroups take neighbouring tiles of the source, of the
    target, or of the batch. ``is_guarded``: whether accesses beyond the tensor are left out.
    ``begins_anywhere``: whether vectors begin at any element, and the last one of a row may be a part of one:
    for lengths that no vector divides. ``target``: for
    whose banks the layout in shared memory is made, and whose waves the threads are counted in; a warp of
    NVIDIA's GPUs is half of a wave of 64.
    """

    element: str = "f32"
    rows: int = 32
    columns: int = 32
    threads: int = 64
    vector_in: int = 4
    vector_out: int = 4
    path: Path = "lds"
    lds: LdsKind = "xor"
    along: Along = "source"
    is_guarded: bool = True
    begins_anywhere: bool = False
    target: str = "gfx942"
    schedule: Schedule = THROUGH_LDS

    def __post_init__(self) -> None:
        for what, value, known in (
            ("a path", self.path, Path),
            ("a layout of shared memory", self.lds, LdsKind),
            ("neighbours along", self.along, Along),
        ):
            if value not in get_args(known):
                raise not_one_of(what, value, get_args(known), where="permute")
        numbers = (self.rows, self.columns, self.threads, self.vector_in, self.vector_out)
        if not all(n >= 1 and n & (n - 1) == 0 for n in numbers):
            msg = "permute: wanted powers of two for the tile, the threads and the vectors"
            raise LayoutError(f"{msg}, got {numbers}")
        if not self.lanes <= self.threads <= EVERY_GPU.threads:
            msg = f"permute: threads: wanted {self.lanes} to {EVERY_GPU.threads}, got {self.threads}"
            raise LayoutError(msg, hint="a workgroup is made of whole waves")
        widest = max(self.vector_in, self.vector_out) * self.kind.bytes
        if widest > EVERY_GPU.access_bytes:
            msg = f"permute: a lane moves {EVERY_GPU.access_bytes} bytes at most, wanted {widest}"
            raise LayoutError(msg)
        self._check_tile()

    def _check_tile(self) -> None:
        down, across = self.squares
        if down * across < self.threads or 0 in (down, across):
            msg = f"permute: a tile of {self.rows} x {self.columns} has {down * across} squares"
            raise LayoutError(
                f"{msg} for {self.threads} threads", hint="take a larger tile or smaller vectors"
            )
        if self.path == "lds" and self.rows * self.columns * self.kind.bytes > EVERY_GPU.lds_bytes:
            msg = f"permute: a tile of {self.rows} x {self.columns} {self.kind.word}"
            raise LayoutError(f"{msg} does not fit into {EVERY_GPU.lds_bytes} bytes of shared memory")
        if self.path == "direct" and self.vector_in != self.vector_out:
            msg = f"permute: what moves as it is has one vector, got {self.vector_in} and {self.vector_out}"
            raise LayoutError(msg)

    @property
    def kind(self) -> DataType:
        return moved(self.element)

    @property
    def lanes(self) -> int:
        """Threads of a wave."""
        return Target.named(self.target).wave_size

    @property
    def square(self) -> tuple[int, int]:
        """Rows and columns that a thread loads together."""
        return (1 if self.path == "direct" else self.vector_out, self.vector_in)

    @property
    def squares(self) -> tuple[int, int]:
        """Squares of a tile, down and across."""
        return self.rows // self.square[0], self.columns // self.square[1]


def moved(element: DataType | str) -> DataType:
    """The type of the elements; refused where it is not 1, 2, 4 or 8 bytes, or differs between targets.

    >>> moved("bf16").bytes
    2
    """
    kind = DataType.named(element) if isinstance(element, str) else element
    if kind.by_target:
        msg = f"transpose: wanted an element type with one meaning, got {kind.name}"
        raise LayoutError(msg, hint=f"say which: {', '.join(sorted(set(kind.by_target.values())))}")
    if kind.bits not in {8, 16, 32, 64} or kind.parts is not None or kind.name == "bool":
        msg = f"transpose: wanted an element of 1, 2, 4 or 8 bytes; got {kind.name} of {kind.bits} bits"
        raise LayoutError(msg)
    return kind
