"""A dimension read round and round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError, UndefinedInCKError
from layoutalg.length import Length
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import UNCHECKED, WithUpperLength

if TYPE_CHECKING:
    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Modulo", "make_modulo_transform"]


@dataclass(frozen=True)
class Modulo(WithUpperLength):
    """``lower = upper % modulus``.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Modulo(8, 30).lower((19,), C_INTEGERS)
    (3,)
    """

    modulus: Length
    up_length: Length
    kind: ClassVar[str] = "modulo"

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper
        return (on.remainder(index, on.lift(self.modulus)),)

    def moved(
        self, step: Sequence[Any], upper: Sequence[Any], lower: Sequence[Any], on: Arithmetic[Any]
    ) -> tuple[Any, ...]:
        del step, upper, lower, on
        msg = f"{self}: moving a coordinate across a modulo does not compile in CK"
        raise UndefinedInCKError(msg, hint="make a fresh coordinate at the new index")

    def fit(self, lengths: Sequence[Length | None]) -> None:
        (given,) = lengths
        if isinstance(given, int) and isinstance(self.modulus, int) and self.modulus > given:
            msg = f"{self}: reaches past the dimension's length {given}"
            raise LengthError(msg, hint=UNCHECKED)


@noted
def make_modulo_transform(modulus: Length, up_length: Length) -> Modulo:
    """One dimension read round and round.

    >>> import layoutalg as la
    >>> la.make_modulo_transform(4, 16).index_map().outputs
    (i0 % 4,)
    """
    return Modulo(modulus, up_length)
