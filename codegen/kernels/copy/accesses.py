"""Where the elements of a run lie, and when they are there, by the place of a thread, as simple as they get.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> from layoutalg.codegen.kernels.copy.plan import run_view
>>> rows = make_naive_tensor_descriptor((6, 8), (8, 1)).pad(0, 1, 0)
>>> found = RunAccesses(run_view(rows, 4))
>>> found.offset(0), found.conditions(0)
(4*place - 8, (1 <= place // 2,))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain, Variable
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.rules import simplify

__all__ = ["PLACE", "RunAccesses"]

PLACE = Symbol("place", integer=True, nonnegative=True)


@dataclass(frozen=True)
class RunAccesses:
    """The elements of a run in one tensor, seen by (place, element of the run)."""

    view: TensorDescriptor

    @cached_property
    def domain(self) -> Domain:
        """The places that there are."""
        return Domain((Variable(PLACE, sympy.Integer(0), as_expression(self.view.lengths[0])),))

    def offset(self, element: int) -> Expr:
        """The offset in memory of an element of the run."""
        hidden: Any = self.view.hidden_index((PLACE, sympy.Integer(element)), SYMBOLIC)
        return self._simple(hidden[0])

    def conditions(self, element: int) -> tuple[Any, ...]:
        """What must hold for an element to be no padding; what always holds is left out."""
        valid = self.view.is_valid((PLACE, sympy.Integer(element)), SYMBOLIC)
        found = (
            self._simple(condition.func(*map(self._simple, condition.args)))
            for condition in sorted(sympy.And.make_args(valid), key=str)
            if condition != sympy.true
        )
        return tuple(dict.fromkeys(condition for condition in found if condition != sympy.true))

    def sums(self, element: int) -> Iterator[Expr]:
        """What may stand in a register on the way: all that is added up, and all that is subtracted."""
        sides = (side for condition in self.conditions(element) for side in condition.args)
        for whole in (self.offset(element), *sides):
            for part in sympy.preorder_traversal(whole):
                if isinstance(part, sympy.Add):
                    taken = [term for term in part.args if term.could_extract_minus_sign()]
                    yield sympy.Add(*taken)
                    yield sympy.Add(*(term for term in part.args if term not in taken))
                elif isinstance(part, Expr) and not part.is_number:
                    yield part

    def _simple(self, expression: Any) -> Any:
        return simplify(as_expression(expression), self.domain).expr
