"""One thread's way to its element, in steps that a reader can repeat: its place, its factors, the element.

>>> from layoutalg.distribution import read_encoding
>>> encoding = read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>, tuple<sequence<1, 2>>,"
...     " tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
... )
>>> worked = WorkedLane(encoding, (37,), (3,))
>>> for step in worked.peels(0):
...     print(step.of, "=", step.left, "*", step.length, "+", step.digit, step.factor)
37 = 9 * 4 + 1 (2, 0)
>>> worked.digits, worked.element, worked.register
({(1, 0): 9, (2, 0): 1, (2, 1): 3}, (9, 11), 3)
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.distribution.encoding import RhId
from layoutalg.length import Length, differ, product

__all__ = ["Peel", "WorkedLane", "factor_steps", "register_steps", "vector"]


@dataclass(frozen=True)
class Peel:
    """One division: ``of = left * length + digit``; the digit is that of the factor."""

    of: int
    length: int
    left: int
    digit: int
    factor: RhId


@dataclass(frozen=True)
class WorkedLane:
    """The thread at ``ps`` and its register at ``ys``; the lengths of the encoding are numbers."""

    encoding: TileDistributionEncoding
    ps: tuple[int, ...]
    ys: tuple[int, ...]

    def peels(self, p: int) -> tuple[Peel, ...]:
        """What one P is divided by, fastest factor first; what is left at last is the first factor's."""
        found: list[Peel] = []
        rest = self.ps[p]
        for factor in reversed(self.encoding.ps_factors[p][1:]):
            length = int(self.encoding.factor_length(factor))
            left, digit = divmod(rest, length)
            found.append(Peel(rest, length, left, digit, factor))
            rest = left
        return tuple(found)

    @cached_property
    def digits(self) -> dict[RhId, int]:
        """The index of every factor that belongs to a P or a Y, by major and minor number."""
        found: dict[RhId, int] = dict(zip(self.encoding.ys_factors, self.ys, strict=True))
        for p, factors in enumerate(self.encoding.ps_factors):
            peels = self.peels(p)
            found |= {peel.factor: peel.digit for peel in peels}
            found[factors[0]] = peels[-1].left if peels else self.ps[p]
        return dict(sorted(found.items()))

    @property
    def element(self) -> tuple[int, ...]:
        """The element of the tile: each digit times the step of its factor."""
        return tuple(sum(digit * step for digit, step in self.terms(x)) for x in range(self.encoding.num_x))

    def terms(self, x: int) -> tuple[tuple[int, int], ...]:
        """Digit and step for each factor of a dimension, slowest first; nobody's factors stay at 0."""
        steps = factor_steps(self.encoding, x + 1)
        return tuple((self.digits.get((x + 1, minor), 0), int(step)) for minor, step in enumerate(steps))

    @property
    def register(self) -> int:
        """The number of the register in the thread's buffer."""
        steps = register_steps(self.encoding)
        return sum(y * int(step) for y, step in zip(self.ys, steps, strict=True))

    @property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """The other threads that hold the same elements: those that differ in factors of R alone."""
        owned = [(0, r) for r in self.encoding.owned_rs]
        choices = itertools.product(*(range(int(self.encoding.factor_length(factor))) for factor in owned))
        found = (self._place(self.digits | dict(zip(owned, choice, strict=True))) for choice in choices)
        return tuple(ps for ps in found if ps != self.ps)

    def _place(self, digits: dict[RhId, int]) -> tuple[int, ...]:
        """The P whose factors have these digits."""
        found = []
        for factors in self.encoding.ps_factors:
            place = 0
            for factor in factors:
                place = place * int(self.encoding.factor_length(factor)) + digits[factor]
            found.append(place)
        return tuple(found)


def factor_steps(encoding: TileDistributionEncoding, major: int) -> tuple[Length, ...]:
    """How far each factor of a dimension moves in it: the product of the factors after it."""
    row = encoding.rhs_lengthss[major]
    return tuple(product(row[minor + 1 :]) for minor in range(len(row)))


def register_steps(encoding: TileDistributionEncoding) -> tuple[Length, ...]:
    """How many registers each Y moves: the product of the Y after it."""
    return tuple(product(encoding.y_lengths[y + 1 :]) for y in range(encoding.num_y))


def vector(encoding: TileDistributionEncoding) -> tuple[Length, int, Length]:
    """How many registers in a row hold neighbours, along which X, and how far apart r0 and r1 lie in it.

    The count divides the number of registers, and every group of so many from r0 on holds neighbours. Of a
    thread with one register it is 1, with -1 for X.
    """
    count: Length = 1
    along, first_step = -1, product(())
    for major, minor in reversed(encoding.ys_factors):
        length = encoding.factor_length((major, minor))
        if length == 1:
            continue
        step = factor_steps(encoding, major)[minor]
        if along == -1:
            along, first_step = major - 1, step
        if along != major - 1 or differ(step, count) is not False:
            break
        count = count * length
    return count, along, first_step
