"""A dimension counted in vectors (old CK)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.length import Length
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import WithUpperLength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Vectorize", "make_vectorize_transform"]


@dataclass(frozen=True)
class Vectorize(WithUpperLength):
    """``lower = upper * vector_size``: each upper index is the start of a vector.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Vectorize(4, 16).lower((3,), C_INTEGERS)
    (12,)
    """

    vector_size: Length
    up_length: Length
    kind: ClassVar[str] = "vectorize"

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper
        return (on.mul(index, on.lift(self.vector_size)),)


@noted
def make_vectorize_transform(vector_size: Length, up_length: Length) -> Vectorize:
    """One dimension counted in vectors (old CK).

    >>> import layoutalg as la
    >>> la.make_vectorize_transform(4, 32).index_map().outputs
    (4*i0,)
    """
    return Vectorize(vector_size, up_length)
