"""Declarations of a namespace or a class: found by skimming, their insides read when asked for.

>>> source = Source.of("x.hpp", "template <int N> struct S<N, 1> : B { static constexpr int a = N; }; int f(int);")
>>> [(d.kind, d.name) for d in skim(source)]
[('class', 'S'), ('function', 'f')]
>>> first = next(iter(skim(source)))
>>> [p.name for p in first.parameters], len(first.pattern or []), [d.name for d in first.members]
(['N'], 2, ['a'])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from layoutalg.ck.node import Node, Parameter
from layoutalg.ck.parse import MACRO_WORDS
from layoutalg.ck.parse_statements import StatementParser
from layoutalg.ck.tokens import Source
from layoutalg.ck.trouble import NotUnderstoodError

__all__ = ["Declaration", "skim"]

SPECIFIERS = frozenset("static constexpr inline explicit virtual extern friend consteval constinit".split())
SPECIFIERS |= MACRO_WORDS
QUERIES = frozenset("decltype alignas __attribute__ noexcept requires sizeof asm __launch_bounds__".split())


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
        found = _Skimmer(self.source, at, self.end)
        declared = next(iter(found.declarations()))
        self.at = found.at
        return self.node("local", declared, at=at)


def skim(source: Source, begin: int = 0, end: int | None = None) -> Iterator[Declaration]:
    """The declarations between two tokens, those in namespaces inside their namespace's body."""
    yield from _Skimmer(source, begin, len(source.tokens) if end is None else end).declarations()


