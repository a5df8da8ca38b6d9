"""Overload resolution: which overloads fit the arguments, and which of them fits best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import AmbiguousError, MissingMemberError, RejectedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.syntax import Node, Parameter, is_auto, mentioned
from layoutalg.ck.interpreter.conversions import constant, conversion_rank, convert, type_of
from layoutalg.ck.interpreter.cpp_values import Builtin, Closure, Overloads, Pack, key
from layoutalg.ck.interpreter.deduction import Deduction
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.partial_ordering import is_more_specialized
from layoutalg.ck.interpreter.templates import bind, explicit

__all__ = ["Candidate", "chosen_overload", "fit_arguments"]

FOR_PACK = 6  # an argument of a pack fits worse than any conversion


@dataclass(eq=False)
class Candidate:
    """An overload that fits: its parameters with their arguments, and the rank of each conversion."""

    declared: Declaration
    names: dict[str, Any]
    fits: tuple[int, ...]


def chosen_overload(interp: Interpreter, callee: Overloads, arguments: list[Any], place: str) -> Candidate:
    """The best candidate; ``RejectedError`` if none fits, ``AmbiguousError`` if none is best."""
    special = [d for d in callee.declared if _is_specialisation(d)]
    plain = [d for d in callee.declared if d not in special]
    declared = plain if special else [d for d in plain if d.body is not None] or plain
    found = [c for d in declared if (c := candidate(interp, callee, d, arguments)) is not None]
    if not found:
        given = ", ".join(_short(a) for a in arguments)
        places = "; ".join(d.place for d in declared[:3])
        raise RejectedError(f"no {callee.name} takes ({given})", place, hint=f"declared at {places}")
    best = [c for c in found if all(c is o or _better(c, o) for o in found)]
    if len(best) == 1:
        return _specialised(interp, callee, best[0], special) if special else best[0]
    if len({c.declared.source.span(c.declared.begin, c.declared.end) for c in found}) == 1:
        return found[0]  # the same text twice
    seen = interp.index.seen([c.declared for c in best or found], interp.preferred)
    if len(seen) == 1:
        return next(c for c in found if c.declared is seen[0])
    places = ", ".join(c.declared.place for c in found)
    raise AmbiguousError(f"{len(found)} overloads of {callee.name} fit: {places}", place)


def _is_specialisation(declared: Declaration) -> bool:
    """Whether this is ``template <> f<...>()``, which gives a body to some arguments of another template."""
    return declared.special is not None and bool(declared.headers) and not declared.parameters


def _specialised(
    interp: Interpreter, callee: Overloads, chosen: Candidate, special: list[Declaration]
) -> Candidate:
    """The full specialisation for the arguments of a candidate, else the candidate."""
    parameters = chosen.declared.parameters
    if any(p.is_pack or not p.name for p in parameters):
        return chosen
    wanted = [key(chosen.names[p.name]) for p in parameters]
    for declared in special:
        given = tuple(interp.evaluate(node, callee.scope) for node in declared.pattern or [])
        if len(given) > len(parameters):
            continue
        try:
            _, values = bind(interp, parameters, given, callee.scope, callee.name)
        except RejectedError:
            continue
        if [key(value) for value in values] == wanted:
            names = {p.name: chosen.names[q.name] for p, q in _pairs(declared, chosen.declared)}
            return Candidate(declared, names, chosen.fits)
    return chosen


def _pairs(left: Declaration, right: Declaration) -> list[tuple[Parameter, Parameter]]:
    """The parameters of two declarations of a function that have names."""
    pairs = zip(left.arguments, right.arguments, strict=False)
    return [(one, other) for one, other in pairs if one.name and other.name]


def _better(left: Candidate, right: Candidate) -> bool:
    pairs = list(zip(left.fits, right.fits, strict=False))
    if any(a > b for a, b in pairs):
        return False
    if any(a < b for a, b in pairs):
        return True
    if bool(left.declared.headers) != bool(right.declared.headers):
        return not left.declared.headers
    ours, theirs = _pattern(left.declared), _pattern(right.declared)
    if is_more_specialized(ours, left.declared.parameters, theirs, right.declared.parameters):
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
    """An overload with all its parameters bound; None if it does not fit."""
    deduction = Deduction(interp, declared.parameters, callee.scope)
    try:
        if not _bind_explicit(interp, deduction, declared, callee.explicit):
            return None
        deduction.given = frozenset(deduction.found)
        fits = fit_arguments(interp, deduction, declared.arguments, arguments)
        if fits is None or not _bind_defaults(interp, deduction, declared):
            return None
        late = fit_arguments(interp, deduction, declared.arguments, arguments, defaults=True)
        if late is None:
            return None
        for node in declared.constraint_nodes:
            if not constant(interp.evaluate(node, deduction.scope)):
                return None
    except (RejectedError, MissingMemberError) as error:
        if error.is_hard:
            raise
        return None
    return Candidate(declared, deduction.found, late)


class _DefaultError(RejectedError):
    """A default argument that does not convert to the parameter's type."""

    is_hard = True


