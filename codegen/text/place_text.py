"""Places of accesses as C: a base and constant steps, or the whole index where swizzles forbid that.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"lane": 64, "i": 4, "r": 4})
>>> lane, i, r = (domain[name] for name in ("lane", "i", "r"))
>>> found = PlaceText.of("stored", 16 * lane + 1024 * i + r, (i, r), domain)
>>> found.declared("const int"), found.at
(['const int stored = 16 * lane;'], 'stored + 1024 * i + r')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy import Expr, Symbol

from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import strided
from layoutalg.domain import Domain
from layoutalg.index.node import as_expression

__all__ = ["PlaceText"]


@dataclass(frozen=True)
class PlaceText:
    """The place of an access as C text: ``base`` is to be declared under ``name``; none if it is not used."""

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
    ) -> PlaceText:
        """Of an offset in loop counters and what a thread knows before the loops.

        A step along a counter is a constant, or an expression in the symbols of ``uniform``.
        """
        spell, free = Speller(domain), [c for c in counters if c in offset.free_symbols]
        lengths = [int(as_expression(domain.variable(counter).upper)) for counter in free]
        places = strided(offset, free, lengths, domain, uniform)
        if places.choosers or None in places.strides:
            return cls(name, "", spell(offset))
        terms = "".join(map(_step, free, places.strides, map(spell, places.strides)))
        return cls(name, spell(places.bases[0]), name + terms)

    def declared(self, kind: str, start: str = "") -> list[str]:
        """The declaration of the base, added to ``start``."""
        if not self.base:
            return []
        return [f"{kind} {self.name} = " + (f"{start} + ({self.base});" if start else f"{self.base};")]


def _step(counter: Symbol, stride: Expr | None, text: str) -> str:
    if stride is None or stride == 0:
        return ""
    if stride == 1:
        return f" + {counter}"
    is_short = as_expression(stride).is_Integer or as_expression(stride).is_Symbol
    return f" + {text if is_short else f'({text})'} * {counter}"
