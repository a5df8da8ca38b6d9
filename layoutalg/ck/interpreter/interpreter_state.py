"""The interpreter: it passes each node to the handler of its kind, counts steps, and keeps a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import sympy

from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NotUnderstoodError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.cpp_values import Scope, Template
from layoutalg.ck.open_sizes.decisions import Decisions
from layoutalg.reading.input_limits import CK_STEPS

__all__ = ["Handler", "Handlers", "Interpreter", "Log", "LoopExit", "Return"]

DEPTH = 120
Handler = Callable[["Interpreter", Any, Scope], Any]  # of a node of one kind


class Handlers(Protocol):
    """The operations through which the parts of the interpreter use each other, and the handlers of nodes."""

    expressions: dict[type[Node], Handler]
    statements: dict[type[Node], Handler]
    call: Callable[..., Any]
    apply: Callable[..., Any]
    member: Callable[..., Any]
    lookup: Callable[..., Any]
    convert: Callable[..., Any]
    constructed: Callable[..., Any]
    initialized: Callable[..., Any]
    spelled: Callable[[str], str]  # how the headers spell a template of the library


@dataclass
class Return:
    """The result of a ``return`` statement."""

    value: Any


@dataclass
class LoopExit:
    """The result of ``break`` or ``continue``; ``word`` is which of them."""

    word: str


@dataclass
class Log:
    """What was noticed on the way, by place: assertions not checked, inexact divisions, bindings read."""

    not_checked: dict[str, str] = field(default_factory=dict)
    checked: int = 0
    inexact: dict[str, str] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    mismatched: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Interpreter:
    """Evaluates expressions and runs functions over the headers of one target."""

    index: Index
    handlers: Handlers
    log: Log = field(default_factory=Log)
    steps: int = 0  # nodes that were evaluated or executed
    calls: list[str] = field(default_factory=list)  # those inside each other, outermost first
    templates: dict[Any, Template] = field(default_factory=dict)  # by namespace and name
    results: dict[Any, Any] = field(default_factory=dict)  # of calls, and enumerations
    spaces: dict[str, Scope] = field(default_factory=dict)  # the namespaces
    preferred: str = ""  # the file whose definition counts where several have one
    builtins: Mapping[str, Any] = field(default_factory=dict)  # of the language: no header declares them
    types_only: int = 0  # how many operands of decltype are being evaluated, where values do not count
    path: Decisions | None = None  # what is decided about sizes left open, where an import has such

    def evaluate(self, node: Node, scope: Scope) -> Any:
        """The value of an expression or type."""
        handler = self.handlers.expressions.get(type(node))
        if handler is None:
            raise NotUnderstoodError(f"an expression of kind {node.kind}", node.place)
        return self._handled(handler, node, scope)

    def execute(self, node: Node, scope: Scope) -> Any:
        """Run a statement: None, or a ``Return`` or ``LoopExit`` that ends the block."""
        handler = self.handlers.statements.get(type(node))
        if handler is None:
            raise NotUnderstoodError(f"a statement of kind {node.kind}", node.place)
        return self._handled(handler, node, scope)

    def decide(self, condition: Any, place: str) -> bool:
        """Whether a condition on sizes left open holds on the path that is followed."""
        if condition in {sympy.true, sympy.false}:
            return bool(condition)
        if self.path is None:
            raise NotUnderstoodError(f"a branch on {condition}", place)
        return self.path.decide(condition, place)

    def _handled(self, handler: Handler, node: Node, scope: Scope) -> Any:
        self.steps += 1
        if self.steps > CK_STEPS.most:  # places are worked out for messages only
            CK_STEPS.check(self.steps, node.place)
        try:
            return handler(self, node, scope)
        except ImportFailedError as error:
            if not error.place:
                error.place = node.place
            if not error.chain:
                error.chain = tuple(reversed(self.calls))
            raise

    @contextmanager
    def asking_for_a_type(self) -> Iterator[None]:
        """The operand of a ``decltype``: CK often calls functions there with sizes that are no sizes."""
        self.types_only += 1
        try:
            yield
        finally:
            self.types_only -= 1

    @contextmanager
    def calling(self, what: str) -> Iterator[None]:
        """A call within the others; its description appears in the chain of calls of errors."""
        if len(self.calls) >= DEPTH:
            raise NotUnderstoodError(f"more than {DEPTH} calls inside each other")
        self.calls.append(what)
        try:
            yield
        finally:
            self.calls.pop()

    def space(self, name: str) -> Scope:
        """The scope of a namespace."""
        if name not in self.spaces:
            parent = self.space(name.rpartition("::")[0]) if name else None
            self.spaces[name] = Scope(parent, space=name)
        return self.spaces[name]
