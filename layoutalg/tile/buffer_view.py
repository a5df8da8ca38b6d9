"""Buffer views: memory of one type. Source: CK Tile, ``core/tensor/buffer_view.hpp``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from layoutalg.data_type import DataType

__all__ = ["BufferView"]

Space = Literal["global", "lds", "generic"]


@dataclass(frozen=True)
class BufferView:
    """Memory of one type: ``size`` elements of the LDS, or what the pointer ``name`` points at.

    ``space``: global memory with a buffer resource, the LDS, or generic: global memory without one.
    ``is_output``: written, and recorded at the end; ``lds_at``: where in the LDS it begins, in bytes.
    """

    name: str
    kind: DataType
    space: Space = "global"
    size: Any = None
    is_output: bool = False
    lds_at: int = 0
    fill: float | None = None
