"""``static_assert``: checked where it can be evaluated, else listed as not checked."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.logic.boolalg import Boolean

from layoutalg.ck.cpp.cpp_errors import AssertionFailedError, NeedsBindingError, NotUnderstoodError
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.cpp_values import Constant, Scope
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["check_assertion"]


def check_assertion(interp: Interpreter, condition: Node, scope: Scope, place: str, message: str) -> None:
    """Raise ``AssertionFailedError`` where the condition is false.

    A condition that cannot be evaluated is listed as not checked, one on sizes left open as assumed.
    """
    try:
        value = interp.evaluate(condition, scope)
    except (NotUnderstoodError, NeedsBindingError) as error:
        interp.log.not_checked[place] = f"{error.verdict}: {error.message}"
        return
    if isinstance(value, Constant):
        value = value.value
    if isinstance(value, Boolean) and value not in {sympy.true, sympy.false}:
        known = interp.path.ranges.truth(value) if interp.path is not None else None
        if known is None:
            interp.log.assumed[place] = value
            return
        value = known
    interp.log.checked += 1
    if not value:
        raise AssertionFailedError(f"static_assert fails: {message or _text(condition)}", place)


def _ends(tokens: Sequence[str], at: int) -> bool:
    """Whether a condition ends here: only the comma before a message is none of template arguments."""
    return tokens[at] == ")" or (tokens[at] == "," and '"' in "".join(tokens[at + 1 : at + 2]))


def _text(node: Node) -> str:
    """The condition as it is written."""
    end = node.at
    tokens = node.source.tokens
    depth = 0
    while end < len(tokens) and not (depth == 0 and _ends(tokens, end)):
        depth += (tokens[end] in {"(", "{"}) - (tokens[end] in {")", "}"})
        end += 1
    return node.source.span(node.at, end)
