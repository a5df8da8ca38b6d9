"""Expressions and types of C++ by recursive descent: one grammar for both, as template arguments want it.

``name<`` opens template arguments where nothing stands between (CK's formatter writes comparisons with
blanks) and a list of arguments can be read; the evaluator refuses a comparison with a template.

>>> from layoutalg.ck.cpp.cpp_tokens import Source
>>> ExpressionParser(Source.of("text", "sequence<A::kM / 2, sizeof(T) < 4>{}")).expression()
(construct (name 'sequence' [(binary '/' (scope (name 'A' None) 'kM' None) (int 2)), ...
"""

from __future__ import annotations

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.integer_types import C_TYPES
from layoutalg.ck.cpp.literals import character, number
from layoutalg.ck.cpp.reader import BUILTIN, LEVELS, MACRO_WORDS, SKIPPED, Reader
from layoutalg.ck.cpp.syntax import Node

__all__ = ["ExpressionParser"]

ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
UNARY = frozenset(("!", "-", "+", "~", "*", "&", "++", "--", "not"))
NUMBER_TYPES = frozenset(("index_t", "long_index_t", *C_TYPES))
ENDS_TYPE = frozenset((",", ">", ")", "=", "...", ";", "]", "{", ""))
MADE_WITH_BRACES = (syntax.Name, syntax.Qualified, syntax.Decltype, syntax.Builtin)
QUERIES: dict[str, type[Node]] = {
    "sizeof": syntax.Sizeof,
    "decltype": syntax.Decltype,
    "alignof": syntax.Alignof,
    "noexcept": syntax.Noexcept,
}
ALWAYS_TEMPLATES = frozenset(  # with blanks before < too
    ("number", "sequence", "tuple", "constant", "Number", "Sequence", "Tuple")
)
BITS = "_BitInt"  # an integer of as many bits as its parentheses say


