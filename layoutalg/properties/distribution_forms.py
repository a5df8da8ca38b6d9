"""The same distribution, in other words: formulas in lane and register, or another encoding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index import Table
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import differ, integers
from layoutalg.properties.arguments import distribution_of
from layoutalg.rules.from_text import parse
from layoutalg.term.parse import parse_term
from layoutalg.transforms import Merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sympy import Expr

    from layoutalg.distribution import TileDistribution
    from layoutalg.term.definition import Definition
    from layoutalg.term.parse import Syntax

__all__ = ["distribution_equals", "same_distribution"]


def distribution_equals(
    distribution: TileDistribution,
    elements: Sequence[Expr | str],
    subject: str = "distribution",
    syntax: Syntax | None = None,
    definitions: Sequence[Definition] = (),
) -> Claim:
    """The element that a thread holds is what formulas say: one for each dimension of the tile.

    They are expressions or text in ``warp`` and ``lane`` (``lane`` alone in a wave's distribution) and either
    the ys ``y0``, ``y1``, ... or ``register``, the number of the register. ``definitions``: names that
    text may use.

    >>> import layoutalg as la
    >>> wave = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<64, 4>>, tuple<sequence<1>>,"
    ...     " tuple<sequence<0>>, sequence<1>, sequence<1>>"
    ... )
    >>> held = la.make_static_tile_distribution(wave)
    >>> la.prove(la.distribution_equals(held, ["lane*4 + register"]))
    proved by normal form
    """
    distribution = distribution_of(distribution, "equals")
    given = list(elements) if isinstance(elements, (tuple, list)) else [elements]
    if len(given) != distribution.encoding.num_x:
        msg = (
            f"equals: wanted a formula for each of {distribution.encoding.num_x} dimensions, got {len(given)}"
        )
        raise LayoutError(msg)
    register = sympy.Symbol("register", integer=True, nonnegative=True)
    by_register = _threads_and_registers(distribution, distribution, register)
    if "register" in _names(given, definitions):
        domain, held = by_register, _by_register(distribution, register, distribution.ps, by_register)
    else:
        index_map = distribution.index_map()
        domain, held = index_map.domain, index_map.outputs
    domain = replace(domain, definitions=tuple(definitions))
    formulas = [parse(each, domain, syntax=syntax) if isinstance(each, str) else each for each in given]
    then = tuple(Comparison(mine, "==", formula) for mine, formula in zip(held, formulas, strict=True))
    return Claim("equals", subject, domain, then)


def _names(formulas: Sequence[Any], definitions: Sequence[Definition]) -> set[str]:
    """The names that formulas stand on, those behind definitions too."""
    found = {name for formula in formulas for name in _names_in(formula)}
    for one in reversed(definitions):
        found |= _names_in(one.text) if one.name in found else set()
    return found


def _names_in(formula: Any) -> set[str]:
    if isinstance(formula, str):
        return {str(term.args[0]) for term in parse_term(formula).walk() if term.op == "symbol"}
    return {symbol.name for symbol in as_expression(formula).free_symbols}


def same_distribution(
    one: TileDistribution,
    other: TileDistribution,
    subject: str = "tiles",
    registers: Sequence[int] | None = None,
) -> Claim:
    """Register by register, every thread holds the same element under both distributions.

    ``registers``: which register of the second holds what each of the first does, where the order differs.

    It is what a thread buffer that changes its distribution without a shuffle takes for granted
    (rocm-libraries#5510). Refused where they have not as many threads or registers.

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> held = la.make_static_tile_distribution(tile)
    >>> la.prove(la.same_distribution(held, held))
    proved by normal form
    """
    one, other = (distribution_of(each, "same distribution") for each in (one, other))
    sizes = (
        ("threads", one.p_lengths, other.p_lengths),
        ("registers", (one.ys_to_d.element_space_size,), (other.ys_to_d.element_space_size,)),
    )
    for what, mine, others in sizes:
        pairs = zip(mine, others, strict=False)
        if len(mine) != len(others) or any(differ(a, b) is not False for a, b in pairs):
            msg = f"same distribution: wanted as many {what} in both, got {mine} and {others}"
            raise LayoutError(msg)
    if one.encoding.num_x != other.encoding.num_x:
        msg = f"same distribution: tiles of {one.encoding.num_x} and {other.encoding.num_x} dimensions"
        raise LayoutError(msg)
    register = sympy.Symbol("register", integer=True, nonnegative=True)
    domain = _threads_and_registers(one, other, register)
    twin = register if registers is None else _permuted(registers, register, one.ys_to_d.element_space_size)
    left = _by_register(one, register, one.ps, domain)
    right = _by_register(other, twin, one.ps, domain)
    then = tuple(Comparison(a, "==", b) for a, b in zip(left, right, strict=True))
    return Claim("same distribution", subject, domain, then)


def _threads_and_registers(one: TileDistribution, other: TileDistribution, register: sympy.Symbol) -> Any:
    size = as_expression(one.ys_to_d.element_space_size)
    threads = [one.domain.variable(p) for p in one.ps]
    axes = (*threads, Variable(register, sympy.Integer(0), size))
    parameters = one.ps_ys_to_xs.parameters.joined(other.ps_ys_to_xs.parameters)
    return Domain(axes, ()).joined(parameters)


def _permuted(registers: Sequence[int], register: sympy.Symbol, count: Any) -> Expr:
    """The register of the second distribution, looked up in the order."""
    order = integers(registers, "same distribution: registers")
    if sorted(order) != list(range(len(order))) or differ(len(order), count) is not False:
        msg = f"same distribution: registers: wanted each of 0 to {count} - 1 once, got {order}"
        raise LayoutError(msg)
    found: Expr = Table.of_constants("registers", order)(register)
    return found


def _by_register(
    distribution: TileDistribution, register: Expr, ps: Sequence[Any], domain: Domain
) -> tuple[Any, ...]:
    """The element that a thread holds in a register, by the register's number."""
    lengths = distribution.y_lengths
    ys = Merge(lengths).lower((register,), SYMBOLIC) if lengths else ()
    return distribution.ps_ys_to_xs.index_map(IndexMap(domain, (*ps, *ys))).outputs
