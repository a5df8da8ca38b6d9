"""What one wave does to memory in one instruction: where each lane goes, and how wide.

A tile window, read by 4 waves, 8 neighbouring half-precision numbers to a lane:

>>> from layoutalg.distribution import make_static_tile_distribution, make_tile_window, read_encoding
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> lds = make_naive_tensor_descriptor(
...     (256, 32), (32, 1), guaranteed_vector_length=8, guaranteed_vector_stride=1
... )
>>> a_dram = make_static_tile_distribution(read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 4, 16>, sequence<4, 8>>,"
...     " tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>,"
...     " sequence<1, 2>, sequence<0, 1>>"
... ))
>>> access = WaveAccess.of_window(make_tile_window(lds, (256, 32), (0, 0), a_dram), "f16", "write")
>>> print(access)
write of 128 bits a lane at offset 8*lane + 512*warp + 2048*y0
>>> access.addresses().shape, access.addresses()[0, :3].tolist()
((16, 64), [0, 16, 32])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.data_type import DataType
from layoutalg.domain import Domain, Variable
from layoutalg.domain.points import blocks, count_at_most
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.index.evaluate import evaluate
from layoutalg.index.node import as_expression
from layoutalg.machine.lds import Direction
from layoutalg.rules import simplify
from layoutalg.rules.from_text import parse
from layoutalg.rules.normal_form import NormalForm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from layoutalg.distribution import TileDistribution, TileWindow

__all__ = ["WaveAccess", "tile_map", "vector_axis"]

WIDEST = 16  # bytes of one lane in one instruction
MOST = 1 << 24  # points enumerated at most
LANE = "lane"


@dataclass(frozen=True)
class WaveAccess:
    """One instruction in a loop: at every point of the domain each lane accesses ``scalars`` elements.

    ``index_map``: from the lane and everything else (waves, accesses, loop counters) to the offset of the
    lane's first element; ``when`` of the map says which lanes take part.
    """

    index_map: IndexMap
    lane: Symbol
    element: DataType
    scalars: int
    direction: Direction

    @classmethod
    def of_window(
        cls, window: TileWindow, element: DataType | str, direction: Direction, scalars: int | None = None
    ) -> WaveAccess:
        """The loads or stores of a tile window, in vectors as CK makes them, 16 bytes at most.

        ``scalars``: elements of one access, if not as many as the window's safe vectors allow.
        """
        kind = DataType.named(element) if isinstance(element, str) else element
        width = _of_one_instruction(window.scalars_per_vector if scalars is None else scalars, kind)
        found = window.index_map()
        lane = window.distribution.ps[-1]
        if width > 1:
            found = _in_steps(found, vector_axis(window), width)
        return cls(found, lane, kind, width, direction)

    @classmethod
    def of_tile(
        cls,
        layout: IndexMap,
        tile: TileDistribution,
        element: DataType | str,
        direction: Direction,
        scalars: int,
    ) -> WaveAccess:
        """The access of a tile's threads to a hand-written offset, in vectors along the last register index.

        Element 0 of the tile is index 0 of the layout. Vectors of more than 16 bytes are halved.

        >>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
        >>> tile = make_static_tile_distribution(read_encoding(
        ...     "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,"
        ...     " tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
        ... ))
        >>> domain = Domain.of({"row": 16, "col": 32})
        >>> rows = IndexMap(domain, (domain["row"] * 40 + domain["col"],))
        >>> WaveAccess.of_tile(rows, tile, "f16", "read", 8).offset
        8*lane + 8*(lane // 4)
        """
        found = tile_map(layout, tile)
        kind = DataType.named(element) if isinstance(element, str) else element
        width = _of_one_instruction(scalars, kind)
        if width > 1:
            if not tile.ys:
                raise LayoutError("access: wanted vectors, but a thread holds one element only")
            found = _in_steps(found, tile.ys[-1], width)
        return cls(found, tile.ps[-1], kind, width, direction)

    @classmethod
    def of_expression(
        cls, offset: Any, domain: Domain, element: DataType | str, scalars: int, direction: Direction
    ) -> WaveAccess:
        """An access by the offset of its first element (text or expression), with an axis ``lane``.

        >>> domain = Domain.of({"lane": 64, "k": 4})
        >>> WaveAccess.of_expression("lane*32 + k*8", domain, "f16", 8, "read").addresses().shape
        (4, 64)
        """
        if LANE not in domain:
            msg = f"access: wanted an axis called {LANE}, got {', '.join(domain.names)}"
            raise LayoutError(msg)
        kind = DataType.named(element) if isinstance(element, str) else element
        expression = parse(offset, domain) if isinstance(offset, str) else as_expression(offset)
        return cls(IndexMap(domain, (expression,)), domain[LANE], kind, scalars, direction)

    def __post_init__(self) -> None:
        if not isinstance(self.scalars, int) or self.scalars < 1:
            msg = f"access: wanted a number of elements >= 1, got {self.scalars!r}"
            raise LayoutError(msg)
        if self.scalars * self.element.bits % 8:
            msg = f"access: {self.scalars} elements of {self.element.bits} bits end inside a byte"
            raise LayoutError(msg)

    @property
    def bits(self) -> int:
        """Bits that one lane moves."""
        return self.scalars * self.element.bits

    @property
    def bytes(self) -> int:
        return self.bits // 8

    @cached_property
    def offset(self) -> Expr:
        """The offset of a lane's first element in closed form, in elements."""
        return simplify(self.index_map.outputs[0], self.index_map.domain, assume_defined=True).expr

    @property
    def address(self) -> Expr:
        """The byte address of a lane's first element in closed form, relative to the tensor."""
        if self.element.bits % 8 == 0:
            return sympy.expand(self.element.bytes * self.offset)
        return FloorDiv.unchecked(self.offset * self.element.bits, sympy.Integer(8))

    @property
    def lanes(self) -> int:
        """How many lanes there are."""
        upper = self.index_map.domain.variable(self.lane).upper
        if upper is None or not upper.is_Integer:
            msg = f"access: wanted a number of lanes, got {upper}"
            raise LayoutError(msg)
        return int(upper)

    @property
    def others(self) -> tuple[Variable, ...]:
        """Everything but the lane: waves, accesses, loop counters, sizes."""
        return tuple(v for v in self.index_map.domain.variables if v.name != self.lane.name)

    @cached_property
    def _enumerated(self) -> tuple[dict[str, NDArray[np.int64]], NDArray[np.int64], NDArray[np.bool_]]:
        domain = self.index_map.domain
        lane = domain.variable(self.lane)
        of_lanes = [fact for fact in domain.facts if self.lane in fact.free_symbols]
        ordered = Domain((*self.others, lane), tuple(f for f in domain.facts if f not in of_lanes))
        if count_at_most(ordered, MOST) is None:
            msg = f"access: there are too many points, or sizes that are not known, in {domain}"
            raise LayoutError(msg, hint="fix sizes with bind(...), or ask for a proof")
        parts = list(blocks(ordered))
        points = {name: np.concatenate([part[name] for part in parts]) for name in ordered.names}
        count = len(points[self.lane.name])
        bits = np.broadcast_to(evaluate(self.index_map.outputs[0], points), count) * self.element.bits
        taking = np.ones(count, dtype=bool)
        for condition in (*self.index_map.when, *of_lanes):
            taking &= np.broadcast_to(evaluate(condition, points), count)
        return points, bits // 8, taking

    def addresses(self) -> NDArray[np.int64]:
        """Byte addresses, a row for each point of everything but the lane, a column for each lane."""
        return self._enumerated[1].reshape(-1, self.lanes)

    def taking_part(self) -> NDArray[np.bool_]:
        """Which lanes take part, in the same shape."""
        return self._enumerated[2].reshape(-1, self.lanes)

    def point(self, row: int) -> dict[str, int]:
        """The values of everything but the lane in a row of ``addresses``."""
        points = self._enumerated[0]
        return {v.name: int(points[v.name].reshape(-1, self.lanes)[row, 0]) for v in self.others}

    def bind(self, values: Mapping[str, int]) -> WaveAccess:
        """The access for these values of sizes or loop counters."""
        return replace(self, index_map=self.index_map.bind(values))

    def __str__(self) -> str:
        return f"{self.direction} of {self.bits} bits a lane at offset {self.offset}"


def tile_map(layout: IndexMap, tile: TileDistribution) -> IndexMap:
    """Where a tile's threads go in a hand-written layout; refused where the layout is too small for the tile.

    >>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
    >>> tile = make_static_tile_distribution(read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
    ... ))
    >>> domain = Domain.of({"row": 8, "col": 32})
    >>> tile_map(IndexMap(domain, (domain["row"] * 32 + domain["col"],)), tile)
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: access: a tile of length 16 in dimension 0 does not fit 0 <= row < 8
    """
    held = tile.index_map()
    axes, sizes = layout.domain.axes, layout.domain.parameters
    if len(axes) != len(held.outputs):
        msg = f"access: the layout has {len(axes)} axes, the tile {len(held.outputs)} dimensions"
        raise LayoutError(msg, hint="wanted as many")
    at = {axis.symbol: x for axis, x in zip(axes, held.outputs, strict=True)}
    of_sizes = tuple(f for f in layout.domain.facts if not f.free_symbols & set(at))
    of_axes = tuple(fact for fact in layout.domain.facts if fact not in of_sizes)
    domain = held.domain.joined(Domain(sizes, of_sizes))
    for number, (axis, length) in enumerate(zip(axes, tile.lengths, strict=True)):
        if axis.lower != 0 or not _is_known(as_expression(axis.upper).xreplace(at) - length, domain):
            msg = f"access: a tile of length {length} in dimension {number} does not fit {axis}"
            raise LayoutError(msg)
    when = tuple(condition.xreplace(at) for condition in (*layout.when, *of_axes))
    return IndexMap(domain, tuple(output.xreplace(at) for output in layout.outputs), when)


def _is_known(difference: Expr, domain: Domain) -> bool:
    """Whether ranges show that it is nowhere negative."""
    form = NormalForm(domain)
    return bool(form.bounds.is_nonnegative(form.of(difference)))


def _of_one_instruction(width: int, kind: DataType) -> int:
    """The elements of one access: halved until they are no more than an instruction moves."""
    while width * kind.bits > WIDEST * 8 and width % 2 == 0:
        width //= 2
    return width


def vector_axis(window: TileWindow) -> Symbol:
    """The Y along which vectors lie: where safe vectors are known theirs, otherwise the last."""
    ys = window.distribution.ys
    if not ys:
        msg = "access: wanted vectors, but a thread holds one element only"
        raise LayoutError(msg)
    return ys[window.vector_dim_y] if window.scalars_per_vector > 1 else ys[-1]


def _in_steps(index_map: IndexMap, axis: Symbol, width: int) -> IndexMap:
    """The map with one axis in steps of whole vectors; without it where there is only one."""
    domain = index_map.domain
    variable = domain.variable(axis)
    if variable.upper == width:
        return index_map.bind({axis.name: 0})
    if variable.upper is not None and variable.upper.is_Integer and variable.upper % width:
        msg = f"access: wanted vectors of {width} elements, but a thread holds runs of {variable.upper}"
        raise LayoutError(msg, hint="the width divides the length of the registers' last dimension")
    stepped = replace(variable, multiple_of=width * variable.multiple_of)
    variables = tuple(stepped if v.name == axis.name else v for v in domain.variables)
    return replace(index_map, domain=Domain(variables, domain.facts))
