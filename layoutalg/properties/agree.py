"""Agree: what one access writes as an element, the other finds where it looks for that element."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import Eq, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.properties.arguments import map_of

__all__ = ["agree"]


def agree(writer: IndexMap, reader: IndexMap, subject: str) -> Claim:
    """Wherever writer and reader mean the same element, they use the same address.

    The outputs of both maps are the coordinates of the element, then its address. Axes of the reader
    are told apart from the writer's by a prime.

    >>> from layoutalg.claim import IndexMap
    >>> w, r = Domain.of({"tid": 64}), Domain.of({"lane": 64})
    >>> print(agree(IndexMap(w, (w["tid"], 2 * w["tid"])), IndexMap(r, (r["lane"], r["lane"])), "LDS"))
    agree: LDS: for all 0 <= tid < 64, 0 <= lane' < 64: if tid == lane', then 2*tid == lane'
    """
    writer, reader = map_of(writer, "agree: writer"), map_of(reader, "agree: reader")
    if len(writer.outputs) != len(reader.outputs) or len(writer.outputs) < 2:
        msg = "agree: wanted as many coordinates from writer and reader, then an address;"
        raise LayoutError(f"{msg} got {len(writer.outputs)} and {len(reader.outputs)} outputs")
    primed = {a.symbol: Symbol(f"{a.name}'", **a.symbol.assumptions0) for a in reader.domain.axes}

    def renamed(value: Any) -> Any:
        return None if value is None else value.xreplace(primed)

    axes = tuple(
        replace(a, symbol=primed[a.symbol], lower=renamed(a.lower), upper=renamed(a.upper))
        for a in reader.domain.axes
    )
    other = Domain(axes + reader.domain.parameters, tuple(map(renamed, reader.domain.facts)))
    outputs = tuple(map(renamed, reader.outputs))
    same = tuple(Eq(*pair, evaluate=False) for pair in zip(writer.outputs[:-1], outputs[:-1], strict=True))
    when = (*writer.when, *map(renamed, reader.when), *same)
    address = Comparison(writer.outputs[-1], "==", outputs[-1])
    both = writer.domain.joined(other)
    return Claim("agree", subject, both, (address,), when, map=IndexMap(both, writer.outputs, when))
