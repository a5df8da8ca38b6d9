"""Functions and variables as declarations have them: where the name, the parameters and the body are."""

from __future__ import annotations

from layoutalg.ck.cpp.brackets import BracketReader
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.declarations import SPECIFIERS, Declaration

__all__ = ["QUERIES", "DeclaratorReader"]

QUERIES = frozenset(
    ["decltype", "alignas", "__attribute__", "noexcept", "requires", "sizeof", "asm", "__launch_bounds__"]
)
TYPE_WORDS = frozenset(["const", "volatile", "typename", "auto", "unsigned", "signed", "long", "mutable"])


class DeclaratorReader(BracketReader):
    """Reads what a declaration without a keyword declares."""

    def _untold(self, begin: int, what: str) -> Declaration:
        """Something that is stepped over, for the list of what was not read."""
        return Declaration("untold", what, self.source, begin, self.at)

    def _declarator(self, headers: tuple[int, ...], constraints: tuple[int, ...]) -> Declaration | None:
        """A function or a variable."""
        begin, special = self.at, None
        while self.at < self.end:
            token, before = self.peek(), self.tokens[self.at - 1]
            if self.at > begin and self._starts_another(begin):
                return self._untold(begin, f"{self.tokens[begin]}, a macro without semicolon")
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
        """Whether a declaration starts inside of what looked like one: a macro stands before it."""
        token, before = self.peek(), self.tokens[self.at - 1]
        if token in {"namespace", "using", "static_assert", "typedef"}:
            return True
        if token == "extern":
            return self.peek(1)[:1] == '"'
        if token == "template":
            return before not in {"::", ".", "->"}
        is_lone = self.at == begin + 1 and before.isidentifier() and before not in SPECIFIERS | TYPE_WORDS
        return is_lone and (token in {"struct", "class", "union", "enum"} or token == self.peek(1) == "[")

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

    def _function(
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
            self.at = self.angles(self.at) if self.opens_angles() else self.over()
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
        return Declaration(
            "variable", name, self.source, begin, end, headers, (), special, name_at + 1, None, is_static
        )
