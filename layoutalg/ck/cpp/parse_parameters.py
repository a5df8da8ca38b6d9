"""Parameters of functions and templates."""

from __future__ import annotations

from layoutalg.ck.cpp.expression_parser import ExpressionParser
from layoutalg.ck.cpp.syntax import Parameter

__all__ = ["ParameterParser"]


class ParameterParser(ExpressionParser):
    """Reads lists of parameters."""

    def parameters(self) -> list[Parameter]:
        """Parameters of a function between parentheses."""
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
        name = self._identifier() if self.is_name() else ""
        while self.peek() == "[":
            self.at = self.source.closing(self.at) + 1
        default = self.expression() if self.accept("=") else None
        return Parameter("argument", name, kind, default, is_pack)

    def template_parameters(self) -> list[Parameter]:
        """Parameters of a template between angle brackets."""
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
        name = self._identifier() if self.is_name() else ""
        default = self._argument(closes=True) if self.accept("=") else None
        return Parameter(role, name, kind, default, is_pack)

    def _is_dependent(self) -> bool:
        """``typename X::type = 0`` is a value whose type is dependent; ``typename T`` is a type."""
        return self.is_name(1) and self.peek(2) in {"::", "<"}
