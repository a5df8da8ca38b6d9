"""Expressions and types of C++ by recursive descent: one grammar for both, as template arguments want it.

``name<`` opens template arguments where nothing stands between (CK's formatter writes comparisons with
blanks) and a list of arguments can be read; the evaluator refuses a comparison with a template.

>>> read_expression("sequence<A::kM / 2, sizeof(T) < 4>{}")
(construct (name 'sequence' [(binary '/' (scope (name 'A' None) 'kM' None) (int 2)), ...
"""

from __future__ import annotations

from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.parse_primary import PrimaryParser
from layoutalg.ck.cpp.reader import BUILTIN, LEVELS
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.number_conversions import C_TYPES

__all__ = ["ExpressionParser", "read_expression"]

ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
UNARY = frozenset(("!", "-", "+", "~", "*", "&", "++", "--", "not"))
NUMBER_TYPES = frozenset(("index_t", "long_index_t", *C_TYPES))
ENDS_TYPE = frozenset((",", ">", ")", "=", "...", ";", "]", "{", ""))


class ExpressionParser(PrimaryParser):
    """Reads expressions and types."""

    # expressions, loosest first

    def expression(self, *, closes: bool = False) -> Node:
        """An assignment expression; ``closes``: a ``>`` here ends the template arguments around."""
        at = self.at
        left = self._conditional(closes=closes)
        operator, length = self._operator(closes=closes)
        if operator in ASSIGN:
            self.at += length
            return self.node("assign", operator, left, self.expression(closes=closes), at=at)
        return left

    def comma(self) -> Node:
        """Expressions with commas between: the last one's value."""
        at = self.at
        left = self.expression()
        while self.accept(","):
            left = self.node("comma", left, self.expression(), at=at)
        return left

    def _conditional(self, *, closes: bool) -> Node:
        at = self.at
        condition = self._binary(1, closes=closes)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.expect(":")
        return self.node("choice", condition, yes, self.expression(closes=closes), at=at)

    def _binary(self, level: int, *, closes: bool) -> Node:
        at = self.at
        left = self._unary(closes=closes)
        while True:
            operator, length = self._operator(closes=closes)
            if LEVELS.get(operator, 0) < level:
                return left
            if operator in {"&", "&&", "*"} and self.peek(1) in ENDS_TYPE:
                self.at += 1
                left = self.node("pointer" if operator == "*" else "ref", left, at=at)
                continue
            self.at += length
            if self.peek() == "{":
                self.fail("wanted an operand")
            right = self._binary(LEVELS[operator] + 1, closes=closes)
            left = self.node("binary", operator, left, right, at=at)

    def _operator(self, *, closes: bool) -> tuple[str, int]:
        token = self.peek()
        if token == ">" and closes:
            return "", 0
        if token == ">" and self.peek(1) == ">" and self._adjacent(self.at):
            return ">>", 2
        if token == ">" and self.peek(1) == ">=" and self._adjacent(self.at):
            return ">>=", 2
        return token, 1

    def _unary(self, *, closes: bool) -> Node:
        token, at = self.peek(), self.at
        if token in UNARY:
            self.at += 1
            return self.node("unary", token, self._unary(closes=closes), at=at)
        cast = self._c_cast(closes=closes) if token == "(" else None
        return cast if cast is not None else self._postfix(self.primary())

    def _c_cast(self, *, closes: bool) -> Node | None:
        """``(type)value``, where the type is one that cannot be a value."""
        close = self.source.closing(self.at)
        inside = self.tokens[self.at + 1 : close]
        bare = inside[2:] if inside[:2] == ["std", "::"] else inside
        named = inside and (inside[0] in BUILTIN or (len(bare) == 1 and bare[0] in NUMBER_TYPES))
        if not named or "(" in inside or "<" in inside:
            return None
        at, self.at = self.at, self.at + 1
        kind = self.type_name()
        self.at = close + 1
        return self.node("cast", "()", kind, self._unary(closes=closes), at=at)

    def _postfix(self, left: Node) -> Node:
        while True:
            token, at = self.peek(), left.at
            match token:
                case "(":
                    left = self.node("call", left, self.arguments("("), at=at)
                case "{" if left.kind in {"name", "scope", "decltype", "builtin"}:
                    left = self.node("construct", left, self.arguments("{"), at=at)
                case "[":
                    self.at += 1
                    left = self.node("index", left, self.comma(), at=at)
                    self.expect("]")
                case "." | "->":
                    self.at += 1
                    self.accept("template")
                    where = self.at
                    left = self.node("member", left, self._identifier(), self.template_arguments(), at=where)
                case "::" if left.kind in {"construct", "call", "decltype"}:
                    left = self._qualified(left)
                case "++" | "--":
                    self.at += 1
                    left = self.node("step", token, left, at=at)
                case _:
                    return left

    def arguments(self, bracket: str) -> list[Node]:
        """Expressions between brackets, packs to expand marked."""
        close = self.source.closing(self.at)
        self.expect(bracket)
        found: list[Node] = []
        while self.at < close:
            found.append(self._argument(closes=False))
            if self.at < close:
                self.expect(",")
        self.at = close + 1
        return found

    def _argument(self, *, closes: bool) -> Node:
        at = self.at
        if self.peek() == "." and self.is_name(1) and self.peek(2) in {"=", "{"}:
            name = self.peek(1)
            self.at += 2
            self.accept("=")
            return self.node("designated", name, self.expression(closes=closes), at=at)
        value = self.expression(closes=closes)
        while self.peek() in {"const", "&", "&&", "*"}:
            self.at += 1
        return self.node("expand", value, at=at) if self.accept("...") else value


def read_expression(text: str) -> Node:
    """The expression or type that a text is, all of it."""
    from layoutalg.ck.cpp.statement_parser import StatementParser  # noqa: PLC0415  lambdas have statements

    parser = StatementParser(Source.of("text", text))
    found = parser.expression()
    if parser.at < parser.end:
        parser.fail("wanted the end")
    return found
