"""Places in the body of a function: which names are seen there, each evaluated when it is asked for.

The body as a whole is not run: of a kernel's body most is known at run time only. What stands at a place is
found by its form, and the names that it mentions are those of the blocks and loops around it.

>>> from layoutalg.ck.cpp.cpp_tokens import Source
>>> from layoutalg.ck.cpp.declarations import scanned
>>> text = "void f() { constexpr int a = 2; static_for<0, a, 1>{}([&](auto k) { g(k, a); }); run(a); }"
>>> function = next(iter(scanned(Source.of("x.hpp", text))))
>>> [found] = places(function, lambda node: isinstance(node, syntax.Call) and called(node) == "g")
>>> [type(frame).__name__ for frame in found.frames]
['BlockFrame', 'LoopFrame', 'BlockFrame']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sympy import Basic, false, true

from layoutalg.ck.cpp import statement_syntax, syntax
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.syntax import Node, mentioned
from layoutalg.ck.interpreter.conversions import constant, truth
from layoutalg.ck.interpreter.cpp_values import Scope
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.errors import LayoutError
from layoutalg.reading.input_limits import CK_LOOP

__all__ = ["BlockFrame", "LoopFrame", "Place", "called", "places"]

Wanted = Callable[[Node], bool]


@dataclass(frozen=True)
class BlockFrame:
    """A block: what each of its names is declared as."""

    nodes: dict[str, Node]


@dataclass(frozen=True)
class LoopFrame:
    """``static_for<begin, end, step>`` and the name that it gives its numbers."""

    name: str
    bounds: list[Node]


@dataclass(frozen=True)
class BranchFrame:
    """One side of an ``if``."""

    condition: Node
    side: bool


Frame = BlockFrame | LoopFrame | BranchFrame


@dataclass(frozen=True)
class Place:
    """A node in a function, the variable that it is the value of ("" for none), and what is around it."""

    node: Node
    name: str
    frames: tuple[Frame, ...]

    def declared(self, name: str) -> Node | None:
        """What the blocks around this place give a name: a variable's value, or an alias's type."""
        for frame in reversed(self.frames):
            if isinstance(frame, BlockFrame) and name in frame.nodes:
                node = frame.nodes[name]
                return (
                    node.value if isinstance(node, statement_syntax.Variable) else getattr(node, "type", None)
                )
        return None

    def scopes(self, interp: Interpreter, outer: Scope, asked: Node | list[Node]) -> Iterator[Scope]:
        """The scopes of this place, one for each round of those loops whose numbers the asked nodes mention.

        None where a condition is known not to hold.
        """
        names = set(mentioned(asked))
        for frame in reversed(self.frames):
            if isinstance(frame, BlockFrame):
                names |= {n for name in self._behind(frame, names) for n in mentioned(frame.nodes[name])}
        yield from _scopes(interp, outer, self.frames, names)

    @staticmethod
    def _behind(frame: BlockFrame, names: set[str]) -> set[str]:
        """The names of a block that are mentioned, by others of it too."""
        found: set[str] = set()
        while new := (names & set(frame.nodes)) - found:
            found |= new
            names = names | {n for name in new for n in mentioned(frame.nodes[name])}
        return found


class _Lazy(dict[str, Any]):
    """The names of a block; a declaration is executed when its name is first asked for."""

    def __init__(self, interp: Interpreter, nodes: dict[str, Node]) -> None:
        super().__init__()
        self.interp, self.nodes = interp, nodes
        self.scope: Scope | None = None
        self.waiting: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (name in self.nodes and name not in self.waiting)

    def __getitem__(self, name: str) -> Any:
        if not super().__contains__(name):
            assert self.scope is not None
            self.waiting.add(name)  # ``auto x = f(x)`` means the one further out
            try:
                self.interp.execute(self.nodes[name], self.scope)
            finally:
                self.waiting.discard(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401  it is what get is made of


def _scopes(interp: Interpreter, scope: Scope, frames: tuple[Frame, ...], names: set[str]) -> Iterator[Scope]:
    if not frames:
        yield scope
        return
    frame, rest = frames[0], frames[1:]
    match frame:
        case BlockFrame():
            lazy = _Lazy(interp, frame.nodes)
            lazy.scope = scope.inner(lazy)
            yield from _scopes(interp, lazy.scope, rest, names)
        case BranchFrame():
            if _may_hold(interp, frame, scope):
                yield from _scopes(interp, scope, rest, names)
        case LoopFrame():
            if frame.name not in names:
                yield from _scopes(interp, scope, rest, names)
                return
            begin, end, step = (int(constant(interp.evaluate(node, scope))) for node in frame.bounds)
            CK_LOOP.check(len(range(begin, end, step)), "static_for")
            for number in range(begin, end, step):
                named = interp.evaluate(_number(frame, number), scope)
                yield from _scopes(interp, scope.inner({frame.name: named}), rest, names)


def _number(frame: LoopFrame, number: int) -> Node:
    source, at = frame.bounds[0].source, frame.bounds[0].at
    kind = syntax.Name(source, at, "Number", [syntax.Int(source, at, number)])
    return syntax.Construct(source, at, kind, [])


def _may_hold(interp: Interpreter, frame: BranchFrame, scope: Scope) -> bool:
    """Whether a side may be the one that is taken: a condition of run time may be either."""
    try:
        value = interp.evaluate(frame.condition, scope)
        is_open = isinstance(value, Basic) and not value.is_Integer and value not in {true, false}
        return is_open or truth(interp, value, "") is frame.side
    except (LayoutError, TypeError, ValueError, AttributeError, LookupError):
        return True


def called(node: syntax.Call) -> str:
    """The last name of what is called, "" where it has none.

    >>> from layoutalg.ck.cpp.statement_parser import read_expression
    >>> called(read_expression("a.template Run<2>(b)")), called(read_expression("ck::f(b)"))
    ('Run', 'f')
    """
    callee = syntax.bare(node.callee)
    return callee.name if isinstance(callee, syntax.Name | syntax.Qualified | syntax.Member) else ""


def places(function: Declaration, wanted: Wanted) -> Iterator[Place]:
    """Every wanted node of a function's body, lambdas among it.

    ``NotUnderstoodError`` for a body that cannot be read, or a function without one.
    """
    yield from _in_statements(function.statements, (), wanted)


def _in_statements(statements: list[Node], frames: tuple[Frame, ...], wanted: Wanted) -> Iterator[Place]:
    nodes: dict[str, Node] = {}
    for statement in statements:
        for one in (
            statement.variables if isinstance(statement, statement_syntax.Declarations) else [statement]
        ):
            if isinstance(one, statement_syntax.Variable | statement_syntax.Alias):
                nodes[one.name] = one
            elif isinstance(one, statement_syntax.Local):
                nodes[one.declared.name] = one
    inner = (*frames, BlockFrame(nodes))
    for statement in statements:
        yield from _in_node(statement, inner, wanted)


def _in_node(node: Any, frames: tuple[Frame, ...], wanted: Wanted) -> Iterator[Place]:
    match node:
        case statement_syntax.Block():
            yield from _in_statements(node.statements, frames, wanted)
        case statement_syntax.If():
            for side, part in ((True, node.yes), (False, node.no)):
                yield from _in_node(part, (*frames, BranchFrame(node.condition, side)), wanted)
        case syntax.Lambda():
            yield from _in_statements(node.body, frames, wanted)
        case Node():
            yield from _in_other(node, frames, wanted)
        case list() | tuple():
            for part in node:
                yield from _in_node(part, frames, wanted)


def _in_other(node: Node, frames: tuple[Frame, ...], wanted: Wanted) -> Iterator[Place]:
    if wanted(node):
        yield Place(node, "", frames)
    loop = _loop(node)
    if loop is not None and isinstance(node, syntax.Call):
        yield from _in_node(node.arguments, (*frames, loop), wanted)
        return
    name = node.name if isinstance(node, statement_syntax.Variable | statement_syntax.Alias) else ""
    for part in node.parts:
        for place in _in_node(part, frames, wanted):
            yield replace(place, name=name) if name and not place.name else place


def _loop(node: Node) -> LoopFrame | None:
    """The loop of ``static_for<...>{}([&](auto name) { ... })``."""
    if not isinstance(node, syntax.Call) or not isinstance(node.callee, syntax.Construct):
        return None
    kind, function = node.callee.type, node.arguments[0] if node.arguments else None
    if not isinstance(kind, syntax.Name) or kind.name != "static_for" or kind.template_arguments is None:
        return None
    if not isinstance(function, syntax.Lambda) or not function.parameters:
        return None
    return LoopFrame(function.parameters[0].name, kind.template_arguments)
