"""Types of values, and values as a type has them."""

from __future__ import annotations

from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from layoutalg.ck.interpreter import Interpreter
from layoutalg.ck.members import complete, derives_from
from layoutalg.ck.node import Node
from layoutalg.ck.packs import evaluated_list
from layoutalg.ck.scope import Scope
from layoutalg.ck.trouble import NotUnderstoodError, RejectedError
from layoutalg.ck.values import (
    Array,
    Bound,
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    EnumType,
    Record,
    Tuple,
    Unsigned,
    key,
)

__all__ = [
    "SIGNED",
    "UNSIGNED",
    "builtin",
    "compatible",
    "constant",
    "convert",
    "is_number",
    "truth",
    "type_of",
]

SIGNED = frozenset(("int", "long", "signed char", "char", "short", "long long"))
UNSIGNED = frozenset(
    ("unsigned int", "unsigned long", "unsigned char", "unsigned short", "unsigned long long")
)
FLOATS = frozenset(("float", "double", "_Float16"))
ALIASES = {
    "unsigned": "unsigned int",
    "signed": "int",
    "long int": "long",
    "unsigned long int": "unsigned long",
}
ALIASES |= {"short int": "short", "signed int": "int", "long unsigned int": "unsigned long"}
ALIASES |= {"unsigned short int": "unsigned short", "long long int": "long long"}


def builtin(name: str) -> Builtin:
    """The built-in type that the words name."""
    return Builtin(ALIASES.get(name, name))


def is_number(value: Any) -> bool:
    """A number, or a size not known yet."""
    return isinstance(value, int | float | Expr) and not isinstance(value, Boolean)


def constant(value: Any) -> Any:
    """The number in ``number<...>``; other values are themselves."""
    return value.value if isinstance(value, Constant) else value


def truth(interp: Interpreter, value: Any, place: str) -> bool:
    """Whether a condition holds; conditions on symbols are decided elsewhere."""
    value = constant(value)
    if isinstance(value, bool | int | float):
        return bool(value)
    if isinstance(value, Boolean | Expr):
        return interp.handlers.decide(interp, value, place)
    raise NotUnderstoodError(f"wanted a condition, got {_kind(value)}", place)


def type_of(value: Any) -> Any:
    """What ``decltype`` of a value is; empty types are their own."""
    if isinstance(value, Unsigned):
        return Builtin("unsigned long")
    if isinstance(value, bool | Boolean):
        return Builtin("bool")
    if isinstance(value, int | Expr):
        return Builtin("int")
    if isinstance(value, float):
        return Builtin("float")
    if isinstance(value, Enumerator):
        return value.enum
    if isinstance(value, Tuple):
        return Tuple(tuple(map(type_of, value.items)))
    if isinstance(value, Record):
        return value.kind
    return value


def convert(interp: Interpreter, kind: Any, value: Any, scope: Scope | None = None) -> Any:
    """A value, or items in braces, as an object of the type."""
    if isinstance(value, Node):
        assert scope is not None
        return _from_braces(interp, kind, value, scope)
    if isinstance(kind, Builtin):
        return _to_builtin(kind.name, constant(value))
    if isinstance(kind, EnumType) and isinstance(value, int):
        names = {number: name for name, number in kind.values}
        return Enumerator(kind, names.get(int(value), str(int(value))), int(value))
    return value


def _to_builtin(name: str, value: Any) -> Any:
    if name == "bool":
        return bool(value) if isinstance(value, int | float) else value
    if name in SIGNED and isinstance(value, int | float):
        bits = 64 if "long" in name else 32
        number = int(value)
        if bits == 32 and isinstance(value, Unsigned) and number >= 2**63:
            number -= 2**64
        if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            raise RejectedError(f"{number} does not fit {name}")
        return number
    if name in UNSIGNED and isinstance(value, int | float):
        return Unsigned(int(value))
    if name in FLOATS and isinstance(value, int | float):
        return float(value)
    return value


def _from_braces(interp: Interpreter, kind: Any, braces: Node, scope: Scope) -> Any:
    items = braces.parts[0]
    if isinstance(kind, Array):
        return kind.fresh([constant(v) for v in evaluated_list(interp, items, scope)])
    if isinstance(kind, Tuple) and items:
        return Tuple(tuple(evaluated_list(interp, items, scope)))
    if isinstance(kind, Builtin):
        values = evaluated_list(interp, items, scope)
        return _to_builtin(kind.name, constant(values[0]) if values else 0)
    if isinstance(kind, ClassType):
        return constructed(interp, kind, items, scope, braces.place)
    values = evaluated_list(interp, items, scope)
    return kind if not values else convert(interp, kind, values[0])


def constructed(interp: Interpreter, kind: ClassType, items: list[Node], scope: Scope, place: str) -> Any:
    """An object of a class: the class itself where it has no data, else a record of its members."""
    complete(interp, kind)
    fields = [d for d in kind.declared.members if d.kind == "variable" and not d.is_static]
    if not items and not fields:
        return kind
    makers = [d for d in kind.declared.members if d.kind == "function" and d.name == kind.declared.name]
    if makers:
        raise NotUnderstoodError(f"the constructor of {kind.declared.name}", place)
    values: dict[str, Any] = {}
    if items and items[0].kind == "designated":
        values = {item.parts[0]: interp.evaluate(item.parts[1], scope) for item in items}
    else:
        given = evaluated_list(interp, items, scope)
        if not fields and len(given) == 1:
            return given[0]
        values = {d.name: v for d, v in zip(fields, given, strict=False)}
    for declared in fields:
        if declared.name not in values and declared.value is not None:
            values[declared.name] = interp.evaluate(declared.value, kind.scope)
    return Record(kind, values)


def compatible(interp: Interpreter, kind: Any, value: Any) -> int | None:
    """How well an argument fits a parameter's type: 0 exactly, 1 converted, None not at all."""
    if isinstance(kind, Builtin):
        inner = constant(value)
        if kind.name == "auto":
            return 0
        if not isinstance(inner, int | float | Expr | Boolean):
            return None
        if isinstance(value, Constant):
            return 1
        return 0 if key(type_of(inner)) == key(kind) else 1
    if isinstance(kind, EnumType):
        return 0 if isinstance(value, Enumerator) and value.enum == kind else None
    if isinstance(kind, Array) and isinstance(value, Array):
        return 0 if not kind.items or len(kind.items) == len(value.items) else None
    if isinstance(value, Bound):
        return 0 if isinstance(kind, ClassType | Bound) else None
    actual = type_of(value)
    if key(actual) == key(kind) or key(value) == key(kind):
        return 0
    if isinstance(kind, ClassType) and isinstance(actual, ClassType) and derives_from(interp, actual, kind):
        return 1
    return None


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"
