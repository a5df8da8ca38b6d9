"""Space-filling curves: in which order the vectors of a tensor are accessed.

>>> curve = SpaceFillingCurve((4, 4), (1, 0), (1, 2))
>>> curve.num_of_access, [curve.index(i) for i in range(5)]
(8, [(0, 0), (1, 0), (2, 0), (3, 0), (3, 2)])
>>> curve.forward_step(3)
(0, 2)

Source: CK Tile, ``core/algorithm/space_filling_curve.hpp``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from layoutalg.errors import LengthError
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.length import Lengths, integers, lengths
from layoutalg.transforms import Merge

__all__ = ["SpaceFillingCurve"]

Index = tuple[int, ...]
WHERE = "space_filling_curve"


@dataclass(frozen=True)
class SpaceFillingCurve:
    """All vectors of a tensor of ``tensor_lengths``, one after the other.

    ``dim_access_order``: the dimensions from the slowest to the fastest; ``scalars_per_access``: how many
    elements of each dimension one access takes, a divisor of its length; ``snake_curved``: every
    second sweep runs backwards, so that each step changes one dimension only.
    """

    tensor_lengths: Lengths
    dim_access_order: Index
    scalars_per_access: Lengths
    snake_curved: bool = True

    def __post_init__(self) -> None:
        for name in ("tensor_lengths", "scalars_per_access"):
            found = lengths(getattr(self, name), f"{WHERE}: {name}")
            for value in found:
                if not isinstance(value, int):
                    msg = f"{WHERE}: {name}: wanted numbers, got {value}"
                    raise LengthError(msg, hint="fix symbols with bind(...)")
            object.__setattr__(self, name, found)
        order = integers(self.dim_access_order, f"{WHERE}: dim_access_order")
        object.__setattr__(self, "dim_access_order", order)
        rank = len(self.tensor_lengths)
        if sorted(order) != list(range(rank)):
            msg = f"{WHERE}: dim_access_order: wanted an order of the {rank} dimensions, got {order}"
            raise LengthError(msg)
        if len(self.scalars_per_access) != rank:
            msg = f"{WHERE}: scalars_per_access: wanted {rank} numbers, got {len(self.scalars_per_access)}"
            raise LengthError(msg)
        for dim, (length, scalars) in enumerate(
            zip(self.tensor_lengths, self.scalars_per_access, strict=True)
        ):
            if length % scalars:
                msg = f"{WHERE}: {scalars} scalars at once do not divide length {length} of dimension {dim}"
                raise LengthError(msg)

    @property
    def scalars_per_vector(self) -> int:
        """Elements of one access."""
        return math.prod(map(int, self.scalars_per_access))

    @property
    def ordered_access_lengths(self) -> tuple[int, ...]:
        """Accesses along each dimension, slowest first."""
        return tuple(
            int(self.tensor_lengths[dim]) // int(self.scalars_per_access[dim])
            for dim in self.dim_access_order
        )

    @property
    def num_of_access(self) -> int:
        return math.prod(self.ordered_access_lengths)

    def index(self, access: int) -> Index:
        """Where access number ``access`` begins: CK's ``get_index``."""
        if not isinstance(access, int) or not 0 <= access < self.num_of_access:
            msg = f"{WHERE}: there is no access {access}: they are 0 to {self.num_of_access - 1}"
            raise LengthError(msg)
        counts = self.ordered_access_lengths
        ordered = Merge(counts).lower((access,), C_INTEGERS) if counts else ()
        found = [0] * len(counts)
        swept = 0  # how often the slower dimensions have moved
        for dim, count, step in zip(self.dim_access_order, counts, ordered, strict=True):
            forward = not self.snake_curved or swept % 2 == 0
            found[dim] = int(step if forward else count - 1 - step) * int(self.scalars_per_access[dim])
            swept = swept * count + step
        return tuple(found)

    def step_between(self, head: int, tail: int) -> Index:
        """How the index moves from one access to another."""
        return tuple(b - a for a, b in zip(self.index(head), self.index(tail), strict=True))

    def forward_step(self, access: int) -> Index:
        """How the index moves to the next access."""
        return self.step_between(access, access + 1)

    def backward_step(self, access: int) -> Index:
        """How the index moves to the access before."""
        return self.step_between(access, access - 1)
