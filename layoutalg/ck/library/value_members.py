"""Members of the library's values: numbers, sequences, tuples, descriptors, encodings, distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layoutalg.ck.cpp.cpp_errors import (
    MissingMemberError,
    NeedsBindingError,
    RejectedError,
)
from layoutalg.ck.cpp.integer_types import integer
from layoutalg.ck.interpreter.class_members import class_member, complete
from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import (
    ABSENT,
    Array,
    Bound,
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    EnumType,
    Native,
    Record,
    Scope,
    Sequence,
    Traits,
    Tuple,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.operators import binary
from layoutalg.ck.library.library_templates import number_of
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding

__all__ = ["MEMBERS", "Member", "always", "element", "member_in", "method", "static_values"]

Member = Callable[[Interpreter, Any], Any]


def method(function: Callable[..., Any]) -> Member:
    """A member function: called with the interpreter, the value, template arguments and arguments."""

    def bound(interp: Interpreter, value: Any) -> Native:
        return Native(
            function.__name__.strip("_"), lambda _, explicit, given: function(interp, value, explicit, given)
        )

    return bound


def always(_: Interpreter, *__: Any) -> bool:
    """``is_static()``: all values here are known at compile time."""
    return True


# numbers, sequences, tuples and arrays


def element(_: Interpreter, value: Any, explicit: tuple[Any, ...], given: list[Any]) -> Any:
    """``at<I>()``, ``at(number<I>{})``, ``at(i)``."""
    is_static = bool(explicit) or isinstance(given[0], Constant)
    at = constant(explicit[0] if explicit else given[0])
    items = value.values if isinstance(value, Sequence) else value.items
    if not isinstance(at, int) or not 0 <= at < len(items):
        raise RejectedError(f"element {at} of {len(items)}")
    found = items[at]
    return Constant(found) if isinstance(value, Sequence) and is_static else found


def _size(_: Interpreter, value: Any, *__: Any) -> int:
    return len(value.values if isinstance(value, Sequence) else value.items)


def _folded(sign: str, first: int) -> Callable[..., Any]:
    def folded(interp: Interpreter, value: Sequence, *_: Any) -> Any:
        found: Any = first
        for item in value.values:
            found = binary(interp, sign, found, item, "")
        return found

    return folded


def _extract(_: Interpreter, value: Sequence, __: Any, given: list[Any]) -> Sequence:
    ids = given[0].values if isinstance(given[0], Sequence) else [constant(g) for g in given]
    return Sequence(tuple(value.values[i] for i in ids))


def _pushed(*, is_front: bool) -> Callable[..., Any]:
    def push(_: Interpreter, value: Sequence, __: Any, given: list[Any]) -> Sequence:
        new = tuple(n for g in given for n in (g.values if isinstance(g, Sequence) else (number_of(g),)))
        return Sequence(new + value.values if is_front else value.values + new)

    return push


def _modify(_: Interpreter, value: Sequence, __: Any, given: list[Any]) -> Sequence:
    at = int(constant(given[0]))
    return Sequence((*value.values[:at], number_of(given[1]), *value.values[at + 1 :]))


def _reordered(interp: Interpreter, value: Sequence, _: Any, given: list[Any]) -> Any:
    function = interp.handlers.lookup(
        interp, "container_reorder_given_new2old", interp.space(interp.index.library.space), None
    )
    return interp.handlers.call(interp, function, [value, given[0]], "")


_SEQUENCE: dict[str, Member] = {
    "size": method(_size),
    "at": method(element),
    "get": method(element),
    "operator[]": method(element),
    "front": method(lambda i, v, *_: element(i, v, (0,), [])),
    "back": method(lambda i, v, *_: element(i, v, (len(v.values) - 1,), [])),
    "sum": method(_folded("+", 0)),
    "product": method(_folded("*", 1)),
    "reverse": method(lambda _, v, *__: Sequence(v.values[::-1])),
    "pop_front": method(lambda _, v, *__: Sequence(v.values[1:])),
    "pop_back": method(lambda _, v, *__: Sequence(v.values[:-1])),
    "push_front": method(_pushed(is_front=True)),
    "push_back": method(_pushed(is_front=False)),
    "extract": method(_extract),
    "modify": method(_modify),
    "reorder_new_to_old": method(_reordered),
    "is_static": method(always),
    "type": lambda _, value: value,
    "value_type": lambda *_: Builtin("int"),
}
_TUPLE: dict[str, Member] = {
    "size": method(lambda i, v, *_: integer("unsigned long", _size(i, v))),
    "at": method(element),
    "At": method(element),
    "get": method(element),
    "operator[]": method(element),
    "is_static": method(always),
}
_ARRAY: dict[str, Member] = {
    "size": method(_size),
    "at": method(element),
    "get": method(element),
    "operator[]": method(element),
    "operator()": method(element),
}
_CONSTANT: dict[str, Member] = {
    "value": lambda _, value: value.value,
    "type": lambda _, value: value,
    "value_type": lambda _, value: type_of(value.value),
    "is_static": method(always),
    "operator()": method(lambda _, v, *__: v.value),
}


# descriptors, adaptors, encodings and distributions


def static_values(values: Any) -> Tuple:
    """A tuple of numbers known at compile time."""
    return Tuple(tuple(Constant(v) for v in values))


def _length(_: Interpreter, value: Any, explicit: tuple[Any, ...], given: list[Any]) -> Constant:
    return Constant(value.lengths[constant(explicit[0] if explicit else given[0])])


_ADAPTOR: dict[str, Member] = {
    "get_num_of_top_dimension": method(lambda _, v, *__: v.rank),
    "get_num_of_bottom_dimension": method(lambda _, v, *__: len(v.bottom_dimension_hidden_ids)),
    "get_transforms": method(lambda _, v, *__: Tuple(tuple(v.transforms))),
    "get_element_size": method(lambda _, v, *__: v.element_size),
    "is_static": method(always),
}
_DESCRIPTOR: dict[str, Member] = {
    **_ADAPTOR,
    "get_num_of_dimension": method(lambda _, v, *__: v.rank),
    "get_length": method(_length),
    "get_lengths": method(lambda _, v, *__: static_values(v.lengths)),
    "get_element_space_size": method(lambda _, v, *__: v.element_space_size),
}
_FIELDS = (
    "rs_lengths",
    "hs_lengthss",
    "ps_to_rhss_major",
    "ps_to_rhss_minor",
    "ys_to_rhs_major",
    "ys_to_rhs_minor",
)
_TYPES = ("RsLengths", "HsLengthss", "Ps2RHssMajor", "Ps2RHssMinor", "Ys2RHsMajor", "Ys2RHsMinor")


def _field(name: str) -> Member:
    def found(_: Interpreter, value: Any) -> Any:
        rows = getattr(value, name)
        nested = name.endswith("lengthss") or name.startswith("ps_")
        return Tuple(tuple(map(Sequence, rows))) if nested else Sequence(rows)

    return found


_ENCODING: dict[str, Member] = {
    **{f"{name}_": _field(name) for name in _FIELDS},
    **{cpp: _field(name) for cpp, name in zip(_TYPES, _FIELDS, strict=True)},
    **{f"NDim{x.upper()}": (lambda _, v, x=x: getattr(v, f"num_{x}")) for x in "xpyr"},  # type: ignore[misc]
}
_DISTRIBUTION: dict[str, Member] = {
    "DstrEncode": lambda _, v: v.encoding,
    **{f"NDim{x.upper()}": (lambda _, v, x=x: getattr(v.encoding, f"num_{x}")) for x in "xpyr"},  # type: ignore[misc]
    **{
        f"get_num_of_dimension_{x}": method(lambda _, v, *__, x=x: getattr(v.encoding, f"num_{x}"))
        for x in "xpyr"
    },
    "get_lengths": method(lambda _, v, *__: static_values(v.lengths)),
    "get_static_tile_distribution_encoding": method(lambda _, v, *__: v.encoding),
    "get_ys_to_d_descriptor": method(lambda _, v, *__: v.ys_to_d),
    "get_ps_ys_to_xs_adaptor": method(lambda _, v, *__: v.ps_ys_to_xs),
    "is_static": method(always),
}


MEMBERS: tuple[tuple[type, dict[str, Member]], ...] = (
    (Sequence, _SEQUENCE),
    (Tuple, _TUPLE),
    (Array, _ARRAY),
    (Constant, _CONSTANT),
    (TensorDescriptor, _DESCRIPTOR),
    (TensorAdaptor, _ADAPTOR),
    (TileDistributionEncoding, _ENCODING),
    (TileDistribution, _DISTRIBUTION),
)


def member_in(
    space_lookup: Callable[..., Any],
    source_class: Callable[..., Any],
    tables: tuple[tuple[type, dict[str, Member]], ...] = MEMBERS,
) -> Callable[..., Any]:
    """The function that finds members of values, types and namespaces.

    ``space_lookup`` finds names of a namespace. ``source_class`` gives the class of the headers that a value
    stands for; it is asked where the tables have no such member.
    """

    def member(interp: Interpreter, value: Any, name: str, *, place: str = "", default: Any = None) -> Any:
        found = _member(interp, value, name, tables)
        if found is ABSENT and isinstance(value, Scope):
            found = space_lookup(interp, value.space or "", name)
        if found is ABSENT:
            behind = source_class(interp, value)
            found = class_member(interp, behind, name) if behind is not None else ABSENT
        if found is not ABSENT:
            return found
        if default is not None:
            return default
        if isinstance(value, Bound):
            full = f"{value.name}.{name}"
            raise NeedsBindingError(
                f"{value.name}::{name} is not bound", place, name=full, hint=f"add `--bind {full}=...`"
            )
        raise MissingMemberError(f"{_described(value)} has no member {name}", place)

    return member


def _member(
    interp: Interpreter, value: Any, name: str, tables: tuple[tuple[type, dict[str, Member]], ...]
) -> Any:
    if isinstance(value, ClassType):
        complete(interp, value)
        return class_member(interp, value, name)
    if isinstance(value, Record):
        return (
            value.fields[name] if name in value.fields else class_member(interp, value.kind, name, this=value)
        )
    if isinstance(value, Traits):
        return value.members.get(name, ABSENT)
    if isinstance(value, Bound):
        interp.log.read.add(f"{value.name}.{name}")
        found = value.members.get(name, ABSENT)
        return found(interp) if callable(found) else found
    if isinstance(value, EnumType):
        numbers = dict(value.values)
        return Enumerator(value, name, numbers[name]) if name in numbers else ABSENT
    for kind, table in tables:
        if isinstance(value, kind) and name in table:
            return table[name](interp, value)
    return ABSENT


def _described(value: Any) -> str:
    if isinstance(value, ClassType):
        return value.declared.name
    return f"{value}" if isinstance(value, Constant | Sequence | Builtin) else f"a {type(value).__name__}"
