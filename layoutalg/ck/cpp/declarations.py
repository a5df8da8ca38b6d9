"""Declarations of a namespace or a class: where their parts are; the parts are read when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.reader import MACRO_WORDS
from layoutalg.ck.cpp.statement_parser import StatementParser
from layoutalg.ck.cpp.syntax import Node, Parameter

__all__ = ["Declaration", "DeclarationParser"]

SPECIFIERS = frozenset(
    ["static", "constexpr", "inline", "explicit", "virtual", "extern", "friend", "consteval", "constinit"]
)
SPECIFIERS |= MACRO_WORDS


@dataclass(eq=False)
class Declaration:
    """What is declared, and where its parts are; numbers are tokens of the source."""

    kind: str
    name: str
    source: Source
    begin: int
    end: int
    headers: tuple[int, ...] = ()  # each template <...>
    constraints: tuple[int, ...] = ()
    special: int | None = None  # arguments of a specialisation
    head: int = 0  # where a type, the bases or an initialiser start
    body: int | None = None
    is_static: bool = field(default=False)
    opened: int = 0  # the parameters of a function

    @property
    def place(self) -> str:
        return self.source.place(self.begin if self.kind != "function" else self.head)

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
        """Template arguments of a specialisation."""
        return None if self.special is None else self._parser(self.special)._template_list()

    @cached_property
    def members(self) -> list[Declaration]:
        """What stands between the braces of a class."""
        if self.body is None:
            return []
        from layoutalg.ck.cpp.scan import skim  # noqa: PLC0415  it makes declarations

        return list(skim(self.source, self.body + 1, self.source.closing(self.body)))

    @cached_property
    def bases(self) -> list[Node]:
        """Base classes."""
        if self.head == 0 or self.body is None:
            return []
        parser, found = self._parser(self.head, self.body), []
        while parser.at < parser.end:
            while parser.peek() in {"public", "private", "protected", "virtual", ","}:
                parser.at += 1
            found.append(parser._argument(closes=False))
        return found

    @cached_property
    def arguments(self) -> list[Parameter]:
        """Parameters of a function."""
        return self._parser(self.opened).parameters()

    @cached_property
    def result(self) -> Node | None:
        """The declared return type of a function, behind ``->`` if it stands there."""
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
    def statements(self) -> list[Node]:
        """The body of a function."""
        if self.body is None:
            raise NotUnderstoodError(f"{self.name} has no body", self.place)
        return self._parser(self.body + 1, self.source.closing(self.body)).statements()

    @cached_property
    def type_node(self) -> Node | None:
        """The type of a variable, or what an alias stands for."""
        parser = self._parser(self.begin if self.kind == "variable" else self.head)
        while parser.peek() in SPECIFIERS:
            parser.at += 1
        return parser._argument(closes=False) if self.kind == "alias" else parser.type_name()

    @cached_property
    def value(self) -> Node | None:
        """The initialiser of a variable, the condition of an assertion."""
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
        """The whole text of an assertion."""
        return self.source.span(self.head, self.end)

    @cached_property
    def underlying(self) -> Node | None:
        """The type that an enumeration names for its numbers."""
        before = self.source.tokens[self.begin : self.body]
        return self._parser(self.begin + before.index(":") + 1).type_name() if ":" in before else None

    @cached_property
    def enumerators(self) -> list[tuple[str, Node | None]]:
        if self.body is None:
            return []
        parser = self._parser(self.body + 1, self.source.closing(self.body))
        found: list[tuple[str, Node | None]] = []
        while parser.at < parser.end:
            name = parser._identifier()
            found.append((name, parser.expression() if parser.accept("=") else None))
            parser.accept(",")
        return found


class DeclarationParser(StatementParser):
    """Statements that may be local classes."""

    def local_class(self) -> Node:
        at = self.at
        from layoutalg.ck.cpp.scan import first  # noqa: PLC0415

        declared, self.at = first(self.source, at, self.end)
        return self.node("local", declared, at=at)
