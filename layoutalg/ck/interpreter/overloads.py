"""Overloads: which fit the arguments, and which of them fits best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import AmbiguousError, MissingMemberError, RejectedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.syntax import Node, Parameter, is_auto, mentioned
from layoutalg.ck.interpreter.conversions import compatible, constant, convert, type_of
from layoutalg.ck.interpreter.cpp_values import Builtin, Closure, Overloads, Pack
from layoutalg.ck.interpreter.deduction import Matcher
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.partial_ordering import narrower
from layoutalg.ck.interpreter.templates import explicit

__all__ = ["Candidate", "chosen_overload", "fit_arguments"]

FOR_PACK = 6  # an argument of a pack fits worse than any conversion


@dataclass(eq=False)
class Candidate:
    """One overload that fits: its bound names, and how well the arguments fit."""

    declared: Declaration
    names: dict[str, Any]
    fits: tuple[int, ...]


def chosen_overload(interp: Interpreter, callee: Overloads, arguments: list[Any], place: str) -> Candidate:
    """The candidate that fits best; refused where two fit equally well."""
    declared = [d for d in callee.declared if d.body is not None] or callee.declared
    found = [c for d in declared if (c := candidate(interp, callee, d, arguments)) is not None]
    if not found:
        given = ", ".join(_short(a) for a in arguments)
        places = "; ".join(d.place for d in declared[:3])
        raise RejectedError(f"no {callee.name} takes ({given})", place, hint=f"declared at {places}")
    best = [c for c in found if all(c is o or _better(c, o) for o in found)]
    if len(best) == 1:
        return best[0]
    if len({c.declared.source.span(c.declared.begin, c.declared.end) for c in found}) == 1:
        return found[0]  # the same text twice
    places = ", ".join(c.declared.place for c in found)
    raise AmbiguousError(f"{len(found)} overloads of {callee.name} fit: {places}", place)


def _better(left: Candidate, right: Candidate) -> bool:
    pairs = list(zip(left.fits, right.fits, strict=False))
    if any(a > b for a, b in pairs):
        return False
    if any(a < b for a, b in pairs):
        return True
    if bool(left.declared.headers) != bool(right.declared.headers):
        return not left.declared.headers
    ours, theirs = _pattern(left.declared), _pattern(right.declared)
    if narrower(ours, left.declared.parameters, theirs, right.declared.parameters):
        return True
    return bool(left.declared.constraints) and not right.declared.constraints


def _pattern(declared: Declaration) -> list[Node]:
    found = []
    for parameter in declared.arguments:
        if parameter.type is not None:
            node = parameter.type
            expanded = syntax.Expand(node.source, node.at, node) if parameter.is_pack else node
            found.append(expanded)
    return found


def candidate(
    interp: Interpreter, callee: Overloads, declared: Declaration, arguments: list[Any]
) -> Candidate | None:
    """The overload with everything bound, or None where it does not fit."""
    matcher = Matcher(interp, declared.parameters, callee.scope)
    try:
        if not _bind_explicit(interp, matcher, declared, callee.explicit):
            return None
        matcher.given = frozenset(matcher.found)
        fits = fit_arguments(interp, matcher, declared.arguments, arguments)
        if fits is None or not _bind_defaults(interp, matcher, declared):
            return None
        late = fit_arguments(interp, matcher, declared.arguments, arguments, defaults=True)
        if late is None:
            return None
        for node in declared.constraint_nodes:
            if not constant(interp.evaluate(node, matcher.scope)):
                return None
    except (RejectedError, MissingMemberError) as error:
        if error.is_hard:
            raise
        return None
    return Candidate(declared, matcher.found, late)


class _DefaultError(RejectedError):
    """A default argument whose type contradicts the parameter's."""

    is_hard = True


def _bind_explicit(
    interp: Interpreter, matcher: Matcher, declared: Declaration, given: tuple[Any, ...]
) -> bool:
    position = 0
    for parameter in declared.parameters:
        if parameter.is_pack:
            rest = given[position:]
            if rest:
                matcher.found[parameter.name] = Pack(
                    tuple(explicit(interp, parameter, a, matcher.scope) for a in rest)
                )
            position = len(given)
        elif position < len(given):
            value = explicit(interp, parameter, given[position], matcher.scope)
            if parameter.name:
                matcher.found[parameter.name] = value
            position += 1
    return position >= len(given)