def _bind_explicit(
    interp: Interpreter, deduction: Deduction, declared: Declaration, given: tuple[Any, ...]
) -> bool:
    position = 0
    for parameter in declared.parameters:
        if parameter.is_pack:
            rest = given[position:]
            if rest:
                deduction.found[parameter.name] = Pack(
                    tuple(explicit(interp, parameter, a, deduction.scope) for a in rest)
                )
            position = len(given)
        elif position < len(given):
            value = explicit(interp, parameter, given[position], deduction.scope)
            if parameter.name:
                deduction.found[parameter.name] = value
            position += 1
    return position >= len(given)


def _bind_defaults(interp: Interpreter, deduction: Deduction, declared: Declaration) -> bool:
    for parameter in declared.parameters:
        if parameter.name and parameter.name in deduction.found:
            continue
        if parameter.is_pack:
            deduction.found[parameter.name] = Pack(())
        elif parameter.default is not None:
            given = interp.evaluate(parameter.default, deduction.scope)
            value = explicit(interp, parameter, given, deduction.scope)
            if parameter.name:
                deduction.found[parameter.name] = value
        elif parameter.name:
            return False
    return True


def fit_arguments(
    interp: Interpreter,
    deduction: Deduction,
    parameters: list[Parameter],
    arguments: list[Any],
    *,
    defaults: bool = False,
) -> tuple[int, ...] | None:
    """Bind function parameters to arguments; the rank of each conversion, or None if one does not fit.

    ``defaults``: evaluate default arguments too, and leave packs as they were deduced before.
    """
    fits: list[int] = []
    for i, parameter in enumerate(parameters):
        if parameter.is_pack:
            if not defaults and not _deduce_pack(deduction, parameter, arguments[i:]):
                return None
            fits += [FOR_PACK] * len(arguments[i:])
            if parameter.name:
                deduction.found[parameter.name] = Pack(tuple(arguments[i:]))
            return tuple(fits)
        if i < len(arguments):
            fit = _fit(interp, deduction, parameter, arguments[i])
        elif parameter.default is None:
            return None
        else:
            fit = _fit_default(interp, deduction, parameter) if defaults else 0
        if fit is None:
            return None
        fits.append(fit)
    return tuple(fits) if len(arguments) <= len(parameters) else None


def _deduce_pack(deduction: Deduction, parameter: Parameter, arguments: list[Any]) -> bool:
    if parameter.type is None:
        return True
    values = tuple(map(type_of, arguments))
    node = parameter.type
    while isinstance(node, syntax.Reference):
        node = node.inner
    name = node.name if isinstance(node, syntax.Name) and node.template_arguments is None else ""
    if name in deduction.found and isinstance(deduction.found[name], Pack):
        return True  # given explicitly
    if name in deduction.parameters and not deduction.parameters[name].is_pack:
        return all(deduction.matches(node, value) for value in values)
    return isinstance(node, syntax.Builtin) or deduction.match_pack(node, values)


def _fit(interp: Interpreter, deduction: Deduction, parameter: Parameter, value: Any) -> int | None:
    """How an argument fits its parameter, as ``conversion_rank`` says; None if it does not."""
    node = parameter.type
    assert node is not None
    while isinstance(node, syntax.Reference):
        node = node.inner
    fit: int | None = 0
    named = node if isinstance(node, syntax.Named) else None
    arguments = None if named is None else named.template_arguments
    if isinstance(node, syntax.Name) and arguments is None and node.name in deduction.parameters:
        kind, actual = deduction.found.setdefault(node.name, type_of(value)), type_of(value)
        if isinstance(kind, Builtin) and node.name in deduction.given:
            fit = conversion_rank(interp, kind, value)
            value = convert(interp, kind, value) if fit is not None else value
        elif isinstance(kind, Builtin) and isinstance(actual, Builtin) and kind != actual:
            return None  # two arguments tell different types
    elif is_auto(node):
        fit = 0
    elif isinstance(node, syntax.Pointer):
        fit = None
    elif deduction.is_open(node) or (arguments and _generic(deduction, node)):
        fit = 0 if deduction.matches(node, value) else None
    else:
        kind = interp.evaluate(node, deduction.scope)
        fit = conversion_rank(interp, kind, value)
        value = convert(interp, kind, value) if fit is not None else value
    if parameter.name:
        deduction.found[parameter.name] = value
    return fit


def _generic(deduction: Deduction, node: Node) -> bool:
    return any(name in deduction.parameters for name in mentioned(node))


def _fit_default(interp: Interpreter, deduction: Deduction, parameter: Parameter) -> int:
    """Bind a parameter to its default argument, which must convert to the parameter's type."""
    assert parameter.default is not None
    if isinstance(parameter.default, syntax.Braces) and parameter.type is not None:
        kind = interp.evaluate(parameter.type, deduction.scope)
        value = convert(interp, kind, parameter.default, deduction.scope)
    else:
        value = interp.evaluate(parameter.default, deduction.scope)
    if parameter.type is not None and not is_auto(parameter.type):
        kind = interp.evaluate(parameter.type, deduction.scope)
        if conversion_rank(interp, kind, value) is None:
            raise _DefaultError(
                f"the default of {parameter.name or 'an argument'} has another type than the parameter",
                parameter.default.place,
            )
        value = convert(interp, kind, value)
    if parameter.name:
        deduction.found[parameter.name] = value
    return 0


def _short(value: Any) -> str:
    text = str(value) if not isinstance(value, Closure) else "a lambda"
    return text if len(text) < 60 else text[:57] + "..."
