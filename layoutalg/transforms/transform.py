"""What every coordinate transform answers: its lengths, its map, when the map is valid, its inverse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sympy import Expr, true

from layoutalg.claim import IndexMap
from layoutalg.display import Displayed
from layoutalg.domain import Domain
from layoutalg.errors import LengthError
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import Length, Lengths, differ, length

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sympy import Symbol

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["UNCHECKED", "UNKNOWN", "Transform", "VectorHint", "WithUpperLength"]

UNKNOWN = -1
UNCHECKED = "CK does not check this; transform_tensor_descriptor(..., check_lengths=False) allows it"


@dataclass(frozen=True)
class VectorHint:
    """How many neighbours along a dimension may move in one access, and how far apart they lie.

    Both in elements; -1 where nothing is known, as in Composable Kernel.
    """

    length: int = UNKNOWN
    stride: int = UNKNOWN


class Transform(Displayed, ABC):
    """A map from upper indices (towards the user) to lower indices (towards memory).

    Subclasses are frozen dataclasses whose fields are the arguments Composable Kernel takes.
    """

    kind: ClassVar[str]

    @property
    @abstractmethod
    def lower_lengths(self) -> tuple[Length | None, ...]:
        """Lengths of the lower dimensions; None where the transform does not say."""

    @property
    @abstractmethod
    def upper_lengths(self) -> Lengths: ...

    @abstractmethod
    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        """The lower index of an upper index, computed in the given arithmetic."""

    @abstractmethod
    def inverse(self) -> Transform | None:
        """The transform that leads back, or None where the map has no inverse of this kind."""

    def is_valid(self, upper: Sequence[Any], on: Arithmetic[Any]) -> Any:
        """Whether the transform vouches for this upper index; only pads ever say no."""
        del upper
        return on.truth(True)  # noqa: FBT003  the truth value itself

    def index_map(self) -> IndexMap:
        """The map of every upper index within the lengths to its lower index, as a value.

        >>> from layoutalg.transforms import Merge
        >>> Merge((4, 8)).index_map().outputs
        (i0 // 8, i0 % 8)
        """
        domain = Domain.box(self.upper_lengths, Domain().with_sizes(self.free_symbols))
        index = tuple(axis.symbol for axis in domain.axes)
        valid = self.is_valid(index, SYMBOLIC)
        return IndexMap(domain, self.lower(index, SYMBOLIC), () if valid == true else (valid,))

    def moved(
        self, step: Sequence[Any], upper: Sequence[Any], lower: Sequence[Any], on: Arithmetic[Any]
    ) -> tuple[Any, ...]:
        """The lower index after the upper index moved by ``step`` to ``upper``."""
        del step, lower
        return self.lower(upper, on)

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        """What is known of vectors along the upper dimensions, from the lower ones."""
        del lower
        return (VectorHint(),) * len(self.upper_lengths)

    def fit(self, lengths: Sequence[Length | None]) -> None:
        """Refuse lower dimensions whose lengths are not those the transform was made for."""
        for dimension, (mine, given) in enumerate(zip(self.lower_lengths, lengths, strict=True)):
            if mine is None or given is None:
                continue
            if differ(mine, given) is not False:
                msg = f"{self}: made for a dimension of length {mine}, got length {given}"
                where = f" as lower dimension {dimension}" if len(lengths) > 1 else ""
                raise LengthError(msg + where, hint=UNCHECKED)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments the transform was made from, by CK's names."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbols in lengths, strides and pads."""
        return frozenset(s for value in self.arguments.values() for s in _symbols(value))

    def bind(self, values: Mapping[Symbol, int]) -> Self:
        """The transform with numbers in place of symbols."""
        bound = {name: _bound(value, values) for name, value in self.arguments.items()}
        return replace(self, **bound)  # type: ignore[type-var]

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}={_plain(value)}" for name, value in self.arguments.items())
        return f"{self.kind}({arguments})"


@dataclass(frozen=True)
class WithUpperLength(Transform):
    """A transform of one dimension that is told its upper length: the lower one does not determine it.

    The first field is a length too: what the index is multiplied by, divided by, and the like.
    """

    def __post_init__(self) -> None:
        for name, value in self.arguments.items():
            object.__setattr__(self, name, length(value, f"{self.kind}: {name}"))

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (None,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.arguments["up_length"],)

    def inverse(self) -> Transform | None:
        return None


def _symbols(value: Any) -> set[Symbol]:
    if isinstance(value, tuple):
        return {symbol for part in value for symbol in _symbols(part)}
    return set(value.free_symbols) if isinstance(value, Expr) else set()


def _bound(value: Any, values: Mapping[Symbol, int]) -> Any:
    if isinstance(value, tuple):
        return tuple(_bound(part, values) for part in value)
    return value.xreplace(values) if isinstance(value, Expr) else value


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    return str(value)
