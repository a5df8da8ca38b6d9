"""Of alternative texts for a binding the first that the class at hand can evaluate.

What an argument of a function of old CK may be depends on the class that has the function: which functions
this has, how many dimensions its convolution has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from layoutalg.ck.builders import Builder
from layoutalg.ck.class_reach import classes_from_instances, nearest_instance, plain_name
from layoutalg.ck.cpp.cpp_errors import RejectedError, nested_code
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.syntax import Parameter, mentioned
from layoutalg.ck.import_run import Run
from layoutalg.ck.interpreter.conversions import conversion_rank
from layoutalg.ck.interpreter.cpp_values import Scope
from layoutalg.errors import LayoutError

__all__ = ["fitting"]

CONDITION = {"enable_if", "enable_if_t"}
MOST = 10  # instances of one device operation that are tried
FAILURES = (LayoutError, TypeError, ValueError, AttributeError, LookupError)


def fitting(stated: Mapping[str, Any], builder: Builder, index: Index) -> dict[str, Any]:
    """The bindings with the class that has the function, and of each list of texts one.

    A list without a fitting text is left out. Where a condition of a template refuses an instance, the next
    one counts.
    """
    declared = builder.declared
    header = declared.source.tokens[declared.headers[-1] : declared.opened] if declared.headers else []
    has_condition = bool(CONDITION & set(header))
    for of_class in _of_class(builder, index, most=MOST if has_condition else 1):
        found = _fitted({**stated, **of_class}, builder, index)
        is_whole = all(p.name in found for p in declared.parameters if p.name in stated)
        if not has_condition or (is_whole and _holds(found, builder, index)):
            return found
    first = next(_of_class(builder, index, most=1), {})
    return _fitted({**stated, **first}, builder, index)


def _of_class(builder: Builder, index: Index, *, most: int) -> Iterator[dict[str, Any]]:
    """Bindings that say the class of a function: one that instances have, else arguments of a near one."""
    if not builder.owner:
        return
    is_any = False
    for instance, text in classes_from_instances(builder.owner[-1], index, most=most):
        is_any = True
        yield {"include": instance.header.removeprefix("include/"), "Device": instance.text, "class": text}
    names = [p.name for declared in builder.owner for p in declared.parameters if p.default is None]
    near = nearest_instance(names, index) if names and not is_any else None
    if near is not None:
        given = {plain_name(name): text for name, text in near.arguments.items()}
        yield {name: given[plain_name(name)] for name in names if plain_name(name) in given}


def _holds(stated: Mapping[str, Any], builder: Builder, index: Index) -> bool:
    """Whether the conditions of a function's template hold."""
    run = Run(index, stated)
    try:
        with nested_code():
            run.owner_of(builder)
            run.own_arguments(builder)
    except RejectedError:
        return False
    except FAILURES:
        pass
    return True


def _fitted(stated: Mapping[str, Any], builder: Builder, index: Index) -> dict[str, Any]:
    own = {p.name for p in (*builder.declared.parameters, *builder.declared.arguments)}
    of_class = {p.name for declared in builder.owner for p in declared.parameters} - own
    if "class" in stated:  # it has its arguments
        stated = {name: value for name, value in stated.items() if name not in of_class}
    lists = {name: value for name, value in stated.items() if _is_alternatives(value)}
    found = {name: value for name, value in stated.items() if name not in lists}
    asked = [p for p in builder.declared.arguments if p.name in lists]
    names = {p.name for declared in (*builder.owner, builder.declared) for p in declared.parameters}
    names |= {p.name for p in asked} | {"this"}
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
        tried = {**stated, name: text}
        run = Run(index, tried)
        try:
            with nested_code():
                scope = _scope(run, builder)
                value = run.value(name)
                if parameter is None and not _holds(tried, builder, index):
                    continue
                if parameter is None or _fits(run, parameter, value, scope, builder):
                    return text
        except FAILURES:
            continue
    return None


def _scope(run: Run, builder: Builder) -> Scope:
    """The names that a binding sees: those of the class, where its arguments are known already."""
    try:
        return run.owner_of(builder)[1]
    except FAILURES:
        return run.names


def _fits(run: Run, parameter: Parameter, value: Any, scope: Scope, builder: Builder) -> bool:
    """Whether a value is one of the parameter's type, as far as the class tells the type."""
    open_names = {p.name for p in builder.declared.parameters}
    if parameter.type is None or open_names & set(mentioned(parameter.type)):
        return True
    kind = run.interp.evaluate(parameter.type, scope)
    return conversion_rank(run.interp, kind, value) is not None
