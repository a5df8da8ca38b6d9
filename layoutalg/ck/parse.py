"""Expressions and types of C++ by recursive descent: one grammar for both, as template arguments want it.

``name<`` opens template arguments where nothing stands between (CK's formatter writes comparisons with
blanks) and a list of arguments can be read; the evaluator refuses a comparison with a template.

>>> read_expression("sequence<A::kM / 2, sizeof(T) < 4>{}")
(construct (name 'sequence' [(binary '/' (scope (name 'A' None) 'kM' None) (int 2)), ...
"""

from __future__ import annotations

from typing import Any, NoReturn

from layoutalg.ck.node import Node
from layoutalg.ck.parse_number import number
from layoutalg.ck.tokens import Source
from layoutalg.ck.trouble import NotUnderstoodError

__all__ = ["ExpressionParser", "read_expression"]

LEVELS = {"||": 1, "or": 1, "&&": 2, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7}
LEVELS |= {"<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="))
UNARY = frozenset(("!", "-", "+", "~", "*", "&", "++", "--", "not"))
BUILTIN = frozenset("void bool char short int long unsigned signed float double auto _Float16 __bf16".split())
SKIPPED = frozenset("typename const volatile constexpr struct class template inline static mutable".split())
ALWAYS_TEMPLATES = frozenset(("number", "sequence", "tuple", "constant"))  # with blanks before < too
ENDS_TYPE = frozenset((",", ">", ")", "=", "...", ";", "]", "{", ""))
MACRO_WORDS = frozenset(
    "CK_TILE_HOST CK_TILE_DEVICE CK_TILE_HOST_DEVICE CK_TILE_DEVICE_EXTERN CK_TILE_HOST_DEVICE_EXTERN"
    " CK_TILE_LDS_ADDR CK_TILE_GLOBAL_ADDR CK_TILE_GENERIC_ADDR CK_TILE_BUF_RES_ADDR __device__ __host__"
    " __forceinline__ __global__ CK_CONSTANT_ADDRESS_SPACE __restrict__".split()
)


class ExpressionParser:
    """A place in the tokens of a file, and the readers of what may stand there."""

    def __init__(self, source: Source, at: int = 0, end: int | None = None) -> None:
        self.source = source
        self.tokens = source.tokens
        self.at = at
        self.end = len(source.tokens) if end is None else end

    def peek(self, ahead: int = 0) -> str:
        """The token there, or "" behind the end."""
        at = self.at + ahead
        return self.tokens[at] if at < self.end else ""

    def accept(self, token: str) -> bool:
        """Step over the token if it stands here."""
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            self.fail(f"wanted {token}")

    def fail(self, wanted: str) -> NoReturn:
        raise NotUnderstoodError(f"{wanted}, found {self.peek() or 'the end'}", self.source.place(self.at))

    def node(self, kind: str, *parts: Any, at: int | None = None) -> Node:
        return Node(kind, parts, self.source, self.at if at is None else at)

    def is_name(self, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return (token[:1].isalpha() or token[:1] == "_") and token not in SKIPPED

    # expressions, loosest first

    def expression(self, *, closes: bool = False) -> Node:
        """An assignment expression; ``closes``: a ``>`` here ends the template arguments around."""
        at = self.at
        left = self._conditional(closes=closes)
        if self.peek() in ASSIGN:
            operator = self.peek()
            self.at += 1
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
            right = self._binary(LEVELS[operator] + 1, closes=closes)
            left = self.node("binary", operator, left, right, at=at)

    def _operator(self, *, closes: bool) -> tuple[str, int]:
        token = self.peek()
        if token == ">" and closes:
            return "", 0
        if token == ">" and self.peek(1) == ">" and self._adjacent(self.at):
            return ">>", 2
        return token, 1

    def _adjacent(self, at: int) -> bool:
        starts = self.source.starts
        return at + 1 < self.end and starts[at] + len(self.tokens[at]) == starts[at + 1]

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
        named = inside and (inside[0] in BUILTIN or inside in (["index_t"], ["long_index_t"], ["uint32_t"]))
        if not named or "(" in inside or "<" in inside:
            return None
        at, self.at = self.at, self.at + 1
        kind = self.type_name()
        self.at = close + 1
        return self.node("cast", kind, self._unary(closes=closes), at=at)

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

    def template_arguments(self) -> list[Node] | None:
        """``<...>`` right behind a name, or None where it is a comparison."""
        touches = self._adjacent(self.at - 1)
        if self.peek() != "<" or not (touches or self.tokens[self.at - 1] in ALWAYS_TEMPLATES):
            return None
        begin = self.at
        try:
            found = self._template_list()
        except NotUnderstoodError:
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

    # what an expression starts with

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
            self.at += 1
            return self.node("int", ord(token[1:-1][-1]), at=at)
        if token == "(":
            return self._parenthesis()
        if token == "{":
            return self.node("braces", self.arguments("{"), at=at)
        if token == "[":
            return self.function_literal()
        return self._word(token)

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
                return self.node("cast", kind, self._parenthesis(), at=at)
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


def read_expression(text: str) -> Node:
    """The expression or type that a text is, all of it."""
    from layoutalg.ck.parse_statements import StatementParser  # noqa: PLC0415  lambdas have statements

    parser = StatementParser(Source.of("text", text))
    found = parser.expression()
    if parser.at < parser.end:
        parser.fail("wanted the end")
    return found
