"""Template arguments deduced: a pattern of types against a type, and which of two patterns is narrower."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.interpreter import Interpreter
from layoutalg.ck.members import bases_of
from layoutalg.ck.mentioned import mentioned
from layoutalg.ck.node import Node, Parameter
from layoutalg.ck.scope import Scope
from layoutalg.ck.trouble import MissingMemberError, NeedsBindingError, NotUnderstoodError, RejectedError
from layoutalg.ck.values import (
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    NativeTemplate,
    Pack,
    Sequence,
    Template,
    Tuple,
    Unsigned,
    key,
)
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistributionEncoding

__all__ = ["Matcher", "is_plain", "native_arguments"]

NUMBERS = frozenset(("constant", "number", "bool_constant", "long_number"))
STRUCTURAL = NUMBERS | {
    "sequence",
    "tuple",
    "integral_constant",
    "tile_distribution_encoding",
    "tensor_descriptor",
}


class Matcher:
    """Parameters of one template, and what has been found for them."""

    def __init__(self, interp: Interpreter, parameters: list[Parameter], scope: Scope) -> None:
        self.interp = interp
        self.parameters = {p.name: p for p in parameters if p.name}
        self.scope = scope.inner()
        self.found = self.scope.names
        self.deferred: list[tuple[Node, Any]] = []

    def settles(self) -> bool:
        """Whether the patterns that had to wait for other parameters hold now."""
        waiting, self.deferred = self.deferred, []
        return all(self.matches(pattern, value) for pattern, value in waiting)

    def matches(self, pattern: Node, value: Any) -> bool:
        """Whether the pattern can be the value, with what was found so far."""
        while pattern.kind in {"ref", "paren"}:
            pattern = pattern.parts[0]
        if pattern.kind == "name" and pattern.parts[1] is None and pattern.parts[0] in self.parameters:
            return self._bind(pattern.parts[0], value)
        if pattern.kind in {"name", "scope"} and pattern.parts[-1] is not None:
            return self._template(pattern, value)
        if pattern.kind == "builtin" and pattern.parts[0] == "auto":
            return True
        if self._open(pattern):
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
        except NeedsBindingError as error:
            if pattern.parts[-2:-1] not in {("void_t",), ("enable_if_t",)}:
                raise
            self.interp.log.absent.add(error.name)  # the detection idiom: no such member
            return False
        if isinstance(found, Constant) and not isinstance(value, Constant):
            found = found.value
        if is_plain(found) and is_plain(value):
            return bool(found == value)
        return bool(key(found) == key(value))

    def _bind(self, name: str, value: Any) -> bool:
        if self.parameters[name].role == "value" and isinstance(value, Constant):
            value = value.value
        if name in self.found:
            if is_plain(self.found[name]) and is_plain(value):
                return bool(self.found[name] == value)
            return bool(key(self.found[name]) == key(value))
        self.found[name] = value
        return True

    def _open(self, pattern: Node) -> bool:
        names = mentioned(pattern)
        return any(name in self.parameters and name not in self.found for name in names)

    def _template(self, pattern: Node, value: Any) -> bool:
        *head, name, arguments = pattern.parts
        bare = Node(pattern.kind, (*head, name, None), pattern.source, pattern.at)
        if pattern.kind == "name" and name in self.parameters:  # a template parameter that is a template
            if not isinstance(value, ClassType) or value.template is None:
                return False
            return self._bind(name, value.template) and self.all_match(arguments, value.arguments)
        if self._open(bare):
            return self._wait(pattern, value)
        template = self.interp.evaluate(bare, self.scope)
        if isinstance(template, NativeTemplate) and template.name not in STRUCTURAL:
            return self._wait(pattern, value) if self._open(pattern) else self._same(pattern, value)
        given = self._arguments(template, name, value)
        return given is not None and self.all_match(arguments, given)

    def _arguments(self, template: Any, name: str, value: Any) -> tuple[Any, ...] | None:
        """The arguments with which the template is this value."""
        if isinstance(template, NativeTemplate):
            return native_arguments(template.name, value)
        if not isinstance(template, Template):
            raise NotUnderstoodError(f"{name} is no template")
        if template.declared[0].kind == "alias":
            declared = template.declared[0]
            inner = Matcher(self.interp, declared.parameters, template.scope)
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

    def all_match(self, patterns: list[Node], values: tuple[Any, ...]) -> bool:
        """Whether each pattern can be its value, a pack the rest."""
        for i, pattern in enumerate(patterns):
            if pattern.kind == "expand":
                return self._pack(pattern.parts[0], values[i : len(values) - (len(patterns) - i - 1)])
            if i >= len(values) or not self.matches(pattern, values[i]):
                return False
        return len(patterns) == len(values)

    def _pack(self, pattern: Node, values: tuple[Any, ...]) -> bool:
        """``Xs...``, or a pattern of packs repeated."""
        names = [n for n in mentioned(pattern) if n in self.parameters and self.parameters[n].is_pack]
        collected: dict[str, list[Any]] = {name: [] for name in names}
        for value in values:
            each = Matcher(self.interp, list(self.parameters.values()), self.scope)
            if not each.matches(pattern, value):
                return False
            for name in names:
                collected[name].append(each.found.get(name))
        return all(self._bind_pack(name, tuple(items)) for name, items in collected.items())

    def _bind_pack(self, name: str, items: tuple[Any, ...]) -> bool:
        if self.parameters[name].role == "value":
            items = tuple(i.value if isinstance(i, Constant) else i for i in items)
        if name in self.found:
            return bool(key(self.found[name]) == key(Pack(items)))
        self.found[name] = Pack(items)
        return True


def is_plain(value: Any) -> bool:
    """An integer, not one of an enumeration."""
    return isinstance(value, int | Unsigned) and not isinstance(value, Enumerator)


def native_arguments(name: str, value: Any) -> tuple[Any, ...] | None:
    """The template arguments of a value that Python represents."""
    if isinstance(value, Sequence) and name == "sequence":
        return value.values
    if isinstance(value, Tuple) and name == "tuple":
        return value.items
    if isinstance(value, TensorDescriptor) and name == "tensor_descriptor":
        return (value,)  # one opaque argument
    if isinstance(value, Constant) and name in NUMBERS:
        return (value.value,)
    if isinstance(value, Constant) and name == "integral_constant":
        return (Builtin("bool" if isinstance(value.value, bool) else "int"), value.value)
    if isinstance(value, TileDistributionEncoding) and name == "tile_distribution_encoding":
        rows = [Tuple(tuple(map(Sequence, r))) if r and isinstance(r[0], tuple) else r for r in _six(value)]
        return tuple(r if isinstance(r, Tuple) else Sequence(r) for r in rows)
    return None


def _six(value: TileDistributionEncoding) -> tuple[Any, ...]:
    return tuple(vars(value).values())