def _bind_defaults(interp: Interpreter, matcher: Matcher, declared: Declaration) -> bool:
    for parameter in declared.parameters:
        if parameter.name and parameter.name in matcher.found:
            continue
        if parameter.is_pack:
            matcher.found[parameter.name] = Pack(())
        elif parameter.default is not None:
            given = interp.evaluate(parameter.default, matcher.scope)
            value = explicit(interp, parameter, given, matcher.scope)
            if parameter.name:
                matcher.found[parameter.name] = value
        elif parameter.name:
            return False
    return True


def fit_arguments(
    interp: Interpreter,
    matcher: Matcher,
    parameters: list[Parameter],
    arguments: list[Any],
    *,
    defaults: bool = False,
) -> tuple[int, ...] | None:
    """Bind function parameters to arguments; how well each fits, or None."""
    fits: list[int] = []
    for i, parameter in enumerate(parameters):
        if parameter.is_pack:
            if not defaults and not _deduce_pack(matcher, parameter, arguments[i:]):
                return None
            fits += [FOR_PACK] * len(arguments[i:])
            if parameter.name:
                matcher.found[parameter.name] = Pack(tuple(arguments[i:]))
            return tuple(fits)
        if i < len(arguments):
            fit = _fit(interp, matcher, parameter, arguments[i])
        elif parameter.default is None:
            return None
        else:
            fit = _fit_default(interp, matcher, parameter) if defaults else 0
        if fit is None:
            return None
        fits.append(fit)
    return tuple(fits) if len(arguments) <= len(parameters) else None


def _deduce_pack(matcher: Matcher, parameter: Parameter, arguments: list[Any]) -> bool:
    if parameter.type is None:
        return True
    values = tuple(map(type_of, arguments))
    node = parameter.type
    while isinstance(node, syntax.Reference):
        node = node.inner
    name = node.name if isinstance(node, syntax.Name) and node.template_arguments is None else ""
    if name in matcher.found and isinstance(matcher.found[name], Pack):
        return True  # given explicitly
    if name in matcher.parameters and not matcher.parameters[name].is_pack:
        return all(matcher.matches(node, value) for value in values)
    return isinstance(node, syntax.Builtin) or matcher._pack(node, values)


def _fit(interp: Interpreter, matcher: Matcher, parameter: Parameter, value: Any) -> int | None:
    """How an argument fits its parameter, as ``compatible`` says; None if it does not."""
    node = parameter.type
    assert node is not None
    while isinstance(node, syntax.Reference):
        node = node.inner
    fit: int | None = 0
    named = node if isinstance(node, syntax.Named) else None
    arguments = None if named is None else named.template_arguments
    if isinstance(node, syntax.Name) and arguments is None and node.name in matcher.parameters:
        kind, actual = matcher.found.setdefault(node.name, type_of(value)), type_of(value)
        if isinstance(kind, Builtin) and node.name in matcher.given:
            fit = compatible(interp, kind, value)
            value = convert(interp, kind, value) if fit is not None else value
        elif isinstance(kind, Builtin) and isinstance(actual, Builtin) and kind != actual:
            return None  # two arguments tell different types
    elif is_auto(node):
        fit = 0
    elif isinstance(node, syntax.Pointer):
        fit = None
    elif matcher._open(node) or (arguments and _generic(matcher, node)):
        fit = 0 if matcher.matches(node, value) else None
    else:
        kind = interp.evaluate(node, matcher.scope)
        fit = compatible(interp, kind, value)
        value = convert(interp, kind, value) if fit is not None else value
    if parameter.name:
        matcher.found[parameter.name] = value
    return fit


def _generic(matcher: Matcher, node: Node) -> bool:
    return any(name in matcher.parameters for name in mentioned(node))


def _fit_default(interp: Interpreter, matcher: Matcher, parameter: Parameter) -> int:
    """The default argument, which must have the type that the template arguments say."""
    assert parameter.default is not None
    if isinstance(parameter.default, syntax.Braces) and parameter.type is not None:
        kind = interp.evaluate(parameter.type, matcher.scope)
        value = convert(interp, kind, parameter.default, matcher.scope)
    else:
        value = interp.evaluate(parameter.default, matcher.scope)
    if parameter.type is not None and not is_auto(parameter.type):
        kind = interp.evaluate(parameter.type, matcher.scope)
        if compatible(interp, kind, value) is None:
            raise _DefaultError(
                f"the default of {parameter.name or 'an argument'} has another type than the parameter",
                parameter.default.place,
            )
        value = convert(interp, kind, value)
    if parameter.name:
        matcher.found[parameter.name] = value
    return 0


def _short(value: Any) -> str:
    text = str(value) if not isinstance(value, Closure) else "a lambda"
    return text if len(text) < 60 else text[:57] + "..."
