"""A thread's accesses as C text: few addresses that differ between lanes, and constants added to them.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"lane": 64, "i": 4, "k": 2})
>>> lane, i, k = (domain[name] for name in ("lane", "i", "k"))
>>> found = strided(512 * i + 8 * lane + k, (i, k), (4, 2), domain)
>>> found.bases, found.strides
((8*lane,), (512, 1))
>>> text = StridedText("stored", found, Speller(domain))
>>> list(text.declaration()), text.address("ik")
(['const int stored = 8 * lane;'], 'stored + i * 512 + k')
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.text.source import declared
from layoutalg.codegen.text.speller import Speller
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.index.node import as_expression
from layoutalg.rules import NormalForm, simplify
from layoutalg.rules.extract import to_expression
from layoutalg.rules.polynomial import Polynomial

__all__ = [
    "LoopAddress",
    "Strided",
    "StridedText",
    "of_lanes_and_of_all",
    "strided",
    "strided_accesses",
]

ZERO, LANE = sympy.Integer(0), sympy.Symbol("lane", integer=True, nonnegative=True)
Index = tuple[int, ...]


@dataclass(frozen=True)
class Strided:
    """The addresses of accesses ``(i, j, ...)``: ``unit * bases[chosen] + gaps[0][i] + gaps[1][j] + ...``.

    ``choosers``: the indices on which the base depends; ``chosen`` counts them with the last one fastest.
    """

    bases: tuple[Expr, ...]
    gaps: tuple[tuple[Expr, ...], ...]
    choosers: tuple[int, ...] = ()
    unit: int = 1

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self.gaps))

    @property
    def strides(self) -> tuple[Expr | None, ...]:
        """What a step along each index adds; None where that differs from step to step."""
        return tuple(map(_stride, self.gaps))


def strided(
    offset: Expr,
    ys: Sequence[Symbol],
    lengths: Sequence[int],
    domain: Domain,
    uniform: Iterable[Symbol] = (),
    *,
    multiple: int = 1,
) -> Strided:
    """An offset in indices ``ys`` as bases and constants, with as few bases as possible.

    A constant is a number, or an expression in the symbols of ``uniform``. ``multiple``: every base is one of
    it; where its expression does not show that, it is told in such units (a compiler that sees it moves whole
    vectors).

    >>> from layoutalg.domain import Domain
    >>> from layoutalg.index import BitXor
    >>> domain = Domain.of({"lane": 64, "i": 4, "k": 2})
    >>> lane, i, k = (domain[name] for name in ("lane", "i", "k"))
    >>> found = strided(512 * i + 8 * BitXor(lane, k), (i, k), (4, 2), domain)
    >>> found.bases, found.choosers
    ((8*lane, 8*(lane ^ 1)), (1,))
    """

    def placed(index: Index) -> Expr:
        return offset.xreplace({y: sympy.Integer(i) for y, i in zip(ys, index, strict=True)})

    def at(index: Index, unit: int = 1) -> Expr:
        place = placed(index)
        place = place if unit == 1 else FloorDiv.unchecked(place, sympy.Integer(unit))
        return simplify(place, domain, assume_defined=True).expr

    apart = _distances(placed, domain, set(uniform))
    for count in range(len(lengths) + 1):
        for choosers in itertools.combinations(range(len(lengths)), count):
            gaps = _gaps(choosers, lengths, apart)
            if gaps is not None:
                gaps = tuple(_evened(row, domain) for row in gaps)
                kept = [_kept(index, choosers) for index in _indices(lengths, choosers)]
                bases = tuple(map(at, kept))
                if all(_seen_multiple(base) % multiple == 0 for base in bases):
                    return Strided(bases, gaps, choosers)
                return Strided(tuple(at(index, multiple) for index in kept), gaps, choosers, multiple)
    raise LayoutError("an access to memory has an address of its own for every element")


def _evened(gaps: tuple[Expr, ...], domain: Domain) -> tuple[Expr, ...]:
    """The same distances as multiples of the first, if that is what they are.

    >>> from layoutalg.index import FloorDiv
    >>> domain = Domain.of({}, {"K": (6, None, 6)})
    >>> K, three = domain["K"], sympy.Integer(3)
    >>> _evened((ZERO, FloorDiv.unchecked(K, three), 2 * FloorDiv.unchecked(K, three), K), domain)
    (0, K // 3, 2*(K // 3), 3*(K // 3))
    """
    if _stride(gaps) is not None:
        return gaps
    even = tuple(i * gaps[1] for i in range(len(gaps)))
    differences = (one - other for one, other in zip(gaps, even, strict=True))
    is_even = all(simplify(gap, domain, assume_defined=True).expr == 0 for gap in differences)
    return even if is_even else gaps


def of_lanes_and_of_all(offset: Expr) -> tuple[Expr, Expr]:
    """The part of an offset that differs between lanes, and the part that they share, in scalar registers.

    >>> warp, K = sympy.symbols("warp K", integer=True, nonnegative=True)
    >>> of_lanes_and_of_all((LANE + 64 * warp) * K + 8 * LANE * (K - 8))
    (K*lane + 8*lane*(K - 8), 64*K*warp)
    """
    of_lanes = of_all = ZERO
    for term in sympy.Add.make_args(offset):
        shared, own = sympy.expand_mul(term, deep=False).as_independent(LANE, as_Add=True)
        of_lanes += own if shared else term if own else ZERO
        of_all += shared
    return of_lanes, of_all


def _distances(
    placed: Callable[[Index], Expr], domain: Domain, agreed: set[Symbol]
) -> Callable[[Index, Index], Expr | None]:
    """How far two accesses lie apart, if all lanes agree on it: in numbers, and in these symbols."""
    form = NormalForm(domain, assume_defined=True)

    @cache
    def normal(index: Index) -> Polynomial:
        with form.scope():
            return form.of_expression(placed(index))

    @cache
    def apart(one: Index, other: Index) -> Expr | None:
        gap = to_expression(form, normal(one) - normal(other), budget=0)
        return sympy.expand(gap) if gap.free_symbols <= agreed else None

    return apart


def _seen_multiple(expression: Expr) -> int:
    """A number of which an expression is seen to be a multiple, by the factors of its terms; 0 for 0.

    >>> x, y = sympy.symbols("x y")
    >>> _seen_multiple(16 * x + 24 * y), _seen_multiple(x)
    (8, 1)
    """
    return math.gcd(*(int(term.as_coeff_Mul()[0]) for term in sympy.Add.make_args(expression)))


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


def strided_accesses(
    window: TileWindow,
    offset: Expr,
    fixed: tuple[int, ...],
    uniform: Iterable[Symbol] = (),
    *,
    multiple: int = 1,
) -> Strided:
    """Addresses of a thread's accesses through a window, over all Y that are not ``fixed`` at 0."""
    ys, lengths = window.distribution.ys, list(map(int, window.distribution.y_lengths))
    offset = offset.xreplace({ys[i]: ZERO for i in fixed})
    skipped = {i % len(ys) for i in fixed}
    free = [i for i in range(len(ys)) if i not in skipped]
    domain = window.index_map().domain
    left, counts = [ys[i] for i in free], [lengths[i] for i in free]
    return strided(offset, left, counts, domain, uniform, multiple=multiple)


@dataclass(frozen=True)
class StridedText:
    """Accesses whose addresses are declared under ``name``; an index is a C expression."""

    name: str
    found: Strided
    spell: Speller

    @property
    def count(self) -> int:
        """How many accesses there are."""
        return math.prod(self.found.lengths)

    def declaration(self) -> Iterator[str]:
        """The addresses, and tables of the distances that do not grow evenly."""
        bases = [self.spell(base) for base in self.found.bases]
        if self.found.unit > 1:
            bases = [f"{self.found.unit} * ({base})" for base in bases]
        yield declared("const int", self.name, bases)
        yield from self.tables()

    def tables(self) -> Iterator[str]:
        """Distances that do not grow evenly."""
        for axis, (gaps, stride) in enumerate(zip(self.found.gaps, self.found.strides, strict=True)):
            if stride is None:
                row = ", ".join(map(self.spell, gaps))
                yield f"constexpr int {self.name}_at{axis}[{len(gaps)}] = {{{row}}};"

    def address(self, indices: Sequence[str]) -> str:
        """The address of one access."""
        chosen = ""
        for axis in self.found.choosers:
            index, length = indices[axis], self.found.lengths[axis]
            before = chosen if chosen.isidentifier() or chosen.isdigit() else f"({chosen})"
            chosen = f"{before} * {length} + {index}" if chosen else index
        return self.name + (f"[{chosen}]" if chosen else "") + self.plus(indices)

    def plus(self, indices: Sequence[str]) -> str:
        """What the indices add to an address."""
        terms = ""
        for axis, (stride, index) in enumerate(zip(self.found.strides, indices, strict=False)):
            if stride is None:
                terms += f" + {self.name}_at{axis}[{index}]"
            elif stride != 0:
                text = _factor(stride, self.spell)
                terms += f" + {index}" if stride == 1 else f" + {index} * {text}"
        return terms


@dataclass(frozen=True)
class LoopAddress:
    """The address ``at`` of an access in loops: ``base``, declared under ``name``, and constant steps.

    Where swizzles forbid constant steps, ``at`` is the whole index and there is no base.

    >>> domain = Domain.of({"lane": 64, "i": 4, "r": 4})
    >>> lane, i, r = (domain[name] for name in ("lane", "i", "r"))
    >>> found = LoopAddress.of("stored", 16 * lane + 1024 * i + r, (i, r), domain)
    >>> found.declared("const int"), found.at
    (['const int stored = 16 * lane;'], 'stored + 1024 * i + r')
    """

    name: str
    base: str
    at: str

    @classmethod
    def of(
        cls,
        name: str,
        offset: Expr,
        counters: Sequence[Symbol],
        domain: Domain,
        uniform: Iterable[Symbol] = (),
    ) -> LoopAddress:
        """The text of an offset in loop counters and what a thread knows before the loops.

        A step along a counter is a constant, or an expression in the symbols of ``uniform``.
        """
        spell, free = Speller(domain), [c for c in counters if c in offset.free_symbols]
        lengths = [int(as_expression(domain.variable(counter).upper)) for counter in free]
        places = strided(offset, free, lengths, domain, uniform)
        if places.choosers or None in places.strides:
            return cls(name, "", spell(offset))
        steps = zip(free, map(as_expression, places.strides), strict=True)
        terms = (f" + {c}" if n == 1 else f" + {_factor(n, spell)} * {c}" for c, n in steps if n != 0)
        return cls(name, spell(places.bases[0]), name + "".join(terms))

    def pointer(self, start: str) -> str:
        """The address in an array that the base, if there is one, was added to."""
        return self.at if self.base else f"{start} + ({self.at})"

    def declared(self, kind: str, start: str = "") -> list[str]:
        """The declaration of the base, added to ``start``."""
        if not self.base:
            return []
        return [f"{kind} {self.name} = " + (f"{start} + ({self.base});" if start else f"{self.base};")]


def _factor(stride: Expr, spell: Speller) -> str:
    """A step as a factor, in parentheses where it is no single number or name."""
    return spell(stride) if stride.is_Symbol or stride.is_Integer else f"({spell(stride)})"
