"""Declarations of a namespace or a class; their parts are read when asked for.

>>> source = Source.of("x.hpp", "template <int N> struct S<N, 1> : B { static const int a = N; }; int f();")
>>> structure, function = scanned(source)
>>> [p.name for p in structure.parameters], len(structure.pattern), [d.name for d in structure.members]
(['N'], 2, ['a'])
>>> function.kind, function.name, function.result
('function', 'f', (builtin 'int'))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from layoutalg.ck.cpp import statement_syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.scan import SPECIFIERS, Extent, Scanner
from layoutalg.ck.cpp.statement_parser import StatementParser
from layoutalg.ck.cpp.syntax import Node, Parameter

__all__ = ["Declaration", "scanned"]


class Declaration(Extent):
    """What is declared, with its parts: parameters, members, statements, values."""

    def _parser(self, at: int, end: int | None = None) -> StatementParser:
        return DeclarationParser(self.source, at, self.end if end is None else end)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Parameters of the innermost template header."""
        return self._parser(self.headers[-1]).template_parameters() if self.headers else []

    @cached_property
    def constraint_nodes(self) -> list[Node]:
        return [self._parser(at).expression() for at in self.constraints]

    @cached_property
    def pattern(self) -> list[Node] | None:
        """Template arguments of a specialisation; None for a primary template."""
        return None if self.special is None else self._parser(self.special).template_list()

    @cached_property
    def members(self) -> list[Declaration]:
        """The declarations between the braces of a class."""
        if self.body is None:
            return []
        return list(scanned(self.source, self.body + 1, self.source.closing(self.body)))

    @cached_property
    def bases(self) -> list[Node]:
        """Base classes."""
        if self.head == 0 or self.body is None:
            return []
        parser, found = self._parser(self.head, self.body), []
        while parser.at < parser.end:
            while parser.peek() in {"public", "private", "protected", "virtual", ","}:
                parser.at += 1
            found.append(parser.argument(closes=False))
        return found

    @cached_property
    def arguments(self) -> list[Parameter]:
        """Parameters of a function."""
        return self._parser(self.opened).parameters()

    @cached_property
    def result(self) -> Node | None:
        """The declared return type of a function, before its name or behind ``->``."""
        close = self.source.closing(self.opened)
        parser = self._parser(close + 1, self.body if self.body is not None else self.end)
        while parser.at < parser.end and parser.peek() != "->":
            parser.at += 1
        if parser.accept("->"):
            return parser.type_name()
        parser = self._parser(self.begin, self.head)
        while parser.peek() in SPECIFIERS:
            parser.at += 1
        return parser.type_name() if parser.at < self.head else None

    @cached_property
    def initialisers(self) -> list[tuple[Node, list[Node]]]:
        """What a constructor initialises in front of its body: members and bases, each with its arguments."""
        if self.body is None:
            return []
        parser = self._parser(self.source.closing(self.opened) + 1, self.body)
        found: list[tuple[Node, list[Node]]] = []
        while parser.at < parser.end and parser.peek() != ":":
            parser.at += 1
        while parser.accept(":" if not found else ","):
            target = parser.type_name()
            found.append((target, parser.arguments(parser.peek())))
            parser.accept("...")
        return found

    @cached_property
    def names(self) -> list[str]:
        """All names of ``int a, b, c;``, of which the last is the declaration's own."""
        tokens, depth, found = self.source.tokens[self.begin : self.head], 0, list[str]()
        if "," not in tokens:
            return [self.name]
        for token, after in pairwise(tokens):
            depth += (token in "<([{") - (token in ">)]}")
            if depth == 0 and after == "," and token.isidentifier():
                found.append(token)
        return [*found, self.name]

    @cached_property
    def statements(self) -> list[Node]:
        """The statements of a function's body; ``NotUnderstoodError`` where it has none."""
        if self.body is None:
            raise NotUnderstoodError(f"{self.name} has no body", self.place)
        return self._parser(self.body + 1, self.source.closing(self.body)).statements()

    @cached_property
    def type_node(self) -> Node | None:
        """The type of a variable, or what an alias stands for."""
        parser = self._parser(self.begin if self.kind == "variable" else self.head)
        while parser.peek() in SPECIFIERS:
            parser.at += 1
        if self.kind != "alias":
            return parser.type_name()
        found = parser.argument(closes=False)
        if parser.peek() not in {";", "", self.name}:  # the name of a typedef stands behind
            left = parser.source.span(parser.at, self.end)
            raise NotUnderstoodError(
                f"{self.name} stands for a type that is not read, from {left}", self.place
            )
        return found

    @cached_property
    def value(self) -> Node | None:
        """The initialiser of a variable, None without one; the condition of an assertion."""
        parser = self._parser(self.head)
        if self.kind == "variable":
            while parser.peek() not in {"=", "{", ";", ""}:
                parser.at += 1
            if parser.peek() in {";", ""}:
                return None
            parser.accept("=")
        return parser.expression()

    @cached_property
    def message(self) -> str:
        """An assertion's condition and message as they are written."""
        return self.source.span(self.head, self.end)

    @cached_property
    def underlying(self) -> Node | None:
        """The underlying type that an enumeration names, or None."""
        before = self.source.tokens[self.begin : self.body]
        return self._parser(self.begin + before.index(":") + 1).type_name() if ":" in before else None

    @cached_property
    def enumerators(self) -> list[tuple[str, Node | None]]:
        if self.body is None:
            return []
        parser = self._parser(self.body + 1, self.source.closing(self.body))
        found: list[tuple[str, Node | None]] = []
        while parser.at < parser.end:
            name = parser.identifier()
            found.append((name, parser.expression() if parser.accept("=") else None))
            parser.accept(",")
        return found


class DeclarationParser(StatementParser):
    """Reads statements, local classes among them."""

    def local_class(self) -> Node:
        """A class, an enumeration or a template inside of a function."""
        at = self.at
        scanner = _scanner(self.source, at, self.end)
        declared = next(iter(scanner.declarations()))
        self.at = scanner.at
        return self.node(statement_syntax.Local, declared, at=at)


def scanned(source: Source, begin: int = 0, end: int | None = None) -> Iterator[Declaration]:
    """The declarations between two tokens.

    A namespace is one declaration; those inside of it are found by scanning its body.
    """
    yield from _scanner(source, begin, len(source.tokens) if end is None else end).declarations()


def _scanner(source: Source, begin: int, end: int) -> Scanner[Declaration]:
    return Scanner(source, begin, end, Declaration, DeclarationParser)