class ExpressionParser(Reader):
    """Reads expressions and types."""

    # expressions, loosest first

    def expression(self, *, closes: bool = False) -> Node:
        """An assignment or what binds tighter; with ``closes``, ``>`` ends the template arguments around."""
        at = self.at
        left = self._conditional(closes=closes)
        operator, length = self._operator(closes=closes)
        if operator in ASSIGN:
            self.at += length
            return self.node(syntax.Assign, operator, left, self.expression(closes=closes), at=at)
        return left

    def constraint(self) -> Node:
        """What stands behind ``requires``: operands with operators between, no assignment and no choice."""
        return self._binary(1, closes=False)

    def comma(self) -> Node:
        """One expression, or several with commas between them, of which the last gives the value."""
        at = self.at
        left = self.expression()
        while self.accept(","):
            left = self.node(syntax.Comma, left, self.expression(), at=at)
        return left

    def _conditional(self, *, closes: bool) -> Node:
        at = self.at
        condition = self._binary(1, closes=closes)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.expect(":")
        return self.node(syntax.Choice, condition, yes, self.expression(closes=closes), at=at)

    def _binary(self, level: int, *, closes: bool) -> Node:
        at = self.at
        left = self._unary(closes=closes)
        while True:
            operator, length = self._operator(closes=closes)
            if LEVELS.get(operator, 0) < level:
                return left
            if operator in {"&", "&&", "*"} and self.peek(1) in ENDS_TYPE:
                self.at += 1
                left = self.node(syntax.Pointer if operator == "*" else syntax.Reference, left, at=at)
                continue
            self.at += length
            if self.peek() == "{":
                self.fail("wanted an operand")
            right = self._binary(LEVELS[operator] + 1, closes=closes)
            left = self.node(syntax.Binary, operator, left, right, at=at)

    def _operator(self, *, closes: bool) -> tuple[str, int]:
        token = self.peek()
        if token == ">" and closes:
            return "", 0
        if token == ">" and self.peek(1) == ">" and self.touches_next(self.at):
            return ">>", 2
        if token == ">" and self.peek(1) == ">=" and self.touches_next(self.at):
            return ">>=", 2
        return token, 1

    def _unary(self, *, closes: bool) -> Node:
        token, at = self.peek(), self.at
        if token in UNARY:
            self.at += 1
            return self.node(syntax.Unary, token, self._unary(closes=closes), at=at)
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
        return self.node(syntax.Cast, "()", kind, self._unary(closes=closes), at=at)

    def _postfix(self, left: Node) -> Node:
        while True:
            token, at = self.peek(), left.at
            match token:
                case "(":
                    left = self.node(syntax.Call, left, self.arguments("("), at=at)
                case "{" if isinstance(left, MADE_WITH_BRACES):
                    left = self.node(syntax.Construct, left, self.arguments("{"), at=at)
                case "[":
                    self.at += 1
                    left = self.node(syntax.Index, left, self.comma(), at=at)
                    self.expect("]")
                case "." | "->":
                    self.at += 1
                    self.accept("template")
                    where, name = self.at, self.identifier()
                    left = self.node(syntax.Member, left, name, self.template_arguments(), at=where)
                case "::" if isinstance(left, syntax.Construct | syntax.Call | syntax.Decltype):
                    left = self._qualified(left)
                case "++" | "--":
                    self.at += 1
                    left = self.node(syntax.Step, token, left, at=at)
                case _:
                    return left

    def arguments(self, bracket: str) -> list[Node]:
        """The expressions between brackets; ``pattern...`` is an ``Expand`` node."""
        close = self.source.closing(self.at)
        self.expect(bracket)
        found: list[Node] = []
        while self.at < close:
            found.append(self.argument(closes=False))
            if self.at < close:
                self.expect(",")
        self.at = close + 1
        return found

    def argument(self, *, closes: bool) -> Node:
        at = self.at
        if self.peek() == "." and self.is_name(1) and self.peek(2) in {"=", "{"}:
            name = self.peek(1)
            self.at += 2
            self.accept("=")
            return self.node(syntax.Designated, name, self.expression(closes=closes), at=at)
        value = self.expression(closes=closes)
        while self.peek() in {"const", "&", "&&", "*"}:
            self.at += 1
        return self.node(syntax.Expand, value, at=at) if self.accept("...") else value

    # what an expression or a type starts with

    def template_arguments(self) -> list[Node] | None:
        """``<...>`` right behind a name, or None where it is a comparison."""
        touches = self.touches_next(self.at - 1)
        if self.peek() != "<":
            return None
        is_known = touches or self.tokens[self.at - 1] in ALWAYS_TEMPLATES
        begin = self.at
        if begin in self.comparisons:
            return None
        try:
            found = self.template_list()
        except NotUnderstoodError:
            self.comparisons.add(begin)
            self.at = begin
            return None
        is_followed = self.peek() in {"{", "(", "::"} if is_known else self.peek() == "{" and len(found) > 1
        if not touches and not is_followed:  # a < b, c > {} is no comparison
            self.comparisons.add(begin)
            self.at = begin
            return None
        return found

    def template_list(self) -> list[Node]:
        self.expect("<")
        found: list[Node] = []
        while self.peek() != ">":
            if found:
                self.expect(",")
            found.append(self.argument(closes=True))
        self.expect(">")
        return found

    def identifier(self) -> str:
        if self.accept("operator"):
            if self.peek() == "(":
                self.at += 2
                return "operator()"
            self.at += 1
            return f"operator{self.tokens[self.at - 1]}"
        if self.peek() == "~":
            self.at += 1
            return f"~{self.identifier()}"
        if not self.is_name():
            self.fail("wanted a name")
        self.at += 1
        return self.tokens[self.at - 1]

    def _qualified(self, left: Node) -> Node:
        while self.accept("::"):
            self.accept("template")
            at = self.at
            left = self.node(syntax.Qualified, left, self.identifier(), self.template_arguments(), at=at)
        return left

    def primary(self) -> Node:
        """A literal, a name, something in brackets, a lambda, or what a keyword such as ``sizeof`` starts."""
        while self.peek() in SKIPPED or self.peek() in MACRO_WORDS:
            self.at += 1
        token, at = self.peek(), self.at
        if token[:1].isdigit() or (token[:1] == "." and token[1:2].isdigit()):
            return self._number(token)
        if token[:1] == '"':
            while self.peek()[:1] == '"':
                self.at += 1
            return self.node(syntax.Text, token, at=at)
        if token[:1] == "'":
            return self._character(token)
        if token == "(":
            return self._parenthesis()
        if token == "{":
            return self.node(syntax.Braces, self.arguments("{"), "{", at=at)
        if token == "[":
            return self.function_literal()
        return self._word(token)

    def _character(self, token: str) -> Node:
        try:
            value = character(token)
        except ValueError:
            self.fail("wanted a character")
        self.at += 1
        return self.node(syntax.Int, value, at=self.at - 1)

    def _number(self, token: str) -> Node:
        try:
            value = number(token)
        except ValueError:
            self.fail("wanted a number")
        self.at += 1
        kind = syntax.Float if isinstance(value, float) else syntax.Int
        return self.node(kind, value, at=self.at - 1)

    def _parenthesis(self) -> Node:
        at, close = self.at, self.source.closing(self.at)
        dots = self._fold_dots(at, close)
        if dots is not None:
            return self._fold(at, dots, close)
        self.at += 1
        inner = self.comma()
        self.expect(")")
        return self.node(syntax.Paren, inner, at=at)

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
        return self.node(syntax.Fold, operator, part(at + 1, dots - 1), part(dots + 2, close), at=at)

    def _word(self, token: str) -> Node:
        at = self.at
        match token:
            case "true" | "false":
                self.at += 1
                return self.node(syntax.Bool, token == "true", at=at)
            case "nullptr" | "this":
                self.at += 1
                return self.node(syntax.This if token == "this" else syntax.Nullptr, at=at)
            case token if token in QUERIES:
                return self._query(token)
            case "static_cast" | "bit_cast" | "reinterpret_cast" | "const_cast":
                self.at += 1
                kind = self.template_list()[0]
                return self.node(syntax.Cast, token, kind, self._parenthesis(), at=at)
            case "requires" | "new" | "throw" | "delete" | "asm":
                self.fail(f"{token} is not read")
        if token in BUILTIN or token == BITS:
            return self._builtin()
        self.accept("::")
        name = self.node(syntax.Name, self.identifier(), self.template_arguments(), at=at)
        return self._qualified(name)

    def _builtin(self) -> Node:
        at, words = self.at, []
        while self.peek() in BUILTIN or self.peek() in {"const", BITS}:
            width = self.peek() == BITS  # a word with its number of bits in parentheses
            words.append("".join(self.tokens[self.at : self.at + 4]) if width else self.peek())
            self.at += 4 if width else 1
        sized = [word for word in words if word.startswith(BITS)]
        if sized:  # signed unless it says otherwise
            words = ["unsigned", *sized] if "unsigned" in words else sized
        return self.node(syntax.Builtin, " ".join(w for w in words if w != "const"), at=at)

    def _query(self, token: str) -> Node:
        at = self.at
        self.at += 1
        if token == "sizeof" and self.accept("..."):
            self.expect("(")
            inner = self.expression()
            self.expect(")")
            return self.node(syntax.PackSize, inner, at=at)
        self.expect("(")
        inner = self.comma()
        self.expect(")")
        made = self.node(QUERIES[token], inner, at=at)
        return self._qualified(made) if token == "decltype" else made

    def type_name(self) -> Node:
        """The type at the start of a declaration; ``const``, ``volatile`` and references are dropped."""
        found = self.primary()
        while self.peek() in {"const", "&", "&&", "*", "volatile"} or self.peek() in MACRO_WORDS:
            if self.peek() == "*":
                found = self.node(syntax.Pointer, found, at=found.at)
            self.at += 1
        return found

    def function_literal(self) -> Node:
        """A lambda; the parser of statements reads it, as its body has such."""
        self.fail("no function here")