class _Skimmer:
    def __init__(self, source: Source, at: int, end: int) -> None:
        self.source = source
        self.tokens = source.tokens
        self.at = at
        self.end = end

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < self.end else ""

    def declarations(self) -> Iterator[Declaration]:
        while self.at < self.end:
            begin = self.at
            found = self._declaration()
            if found is not None:
                yield found
            self.at = max(self.at, begin + 1)

    def _declaration(self) -> Declaration | None:
        headers, constraints = [], []
        while self.peek() in {"template", "requires", "["}:
            if self.peek() == "[":
                self.at = self.source.closing(self.at) + 1
                continue
            if self.peek() == "requires":
                constraints.append(self.at + 1)
                parser = DeclarationParser(self.source, self.at + 1, self.end)
                parser._binary(1, closes=False)
                self.at = parser.at
                continue
            self.at += 1
            if self.peek() != "<":  # an explicit instantiation
                return self._skip()
            headers.append(self.at)
            self.at = self._angles(self.at)
        return self._plain(tuple(headers), tuple(constraints))

    def _plain(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Declaration | None:
        token = self.peek()
        match token:
            case "namespace" | "inline" if token == "namespace" or self.peek(1) == "namespace":
                return self._namespace()
            case "struct" | "class" | "union":
                return self._class(headers, constraints)
            case "enum":
                return self._enum()
            case "using" | "typedef":
                return self._using(headers)
            case "static_assert":
                at, close = self.at, self.source.closing(self.at + 1)
                self.at = close + 2
                return Declaration("assert", "", self.source, at, close, head=at + 2)
            case "public" | "private" | "protected":
                self.at += 2
                return None
            case "friend" | "concept" | "extern":
                return self._skip()
            case ";" | "}":
                self.at += 1
                return None
        return self._declarator(headers, constraints)

    def _skip(self) -> None:
        while self.at < self.end and self.peek() not in {";", "{"}:
            self.at = self.source.closing(self.at) + 1 if self.peek() in {"(", "["} else self.at + 1
        if self.peek() == "{":
            self.at = self.source.closing(self.at)
        self.at += 1

    def _angles(self, at: int) -> int:
        """The token behind the template brackets that open here."""
        depth, tokens, starts = 0, self.tokens, self.source.starts
        while at < self.end:
            token = tokens[at]
            if token in {"(", "[", "{"}:
                at = self.source.closing(at)
            elif token == "<":
                before = tokens[at - 1]
                close = starts[at - 1] + len(before) == starts[at]
                depth += depth == 0 or before == "template" or (close and before[-1:].isidentifier())
            elif token == ">":
                depth -= 1
                if depth == 0:
                    return at + 1
            elif token == ";":
                break
            at += 1
        raise NotUnderstoodError("< is never closed", self.source.place(min(at, len(tokens) - 1)))

    def _namespace(self) -> Declaration:
        begin = self.at
        while self.peek() not in {"{", "=", ";"}:
            self.at += 1
        names = [t for t in self.tokens[begin : self.at] if t not in {"namespace", "inline", "::"}]
        body = self.at
        self.at = self.source.closing(body) + 1 if self.peek() == "{" else self.at + 1
        return Declaration("namespace", "::".join(names), self.source, begin, self.at, body=body)

    def _class(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Declaration | None:
        begin = self.at
        self.at += 1
        while self.peek() in MACRO_WORDS or self.peek() in {"alignas", "__attribute__", "["}:
            is_bracket = self.peek() == "["
            has_brackets = is_bracket or self.peek(1) == "("
            self.at = self.source.closing(self.at + (not is_bracket)) + 1 if has_brackets else self.at + 1
        name = self.peek() if self.peek() not in {"{", ":"} else ""
        self.at += bool(name)
        special = None
        if self.peek() == "<":
            special, self.at = self.at, self._angles(self.at)
        while self.peek() in {"final", "::"} or (self.peek() not in {":", "{", ";", ""}):
            self.at += 1
        head = 0
        if self.peek() == ":":
            head = self.at + 1
            while self.peek() not in {"{", ";", ""}:
                self.at = self._angles(self.at) if self._opens_angles() else self._over()
        body = self.at if self.peek() == "{" else None
        if body is not None:
            self.at = self.source.closing(body) + 1
            while self.peek() not in {";", ""}:
                self.at += 1
        end = self.at
        self.at += 1
        return Declaration(
            "class", name, self.source, begin, end, headers, constraints, special, head, body
        )

    def _over(self) -> int:
        return self.source.closing(self.at) + 1 if self.peek() in {"(", "["} else self.at + 1

    def _opens_angles(self) -> bool:
        before, starts = self.tokens[self.at - 1], self.source.starts
        touches = starts[self.at - 1] + len(before) == starts[self.at]
        return self.peek() == "<" and touches and before.isidentifier()

    def _enum(self) -> Declaration:
        begin = self.at
        self.at += 2 if self.peek(1) in {"class", "struct"} else 1
        name = self.peek() if self.peek() != "{" else ""
        while self.peek() not in {"{", ";", ""}:
            self.at += 1
        body = self.at if self.peek() == "{" else None
        end = self.source.closing(self.at) if body is not None else self.at
        self.at = end + 1
        is_scoped = self.tokens[begin + 1] in {"class", "struct"}
        return Declaration("enum", name, self.source, begin, end, body=body, is_static=is_scoped)

    def _using(self, headers: tuple[int, ...]) -> Declaration | None:
        begin = self.at
        while self.peek() not in {";", ""}:
            self.at = self._over() if self.peek() != "{" else self.source.closing(self.at) + 1
        end = self.at
        self.at += 1
        tokens = self.tokens
        if tokens[begin + 1] == "namespace":
            return Declaration("using namespace", "::".join(tokens[begin + 2 : end : 2]), self.source, begin, end)
        if tokens[begin] == "typedef":
            return Declaration("alias", tokens[end - 1], self.source, begin, end, head=begin + 1)
        if tokens[begin + 2] == "=":
            return Declaration("alias", tokens[begin + 1], self.source, begin, end, headers, head=begin + 3)
        return Declaration("using", tokens[end - 1], self.source, begin, end, head=begin + 1)

    def _declarator(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Declaration | None:
        """A function or a variable."""
        begin, special = self.at, None
        while self.at < self.end:
            token, before = self.peek(), self.tokens[self.at - 1]
            if token == "operator":
                return self._operator(begin, headers, constraints)
            if self._opens_angles():
                special = self.at
                self.at = self._angles(self.at)
                continue
            if token == "(" and before not in QUERIES and self.at > begin:
                special = special if self.tokens[self.at - 1] == ">" else None
                name_at = special - 1 if special is not None else self.at - 1
                return self._function(begin, name_at, self.at, headers, constraints, special)
            if token in {"=", ";", "{"}:
                return self._variable(begin, headers, special if before == ">" else None)
            self.at = self._over()
        return None

    def _operator(
        self, begin: int, headers: tuple[int, ...], constraints: tuple[int, ...]
    ) -> Declaration | None:
        at = self.at
        self.at += 3 if self.peek(1) == "(" else 1
        while self.peek() not in {"(", ""}:
            self.at += 1
        found = self._function(begin, at, self.at, headers, constraints, None)
        if found is not None:
            name = "".join(self.tokens[at + 1 : found.opened])
            found.name = f"operator{name}" if not name.isidentifier() else f"operator {name}"
        return found

    def _function(  # noqa: PLR0913, PLR0917  the parts of a declaration
        self,
        begin: int,
        name_at: int,
        opened: int,
        headers: tuple[int, ...],
        constraints: tuple[int, ...],
        special: int | None,
    ) -> Declaration | None:
        self.at = self.source.closing(opened) + 1
        body = None
        while self.at < self.end:
            token = self.peek()
            if token == "{" and (self.tokens[self.at - 1] in {")", "}"} or not self._initialises(opened)):
                body = self.at
                self.at = self.source.closing(self.at)
                break
            if token == ";":
                break
            if token == "{":
                self.at = self.source.closing(self.at) + 1
                continue
            self.at = self._angles(self.at) if self._opens_angles() else self._over()
        end = self.at + 1
        self.at = end
        name = self.tokens[name_at]
        outside = name_at > begin and self.tokens[name_at - 1] == "::"
        if outside or not (name.isidentifier() or name == "operator"):
            return None
        is_static = "static" in self.tokens[begin:name_at]
        made = Declaration("function", name, self.source, begin, end, headers, constraints, special, name_at)
        made.body, made.is_static, made.opened = body, is_static, opened
        return made

    def _initialises(self, opened: int) -> bool:
        """Whether this brace belongs to the member initialisers of a constructor."""
        between = self.tokens[self.source.closing(opened) + 1 : self.at]
        return ":" in between and self.tokens[self.at - 1].isidentifier()

    def _variable(self, begin: int, headers: tuple[int, ...], special: int | None) -> Declaration | None:
        name_at = (special or self.at) - 1
        while self.tokens[name_at] == "]":
            name_at -= 3
        while self.peek() not in {";", ""}:
            at = self.at
            opens = self._opens_angles()
            try:
                self.at = self._angles(self.at) if opens else self._skip_bracket()
            except NotUnderstoodError:
                self.at = at + 1
        end = self.at
        self.at += 1
        name = self.tokens[name_at]
        if not name.isidentifier() or name_at <= begin:
            return None
        is_static = "static" in self.tokens[begin:name_at]
        return Declaration(
            "variable", name, self.source, begin, end, headers, (), special, name_at + 1, None, is_static
        )

    def _skip_bracket(self) -> int:
        return self.source.closing(self.at) + 1 if self.peek() in {"(", "[", "{"} else self.at + 1
