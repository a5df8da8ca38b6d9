"""Scanning: which declarations stand between two tokens, and where their parts are; parts are not parsed.

>>> from layoutalg.ck.cpp.statement_parser import StatementParser
>>> source = Source.of("x.hpp", "template <int N> struct S<N, 1> : B { static const int a = N; }; int f();")
>>> found = Scanner(source, 0, len(source.tokens), Extent, StatementParser).declarations()
>>> [(d.kind, d.name, source.span(d.begin, d.begin + 2), d.special) for d in found]
[('class', 'S', 'struct S', 7), ('function', 'f', 'int f', None)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.expression_parser import ExpressionParser
from layoutalg.ck.cpp.reader import MACRO_WORDS, Reader

__all__ = ["SPECIFIERS", "Extent", "Scanner"]

SPECIFIERS = frozenset(
    ["static", "constexpr", "inline", "explicit", "virtual", "extern", "friend", "consteval", "constinit"]
)
SPECIFIERS |= MACRO_WORDS
QUERIES = frozenset(
    ["decltype", "alignas", "__attribute__", "noexcept", "requires", "sizeof", "asm", "__launch_bounds__"]
)
TYPE_WORDS = frozenset(["const", "volatile", "typename", "auto", "unsigned", "signed", "long", "mutable"])
AFTER_ARGUMENTS = frozenset([";", "{", "->", ":", "=", ",", "(", ")", "}", "noexcept", "requires", "try"])
NO_MACROS = frozenset(["operator", "decltype", "explicit", "return"])


@dataclass(eq=False)
class Extent:
    """What is declared, and where its parts stand; numbers are positions of tokens."""

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


Found = TypeVar("Found", bound=Extent)


class Scanner(Reader, Generic[Found]):
    """Steps from declaration to declaration.

    ``extent`` makes the results. ``parser`` reads constraints, whose end nothing else tells.
    """

    def __init__(
        self,
        source: Source,
        begin: int,
        end: int,
        extent: Callable[..., Found],
        parser: Callable[[Source, int, int], ExpressionParser],
    ) -> None:
        super().__init__(source, begin, end)
        self.extent = extent
        self.parser = parser

    def declarations(self) -> Iterator[Found]:
        while self.at < self.end:
            begin = self.at
            found = self._declaration()
            if found is not None:
                yield found
            self.at = max(self.at, begin + 1)

    def _declaration(self) -> Found | None:
        headers, constraints = [], []
        while self.peek() in {"template", "requires", "["}:
            if self.peek() == "[":
                self.at = self.source.closing(self.at) + 1
                continue
            if self.peek() == "requires":
                constraints.append(self.at + 1)
                parser = self.parser(self.source, self.at + 1, self.end)
                parser.constraint()
                self.at = parser.at
                continue
            self.at += 1
            if self.peek() != "<":  # an explicit instantiation
                self.skip_statement()
                return None
            headers.append(self.at)
            self.at = self.angles(self.at)
        return self._plain(tuple(headers), tuple(constraints))

    def _plain(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Found | None:
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
                return self.extent("assert", "", self.source, at, close, head=at + 2)
            case "concept":
                begin = self.at
                self.skip_statement()
                return self._unread(begin, f"concept {self.tokens[begin + 1 : begin + 2]}")
        if self._declares_nothing():
            return None
        return self._functions_and_variables(headers, constraints)

    def _declares_nothing(self) -> bool:
        """Step over what declares nothing itself, if such stands here; whether it does."""
        token, ahead = self.peek(), self.peek(1)
        match token:
            case "public" | "private" | "protected":
                self.at += 2
            case "extern" if ahead[:1] == '"':  # a block, or one declaration: read what is in it
                self.at += 3 if self.peek(2) == "{" else 2
            case "extern" if ahead == "template":  # an explicit instantiation
                self.skip_statement()
            case "friend":
                self.skip_statement()
            case ";" | "}":
                self.at += 1
            case _:
                return False
        return True

    def _functions_and_variables(
        self, headers: tuple[int, ...], constraints: tuple[int, ...]
    ) -> Found | None:
        """What no keyword introduces: a function, a variable, or a macro that stands before one."""
        token = self.peek()
        if self._is_macro_call():
            begin = self.at
            self.at = self.source.closing(begin + 1) + 1
            return self._unread(begin, f"{token}(...), a macro without semicolon")
        begin = self.at
        found = self._declarator(headers, constraints)
        if found is None and self.tokens[begin : self.at] and not self._is_outside(begin):
            return self._unread(begin, f"what starts with {token}")
        return found

    def _is_macro_call(self) -> bool:
        """``NAME(...)`` that is no function, guide or constructor: another declaration follows it."""
        token = self.peek()
        if not token.isidentifier() or self.peek(1) != "(" or token in QUERIES or token in NO_MACROS:
            return False
        behind = self.source.closing(self.at + 1) + 1
        return behind >= self.end or self.tokens[behind] not in AFTER_ARGUMENTS

    def _is_outside(self, begin: int) -> bool:
        """Whether this defines, outside of a class, what the class declares: ``Class::name``."""
        return "::" in self.tokens[begin : self.at]

    def _namespace(self) -> Found:
        begin = self.at
        while self.peek() not in {"{", "=", ";", ""}:
            self.at += 1
        if not self.peek():
            raise NotUnderstoodError("a namespace without its braces", self.source.place(begin))
        names = [t for t in self.tokens[begin : self.at] if t not in {"namespace", "inline", "::"}]
        body = self.at if self.peek() == "{" else None
        while body is None and self.peek() not in {";", ""}:
            self.at += 1
        self.at = self.source.closing(body) + 1 if body is not None else self.at + 1
        return self.extent("namespace", "::".join(names), self.source, begin, self.at, body=body)

    def _class(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Found | None:
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
            special, self.at = self.at, self.angles(self.at)
        while self.peek() in {"final", "::"} or (self.peek() not in {":", "{", ";", ""}):
            self.at += 1
        head = 0
        if self.peek() == ":":
            head = self.at + 1
            while self.peek() not in {"{", ";", ""}:
                self.at = self.angles(self.at) if self.opens_angles() else self.over()
        body = self.at if self.peek() == "{" else None
        if body is not None:
            self.at = self.source.closing(body) + 1
            while self.peek() not in {";", ""}:
                self.at += 1
        end = self.at
        self.at += 1
        return self.extent("class", name, self.source, begin, end, headers, constraints, special, head, body)

    def _enum(self) -> Found:
        begin = self.at
        self.at += 2 if self.peek(1) in {"class", "struct"} else 1
        name = self.peek() if self.peek() != "{" else ""
        while self.peek() not in {"{", ";", ""}:
            self.at += 1
        body = self.at if self.peek() == "{" else None
        end = self.source.closing(self.at) if body is not None else self.at
        self.at = end + 1
        is_scoped = self.tokens[begin + 1] in {"class", "struct"}
        return self.extent("enum", name, self.source, begin, end, body=body, is_static=is_scoped)

    def _using(self, headers: tuple[int, ...]) -> Found | None:
        begin = self.at
        while self.peek() not in {";", ""}:
            self.at = self.over() if self.peek() != "{" else self.source.closing(self.at) + 1
        end = self.at
        self.at += 1
        tokens = self.tokens
        if tokens[begin + 1] == "namespace":
            return self.extent(
                "using namespace", "::".join(tokens[begin + 2 : end : 2]), self.source, begin, end
            )
        if tokens[begin] == "typedef":
            return self.extent("alias", tokens[end - 1], self.source, begin, end, head=begin + 1)
        if tokens[begin + 2] == "=":
            return self.extent("alias", tokens[begin + 1], self.source, begin, end, headers, head=begin + 3)
        return self.extent("using", tokens[end - 1], self.source, begin, end, head=begin + 1)

    # functions and variables

    def _unread(self, begin: int, what: str) -> Found:
        """A declaration that is stepped over and listed as not read."""
        return self.extent("unread", what, self.source, begin, self.at)

    def _declarator(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Found | None:
        """A function or a variable."""
        begin, special = self.at, None
        while self.at < self.end:
            token, before = self.peek(), self.tokens[self.at - 1]
            if self.at > begin and self._starts_another(begin):
                return self._unread(begin, f"{self.tokens[begin]}, a macro without semicolon")
            if token == "operator":
                return self._operator(begin, headers, constraints)
            if self.opens_angles():
                special = self.at
                self.at = self.angles(self.at)
                continue
            if token == "(" and before not in QUERIES and self.at > begin:
                special = special if self.tokens[self.at - 1] == ">" else None
                name_at = special - 1 if special is not None else self.at - 1
                return self._function(begin, name_at, self.at, headers, constraints, special)
            if token in {"=", ";", "{"}:
                return self._variable(begin, headers, special if before == ">" else None)
            self.at = self.over()
        return None

    def _starts_another(self, begin: int) -> bool:
        """Whether another declaration starts here, so that what came before is a macro without semicolon."""
        token, before = self.peek(), self.tokens[self.at - 1]
        if token in {"namespace", "using", "static_assert", "typedef"}:
            return True
        if token == "extern":
            return self.peek(1)[:1] == '"'
        if token == "template":
            return before not in {"::", ".", "->"}
        is_lone = self.at == begin + 1 and before.isidentifier() and before not in SPECIFIERS | TYPE_WORDS
        return is_lone and (token in {"struct", "class", "union", "enum"} or token == self.peek(1) == "[")

    def _operator(self, begin: int, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Found | None:
        at = self.at
        self.at += 3 if self.peek(1) == "(" else 1
        while self.peek() not in {"(", ""}:
            self.at += 1
        found = self._function(begin, at, self.at, headers, constraints, None)
        if found is not None:
            name = "".join(self.tokens[at + 1 : found.opened])
            found.name = f"operator{name}" if not name.isidentifier() else f"operator {name}"
        return found

    def _function(
        self,
        begin: int,
        name_at: int,
        opened: int,
        headers: tuple[int, ...],
        constraints: tuple[int, ...],
        special: int | None,
    ) -> Found | None:
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
            self.at = self.angles(self.at) if self.opens_angles() else self.over()
        end = self.at + 1
        self.at = end
        name = self.tokens[name_at]
        outside = name_at > begin and self.tokens[name_at - 1] == "::"
        if outside or not (name.isidentifier() or name == "operator"):
            return None
        is_static = "static" in self.tokens[begin:name_at]
        made = self.extent("function", name, self.source, begin, end, headers, constraints, special, name_at)
        made.body, made.is_static, made.opened = body, is_static, opened
        return made

    def _initialises(self, opened: int) -> bool:
        """Whether the brace here belongs to a constructor's member initialisers, not to its body."""
        between = self.tokens[self.source.closing(opened) + 1 : self.at]
        return ":" in between and self.tokens[self.at - 1].isidentifier()

    def _variable(self, begin: int, headers: tuple[int, ...], special: int | None) -> Found | None:
        name_at = (special or self.at) - 1
        while self.tokens[name_at] == "]":
            name_at -= 3
        while self.peek() not in {";", ""}:
            at = self.at
            opens = self.opens_angles()
            try:
                self.at = self.angles(self.at) if opens else self.over_any()
            except NotUnderstoodError:
                self.at = at + 1
        end = self.at
        self.at += 1
        name = self.tokens[name_at]
        if not name.isidentifier() or name_at <= begin:
            return None
        is_static = "static" in self.tokens[begin:name_at]
        return self.extent(
            "variable", name, self.source, begin, end, headers, (), special, name_at + 1, None, is_static
        )
