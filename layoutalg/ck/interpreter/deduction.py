"""Template argument deduction: which arguments make a pattern, such as ``S<T, N>``, a given type."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import (
    MissingMemberError,
    NeedsBindingError,
    NotUnderstoodError,
    RejectedError,
)
from layoutalg.ck.cpp.integer_types import kind_of
from layoutalg.ck.cpp.syntax import Node, Parameter, bare, is_auto, mentioned
from layoutalg.ck.interpreter.class_members import bases_of
from layoutalg.ck.interpreter.cpp_values import (
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    NativeTemplate,
    Pack,
    Scope,
    Sequence,
    Template,
    Tuple,
    key,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.native_arguments import NUMBERS, native_arguments
from layoutalg.ck.interpreter.number_conversions import to_builtin

__all__ = ["Deduction", "is_plain"]

STRUCTURAL = NUMBERS | {
    "sequence",
    "tuple",
    "integral_constant",
    "tile_distribution_encoding",
    "tensor_descriptor",
}


class Deduction:
    """The parameters of one template, and the arguments that were deduced for them so far."""

    def __init__(self, interp: Interpreter, parameters: list[Parameter], scope: Scope) -> None:
        self.interp = interp
        self.parameters = {p.name: p for p in parameters if p.name}
        self.scope = scope.inner()
        self.found = self.scope.names
        self.deferred: list[tuple[Node, Any]] = []
        self.given: frozenset[str] = frozenset()  # parameters whose arguments are written out
        self.is_of_class = False  # of a function, a tuple of values stands for one of their types

    def settles(self) -> bool:
        """Whether the patterns match that had to wait until other parameters were deduced."""
        while self.deferred:
            waiting, self.deferred = self.deferred, []
            if not all(self.matches(pattern, value) for pattern, value in waiting):
                return False
            if len(self.deferred) == len(waiting):
                pattern = waiting[0][0]
                raise NotUnderstoodError("a pattern of which no argument can be deduced", pattern.place)
        return True

    def is_deduced(self, name: str, place: str) -> bool:
        """True if every parameter was deduced; else ``NotUnderstoodError``."""
        missing = [p for p in self.parameters if p not in self.found]
        if missing:
            raise NotUnderstoodError(f"{name}: {', '.join(missing)} cannot be deduced", place)
        return True

    def matches(self, pattern: Node, value: Any) -> bool:
        """Whether the pattern is the value for some arguments that agree with those deduced so far."""
        pattern = bare(pattern)
        if isinstance(pattern, syntax.Named):
            if pattern.template_arguments is not None:
                return self._template(pattern, pattern.template_arguments, value)
            if isinstance(pattern, syntax.Name) and pattern.name in self.parameters:
                return self._bind(pattern.name, value)
        if is_auto(pattern):
            return True
        if self.is_open(pattern):
            return self._wait(pattern, value)
        return self._same(pattern, value)

    def _wait(self, pattern: Node, value: Any) -> bool:
        self.deferred.append((pattern, value))
        return True

    def _same(self, pattern: Node, value: Any) -> bool:
        try:
            found = self.interp.evaluate(pattern, self.scope)
        except (RejectedError, MissingMemberError) as error:
            if error.is_hard:
                raise
            return False
        except NeedsBindingError:
            if getattr(pattern, "name", "") in {"void_t", "enable_if_t"}:
                return False  # the detection idiom: no such member
            raise
        if isinstance(found, Constant) and not isinstance(value, Constant):
            found = found.value
        if is_plain(found) and is_plain(value):
            return bool(found == value)
        return bool(key(found) == key(value))

    def _bind(self, name: str, value: Any) -> bool:
        role = self.parameters[name].role
        if role == "value" and isinstance(value, Constant):
            value = value.value
        if (self.is_of_class and (role == "type" and isinstance(value, int | float | str | Enumerator))) or (
            role == "value" and isinstance(value, Builtin)
        ):
            return False  # a type is no value
        if name in self.found:
            if is_plain(self.found[name]) and is_plain(value):
                return bool(self.found[name] == value)
            return bool(key(self.found[name]) == key(value))
        self.found[name] = self._as_parameter(name, value) if role == "value" else value
        return True

    def is_open(self, pattern: Node) -> bool:
        """Whether a pattern names parameters that are not deduced yet."""
        names = mentioned(pattern)
        return any(name in self.parameters and name not in self.found for name in names)

    def _template(self, pattern: syntax.Named, arguments: list[Node], value: Any) -> bool:
        name, head = pattern.name, replace(pattern, template_arguments=None)
        if isinstance(pattern, syntax.Name) and name in self.parameters:  # a parameter that is a template
            made = self._made_by(value)
            return made is not None and self._bind(name, made[0]) and self.all_match(arguments, made[1])
        if self.is_open(head):
            return self._wait(pattern, value)
        template = self.interp.evaluate(head, self.scope)
        if isinstance(template, NativeTemplate) and template.name not in STRUCTURAL:
            return self._wait(pattern, value) if self.is_open(pattern) else self._same(pattern, value)
        given = self._arguments(template, name, value)
        known_as = template.name if isinstance(template, NativeTemplate) else name
        exact = (known_as in NUMBERS,) * len(given or ())
        return given is not None and self.all_match(arguments, given, exact=exact)

    def _made_by(self, value: Any) -> tuple[Any, tuple[Any, ...]] | None:
        """The template that a type was made by, and its arguments; None for types of no template."""
        if isinstance(value, ClassType):
            return None if value.template is None else (value.template, value.arguments)
        name = {Tuple: "tuple", Sequence: "sequence"}.get(type(value))
        if isinstance(value, Tuple) and value.items[:1] == ("pointer",):
            return None
        if name is None:
            if isinstance(value, Builtin | Enumerator | int | float | str):
                return None
            raise NotUnderstoodError(f"the template that a {type(value).__name__} is made by")
        space = self.interp.space(self.interp.index.library.space)
        spelled = self.interp.handlers.spelled(name)
        template = self.interp.handlers.lookup(self.interp, spelled, space, None)
        return template, native_arguments(name, value) or ()

    def _arguments(self, template: Any, name: str, value: Any) -> tuple[Any, ...] | None:
        """The arguments with which the template makes this value; None if it does not."""
        if isinstance(template, NativeTemplate):
            return native_arguments(template.name, value)
        if not isinstance(template, Template):
            raise NotUnderstoodError(f"{name} is no template")
        if template.declared[0].kind == "alias":
            declared = template.declared[0]
            inner = Deduction(self.interp, declared.parameters, template.scope)
            if declared.type_node is None or not inner.matches(declared.type_node, value):
                return None
            found = [inner.found.get(p.name) for p in declared.parameters]
            flat: list[Any] = []
            for item in found:
                flat += item.items if isinstance(item, Pack) else [item]
            return tuple(flat)
        if isinstance(value, ClassType):
            if value.template is template:
                return value.arguments
            for base in bases_of(self.interp, value):
                found_in_base = self._arguments(template, name, base)
                if found_in_base is not None:
                    return found_in_base
        return None

    def all_match(
        self, patterns: list[Node], values: tuple[Any, ...], *, exact: tuple[bool, ...] = ()
    ) -> bool:
        """Whether each pattern matches its value, and a pack at the end all the rest.

        ``exact`` says of each value whether its type has to be the same too: ``true`` is not 1.
        """
        last = patterns[-1] if patterns else None
        pack = last if isinstance(last, syntax.Expand) else None
        heads = patterns if pack is None else patterns[:-1]
        for pattern in heads:
            if isinstance(pattern, syntax.Expand):
                raise NotUnderstoodError("a pack with something behind it cannot be deduced", pattern.place)
        if len(values) < len(heads) or (pack is None and len(values) > len(heads)):
            return False
        for i, pattern in enumerate(heads):
            if not self.matches(pattern, values[i]):
                return False
            if any(exact[i : i + 1]) and not self._has_type_of(pattern, values[i]):
                return False
        return pack is None or self.match_pack(pack.pattern, values[len(heads) :])

    def _has_type_of(self, pattern: Node, value: Any) -> bool:
        """Whether a pattern that stands for a number has the type of the value."""
        if not is_plain(value) or isinstance(pattern, syntax.Expand) or self.is_open(pattern):
            return True
        if isinstance(pattern, syntax.Name) and pattern.name in self.parameters:
            kind = self._type_of(pattern.name)
            return kind is None or kind.name == kind_of(value)
        found = self.interp.evaluate(pattern, self.scope)
        found = found.value if isinstance(found, Constant) else found
        return not isinstance(found, int) or kind_of(found) == kind_of(value)

    def _type_of(self, name: str) -> Builtin | None:
        """The arithmetic type of a value parameter; None if it has another or it is not known yet."""
        node = self.parameters[name].type
        if node is None or is_auto(node) or self.is_open(node):
            return None
        kind = self.interp.evaluate(node, self.scope)
        return kind if isinstance(kind, Builtin) else None

    def _as_parameter(self, name: str, value: Any) -> Any:
        """A number converted to the type of the parameter that it was deduced for."""
        kind = self._type_of(name) if isinstance(value, int) else None
        return value if kind is None else to_builtin(kind.name, value)

    def match_pack(self, pattern: Node, values: tuple[Any, ...]) -> bool:
        """Match ``Xs...``, or a pattern with packs in it, against all values; each gives one element."""
        names = [n for n in mentioned(pattern) if n in self.parameters and self.parameters[n].is_pack]
        collected: dict[str, list[Any]] = {name: [] for name in names}
        for value in values:
            each = Deduction(self.interp, list(self.parameters.values()), self.scope)
            each.is_of_class = self.is_of_class
            each.found |= {name: v for name, v in self.found.items() if name not in collected}
            if not (each.matches(pattern, value) and each.settles()):
                return False
            for name in names:
                if name not in each.found:
                    raise NotUnderstoodError(f"{name} cannot be deduced", pattern.place)
                collected[name].append(each.found.pop(name))
            self.found |= each.found
        return all(self._bind_pack(name, tuple(items)) for name, items in collected.items())

    def _bind_pack(self, name: str, items: tuple[Any, ...]) -> bool:
        if self.parameters[name].role == "value":
            plain = (i.value if isinstance(i, Constant) else i for i in items)
            items = tuple(self._as_parameter(name, i) for i in plain)
        if name in self.found:
            return bool(key(self.found[name]) == key(Pack(items)))
        self.found[name] = Pack(items)
        return True


def is_plain(value: Any) -> bool:
    """Whether a value is an integer; an enumerator is none."""
    return isinstance(value, int)
