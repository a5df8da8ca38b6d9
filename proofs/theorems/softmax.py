"""Tiled softmax: the identities 5.1 to 5.17 of CK's documentation, proved over the reals.

Source: Composable Kernel Documentation 1.1.0 (PDF), chapter 5, "Composable Kernel mathematical basis".
Tiles have any sizes and any real entries. What is said of ``T`` tiles is proved by induction over ``T``:
for one tile (base case), and for ``T + 1`` tiles if it holds for ``T`` (induction step). A step is an
equation; SymPy shows that the difference of its sides is 0, with sums left as sums over any number of terms.

>>> identities = softmax_identities()
>>> all(identity.is_proved for identity in identities)
True
>>> print(identities[2])
5.3 normaliser: z(x) = sum over all tiles j of exp(m(x_j) - m(x)) z(x_j): proved

One row stands for all, as rows never meet. ``x[j, b]`` is entry b of tile j; ``m[j]``, ``f[j, b]`` and
``z[j]`` are m(x_j), f(x_j) and z(x_j), the loop's (5.5), (5.6) and (5.7); ``m(T)`` and ``z(T)`` are m(x) and
z(x) for the first T tiles. (5.2) to (5.4) hold whatever number m(x) is; (5.1) and the loop are about the max.

Misprints, none of which touches the method:
- 5.3: the document's source prints z(x_1) in the last term (not every copy does); meant is z(x_T).
- below 5.4: the document prints z(x_j) as a sum of f(one entry), each of which is 1; meant is the sum of the
  entries of f(x_j).
- 5.7: the document prints rowsum(P_ij); meant is rowsum(P-tilde_ij), the only P there is.
- 5.8, 5.18: the document prints numbers without an equation; meant is nothing.
- 5.11: the document prints z-tilde_ij; meant is z-tilde_i1, the same as j = 1.
- 5.11, 5.15: the document prints Y-tilde; meant is Y, whose blocks 5.14 rescales.
- 5.6, 5.11, 5.14, 5.15: the document prints columns m and z beside matrices; meant is row by row, as diag(z).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy
from sympy import Expr, Function, IndexedBase, Integer, Max, Sum, exp, symbols

__all__ = ["Identity", "Step", "softmax_identities"]

Meanings = tuple[tuple[Expr, Expr], ...]
Side = Callable[[Expr], Expr]  # of an equation about so many tiles

TITLES = {  # what is shown, and which of the document's equations that covers
    "5.1": ("maximum", "m(x) = max(m(x_1), ..., m(x_T))", "5.1"),
    "5.2": ("exponentials", "f(x) = exp(m(x_k) - m(x)) f(x_k) in every tile k", "5.2"),
    "5.3": ("normaliser", "z(x) = sum over all tiles j of exp(m(x_j) - m(x)) z(x_j)", "5.3"),
    "5.4": ("softmax", "softmax(x) = f(x) / z(x)", "5.4"),
    "5.12": ("running max", "m_i is the max of the first j tiles", "5.5 5.9 5.12 5.17"),
    "5.13": ("running sum", "z_i is the normaliser of the first j tiles", "5.6 5.7 5.10 5.13 5.16"),
    "5.14": ("earlier blocks", "Y_ik, k < j, is tile k of the softmax of the first j tiles", "5.11 5.14"),
    "5.15": ("new block", "Y_ij is tile j of the softmax of the first j tiles", "5.6 5.11 5.15"),
}

T, TILE, K, PLACE, ENTRY = symbols("T j k b c", integer=True, positive=True)
ONE, NEXT = Integer(1), T + 1
size = IndexedBase("B", integer=True, positive=True)
x, tile_max = IndexedBase("x", real=True), IndexedBase("m", real=True)
f, tile_z = IndexedBase("f", positive=True), IndexedBase("z", positive=True)
whole_max, whole_z = Function("m", real=True), Function("z", positive=True)
m_i, m_new = symbols("m_i m_new", real=True)
z_i, z_new, y_ik = symbols("z_i z_new Y_ik", positive=True)
RESCALED = exp(whole_max(T) - whole_max(NEXT))


@dataclass(frozen=True)
class Step:
    """An equation, one link of a proof."""

    name: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Identity:
    """An identity of the document, with its proof.

    ``where`` says what names in the steps stand for: by definition, by an identity proved before, or by the
    induction hypothesis. It is put in from first to last. ``cites`` are the document's equations.
    """

    number: str
    name: str
    statement: str
    steps: tuple[Step, ...]
    where: Meanings = ()
    cites: tuple[str, ...] = ()

    @property
    def is_proved(self) -> bool:
        """Whether SymPy shows every step, of which there must be some."""
        return bool(self.steps) and all(_are_equal(s.left, s.right, self.where) for s in self.steps)

    def __str__(self) -> str:
        return f"{self.number} {self.name}: {self.statement}: {'proved' if self.is_proved else 'not proved'}"


def softmax_identities() -> tuple[Identity, ...]:
    """The identities of the chapter, in its order."""
    return (_maximum(), _exponentials(), _normaliser(), _softmax(), *_loop())


def _identity(number: str, steps: tuple[Step, ...], where: Meanings) -> Identity:
    name, statement, cites = TITLES[number]
    return Identity(number, name, statement, steps, where, tuple(cites.split()))


def _are_equal(left: Expr, right: Expr, where: Meanings) -> bool:
    """Whether both are fractions of positive denominator, and equal for all reals (cross-multiplied)."""
    (above, below), (over, under) = _fraction(left, where), _fraction(right, where)
    return bool(below.is_positive and under.is_positive) and _unfolded(above * under - over * below) == 0


def _fraction(side: Expr, where: Meanings) -> tuple[Expr, Expr]:
    side = _unfolded(side)
    for name, meaning in where:
        side = side.xreplace({name: meaning})
    return sympy.together(_unfolded(side)).as_numer_denom()


def _unfolded(expression: Expr) -> Expr:
    """Products multiplied out, exp(a + b) written exp(a) exp(b), and sums taken apart as far as they go."""
    return sympy.expand(expression).replace(Sum, _unfolded_sum)


def _unfolded_sum(summand: Expr, *limits: tuple[Expr, Expr, Expr]) -> Expr:
    """The last of T + 1 terms apart, and common factors before the sum. Inner limits come first."""
    *inner, (index, start, end) = limits
    if inner:
        summand = _unfolded_sum(summand, *inner)
    if end == ONE:
        return summand.subs(index, ONE)
    if end == NEXT:
        return _unfolded_sum(summand, (index, start, T)) + summand.subs(index, NEXT)
    common, own = summand.as_independent(index, as_Add=False)
    return common * Sum(own, (index, start, end))


def _by_induction(left: Side, right: Side, grown: Side, count: Expr = T) -> tuple[Step, ...]:
    """That left(T) is right(T) for all T, as both start alike and grow alike.

    left(T + 1) = grown(left(T)), which by the hypothesis is grown(right(T)) = right(T + 1). What is said of
    every tile k up to T starts with k = 1, and is to be shown of the new tile too.
    """
    steps = (
        Step(f"base case {count} = 1", left(ONE).subs(K, ONE), right(ONE).subs(K, ONE)),
        Step(f"from {count} to {count + 1}", left(count + 1), grown(left(count))),
        Step(f"induction step over {count}", grown(right(count)), right(count + 1)),
    )
    if K not in left(T).free_symbols:
        return steps
    return (*steps, Step("the new tile", left(NEXT).subs(K, NEXT), right(NEXT).subs(K, NEXT)))


def _sum_of_entries(tile: Expr, shift: Expr) -> Expr:
    return Sum(exp(x[tile, ENTRY] - shift), (ENTRY, ONE, size[tile]))


def _sum_of_tiles(tiles: Expr, shift: Expr) -> Expr:
    return Sum(_sum_of_entries(TILE, shift), (TILE, ONE, tiles))


def _z(tiles: Expr) -> Expr:
    """z(x) for the first so many tiles, by its definition."""
    return _sum_of_tiles(tiles, whole_max(tiles))


def _f(tiles: Expr) -> Expr:
    """An entry of tile k in f(x) for the first so many tiles, by 5.2."""
    return exp(tile_max[K] - whole_max(tiles)) * f[K, PLACE]


def _softmax_of(tile: Expr, tiles: Expr) -> Expr:
    """An entry of a tile in the softmax of the first so many tiles, by the definition of softmax."""
    return exp(x[tile, PLACE]) / _sum_of_tiles(tiles, Integer(0))


def _tile(tile: Expr) -> Meanings:
    """The definitions of f(x_j) and z(x_j)."""
    exponential = exp(x[tile, PLACE] - tile_max[tile])
    return (f[tile, PLACE], exponential), (tile_z[tile], _sum_of_entries(tile, tile_max[tile]))


def _maximum() -> Identity:
    """By induction over the tiles, and for the new tile over its entries.

    ``top(b)`` is the max of the first b entries of tile T + 1, ``read(b)`` of these and of the first T tiles.
    """
    maxima, top, read = (Function(name, real=True) for name in ("max_of_m", "top", "read"))
    after, last = PLACE + 1, size[NEXT]
    where = (
        (whole_max(ONE), tile_max[1]),
        (maxima(ONE), tile_max[1]),
        (maxima(NEXT), Max(maxima(T), tile_max[NEXT])),
        (whole_max(NEXT), read(last)),
        (tile_max[NEXT], top(last)),
        (read(last), Max(whole_max(T), top(last))),  # shown by the induction over entries
        (read(ONE), Max(whole_max(T), x[NEXT, 1])),
        (read(after), Max(read(PLACE), x[NEXT, after])),
        (top(ONE), x[NEXT, 1]),
        (top(after), Max(top(PLACE), x[NEXT, after])),
    )
    entries = _by_induction(
        read, lambda b: Max(whole_max(T), top(b)), lambda e: Max(e, x[NEXT, after]), count=PLACE
    )
    tiles = _by_induction(whole_max, maxima, lambda e: Max(e, tile_max[NEXT]))
    return _identity("5.1", entries + tiles, where)


def _exponentials() -> Identity:
    steps = _by_induction(lambda t: exp(x[K, PLACE] - whole_max(t)), _f, lambda e: RESCALED * e)
    return _identity("5.2", steps, _tile(ONE) + _tile(K) + _tile(NEXT))


def _normaliser() -> Identity:
    def tile_by_tile(tiles: Expr) -> Expr:
        return Sum(exp(tile_max[TILE] - whole_max(tiles)) * tile_z[TILE], (TILE, ONE, tiles))

    new = exp(tile_max[NEXT] - whole_max(NEXT)) * tile_z[NEXT]
    steps = _by_induction(_z, tile_by_tile, lambda e: RESCALED * e + new)
    return _identity("5.3", steps, _tile(ONE) + _tile(NEXT))


def _softmax() -> Identity:
    growth = RESCALED * whole_z(T) / whole_z(NEXT)
    steps = _by_induction(lambda t: _softmax_of(K, t), lambda t: _f(t) / whole_z(t), lambda e: growth * e)
    sums = tuple((whole_z(t), _z(t)) for t in (ONE, T, NEXT))
    return _identity("5.4", steps, sums + _tile(ONE) + _tile(K) + _tile(NEXT))


def _loop() -> tuple[Identity, ...]:
    """What the loop keeps true of each variable: where j = 1, and where j = T + 1 if it was for T tiles."""
    m_j, z_j, p_j = tile_max[NEXT], tile_z[NEXT], f[NEXT, PLACE]
    hypothesis = ((y_ik, _softmax_of(K, T)), (z_i, _z(T)), (m_i, whole_max(T)))
    maxima = ((whole_max(NEXT), Max(whole_max(T), m_j)), (whole_max(ONE), tile_max[ONE]))  # by 5.1
    where = ((m_new, Max(m_i, m_j)), *hypothesis, *_tile(ONE), *_tile(NEXT), *maxima)
    summed = (z_new, _z(NEXT))  # by 5.13

    def kept(number: str, start: Expr, body: Expr, meaning: Side, known: Meanings = ()) -> Identity:
        base = Step("base case T = 1", start, meaning(ONE).subs(K, ONE))
        return _identity(number, (base, Step("induction step over T", body, meaning(NEXT))), known + where)

    first, sum_new = f[ONE, PLACE] / tile_z[ONE], exp(m_i - m_new) * z_i + exp(m_j - m_new) * z_j
    rescaled, new = z_i / z_new * exp(m_i - m_new) * y_ik, exp(m_j - m_new) * p_j / z_new
    return (
        kept("5.12", tile_max[ONE], m_new, whole_max),
        kept("5.13", tile_z[ONE], sum_new, _z),
        kept("5.14", first, rescaled, lambda t: _softmax_of(K, t), (summed,)),
        kept("5.15", first, new, lambda t: _softmax_of(t, t), (summed,)),
    )
