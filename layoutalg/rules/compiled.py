"""Terms as functions: a rule's sides are run often, so the tree is walked once, not each time.

>>> from layoutalg.index.c_integers import C_INTEGERS
>>> from layoutalg.term.parse import parse_term
>>> compiled(parse_term("a // b + 1"))(C_INTEGERS, {"a": 7, "b": 2})
4
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from layoutalg.term import OPERATIONS

if TYPE_CHECKING:
    from layoutalg.term import Term

__all__ = ["Compiled", "compiled"]

Compiled = Callable[[Any, Mapping[str, Any]], Any]  # (arithmetic, values of the letters)


def compiled(term: Term) -> Compiled:
    """A function of an arithmetic and the values of the letters."""
    if term.op == "integer":
        number = term.args[0]
        return lambda on, _: on.integer(number)
    if term.op == "symbol":
        name = term.args[0]
        return lambda _, values: values[name]
    first, *rest = (compiled(part) for part in term.args)
    if term.op in ("+", "*"):
        return _chain("add" if term.op == "+" else "mul", first, rest)
    if term.op == "select":
        second, third = rest
        return lambda on, values: on.select(
            first(on, values), lambda: second(on, values), lambda: third(on, values)
        )
    if term.op == "not":
        return lambda on, values: on.negation(first(on, values))
    (second,) = rest
    if term.op == "!=":
        return lambda on, values: on.negation(on.equal(first(on, values), second(on, values)))
    if term.op == "or":
        return lambda on, values: on.negation(
            on.both(on.negation(first(on, values)), on.negation(second(on, values)))
        )
    name = OPERATIONS[term.op]
    return lambda on, values: getattr(on, name)(first(on, values), second(on, values))


def _chain(operation: str, first: Compiled, rest: list[Compiled]) -> Compiled:
    def run(on: Any, values: Mapping[str, Any]) -> Any:
        combine = getattr(on, operation)
        result = first(on, values)
        for part in rest:
            result = combine(result, part(on, values))
        return result

    return run
