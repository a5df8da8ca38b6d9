"""One lower dimension held at a fixed index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, length
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import UNCHECKED, Transform

if TYPE_CHECKING:
    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Freeze", "make_freeze_transform"]


@dataclass(frozen=True)
class Freeze(Transform):
    """The lower index is ``low_idx``; no upper dimension is left.

    >>> Freeze(3).upper_lengths
    ()
    """

    low_idx: Length
    kind: ClassVar[str] = "freeze"

    def __post_init__(self) -> None:
        low_idx = length(self.low_idx, "freeze: low_idx", at_least=0)
        object.__setattr__(self, "low_idx", low_idx)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (None,)

    @property
    def upper_lengths(self) -> Lengths:
        return ()

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        del upper
        return (on.lift(self.low_idx),)

    def fit(self, lengths: Sequence[Length | None]) -> None:
        (given,) = lengths
        if isinstance(given, int) and isinstance(self.low_idx, int) and self.low_idx >= given:
            msg = f"{self}: wanted an index below the dimension's length {given}"
            raise LengthError(msg, hint=UNCHECKED)

    def inverse(self) -> None:
        return None


@noted
def make_freeze_transform(low_idx: Length) -> Freeze:
    """One lower dimension held at an index.

    >>> import layoutalg as la
    >>> la.make_freeze_transform(3).index_map().outputs
    (3,)
    """
    return Freeze(low_idx)
