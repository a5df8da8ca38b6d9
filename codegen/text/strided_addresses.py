"""Places of a thread's accesses: few addresses that differ between lanes, and constants added to them.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"lane": 64, "i": 4, "k": 2})
>>> lane, i, k = (domain[name] for name in ("lane", "i", "k"))
>>> found = strided(512 * i + 8 * lane + k, (i, k), (4, 2), domain)
>>> found.bases, found.strides
((8*lane,), (512, 1))
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import sympy
from sympy import Expr, Symbol

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.rules import simplify

__all__ = ["Strided", "strided"]

ZERO = sympy.Integer(0)
Index = tuple[int, ...]


@dataclass(frozen=True)
class Strided:
    """Accesses ``(i, j, ...)`` at ``bases[chosen] + gaps[0][i] + gaps[1][j] + ...``.

    ``choosers``: the indices on which the base depends; ``chosen`` counts them with the last one fastest.
    """

    bases: tuple[Expr, ...]
    gaps: tuple[tuple[Expr, ...], ...]
    choosers: tuple[int, ...] = ()

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self.gaps))

    @property
    def strides(self) -> tuple[Expr | None, ...]:
        """What a step along each index adds; None where that differs from step to step."""
        return tuple(map(_stride, self.gaps))


def strided(
    offset: Expr, ys: Sequence[Symbol], lengths: Sequence[int], domain: Domain, uniform: Iterable[Symbol] = ()
) -> Strided:
    """The fewest bases, one for each value of as few indices as possible; all others add constants.

    A constant is a number, or an expression in the symbols of ``uniform``.

    >>> from layoutalg.domain import Domain
    >>> from layoutalg.index import BitXor
    >>> domain = Domain.of({"lane": 64, "i": 4, "k": 2})
    >>> lane, i, k = (domain[name] for name in ("lane", "i", "k"))
    >>> found = strided(512 * i + 8 * BitXor(lane, k), (i, k), (4, 2), domain)
    >>> found.bases, found.choosers
    ((8*lane, 8*(lane ^ 1)), (1,))
    """

    @cache
    def at(index: Index) -> Expr:
        values = {y: sympy.Integer(i) for y, i in zip(ys, index, strict=True)}
        return simplify(offset.xreplace(values), domain, assume_defined=True).expr

    @cache
    def apart(one: Index, other: Index) -> Expr | None:
        """How far two accesses lie apart, if all lanes agree on it."""
        gap = simplify(at(one) - at(other), domain, assume_defined=True).expr
        return sympy.expand(gap) if gap.free_symbols <= set(uniform) else None

    for count in range(len(lengths) + 1):
        for choosers in itertools.combinations(range(len(lengths)), count):
            gaps = _gaps(choosers, lengths, apart)
            if gaps is not None:
                bases = tuple(at(_kept(index, choosers)) for index in _indices(lengths, choosers))
                return Strided(bases, gaps, choosers)
    raise LayoutError("an access to memory has an address of its own for every element")


def _gaps(
    choosers: tuple[int, ...], lengths: Sequence[int], apart: Callable[[Index, Index], Expr | None]
) -> tuple[tuple[Expr, ...], ...] | None:
    """What each index adds, if that is the same whatever the others are."""
    rank = len(lengths)
    found: list[list[Expr]] = [[ZERO] * length for length in lengths]
    for axis in (axis for axis in range(rank) if axis not in choosers):
        for i in range(1, lengths[axis]):
            gap = apart(tuple(i if axis == other else 0 for other in range(rank)), (0,) * rank)
            if gap is None:
                return None
            found[axis][i] = gap
    for index in itertools.product(*map(range, lengths)):
        gap = apart(index, _kept(index, choosers))
        wanted = sum((row[i] for i, row in zip(index, found, strict=True)), ZERO)
        if gap is None or sympy.expand(wanted - gap) != 0:
            return None
    return tuple(map(tuple, found))


def _kept(index: Index, axes: tuple[int, ...]) -> Index:
    """The index with 0 along all other axes."""
    return tuple(i if axis in axes else 0 for axis, i in enumerate(index))


def _indices(lengths: Sequence[int], axes: tuple[int, ...]) -> Iterable[Index]:
    """Every index that is 0 along all other axes, the last axis fastest."""
    return itertools.product(*(range(n if axis in axes else 1) for axis, n in enumerate(lengths)))


def _stride(gaps: tuple[Expr, ...]) -> Expr | None:
    step = gaps[1] if len(gaps) > 1 else ZERO
    is_even = all(sympy.expand(i * step - gap) == 0 for i, gap in enumerate(gaps))
    return step if is_even else None
