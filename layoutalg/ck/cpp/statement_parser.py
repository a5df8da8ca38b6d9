"""Statements of C++ by recursive descent; with them lambdas, and lists of parameters.

>>> source = Source.of("text", "constexpr index_t n = f<2>(); if constexpr(n > 1) return n; else return 1;")
>>> StatementParser(source).statements()
[(variable 'n' (name 'index_t' None) (call (name 'f' [(int 2)]) [])), (if ...
"""

from __future__ import annotations

from layoutalg.ck.cpp import statement_syntax, syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.expression_parser import ExpressionParser
from layoutalg.ck.cpp.reader import BUILTIN, MACRO_WORDS
from layoutalg.ck.cpp.syntax import Node, Parameter

__all__ = ["StatementParser", "read_expression"]

DECLARES = frozenset(("constexpr", "const", "static", "auto", "constinit", "typename", "volatile"))
AFTER_NAME = frozenset(("=", "{", ";", "(", "[", ",", ":"))


class StatementParser(ExpressionParser):
    """Reads statements, lambdas, and lists of parameters."""

    def statements(self) -> list[Node]:
        found = []
        while self.at < self.end:
            found.append(self.statement())
        return found

    def statement(self) -> Node:
        token, at = self.peek(), self.at
        match token:
            case "{":
                close = self.source.closing(at)
                inner = type(self)(self.source, at + 1, close).statements()
                self.at = close + 1
                return self.node(statement_syntax.Block, inner, at=at)
            case ";":
                self.at += 1
                return self.node(statement_syntax.Block, [], at=at)
            case "if":
                return self._if()
            case "for":
                return self._for()
            case "while":
                self.at += 1
                condition = self._parenthesis()
                return self.node(statement_syntax.While, condition, self.statement(), at=at)
            case "return":
                return self._return()
            case "break" | "continue":
                self.at += 2
                kind = statement_syntax.Break if token == "break" else statement_syntax.Continue
                return self.node(kind, at=at)
            case "using" | "typedef":
                return self._using()
            case "static_assert":
                return self._assertion()
            case "struct" | "class" | "enum" | "template":
                return self.local_class()
            case "namespace":
                return self._namespace_alias()
            case "switch" | "do" | "goto" | "try" | "asm" | "case" | "default" | "throw" | "delete":
                return self._unread()
        if token == "[" and self.peek(1) == "[":
            self.at = self.source.closing(at) + 1
            return self.statement()
        return self._declaration() if self._declares() else self._expression_statement()

    def _unread(self) -> Node:
        """A statement that is refused only when it is reached."""
        at = self.at
        self.skip_statement()
        return self.node(statement_syntax.Unread, self.tokens[at], at=at)

    def local_class(self) -> Node:
        self.fail("no class here")

    def _expression_statement(self) -> Node:
        at = self.at
        found = self.comma()
        self.expect(";")
        return self.node(statement_syntax.Expression, found, at=at)

    def _if(self) -> Node:
        at = self.at
        self.at += 1
        self.accept("constexpr")
        condition = self._parenthesis()
        yes = self.statement()
        no = self.statement() if self.accept("else") else None
        return self.node(statement_syntax.If, condition, yes, no, at=at)

    def _return(self) -> Node:
        at = self.at
        self.at += 1
        value = None if self.peek() == ";" else self.expression()
        self.expect(";")
        return self.node(statement_syntax.Return, value, at=at)

    def _for(self) -> Node:
        at, close = self.at, self.source.closing(self.at + 1)
        self.at += 2
        if self._declares():
            begin = self.at
            kind = self._declared_type()
            if self.is_name() and self.peek(1) == ":":
                name = self.identifier()
                self.at += 1
                values = self.expression()
                self.at = close + 1
                return self.node(statement_syntax.Each, name, values, self.statement(), kind, at=at)
            self.at = begin
        first = self.statement()
        condition = None if self.peek() == ";" else self.comma()
        self.expect(";")
        step = None if self.at == close else self.comma()
        self.at = close + 1
        return self.node(statement_syntax.For, first, condition, step, self.statement(), at=at)

    def _using(self) -> Node:
        at = self.at
        self.at += 1
        if self.accept("namespace"):
            space = self.expression()
            self.expect(";")
            return self.node(statement_syntax.UsingNamespace, space, at=at)
        if self.tokens[at] == "typedef":
            kind, name = self.type_name(), self.identifier()
        elif self.peek(1) == "=":
            name = self.identifier()
            self.at += 1
            kind = self.argument(closes=False)
        else:
            kind = self.type_name()
            name = kind.name if isinstance(kind, syntax.Named) else ""
        self.expect(";")
        return self.node(statement_syntax.Alias, name, kind, at=at)

    def _namespace_alias(self) -> Node:
        """``namespace name = space;``."""
        at = self.at
        self.at += 1
        name = self.identifier()
        self.expect("=")
        space = self.type_name()
        self.expect(";")
        return self.node(statement_syntax.Alias, name, space, at=at)

    def _assertion(self) -> Node:
        at, close = self.at, self.source.closing(self.at + 1)
        self.at += 2
        condition = self.expression()
        message = self.source.span(self.at, close) if self.accept(",") else ""
        self.at = close + 1
        self.accept(";")
        return self.node(statement_syntax.Assert, condition, message, at=at)

    def _declares(self) -> bool:
        """Whether a declaration of variables starts here: a type, then a name."""
        token = self.peek()
        if token in DECLARES or token in BUILTIN or token in MACRO_WORDS:
            return True
        if not self.is_name():
            return False
        begin = self.at
        try:
            self.type_name()
            return self.is_name() and self.peek(1) in AFTER_NAME
        except NotUnderstoodError:
            return False
        finally:
            self.at = begin

    def _declared_type(self) -> Node:
        while self.peek() in {"constexpr", "static", "constinit", "const", "volatile"} | MACRO_WORDS:
            self.at += 1
        return self.type_name()

    def _declaration(self) -> Node:
        at = self.at
        kind = self._declared_type()
        if self.peek() == "[":
            return self._bindings(at)
        found = [self._variable(kind)]
        while self.accept(","):
            found.append(self._variable(kind))
        self.expect(";")
        return found[0] if len(found) == 1 else self.node(statement_syntax.Declarations, found, at=at)

    def _bindings(self, at: int) -> Node:
        close = self.source.closing(self.at)
        names = [t for t in self.tokens[self.at + 1 : close] if t != ","]
        self.at = close + 1
        self.expect("=")
        value = self.expression()
        self.expect(";")
        return self.node(statement_syntax.Bindings, names, value, at=at)

    def _variable(self, kind: Node) -> Node:
        while self.peek() in {"*", "&", "&&", "const"}:
            self.at += 1
        at, name = self.at, self.identifier()
        is_array = False
        while self.peek() == "[":
            self.at, is_array = self.source.closing(self.at) + 1, True
        value: Node | None = None
        if self.accept("="):
            value = self.expression()
        elif self.peek() in {"{", "("}:
            bracket = self.peek()
            value = self.node(syntax.Braces, self.arguments(bracket), bracket, at=at)
        made = self.node(syntax.Array, kind, at=at) if is_array else kind
        return self.node(statement_syntax.Variable, name, made, value, at=at)

    # lambdas

    def function_literal(self) -> Node:
        """A lambda; its captures are skipped, as the interpreter shows it all names around it."""
        at = self.at
        self.at = self.source.closing(self.at) + 1
        header = self.template_parameters() if self.peek() == "<" else []
        given = self.parameters() if self.peek() == "(" else []
        while self.peek() in {"mutable", "constexpr", "noexcept"} or self.peek() in MACRO_WORDS:
            self.at += 1
        result = self.type_name() if self.accept("->") else None
        close = self.source.closing(self.at)
        body = type(self)(self.source, self.at + 1, close).statements()
        self.at = close + 1
        return self.node(syntax.Lambda, header, given, result, body, at=at)

    # parameters

    def parameters(self) -> list[Parameter]:
        """The parameters of a function, between parentheses."""
        close = self.source.closing(self.at)
        self.at += 1
        found: list[Parameter] = []
        while self.at < close:
            found.append(self._parameter())
            if self.at < close:
                self.expect(",")
        self.at = close + 1
        is_void = len(found) == 1 and not found[0].name and self.tokens[close - 1] == "void"
        return [] if is_void else found

    def _parameter(self) -> Parameter:
        if self.peek() == "...":
            self.at += 1
            return Parameter("argument", "", None, None, is_pack=True)
        while self.peek() == "[":
            self.at = self.source.closing(self.at) + 1
        kind = self.type_name()
        is_pack = self.accept("...")
        name = self.identifier() if self.is_name() else ""
        while self.peek() == "[":
            self.at = self.source.closing(self.at) + 1
        default = self.expression() if self.accept("=") else None
        return Parameter("argument", name, kind, default, is_pack)

    def template_parameters(self) -> list[Parameter]:
        """The parameters of a template, between angle brackets."""
        self.expect("<")
        found: list[Parameter] = []
        while self.peek() != ">":
            if found:
                self.expect(",")
            found.append(self._template_parameter())
        self.expect(">")
        return found

    def _template_parameter(self) -> Parameter:
        role, kind = "value", None
        if self.peek() == "template":
            self.at += 1
            self.template_parameters()
            self.at += 1
            role = "template"
        elif self.peek() == "class" or (self.peek() == "typename" and not self._is_dependent()):
            self.at += 1
            role = "type"
        else:
            kind = self.type_name()
        is_pack = self.accept("...")
        name = self.identifier() if self.is_name() else ""
        default = self.argument(closes=True) if self.accept("=") else None
        return Parameter(role, name, kind, default, is_pack)

    def _is_dependent(self) -> bool:
        """``typename X::type = 0`` is a value whose type is dependent; ``typename T`` is a type."""
        return self.is_name(1) and self.peek(2) in {"::", "<"}


def read_expression(text: str) -> Node:
    """The whole text as one expression or type; ``NotUnderstoodError`` if it is none."""
    parser = StatementParser(Source.of("text", text))
    found = parser.expression()
    if parser.at < parser.end:
        parser.fail("wanted the end")
    return found
