"""What an expression or type starts with: literals, names, brackets, words."""

from __future__ import annotations

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.literals import character, number
from layoutalg.ck.cpp.reader import BUILTIN, LEVELS, MACRO_WORDS, SKIPPED, Reader
from layoutalg.ck.cpp.syntax import Node

__all__ = ["PrimaryParser"]

ALWAYS_TEMPLATES = frozenset(("number", "sequence", "tuple", "constant"))  # with blanks before < too


class PrimaryParser(Reader):
    """Reads operands; what they contain is read by the parser of expressions."""

    def expression(self, *, closes: bool = False) -> Node:
        """An expression; ``closes``: a ``>`` here ends the template arguments around."""
        raise NotImplementedError

    def comma(self) -> Node:
        """Expressions with commas between."""
        raise NotImplementedError

    def arguments(self, bracket: str) -> list[Node]:
        """Expressions between brackets."""
        raise NotImplementedError

    def _argument(self, *, closes: bool) -> Node:
        raise NotImplementedError

    def _unary(self, *, closes: bool) -> Node:
        raise NotImplementedError

    def _adjacent(self, at: int) -> bool:
        """Whether nothing stands between this token and the next."""
        starts = self.source.starts
        return at + 1 < self.end and starts[at] + len(self.tokens[at]) == starts[at + 1]

    def template_arguments(self) -> list[Node] | None:
        """``<...>`` right behind a name, or None where it is a comparison."""
        touches = self._adjacent(self.at - 1)
        if self.peek() != "<" or not (touches or self.tokens[self.at - 1] in ALWAYS_TEMPLATES):
            return None
        begin = self.at
        if begin in self.comparisons:
            return None
        try:
            found = self._template_list()
        except NotUnderstoodError:
            self.comparisons.add(begin)
            self.at = begin
            return None
        if not touches and self.peek() not in {"{", "(", "::"}:
            self.at = begin
            return None
        return found

    def _template_list(self) -> list[Node]:
        self.expect("<")
        found: list[Node] = []
        while self.peek() != ">":
            if found:
                self.expect(",")
            found.append(self._argument(closes=True))
        self.expect(">")
        return found

    def _identifier(self) -> str:
        if self.accept("operator"):
            if self.peek() == "(":
                self.at += 2
                return "operator()"
            self.at += 1
            return f"operator{self.tokens[self.at - 1]}"
        if self.peek() == "~":
            self.at += 1
            return f"~{self._identifier()}"
        if not self.is_name():
            self.fail("wanted a name")
        self.at += 1
        return self.tokens[self.at - 1]

    def _qualified(self, left: Node) -> Node:
        while self.accept("::"):
            self.accept("template")
            at = self.at
            left = self.node("scope", left, self._identifier(), self.template_arguments(), at=at)
        return left

    def primary(self) -> Node:
        """A literal, a name, a bracket, a lambda or one of the words."""
        while self.peek() in SKIPPED or self.peek() in MACRO_WORDS:
            self.at += 1
        token, at = self.peek(), self.at
        if token[:1].isdigit() or (token[:1] == "." and token[1:2].isdigit()):
            return self._number(token)
        if token[:1] == '"':
            while self.peek()[:1] == '"':
                self.at += 1
            return self.node("text", token, at=at)
        if token[:1] == "'":
            return self._character(token)
        if token == "(":
            return self._parenthesis()
        if token == "{":
            return self.node("braces", self.arguments("{"), "{", at=at)
        if token == "[":
            return self.function_literal()
        return self._word(token)

    def _character(self, token: str) -> Node:
        try:
            value = character(token)
        except ValueError:
            self.fail("wanted a character")
        self.at += 1
        return self.node("int", value, at=self.at - 1)

    def _number(self, token: str) -> Node:
        try:
            kind, value = number(token)
        except ValueError:
            self.fail("wanted a number")
        self.at += 1
        return self.node(kind, value, at=self.at - 1)

    def function_literal(self) -> Node:
        self.fail("no function here")

    def _parenthesis(self) -> Node:
        at, close = self.at, self.source.closing(self.at)
        dots = self._fold_dots(at, close)
        if dots is not None:
            return self._fold(at, dots, close)
        self.at += 1
        inner = self.comma()
        self.expect(")")
        return self.node("paren", inner, at=at)

    def _fold_dots(self, at: int, close: int) -> int | None:
        i = at + 1
        while i < close:
            if self.tokens[i] == "...":
                beside = self.tokens[i + 1] if i == at + 1 else self.tokens[i - 1]
                return i if beside in LEVELS or beside == "," else None
            i = self.source.closing(i) + 1 if self.tokens[i] in {"(", "[", "{"} else i + 1
        return None

    def _fold(self, at: int, dots: int, close: int) -> Node:
        """``(... op E)``, ``(E op ...)`` or ``(E op ... op E)``."""

        def part(begin: int, end: int) -> Node | None:
            if begin >= end:
                return None
            inner = type(self)(self.source, begin, end)
            return inner._unary(closes=False) if inner.tokens[begin] != "(" else inner.expression()

        operator = self.tokens[dots + 1] if dots == at + 1 else self.tokens[dots - 1]
        self.at = close + 1
        return self.node("fold", operator, part(at + 1, dots - 1), part(dots + 2, close), at=at)

    def _word(self, token: str) -> Node:
        at = self.at
        match token:
            case "true" | "false":
                self.at += 1
                return self.node("bool", token == "true", at=at)
            case "nullptr" | "this":
                self.at += 1
                return self.node(token, at=at)
            case "sizeof" | "decltype" | "alignof" | "noexcept":
                return self._query(token)
            case "static_cast" | "bit_cast" | "reinterpret_cast" | "const_cast":
                self.at += 1
                kind = self._template_list()[0]
                return self.node("cast", token, kind, self._parenthesis(), at=at)
            case "requires" | "new" | "throw" | "delete" | "asm":
                self.fail(f"{token} is not read")
            case "_BitInt":
                self.at += 4
                return self.node("builtin", f"_BitInt({self.tokens[at + 2]})", at=at)
        if token in BUILTIN:
            return self._builtin()
        self.accept("::")
        name = self.node("name", self._identifier(), self.template_arguments(), at=at)
        return self._qualified(name)

    def _builtin(self) -> Node:
        at, words = self.at, []
        while self.peek() in BUILTIN or self.peek() == "const":
            words.append(self.peek())
            self.at += 1
        return self.node("builtin", " ".join(w for w in words if w != "const"), at=at)

    def _query(self, token: str) -> Node:
        at = self.at
        self.at += 1
        if token == "sizeof" and self.accept("..."):
            self.expect("(")
            inner = self.expression()
            self.expect(")")
            return self.node("count", inner, at=at)
        self.expect("(")
        inner = self.comma()
        self.expect(")")
        made = self.node(token, inner, at=at)
        return self._qualified(made) if token == "decltype" else made

    def type_name(self) -> Node:
        """A type as a declaration starts with: no calls, references and pointers left out."""
        found = self.primary()
        while self.peek() in {"const", "&", "&&", "*", "volatile"} or self.peek() in MACRO_WORDS:
            if self.peek() == "*":
                found = self.node("pointer", found, at=found.at)
            self.at += 1
        return found
