"""Instantiation of templates: defaults, the choice of a specialisation; each instance is made once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import (
    AmbiguousError,
    ImportFailedError,
    NotUnderstoodError,
    RejectedError,
)
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.syntax import Node, Parameter, is_auto
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import (
    Builtin,
    Constant,
    Enumerator,
    EnumType,
    Overloads,
    Pack,
    Scope,
    Template,
    key,
)
from layoutalg.ck.interpreter.declared_values import class_type, declared_variable
from layoutalg.ck.interpreter.deduction import Deduction, is_plain
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.partial_ordering import is_more_specialized
from layoutalg.reading.input_limits import CK_TEMPLATES

__all__ = ["bind", "explicit", "instantiate"]


def instantiate(interp: Interpreter, template: Template, arguments: tuple[Any, ...], place: str) -> Any:
    """The class, type or value that a template makes with these arguments."""
    name = tuple(map(key, arguments))
    found = template.instances.get(name)
    if found is None:
        if len(interp.calls) > CK_TEMPLATES.most:
            raise NotUnderstoodError(
                f"templates inside each other without end at {template.name} (limit {CK_TEMPLATES.name})",
                place,
            )
        found = template.instances[name] = _instance(interp, template, arguments, place)
    return found


def _primary(interp: Interpreter, template: Template, place: str) -> Declaration:
    found = [d for d in template.declared if d.special is None]
    bodies = [d for d in found if d.kind != "class" or d.body is not None]
    if len(bodies) > 1:
        bodies = interp.index.seen(bodies, interp.preferred)
    if len({d.source.span(d.begin, d.end) for d in bodies}) == 1:
        bodies = bodies[:1]  # the same text twice
    if len(bodies) > 1:
        here = [d for d in bodies if d.source.name == interp.preferred]
        if len(here) != 1:
            places = ", ".join(d.place for d in bodies)
            raise AmbiguousError(f"{template.name} is defined more than once: {places}", place)
        bodies = here
    if not (bodies or found):
        raise NotUnderstoodError(f"{template.name} has no primary template", place)
    chosen = (bodies or found)[0]
    count = len(chosen.parameters)
    with_defaults = [d for d in found if len(d.parameters) == count and any(p.default for p in d.parameters)]
    if with_defaults and not any(p.default for p in chosen.parameters):
        chosen.__dict__["parameters"] = _joined(chosen.parameters, with_defaults[0].parameters)
    return chosen


def _joined(own: list[Parameter], declared: list[Parameter]) -> list[Parameter]:
    """Parameters with the defaults of another declaration where they have none themselves."""
    pairs = zip(own, declared, strict=True)
    return [Parameter(p.role, p.name, p.type, p.default or d.default, p.is_pack) for p, d in pairs]


def _instance(interp: Interpreter, template: Template, arguments: tuple[Any, ...], place: str) -> Any:
    primary = _primary(interp, template, place)
    bound = bind(interp, primary.parameters, arguments, template.scope, f"{template.name} ({place})")
    full: list[Any] = []
    for parameter, value in zip(primary.parameters, bound[1], strict=True):
        full += value.items if parameter.is_pack else [value]
    name = tuple(map(key, full))
    if name not in template.instances:  # else the same arguments, written in another way
        template.instances[name] = _specialised(interp, template, primary, tuple(full), bound[0], place)
    return template.instances[name]


def _specialised(
    interp: Interpreter,
    template: Template,
    primary: Declaration,
    full: tuple[Any, ...],
    bound: dict[str, Any],
    place: str,
) -> Any:
    chosen, names = _chosen(interp, template, primary, full, bound, place)
    scope = Scope(template.scope, names)
    if chosen.kind == "alias":
        if chosen.type_node is None:
            raise NotUnderstoodError(f"{template.name} stands for nothing", place)
        return interp.evaluate(chosen.type_node, scope)
    if chosen.kind == "variable":
        return declared_variable(interp, chosen, scope)
    if chosen.body is None:
        raise RejectedError(f"{template.name} is declared, but not defined for these arguments", place)
    return class_type(chosen, scope, template, full)


def _chosen(
    interp: Interpreter,
    template: Template,
    primary: Declaration,
    full: tuple[Any, ...],
    names: dict[str, Any],
    place: str,
) -> tuple[Declaration, dict[str, Any]]:
    """The most specialised declaration that fits, or the primary one, with its parameters bound.

    ``AmbiguousError`` where specialisations fit, but none of them is the most specialised.
    """
    fitting = [
        (declared, found)
        for declared in template.declared
        if declared.pattern is not None
        and (found := _fitting(interp, template, primary, declared, full, names, place)) is not None
    ]
    return _best(interp, template, fitting, place) if fitting else (primary, names)


def _fitting(
    interp: Interpreter,
    template: Template,
    primary: Declaration,
    declared: Declaration,
    full: tuple[Any, ...],
    names: dict[str, Any],
    place: str,
) -> dict[str, Any] | None:
    """The parameters of a specialisation that fits the arguments, bound; None if it does not fit."""
    pattern = declared.pattern or []
    deduction = Deduction(interp, declared.parameters, template.scope)
    deduction.is_of_class = True
    given = len(pattern)
    has_pack = any(p.is_pack for p in primary.parameters) or any(
        isinstance(n, syntax.Expand) for n in pattern
    )
    here = full if has_pack else full[:given]
    fits = (
        deduction.all_match(pattern, here, exact=_tells_types(primary, len(here)))
        and deduction.settles()
        and deduction.is_deduced(template.name, place)
        and (has_pack or _are_defaults(interp, template, primary, names, full, given))
        and all(constant(interp.evaluate(node, deduction.scope)) for node in declared.constraint_nodes)
    )
    return deduction.found if fits else None


def _best(
    interp: Interpreter, template: Template, fitting: list[tuple[Declaration, dict[str, Any]]], place: str
) -> tuple[Declaration, dict[str, Any]]:
    """The most specialised of those that fit."""

    def same(one: Node, other: Node) -> bool:
        try:
            values = [interp.evaluate(node, template.scope) for node in (one, other)]
        except ImportFailedError:
            return False
        return bool(key(values[0]) == key(values[1]))

    def is_best(declared: Declaration) -> bool:
        return all(declared is d or _is_more_specialized(declared, d, same) for d, _ in fitting)

    best = [(declared, found) for declared, found in fitting if is_best(declared)]
    if len(best) != 1:
        places = ", ".join(d.place for d, _ in fitting)
        raise AmbiguousError(f"{template.name}: specialisations that all fit: {places}", place)
    return best[0]


def _are_defaults(
    interp: Interpreter,
    template: Template,
    primary: Declaration,
    names: dict[str, Any],
    full: tuple[Any, ...],
    given: int,
) -> bool:
    """Whether the arguments that a specialisation leaves out are the defaults."""
    for parameter, value in zip(primary.parameters[given:], full[given:], strict=False):
        if parameter.default is None:
            return False
        scope = template.scope.inner(dict(names))
        default = explicit(interp, parameter, interp.evaluate(parameter.default, scope), scope)
        if key(default) != key(value) and not (is_plain(default) and is_plain(value) and default == value):
            return False
    return True


def _tells_types(primary: Declaration, count: int) -> tuple[bool, ...]:
    """For each argument whether its type counts besides its value, as for parameters of type ``auto``."""
    rows = [p.role == "value" and p.type is not None and is_auto(p.type) for p in primary.parameters]
    rows += rows[-1:] * (count - len(rows))  # the last one may be a pack
    return tuple(rows[:count])


def _is_more_specialized(left: Declaration, right: Declaration, same: Callable[[Node, Node], bool]) -> bool:
    ours, theirs = left.pattern or [], right.pattern or []
    if is_more_specialized(ours, left.parameters, theirs, right.parameters, same):
        return True
    if is_more_specialized(theirs, right.parameters, ours, left.parameters, same):
        return False
    return bool(left.constraints) and not right.constraints


def bind(
    interp: Interpreter,
    parameters: list[Parameter],
    arguments: tuple[Any, ...],
    scope: Scope,
    what: str,
) -> tuple[dict[str, Any], list[Any]]:
    """Bind parameters to arguments or defaults; by name, and as a list in their order.

    A pack takes all arguments that the parameters behind it leave.
    """
    inner = scope.inner()
    values: list[Any] = []
    position = 0
    for i, parameter in enumerate(parameters):
        if parameter.is_pack:
            rest = len(arguments) - len(parameters[i + 1 :]) if i + 1 < len(parameters) else len(arguments)
            value: Any = Pack(tuple(explicit(interp, parameter, a, inner) for a in arguments[position:rest]))
            position = rest
        elif position < len(arguments):
            value = explicit(interp, parameter, arguments[position], inner)
            position += 1
        elif parameter.default is not None:
            value = explicit(interp, parameter, interp.evaluate(parameter.default, inner), inner)
        else:
            raise RejectedError(f"{what}: no argument for {parameter.name or f'parameter {i}'}")
        values.append(value)
        if parameter.name:
            inner.names[parameter.name] = value
    if position < len(arguments):
        raise RejectedError(f"{what}: {len(arguments)} arguments for {len(parameters)} parameters")
    return inner.names, values


def explicit(interp: Interpreter, parameter: Parameter, value: Any, scope: Scope) -> Any:
    """A template argument converted to its parameter's type; ``RejectedError`` where that is not possible."""
    if parameter.role == "template":
        return value
    if parameter.role != "value" or parameter.type is None:
        if isinstance(value, int | float):
            raise RejectedError(f"{parameter.name} wants a type, got {value}")
        return value
    if is_auto(parameter.type):
        return value
    kind = interp.evaluate(parameter.type, scope)
    if isinstance(kind, Builtin | EnumType):
        inner = value.value if isinstance(value, Constant) else value
        if isinstance(kind, Builtin) and _is_type(inner):
            raise RejectedError(f"{parameter.name} wants a value of type {kind.name}, got a type")
        if isinstance(kind, EnumType) and isinstance(inner, int):
            raise RejectedError(f"{parameter.name} wants a value of {kind.declared.name}, got {inner}")
        if isinstance(kind, Builtin) and isinstance(inner, Enumerator) and inner.enum.declared.is_static:
            raise RejectedError(f"{parameter.name} wants a number, got {inner.name}")
        if isinstance(kind, EnumType):
            return inner
        return interp.handlers.convert(interp, kind, inner, no_narrowing=True)
    return value


def _is_type(value: Any) -> bool:
    return isinstance(value, Builtin | Template | Overloads | Node)
