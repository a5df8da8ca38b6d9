"""Skimming: which declarations a stretch of tokens has, and where their parts are.

>>> source = Source.of("x.hpp", "template <int N> struct S<N, 1> : B { static const int a = N; }; int f();")
>>> [(d.kind, d.name) for d in skim(source)]
[('class', 'S'), ('function', 'f')]
>>> first_one = next(iter(skim(source)))
>>> [p.name for p in first_one.parameters], len(first_one.pattern or []), [d.name for d in first_one.members]
(['N'], 2, ['a'])
"""

from __future__ import annotations

from collections.abc import Iterator

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.declarations import Declaration, DeclarationParser
from layoutalg.ck.cpp.declarators import QUERIES, DeclaratorReader
from layoutalg.ck.cpp.reader import MACRO_WORDS

__all__ = ["first", "skim"]


AFTER_ARGUMENTS = frozenset([";", "{", "->", ":", "=", ",", "(", ")", "}", "noexcept", "requires", "try"])
NO_MACROS = frozenset(["operator", "decltype", "explicit", "return"])


def first(source: Source, at: int, end: int) -> tuple[Declaration, int]:
    """The declaration that starts at a token, and the token behind it."""
    skimmer = _Skimmer(source, at, end)
    declared = next(iter(skimmer.declarations()))
    return declared, skimmer.at


def skim(source: Source, begin: int = 0, end: int | None = None) -> Iterator[Declaration]:
    """The declarations between two tokens, those in namespaces inside their namespace's body."""
    yield from _Skimmer(source, begin, len(source.tokens) if end is None else end).declarations()


class _Skimmer(DeclaratorReader):
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
                return self.skipped()
            headers.append(self.at)
            self.at = self.angles(self.at)
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
            case "extern" if self.peek(1)[:1] == '"':  # a block, or one declaration: read what is in it
                self.at += 3 if self.peek(2) == "{" else 2
                return None
            case "friend":
                return self.skipped()
            case "concept":
                begin = self.at
                self.skipped()
                return self._untold(begin, f"concept {self.tokens[begin + 1 : begin + 2]}")
            case "extern" if self.peek(1) == "template":
                return self.skipped()  # an explicit instantiation declares nothing
            case ";" | "}":
                self.at += 1
                return None
        if self._is_macro_call():
            begin = self.at
            self.at = self.source.closing(begin + 1) + 1
            return self._untold(begin, f"{token}(...), a macro without semicolon")
        begin = self.at
        found = self._declarator(headers, constraints)
        if found is None and self.tokens[begin : self.at] and not self._is_outside(begin):
            return self._untold(begin, f"what starts with {token}")
        return found

    def _is_macro_call(self) -> bool:
        """``NAME(...)`` that is no function, guide or constructor: another declaration follows it."""
        token = self.peek()
        if not token.isidentifier() or self.peek(1) != "(" or token in QUERIES or token in NO_MACROS:
            return False
        behind = self.source.closing(self.at + 1) + 1
        return behind >= self.end or self.tokens[behind] not in AFTER_ARGUMENTS

    def _is_outside(self, begin: int) -> bool:
        """Whether this is the definition of something that a class has declared."""
        return "::" in self.tokens[begin : self.at]

    def _namespace(self) -> Declaration:
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
        return Declaration("class", name, self.source, begin, end, headers, constraints, special, head, body)

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
            self.at = self.over() if self.peek() != "{" else self.source.closing(self.at) + 1
        end = self.at
        self.at += 1
        tokens = self.tokens
        if tokens[begin + 1] == "namespace":
            return Declaration(
                "using namespace", "::".join(tokens[begin + 2 : end : 2]), self.source, begin, end
            )
        if tokens[begin] == "typedef":
            return Declaration("alias", tokens[end - 1], self.source, begin, end, head=begin + 1)
        if tokens[begin + 2] == "=":
            return Declaration("alias", tokens[begin + 1], self.source, begin, end, headers, head=begin + 3)
        return Declaration("using", tokens[end - 1], self.source, begin, end, head=begin + 1)
