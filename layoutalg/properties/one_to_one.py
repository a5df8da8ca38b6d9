"""One-to-one: no two indices share an element. A claim about two points."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Eq, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, of_kind
from layoutalg.index.sympy_forms import as_index
from layoutalg.properties.arguments import adaptor_of, map_of

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["determines", "one_to_one", "one_to_one_map", "one_writer", "paired"]


def one_to_one(adaptor: TensorAdaptor | Layout | IndexMap, subject: str = "adaptor") -> Claim:
    """Two valid indices with the same bottom index are the same index.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> print(one_to_one(make_naive_tensor_descriptor((4,), (2,))))
    one-to-one: adaptor: for all 0 <= i0 < 4, 0 <= i0' < 4: if 2*i0 == 2*i0', then i0 == i0'
    """
    found = adaptor if isinstance(adaptor, IndexMap) else adaptor_of(adaptor, "one-to-one").index_map()
    return one_to_one_map(found, subject)


def one_to_one_map(index_map: IndexMap, subject: str) -> Claim:
    """The claim for any map: equal outputs come from equal axes."""
    index_map = map_of(index_map, "one-to-one")
    return paired("one-to-one", index_map, tuple(a.symbol for a in index_map.domain.axes), subject)


def one_writer(index_map: IndexMap, threads: tuple[Symbol, ...], subject: str) -> Claim:
    """No two threads write one address; a thread may write one twice.

    ``threads`` are the axes that tell threads apart.

    >>> domain = Domain.of({"tid": 64, "v": 4})
    >>> tid, v = domain["tid"], domain["v"]
    >>> print(one_writer(IndexMap(domain, (4 * tid + v,)), (tid,), "store"))
    one writer: store: for all 0 <= tid < 64, 0 <= v < 4, 0 <= tid' < 64, 0 <= v' < 4: \
if 4*tid + v == 4*tid' + v', then tid == tid'
    """
    axes = {axis.symbol for axis in map_of(index_map, "one writer").domain.axes}
    of_kind(threads, tuple, "one writer: threads", "a tuple of axes")
    if not threads or not axes.issuperset(threads):
        known, told = (", ".join(sorted(map(str, each))) or "none" for each in (axes, threads))
        msg = f"one writer: wanted the axes that tell threads apart, of {known}; got {told}"
        raise LayoutError(msg)
    return paired("one writer", index_map, threads, subject)


def determines(
    layout: TensorAdaptor | Layout | IndexMap, what: tuple[Expr, ...], subject: str = "adaptor"
) -> Claim:
    """Equal outputs come from equal values of these expressions: overlap is allowed where they agree.

    A convolution reads a pixel for several outputs; that pixels tell channels and places apart is meant.

    >>> domain = Domain.of({"ho": 8, "y": 3})
    >>> ho, y = domain["ho"], domain["y"]
    >>> print(determines(IndexMap(domain, (ho + y,)), (ho + y,), "row"))
    determines: row: for all 0 <= ho < 8, 0 <= y < 3, 0 <= ho' < 8, 0 <= y' < 3: \
if ho + y == ho' + y', then ho + y == ho' + y'
    """
    found = layout if isinstance(layout, IndexMap) else adaptor_of(layout, "determines").index_map()
    of_kind(what, (tuple, list), "determines: what", "a tuple of expressions in the axes")
    if not what:
        raise LayoutError("determines: what: wanted one expression or more, got none")
    told = tuple(map(as_index, what))
    for expression in told:
        unknown = sorted({s.name for s in expression.free_symbols} - set(found.domain.names))
        if unknown:
            found.domain.variable(unknown[0])
    return paired("determines", found, told, subject)


def paired(name: str, index_map: IndexMap, told: tuple[Expr, ...], subject: str) -> Claim:
    """The claim that equal outputs come from equal values of the expressions in ``told``."""
    domain = index_map.domain
    twin = {axis.symbol: _twin(axis.symbol) for axis in domain.axes}

    def renamed(value: Any) -> Any:
        return None if value is None else value.xreplace(twin)

    twins = tuple(
        replace(axis, symbol=twin[axis.symbol], lower=renamed(axis.lower), upper=renamed(axis.upper))
        for axis in domain.axes
    )
    facts = (*domain.facts, *(renamed(fact) for fact in domain.facts))
    both = Domain(domain.axes + twins + domain.parameters, tuple(dict.fromkeys(facts)))
    same = tuple(Eq(output, renamed(output), evaluate=False) for output in index_map.outputs)
    when = (*index_map.when, *(renamed(condition) for condition in index_map.when), *same)
    then = tuple(Comparison(expression, "==", renamed(expression)) for expression in told)
    return Claim(name, subject, both, then, when, map=index_map)


def _twin(symbol: Symbol) -> Symbol:
    return Symbol(f"{symbol.name}'", **symbol.assumptions0)
