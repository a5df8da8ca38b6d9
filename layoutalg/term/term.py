"""Terms: index formulas exactly as they will be computed and printed.

SymPy rebuilds what it is given (``8*(x + y)`` becomes ``8*x + 8*y``), so the cheapest way to compute an
index cannot live in a SymPy expression. A term is never rebuilt: equal terms are one value that a
program computes once.

>>> x, y = Term.symbol("x"), Term.symbol("y")
>>> str(Term.product(Term.integer(8), Term.sum(x, y)))
'8*(x + y)'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from layoutalg.errors import LayoutError
from layoutalg.term.balance import balanced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["OPERATIONS", "Interpretation", "Term", "interpret_term"]

Value = TypeVar("Value")

_LEVEL = {"or": 0, "and": 1, "not": 2, "<": 3, "<=": 3, "==": 3, "!=": 3, "|": 4, "^": 5, "&": 6}
_LEVEL |= {"<<": 7, ">>": 7, "+": 8, "*": 9, "//": 9, "exact": 9, "%": 9}
OPERATIONS = {
    "//": "quotient",
    "exact": "exact_quotient",
    "%": "remainder",
    "^": "bit_xor",
    "&": "bit_and",
    "|": "bit_or",
    "<<": "shift_left",
    ">>": "shift_right",
    "min": "minimum",
    "max": "maximum",
    "<": "less",
    "<=": "less_equal",
    "==": "equal",
    "and": "both",
}


class Term:
    """An operation on terms: ``op`` is ``integer``, ``symbol``, an operator of Python's, or a call.

    ``size`` counts operations and operands, shared ones as often as they occur.
    """

    __slots__ = ("_hash", "_text", "args", "op", "size")

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self.op = op
        self.args = args
        self._hash = hash((op, args))
        self._text: str | None = None
        self.size = 1 if op in ("integer", "symbol") else 1 + sum(part.size for part in args)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Term)
            and self._hash == other._hash
            and self.op == other.op
            and self.args == other.args
        )

    def __repr__(self) -> str:
        return f"Term({self})"

    def __str__(self) -> str:
        if self._text is None:
            self._text = _text(self)
        return self._text

    @classmethod
    def integer(cls, number: int) -> Term:
        return cls("integer", (number,))

    @classmethod
    def symbol(cls, name: str) -> Term:
        return cls("symbol", (name,))

    @classmethod
    def sum(cls, *terms: Term) -> Term:
        """A flat sum with its numbers added up last."""
        flat, number = [], 0
        for term in terms:
            for part in term.args if term.op == "+" else (term,):
                if part.op == "integer":
                    number += part.args[0]
                else:
                    flat.append(part)
        if number or not flat:
            flat.append(cls.integer(number))
        return flat[0] if len(flat) == 1 else cls("+", tuple(flat))

    @classmethod
    def product(cls, *factors: Term) -> Term:
        """A flat product with its number first."""
        flat, number = [], 1
        for factor in factors:
            for part in factor.args if factor.op == "*" else (factor,):
                if part.op == "integer":
                    number *= part.args[0]
                else:
                    flat.append(part)
        if number == 0 or not flat:
            return cls.integer(number)
        if number != 1:
            flat.insert(0, cls.integer(number))
        return flat[0] if len(flat) == 1 else cls("*", tuple(flat))

    @property
    def parts(self) -> tuple[Term, ...]:
        """The terms directly below."""
        return () if self.op in ("integer", "symbol") else self.args

    @property
    def as_integer(self) -> int | None:
        return int(self.args[0]) if self.op == "integer" else None

    @property
    def sign_and_size(self) -> tuple[int, Term]:
        """-1 and the term without its minus, or 1 and the term itself."""
        if self.op == "integer" and self.args[0] < 0:
            return -1, Term.integer(-self.args[0])
        if self.op == "*" and self.args[0].op == "integer" and self.args[0].args[0] < 0:
            return -1, Term.product(Term.integer(-1), self)
        return 1, self

    def walk(self) -> Iterator[Term]:
        """Every distinct term below and including this one, operands before operations."""
        seen: set[Term] = set()
        stack = [(self, False)]
        while stack:
            term, ready = stack.pop()
            if term in seen:
                continue
            if ready:
                seen.add(term)
                yield term
            else:
                stack.append((term, True))
                stack.extend((part, False) for part in reversed(term.parts))


def _spell(term: Term, level: int) -> str:
    """The text of a term as an operand of something that binds as strongly as ``level``."""
    if term.op == "integer":
        number = str(term.args[0])
        return f"({number})" if term.args[0] < 0 and level else number
    return f"({term})" if _LEVEL.get(term.op, level) < level else str(term)


def _text(term: Term) -> str:
    """The text of a term by itself."""
    if term.op in ("integer", "symbol"):
        return str(term.args[0])
    if term.op in ("min", "max", "select"):
        return f"{term.op}({', '.join(_spell(part, 0) for part in term.args)})"
    if term.op == "not":
        return f"not {_spell(term.args[0], _LEVEL['not'] + 1)}"
    mine = _LEVEL[term.op]
    if term.op == "+":
        return _spell_sum(term)
    if term.op == "*":
        text = "*".join(_spell(part, mine + (i > 0)) for i, part in enumerate(term.args))
        return f"-{text.removeprefix('-1*').removeprefix('(-1)*')}" if _is_minus(term) else text
    spelled = "//" if term.op == "exact" else term.op
    return f" {spelled} ".join(_spell(part, mine + (i > 0)) for i, part in enumerate(term.args))


def _is_minus(term: Term) -> bool:
    return bool(term.args[0].op == "integer" and term.args[0].args[0] == -1)


def _spell_sum(term: Term) -> str:
    text = ""
    for part in term.args:
        sign, size = part.sign_and_size
        if text:
            text += " - " if sign < 0 else " + "
        elif sign < 0:
            text += "-"
        is_first = text in ("", "-")
        leading = size.args[0] if size.op == "*" else size
        tight = is_first and sign < 0 and leading.op in ("//", "%")  # or the minus would be x's
        text += _spell(size, _LEVEL["*"] + 1 if tight else _LEVEL["+"] + 1)
    return text


def interpret_term(term: Term, on: Arithmetic[Value], leaf: Callable[[str], Value]) -> Value:
    """The value of a term in an arithmetic; ``leaf`` gives the value of each symbol by name."""
    return Interpretation(on, leaf).value(term)


class Interpretation:
    """Computes terms in one arithmetic, equal terms once."""

    def __init__(self, on: Arithmetic[Any], leaf: Callable[[str], Any]) -> None:
        self.on = on
        self.leaf = leaf
        self.seen: dict[Term, Any] = {}

    def value(self, term: Term) -> Any:
        """The value of a term."""
        if term not in self.seen:
            self.seen[term] = self._compute(term)
        return self.seen[term]

    def _compute(self, term: Term) -> Any:
        on, args = self.on, term.args
        if term.op == "integer":
            return on.integer(args[0])
        if term.op == "symbol":
            return self.leaf(args[0])
        if term.op == "select":
            condition, first, second = args
            chosen = self.value(condition)
            return on.select(
                chosen,
                lambda: Interpretation(on, self.leaf).value(first),
                lambda: Interpretation(on, self.leaf).value(second),
            )
        values = [self.value(part) for part in args]
        if term.op in ("+", "*"):
            return balanced(on.add if term.op == "+" else on.mul, values)
        if term.op == "not":
            return on.negation(values[0])
        if term.op == "!=":
            return on.negation(on.equal(*values))
        if term.op == "or":
            return on.negation(on.both(*(on.negation(value) for value in values)))
        if term.op in OPERATIONS:
            return getattr(on, OPERATIONS[term.op])(*values)
        msg = f"no operation is called {term.op}"
        raise LayoutError(msg)
