"""Values and scopes of the interpreter. An empty type is its own value: ``number<4>`` is ``number<4>{}``.

Numbers of type ``int``, booleans, floats and text are Python's; other integers are ``Integer``; sizes
not yet known are SymPy's; descriptors, adaptors, transforms and distributions are this package's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.integer_types import Integer, integer
from layoutalg.ck.cpp.syntax import Lambda

__all__ = [
    "ABSENT",
    "Array",
    "Bound",
    "Braces",
    "Builtin",
    "ClassType",
    "Closure",
    "Constant",
    "EnumType",
    "Enumerator",
    "Native",
    "NativeTemplate",
    "Overloads",
    "Pack",
    "Record",
    "Scope",
    "Sequence",
    "Template",
    "Traits",
    "Tuple",
    "Vector",
    "key",
]


@dataclass(frozen=True)
class Builtin:
    """A type without members: ``int``, ``float``, ``_Float16``."""

    name: str


@dataclass(frozen=True, eq=False)
class Constant:
    """``constant<v>``, ``number<v>``, ``bool_constant<v>``, ``std::integral_constant<T, v>``."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and key(self.value) == key(other.value)

    def __hash__(self) -> int:
        return hash(("constant", self.value))


@dataclass(frozen=True)
class Sequence:
    """``sequence<...>``."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Tuple:
    """``tuple<...>``: types, or values."""

    items: tuple[Any, ...]


@dataclass(eq=False)
class Array:
    """An array; the interpreted code may write to its elements."""

    items: list[Any]

    def zero(self) -> Any:
        """The first innermost element, which tells the type of all; None in an empty array."""
        first: Any = self
        while isinstance(first, Array):
            first = first.items[0] if first.items else None
        return first

    def fresh(self, values: list[Any] | None = None) -> Array:
        """A new array of this length with these values, the last one repeated, as CK's ``array`` does."""
        if not values:
            return Array([item.fresh() if isinstance(item, Array) else item for item in self.items])
        filled = values + values[-1:] * (len(self.items) - len(values))
        if self.items and isinstance(self.items[0], Array):
            rows = [v.items if isinstance(v, Array) else [v] for v in filled]
            return Array([self.items[0].fresh(list(row)) for row in rows])
        return Array(filled)


class Braces(Array):
    """Items in braces without a type in front; what they initialise gives the type."""


@dataclass(frozen=True)
class Pack:
    """The arguments of a parameter pack."""

    items: tuple[Any, ...]


@dataclass(frozen=True)
class EnumType:
    """An enumeration: its declaration, its names with their numbers, and its underlying type."""

    declared: Declaration
    values: tuple[tuple[str, int], ...] = field(compare=False)
    underlying: str = field(default="int", compare=False)
    is_fixed: bool = field(default=True, compare=False)  # the underlying type is written, or that of a class


@dataclass(frozen=True)
class Enumerator:
    """One value of an enumeration."""

    enum: EnumType
    name: str = field(compare=False)
    value: int

    @property
    def number(self) -> int:
        """The number, of the underlying type."""
        return integer(self.enum.underlying, self.value)

    @property
    def is_scoped(self) -> bool:
        """Whether it is of an ``enum class``, of which only a cast makes a number."""
        return self.enum.declared.is_static


@dataclass(eq=False)
class ClassType:
    """A class; one made by a template has it and its arguments. Members are evaluated when asked for."""

    declared: Declaration
    scope: Scope
    template: Template | None = None
    arguments: tuple[Any, ...] = ()
    table: dict[str, list[Declaration]] | None = None
    known: dict[str, Any] = field(default_factory=dict)
    bases: list[Any] | None = None
    is_complete: bool = False
    evaluating: set[str] = field(default_factory=set)  # members whose value is being worked out

    def __repr__(self) -> str:
        return self.declared.name


@dataclass(eq=False)
class Record:
    """An object with data members."""

    kind: ClassType
    fields: dict[str, Any]


@dataclass(eq=False)
class Template:
    """A class, alias or variable template with its specialisations."""

    name: str
    declared: list[Declaration]
    scope: Scope
    instances: dict[Any, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Overloads:
    """Functions of one name, with explicit template arguments if there were any."""

    name: str
    declared: list[Declaration]
    scope: Scope
    owner: ClassType | None = None
    this: Any = None
    explicit: tuple[Any, ...] = ()


@dataclass(eq=False)
class Closure:
    """A lambda with the names around it."""

    node: Lambda
    scope: Scope


@dataclass(eq=False)
class Native:
    """A library function, or a method of a value, that Python computes."""

    name: str
    function: Callable[..., Any]
    explicit: tuple[Any, ...] = ()


@dataclass(eq=False)
class NativeTemplate:
    """A library template that Python computes from its arguments."""

    name: str
    function: Callable[..., Any]


@dataclass(frozen=True)
class Vector:
    """A vector type (``ext_vector_type``): ``count`` elements of a type."""

    element: Any
    count: int


@dataclass(eq=False)
class Traits:
    """A class that a library template makes, such as ``vector_traits<T>``: its members by name."""

    members: dict[str, Any]


@dataclass(eq=False)
class Bound:
    """A class of which the caller gives the members, such as ``Problem``."""

    name: str
    members: dict[str, Any]
    optional: set[str] = field(default_factory=set)


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


@dataclass(eq=False, slots=True)
class Scope:
    """Names of a function, a template, a class (``owner``) or a namespace (``space``), and the scope around.

    ``this`` is the object of a member function.
    """

    parent: Scope | None = None
    names: dict[str, Any] = field(default_factory=dict)
    owner: ClassType | None = None
    space: str | None = None
    this: Any = None

    def inner(self, names: dict[str, Any] | None = None) -> Scope:
        return Scope(self, names if names is not None else {})

    def holder(self, name: str) -> Scope | None:
        """The innermost scope that has the name among its own; None if no scope has it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope
            scope = scope.parent
        return None

    def object(self) -> Any:
        """The object that ``this`` points to; None outside of member functions."""
        scope: Scope | None = self
        while scope is not None:
            if scope.this is not None:
                return scope.this
            scope = scope.parent
        return None


def key(value: Any) -> Any:
    """A key that is equal for equal values of one type only: ``true``, ``1`` and ``1u`` differ."""
    if isinstance(value, Integer):
        return (value.kind, int(value))
    if isinstance(value, bool | float | str):
        return (type(value).__name__, value)
    if isinstance(value, tuple):
        return tuple(map(key, value))
    if isinstance(value, Constant):
        return ("constant", key(value.value))
    if isinstance(value, Tuple):
        return ("tuple", key(value.items))
    if isinstance(value, Pack):
        return ("pack", key(value.items))
    return value
