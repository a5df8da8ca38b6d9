"""Of alternative texts for a binding the first that the class at hand can evaluate.

What an argument of a function of old CK may be depends on the class that has the function: which functions
this has, how many dimensions its convolution has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from layoutalg.ck.builders import Builder
from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.syntax import Parameter, mentioned
from layoutalg.ck.import_run import Run
from layoutalg.ck.interpreter.conversions import conversion_rank
from layoutalg.ck.interpreter.cpp_values import Scope
from layoutalg.errors import LayoutError

__all__ = ["fitting"]

FAILURES = (LayoutError, TypeError, ValueError, AttributeError, LookupError)


def fitting(stated: Mapping[str, Any], builder: Builder, index: Index) -> dict[str, Any]:
    """The bindings, each list of texts replaced by one of them; those without a fitting text are left out."""
    lists = {name: value for name, value in stated.items() if _is_alternatives(value)}
    found = {name: value for name, value in stated.items() if name not in lists}
    asked = [p for p in builder.declared.arguments if p.name in lists]
    names = {p.name for p in asked} | {p.name for p in builder.declared.parameters} | {"this"}
    for name in [name for name in lists if name in names]:
        parameter = next((p for p in asked if p.name == name), None)
        text = _first(lists[name], name, parameter, found, builder, index)
        if text is not None:
            found[name] = text
    return found


def _is_alternatives(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _first(
    texts: list[str],
    name: str,
    parameter: Parameter | None,
    stated: Mapping[str, Any],
    builder: Builder,
    index: Index,
) -> str | None:
    for text in texts:
        run = Run(index, {**stated, name: text})
        try:
            with nested_code():
                _, scope = run.owner_of(builder)
                value = run.value(name)
                if parameter is None or _fits(run, parameter, value, scope, builder):
                    return text
        except FAILURES:
            continue
    return None


def _fits(run: Run, parameter: Parameter, value: Any, scope: Scope, builder: Builder) -> bool:
    """Whether a value is one of the parameter's type, as far as the class tells the type."""
    open_names = {p.name for p in builder.declared.parameters}
    if parameter.type is None or open_names & set(mentioned(parameter.type)):
        return True
    kind = run.interp.evaluate(parameter.type, scope)
    return conversion_rank(run.interp, kind, value) is not None
