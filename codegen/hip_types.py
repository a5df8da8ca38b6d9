"""Element types: how wide they are, and how NumPy and HIP spell them.

>>> ElementType.F16.vector(8)
'half_x8'
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from layoutalg.errors import LayoutError

__all__ = ["ElementType"]


class ElementType(Enum):
    """An element type of kernels: its short name, HIP's name, and NumPy's."""

    F32 = ("f32", "float", "float32")
    F16 = ("f16", "half", "float16")

    def __init__(self, short: str, hip: str, numpy: str) -> None:
        self.short = short
        self.hip = hip
        self.numpy = np.dtype(numpy)

    @classmethod
    def named(cls, short: str) -> ElementType:
        """The type with this short name."""
        for found in cls:
            if found.short == short:
                return found
        known = ", ".join(found.short for found in cls)
        msg = f"wanted an element type of {known}; got {short!r}"
        raise LayoutError(msg)

    @property
    def bytes(self) -> int:
        return self.numpy.itemsize

    @property
    def scalar(self) -> str:
        """The spelling that needs no header."""
        return {"half": "_Float16"}.get(self.hip, self.hip)

    def vector(self, width: int) -> str:
        """The name of the vector type a kernel declares for itself."""
        return f"{self.hip}_x{width}"

    def declare_vector(self, width: int) -> str:
        return f"typedef {self.scalar} {self.vector(width)} __attribute__((ext_vector_type({width})));"
