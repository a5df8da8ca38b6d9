"""Syntax trees of C++: nodes, and a class with named parts for each kind of expression and type.

A node prints its kind and its parts:

>>> from layoutalg.ck.cpp.statement_parser import read_expression
>>> product = read_expression("2 * f(n)")
>>> product
(binary '*' (int 2) (call (name 'f' None) [(name 'n' None)]))
>>> product.left.value, product.right.callee.name, mentioned(product)
(2, 'f', ('f', 'n'))
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import get_annotations
from typing import Any, ClassVar, TypeVar, dataclass_transform

from layoutalg.ck.cpp.cpp_tokens import Source

__all__ = ["Node", "Parameter", "bare", "is_auto", "mentioned", "shaped"]

Shaped = TypeVar("Shaped", bound="Node")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """A node; ``at`` is the position of the token that messages about it point to."""

    kind: ClassVar[str]
    part_names: ClassVar[tuple[str, ...]]
    source: Source
    at: int

    def __init_subclass__(cls, kind: str = "") -> None:
        if kind:  # else the same class, made again with slots
            cls.kind = kind
            cls.part_names = tuple(get_annotations(cls))

    @property
    def place(self) -> str:
        """``file:line:column``."""
        return self.source.place(self.at)

    @property
    def parts(self) -> tuple[Any, ...]:
        """The values of the named parts, in their order."""
        return tuple(getattr(self, name) for name in self.part_names)

    def __repr__(self) -> str:
        return f"({self.kind} {' '.join(map(repr, self.parts))})"


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter of a template (``type``, ``value``, ``template``) or a function (``argument``)."""

    role: str
    name: str
    type: Node | None = None
    default: Node | None = None
    is_pack: bool = False


@dataclass_transform(frozen_default=True, eq_default=False)
def shaped(kind: type[Shaped]) -> type[Shaped]:
    """Make a class of nodes: its annotated fields follow the source and the position."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(kind)


# values and types


@shaped
class Int(Node, kind="int"):
    """An integer or a character, as a number of its type."""

    value: int


@shaped
class Float(Node, kind="float"):
    """A number with a point or an exponent."""

    value: float


@shaped
class Bool(Node, kind="bool"):
    """``true`` or ``false``."""

    value: bool


@shaped
class Text(Node, kind="text"):
    """Text between double quotes."""

    value: str


@shaped
class Nullptr(Node, kind="nullptr"):
    """``nullptr``."""


@shaped
class This(Node, kind="this"):
    """``this``."""


@shaped
class Name(Node, kind="name"):
    """``name``, whose template arguments are None, or ``name<...>``."""

    name: str
    template_arguments: list[Node] | None


@shaped
class Qualified(Node, kind="scope"):
    """``outer::name`` or ``outer::name<...>``."""

    outer: Node
    name: str
    template_arguments: list[Node] | None


@shaped
class Builtin(Node, kind="builtin"):
    """A built-in type by its words, or ``auto``."""

    name: str


@shaped
class Pointer(Node, kind="pointer"):
    """``target*``."""

    target: Node


@shaped
class Reference(Node, kind="ref"):
    """``inner&`` or ``inner&&``; the interpreter takes it for ``inner``."""

    inner: Node


@shaped
class Array(Node, kind="array"):
    """The type of a variable declared as ``element name[...]``."""

    element: Node


@shaped
class Paren(Node, kind="paren"):
    """``(inner)``."""

    inner: Node


@shaped
class Comma(Node, kind="comma"):
    """``left, right``."""

    left: Node
    right: Node


@shaped
class Assign(Node, kind="assign"):
    """``target = value``, ``target += value``."""

    operator: str
    target: Node
    value: Node


@shaped
class Choice(Node, kind="choice"):
    """``condition ? yes : no``."""

    condition: Node
    yes: Node
    no: Node


@shaped
class Binary(Node, kind="binary"):
    """``left + right``."""

    operator: str
    left: Node
    right: Node


@shaped
class Unary(Node, kind="unary"):
    """``-operand``, ``++operand``."""

    operator: str
    operand: Node


@shaped
class Step(Node, kind="step"):
    """``target++`` or ``target--``."""

    operator: str
    target: Node


@shaped
class Cast(Node, kind="cast"):
    """``static_cast<type>(value)``; ``word`` is ``()`` for ``(type)value``."""

    word: str
    type: Node
    value: Node


@shaped
class Call(Node, kind="call"):
    """``callee(arguments)``."""

    callee: Node
    arguments: list[Node]


@shaped
class Construct(Node, kind="construct"):
    """``type{arguments}``."""

    type: Node
    arguments: list[Node]


@shaped
class Braces(Node, kind="braces"):
    """Items without a type in front: ``{items}``, or ``(items)`` behind a variable."""

    items: list[Node]
    bracket: str


@shaped
class Designated(Node, kind="designated"):
    """``.name = value`` inside of braces."""

    name: str
    value: Node


@shaped
class Index(Node, kind="index"):
    """``base[position]``."""

    base: Node
    position: Node


@shaped
class Member(Node, kind="member"):
    """``base.name`` or ``base->name``."""

    base: Node
    name: str
    template_arguments: list[Node] | None


@shaped
class Expand(Node, kind="expand"):
    """``pattern...``."""

    pattern: Node


@shaped
class Fold(Node, kind="fold"):
    """``(left op ... op right)``; one side may be None."""

    operator: str
    left: Node | None
    right: Node | None


@shaped
class PackSize(Node, kind="count"):
    """``sizeof...(pack)``."""

    pack: Node


@shaped
class Sizeof(Node, kind="sizeof"):
    """``sizeof(operand)``."""

    operand: Node


@shaped
class Alignof(Node, kind="alignof"):
    """``alignof(operand)``."""

    operand: Node


@shaped
class Decltype(Node, kind="decltype"):
    """``decltype(operand)``."""

    operand: Node


@shaped
class Noexcept(Node, kind="noexcept"):
    """``noexcept(operand)``."""

    operand: Node


@shaped
class Lambda(Node, kind="lambda"):
    """``[...]<template_parameters>(parameters) -> result { body }``; captures are not kept."""

    template_parameters: list[Parameter]
    parameters: list[Parameter]
    result: Node | None
    body: list[Node]


Named = Name | Qualified

# questions that are asked of many kinds


def is_auto(node: Node) -> bool:
    """Whether a type is ``auto``."""
    return isinstance(node, Builtin) and node.name == "auto"


def bare(node: Node) -> Node:
    """The node without parentheses and references around it."""
    while isinstance(node, Reference | Paren):
        node = node.inner
    return node


_MENTIONED: dict[Node, tuple[str, ...]] = {}


def mentioned(node: Any) -> tuple[str, ...]:
    """All unqualified names in a node or a list of nodes, with repetitions."""
    if isinstance(node, Node):
        if node not in _MENTIONED:
            own = (node.name,) if isinstance(node, Name) else ()
            _MENTIONED[node] = own + tuple(name for part in node.parts for name in mentioned(part))
        return _MENTIONED[node]
    if isinstance(node, list | tuple):
        return tuple(name for part in node for name in mentioned(part))
    if isinstance(node, Parameter):
        return mentioned(node.type) + mentioned(node.default)
    return ()
