"""Syntax trees of C++: a class with named parts for each kind of statement."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp.syntax import Node, shaped


@shaped
class Block(Node, kind="block"):
    """``{ statements }``."""

    statements: list[Node]


@shaped
class Expression(Node, kind="expression"):
    """``value;``."""

    value: Node


@shaped
class If(Node, kind="if"):
    """``if (condition) yes else no``, or ``if constexpr``, which is run in the same way."""

    condition: Node
    yes: Node
    no: Node | None


@shaped
class For(Node, kind="for"):
    """``for (first; condition; step) body``."""

    first: Node
    condition: Node | None
    step: Node | None
    body: Node


@shaped
class Each(Node, kind="each"):
    """``for (type name : values) body``."""

    name: str
    values: Node
    body: Node
    type: Node


@shaped
class While(Node, kind="while"):
    """``while (condition) body``."""

    condition: Node
    body: Node


@shaped
class Return(Node, kind="return"):
    """``return value;``."""

    value: Node | None


@shaped
class Break(Node, kind="break"):
    """``break;``."""


@shaped
class Continue(Node, kind="continue"):
    """``continue;``."""


@shaped
class Variable(Node, kind="variable"):
    """``type name = value;``."""

    name: str
    type: Node
    value: Node | None


@shaped
class Declarations(Node, kind="declarations"):
    """``type a = 1, b = 2;``."""

    variables: list[Variable]


@shaped
class Bindings(Node, kind="bindings"):
    """``auto [names] = value;``."""

    names: list[str]
    value: Node


@shaped
class Alias(Node, kind="alias"):
    """``using name = type;``, ``typedef type name;`` or ``using type;``."""

    name: str
    type: Node


@shaped
class UsingNamespace(Node, kind="using namespace"):
    """``using namespace space;``."""

    space: Node


@shaped
class Assert(Node, kind="assert"):
    """``static_assert(condition, message);``."""

    condition: Node
    message: str


@shaped
class Local(Node, kind="local"):
    """A class or an enumeration inside of a function; ``declared`` is its ``Declaration``."""

    declared: Any


@shaped
class Unread(Node, kind="unread"):
    """A statement that is refused only when it is reached: ``switch``, ``goto``."""

    word: str
