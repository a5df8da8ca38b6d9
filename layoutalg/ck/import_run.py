"""One run of an import: bindings become names of an interpreter, and the function is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from layoutalg.ck.builders import Builder
from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.ck_library import OLD_CK
from layoutalg.ck.cpp.cpp_errors import (
    NeedsBindingError,
    NotUnderstoodError,
    OtherSpecialisationError,
    UndeclaredError,
    nested_code,
)
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.cpp.syntax import Node, Parameter, mentioned
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.import_target import Target, split_last
from layoutalg.ck.interpreter.class_members import bases_of
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Bound,
    Builtin,
    ClassType,
    EnumType,
    Overloads,
    Pack,
    Record,
    Scope,
    Template,
)
from layoutalg.ck.interpreter.declared_values import class_type
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import literal_like
from layoutalg.ck.interpreter.packs import evaluated_list
from layoutalg.ck.interpreter.templates import explicit, instantiate
from layoutalg.ck.named_arguments import positional
from layoutalg.ck.watched_bindings import Watched
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.machine import TARGETS
from layoutalg.reading.near_names import meant

__all__ = ["Run"]

OBJECT = "self"
INCLUDE = "include"  # the header that counts where several define a name, as C++ includes it
DEVICE = "Device"  # the device operation that uses the class, for texts of other bindings
CLASS = "class"  # the class that has the function, as C++ text
THIS = "this"  # the object of a member function, as C++ text
PLACES = {"threadIdx", "blockIdx", "blockDim", "gridDim"}  # known at run time only


@dataclass
class Run:
    """One evaluation of a function of the headers, which notes the bindings that it reads."""

    index: Index
    bindings: Mapping[str, Any]
    symbols: Mapping[str, Any] = field(default_factory=dict)  # what stands for each Symbol
    path: Any = None
    interp: Interpreter = field(init=False)
    used: set[str] = field(default_factory=set)  # bindings that were read
    asked: set[str] = field(default_factory=set)  # names that could have been bound

    def __post_init__(self) -> None:
        self.interp = interpreter(self.index)
        self.interp.path = self.path
        names = [k for k, given in self.bindings.items() if "." not in k and not isinstance(given, str)]
        plain = {name: self._made(name) for name in names}
        self.names = self.interp.space(self.index.library.space).inner(Watched(plain, self.used))
        self.interp.builtins = Watched(self._builtins(), self.used)

    def _builtins(self) -> dict[str, Any]:
        """HIP's names that no header declares: the wave size, and places in a launch if bound."""
        found: dict[str, Any] = {"warpSize": literal_like(TARGETS[self.index.arch].wave_size)}
        heads = {key.partition(".")[0] for key in self.bindings if "." in key}
        found |= {name: self.bound(name) for name in sorted(heads & PLACES)}
        return found | {name: self._made(name) for name in found if name in self.bindings}

    @property
    def _is_old(self) -> bool:
        return self.index.library is OLD_CK

    @property
    def unused(self) -> set[str]:
        """The bindings that nothing read."""
        return set(self.bindings) - self.used

    @property
    def known(self) -> set[str]:
        """The names that the function reads, bound or not."""
        return (self.used & set(self.bindings)) | self.asked | self.interp.log.read

    def result(self, target: Target, builder: Builder | None) -> Any:
        """What the function returns, called with the bindings."""
        with nested_code():
            if builder is None:
                return self._by_text(target)
            return self._by_names(builder)

    # classes, functions and arguments as C++ text

    def _by_text(self, target: Target) -> Any:
        self.interp.preferred = self.index.file(target.file).name
        for name in {key.partition(".")[0] for key in self.bindings if "." in key} - {OBJECT}:
            self.names.names[name] = self.bound(name)
        class_text, _, function = split_last(target.name)
        if not class_text:
            return self._called(read_expression(function), self.names)
        owner = self.interp.evaluate(read_expression(class_text), self.names)
        self.names.names["__object"] = self._object(owner)
        return self._called(read_expression(f"__object.template {function}"), self.names)

    def _called(self, node: Node, scope: Scope) -> Any:
        value = self.interp.evaluate(node, scope)
        is_called = isinstance(node, syntax.Call)
        return value if is_called else self.interp.handlers.call(self.interp, value, [], "")

    def _object(self, owner: Any) -> Any:
        if THIS in self.bindings:
            return self.value(THIS)
        prefix = f"{OBJECT}."
        fields = {k.removeprefix(prefix): self._made(k) for k in self.bindings if k.startswith(prefix)}
        if not isinstance(owner, ClassType):
            return owner
        members = [d for d in owner.declared.members if d.kind == "variable" and not d.is_static]
        open_members = {name for d in members if d.value is None for name in d.names}
        self.asked |= {f"{prefix}{name}" for name in {d.name for d in members} | open_members}
        if not fields and not open_members:
            return owner
        return Record(owner, DataMembers(fields, self.used, open_members))

    # classes and functions by the names of their parameters

    def _by_names(self, builder: Builder) -> Any:
        interp = self.interp
        owner, scope = self.owner_of(builder)
        declared = builder.declared
        inner = scope.inner()
        given = self._arguments(declared.parameters, inner, self._deduced(declared))
        values = [self._argument(p, i, inner) for i, p in enumerate(declared.arguments) if self._is_given(p)]
        this = self._object(owner) if owner is not None else None
        record = this if isinstance(this, Record) else None
        callee = Overloads(declared.name, [declared], scope, owner, record, tuple(given))
        return interp.handlers.call(interp, callee, values, builder.declared.place)

    def owner_of(self, builder: Builder) -> tuple[ClassType | None, Scope]:
        """The class that has a function, and the scope of its names, which bindings then see too."""
        self.interp.preferred = self._included() or builder.file
        scope = self.interp.space(builder.space)
        owner: ClassType | None = None
        if DEVICE in self.bindings:
            self.names.names[DEVICE] = self.value(DEVICE)
        if builder.owner and CLASS in self.bindings:
            owner = self._stated_class(builder.owner[-1])
            scope = owner.scope
        for declared in builder.owner if owner is None else ():
            found = scope if owner is None else owner.scope
            owner = self._class(declared, found)
            scope = owner.scope
        if owner is not None and self._is_old:  # bindings may name what the class has
            self.names = owner.scope.inner(self.names.names)
        elif self._is_old:
            self.names = scope.inner(self.names.names)
        return owner, scope

    def own_arguments(self, builder: Builder) -> list[Any]:
        """The template arguments of the function itself, after ``owner_of``."""
        scope = self.names.inner()
        return self._arguments(builder.declared.parameters, scope, self._deduced(builder.declared))

    def _included(self) -> str:
        """The header that the binding ``include`` names, "" without one."""
        stated = self.bindings.get(INCLUDE, "")
        if not isinstance(stated, str) or not stated:
            return ""
        self.used.add(INCLUDE)
        return self.index.file(stated).name

    def _stated_class(self, wanted: Declaration) -> ClassType:
        """The class that the binding ``class`` names, or its base with the wanted declaration."""
        stated = self.value(CLASS)
        waiting = [stated]
        while waiting:
            found = waiting.pop(0)
            if isinstance(found, ClassType):
                if found.declared is wanted:
                    return found
                waiting += bases_of(self.interp, found)
        what = f"the binding {CLASS} names {stated}, which is no {wanted.name} and has none as a base"
        raise NotUnderstoodError(what, wanted.place)

    def _class(self, declared: Any, scope: Scope) -> ClassType:
        if not declared.headers:
            made = self.interp.handlers.lookup(self.interp, declared.name, scope, None)
            return (
                made
                if isinstance(made, ClassType) and made.declared is declared
                else class_type(declared, scope)
            )
        inner = scope.inner()
        given = self._arguments(declared.parameters, inner)
        template = self.interp.handlers.lookup(self.interp, declared.name, scope, None)
        if isinstance(template, ClassType) and template.template is not None:
            template = template.template
        if declared.pattern is not None:
            given = evaluated_list(self.interp, declared.pattern, inner)
        if not isinstance(template, Template):
            raise NotUnderstoodError(f"{declared.name} is no template here", declared.place)
        made = instantiate(self.interp, template, tuple(given), declared.place)
        if made.declared is not declared:
            raise OtherSpecialisationError(f"these arguments choose another {declared.name}", declared.place)
        return made

    def _deduced(self, declared: Declaration) -> frozenset[str]:
        """The template parameters of a function that its bound arguments tell."""
        bound = [
            p.type for i, p in enumerate(declared.arguments) if (p.name or f"argument{i}") in self.bindings
        ]
        return frozenset(mentioned(bound))

    def _arguments(
        self, parameters: list[Parameter], scope: Scope, deduced: frozenset[str] = frozenset()
    ) -> list[Any]:
        """Template arguments by the names of the parameters, up to the first that is left to deduction."""
        found: list[Any] = []
        for parameter in parameters:
            if parameter.name in deduced and parameter.name not in self.bindings:
                return found
            value = self._template_argument(parameter, scope)
            if value is _OPEN:
                return found
            if parameter.is_pack:
                value = value.items if hasattr(value, "items") else (value,)
                found += value
                scope.names[parameter.name] = Pack(tuple(value))
                continue
            found.append(value)
            if parameter.name:
                scope.names[parameter.name] = value
        return found

    def _template_argument(self, parameter: Parameter, scope: Scope) -> Any:
        if parameter.name:
            self.asked.add(parameter.name)
        if parameter.name in self.bindings:
            return explicit(self.interp, parameter, self.value(parameter.name), scope)
        prefix = f"{parameter.name.rstrip('_')}."
        if parameter.role == "type" and any(k.startswith(prefix) for k in self.bindings):
            return self.bound(parameter.name)
        if parameter.default is not None:
            return explicit(self.interp, parameter, self.interp.evaluate(parameter.default, scope), scope)
        if parameter.is_pack or not parameter.name:
            return _OPEN
        if parameter.role == "type" and parameter.name.rstrip("_") in {
            "Problem",
            "Policy",
            "Pipeline",
            "Shape",
        }:
            return self.bound(parameter.name)
        is_type = parameter.role == "type"
        raise NeedsBindingError(
            f"{parameter.name}, {'a type' if is_type else 'a number'}, is not bound",
            name=parameter.name,
            hint=f"add `--bind {parameter.name}=...`",
            is_type=is_type,
        )

    def _is_given(self, parameter: Parameter) -> bool:
        return parameter.default is None or parameter.name in self.bindings

    def _argument(self, parameter: Parameter, position: int, scope: Scope) -> Any:
        name = parameter.name or f"argument{position}"
        self.asked.add(name)
        if name in self.bindings:
            return self.value(name)
        if any(key.startswith(f"{name}.") for key in self.bindings):
            return self.bound(name)
        if parameter.type is not None:
            try:
                kind = self.interp.evaluate(parameter.type, scope)  # an empty type is its value
            except NotUnderstoodError:
                pass
            else:
                has_data = isinstance(kind, ClassType) and _has_data(kind)
                is_sized = isinstance(kind, TensorAdaptor) and bool(parameter.name) and self._is_old
                if not (
                    is_sized or isinstance(kind, Builtin | EnumType | Array)
                ):  # of which the type says all
                    return self.bound(name) if has_data else kind
        raise NeedsBindingError(f"argument {name} is not bound", name=name, hint=f"add `--bind {name}=...`")

    # values

    def bound(self, name: str) -> Bound:
        """A class whose members are the bindings with its name and a dot in front."""
        short = name.rstrip("_")
        prefix = f"{short}."
        members: dict[str, Any] = {}
        nested = set()
        for key in self.bindings:
            if key.startswith(prefix):
                member = key.removeprefix(prefix)
                if "." in member:
                    nested.add(member.partition(".")[0])
                else:
                    members[member] = self._lazily(key)
        for member in nested:
            members.setdefault(member, self._nested(f"{short}.{member}"))
        return Bound(short, members)

    def _nested(self, name: str) -> Callable[[Interpreter], Any]:
        made = self.bound(name)
        return lambda _: made

    def _lazily(self, key: str) -> Callable[[Interpreter], Any]:
        return lambda _: self.value(key)

    def value(self, key: str) -> Any:
        """The value of a binding, noted as read; text is evaluated where CK's names are visible."""
        self.used.add(key)
        return self._made(key)

    def _made(self, key: str) -> Any:
        given = self.bindings[key]
        if key in self.symbols:
            given = self.symbols[key]
            return Array(list(given)) if isinstance(given, tuple) else given
        if isinstance(given, tuple):
            return Array(list(given))
        if not isinstance(given, str):
            return literal_like(given) if isinstance(given, int) else given
        try:
            return self.interp.evaluate(read_expression(positional(given, self.index)), self.names)
        except UndeclaredError as error:
            if not error.hint and error.place.startswith("text:"):
                near = meant(error.name, self.index.spaces.get(self.index.library.space, {}))
                told = f"the binding {key} names it: add `--bind {error.name}=...`"
                error.hint = " ".join(filter(None, (near, told)))
            raise


def _has_data(kind: ClassType) -> bool:
    """Whether objects of a class have data members without a value in the source."""
    return any(d.kind == "variable" and not d.is_static and d.value is None for d in kind.declared.members)


class DataMembers(Watched):
    """Data members of an object by name: those that are bound; any other that is open needs a binding."""

    def __init__(self, values: Mapping[str, Any], seen: set[str], open_members: set[str]) -> None:
        super().__init__(values, seen, f"{OBJECT}.")
        self.open_members = open_members

    def __contains__(self, name: object) -> bool:
        return name in self.open_members or super().__contains__(name)

    def __getitem__(self, name: str) -> Any:
        if not super().__contains__(name):
            key = f"{OBJECT}.{name}"
            raise NeedsBindingError(f"{key} is not bound", name=key, hint=f"add `--bind {key}=...`")
        return super().__getitem__(name)


class _Open:
    """A template parameter left for deduction."""


_OPEN = _Open()
