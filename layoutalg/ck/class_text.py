"""Types and values of template arguments as C++ text that names them in full.

>>> from layoutalg.ck.cpp.ck_library import OLD_CK
>>> from layoutalg.ck.interpreter.cpp_values import Constant
>>> index = Index("gfx942", {}, library=OLD_CK)
>>> class_text(Tuple((Sequence((4, 2)), Constant(3), Builtin("_Float16"))), index)
'ck::Tuple<ck::Sequence<4, 2>, ck::Number<3>, _Float16>'
"""

from __future__ import annotations

from functools import cache
from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.interpreter.cpp_values import (
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    Sequence,
    Template,
    Tuple,
    Vector,
)

__all__ = ["class_text"]


def class_text(value: Any, index: Index) -> str:
    """The text of a type or a value of old CK; ``NotUnderstoodError`` for what no text names."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(int(value))
        case Builtin():
            return value.name
        case Constant():
            number = class_text(value.value, index)
            return (
                f"ck::bool_constant<{number}>" if isinstance(value.value, bool) else f"ck::Number<{number}>"
            )
        case Sequence():
            return f"ck::Sequence<{', '.join(map(str, map(int, value.values)))}>"
        case Tuple() if value.items[:1] != ("pointer",):
            return f"ck::Tuple<{_list(value.items, index)}>"
        case Tuple():
            return f"{class_text(value.items[1], index)}*"
        case Vector():
            return f"{class_text(value.element, index)} __attribute__((ext_vector_type({value.count})))"
        case Enumerator():
            return f"{_full(value.enum.declared, index)}::{value.name}"
        case ClassType() if value.template is not None:
            return f"{_full(value.declared, index)}<{_list(value.arguments, index)}>"
        case ClassType():
            return _full(value.declared, index)
        case Template():
            return _full(value.declared[0], index)
    raise NotUnderstoodError(f"a {type(value).__name__}, which no text names")


def _list(values: tuple[Any, ...], index: Index) -> str:
    return ", ".join(class_text(value, index) for value in values)


def _full(declared: Declaration, index: Index) -> str:
    space = _places(index).get(id(declared))
    if space is None:
        raise NotUnderstoodError(f"{declared.name}, which is inside of a class", declared.place)
    return f"{space}::{declared.name}" if space else declared.name


@cache
def _places(index: Index) -> dict[int, str]:
    """The namespace of each declaration of an index."""
    found: dict[int, str] = {}
    for space, names in index.spaces.items():
        for declarations in names.values():
            found |= {id(declared): space for declared in declarations}
    return found
