"""Terms: index formulas exactly as they will be computed and printed.

SymPy rebuilds what it is given (``8*(x + y)`` becomes ``8*x + 8*y``), so the cheapest way to compute an
index cannot live in a SymPy expression. A term is never rebuilt: equal terms are one value that a
program computes once.

>>> x, y = Term.symbol("x"), Term.symbol("y")
>>> str(Term.product(Term.integer(8), Term.sum(x, y)))
'8*(x + y)'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["CONDITIONS", "Piece", "Printer", "Term"]

CONDITIONS = {"<", "<=", "==", "!=", "and", "or", "not"}  # operations that make no integer

LEAVES = ("integer", "symbol", "table")
CALLS = ("min", "max", "select", "trunc_div", "trunc_mod")  # written as functions of their operands


class Term:
    """An operation on terms: ``op`` is ``integer``, ``symbol``, an operator of Python's, or a call.

    A table at an index is ``entry``: its first operand is the table (``table``, or its name as a symbol).
    ``run_of`` has a table and a value, and may say how many entries there are to search.

    ``size`` counts operations and operands, shared ones as often as they occur.
    """

    __slots__ = ("_hash", "_text", "args", "op", "size")

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self.op = op
        self.args = args
        self._hash = hash((op, args))
        self._text: str | None = None
        self.size = 1
        if op not in LEAVES:
            for part in args:
                self.size += part.size

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
            self._text = _PYTHON.whole(self)
        return self._text

    @classmethod
    def integer(cls, number: int) -> Term:
        """A number; small ones are met again and again."""
        found = _SMALL.get(number)
        return cls("integer", (number,)) if found is None else found

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
        return () if self.op in LEAVES else self.args

    @property
    def as_integer(self) -> int | None:
        return int(self.args[0]) if self.op == "integer" else None

    @property
    def sign_and_size(self) -> tuple[int, Term]:
        """-1 and the term without its minus, or 1 and the term itself."""
        if not self.is_negated:
            return 1, self
        if self.op == "integer":
            return -1, Term.integer(-self.args[0])
        number, *others = self.args
        return -1, Term.product(Term.integer(-number.args[0]), *others)

    @property
    def is_negated(self) -> bool:
        """Whether it is written with a minus before it."""
        if self.op == "integer":
            return bool(self.args[0] < 0)
        return self.op == "*" and self.args[0].op == "integer" and self.args[0].args[0] < 0

    @property
    def is_complement(self) -> bool:
        """Whether this is ``~n``, which is ``-n - 1``."""
        if self.op != "+" or len(self.args) != 2:
            return False
        first, second = self.args
        return second.as_integer == -1 and first.is_negated

    def walk(self) -> Iterator[Term]:
        """Every distinct term below and including this one, operands before operations."""
        seen: set[Term] = set()
        stack = [(self, False)]
        while stack:
            term, ready = stack.pop()
            if term in seen:
                continue
            if ready or term.op in LEAVES:
                seen.add(term)
                yield term
            else:
                stack.append((term, True))
                stack += [(part, False) for part in reversed(term.args)]


class Piece(NamedTuple):
    """The text of a term, how strongly it binds, and in a typed language the bits of its type."""

    text: str
    level: int
    bits: int = 0


class Printer:
    """Terms as text of a language that has operators.

    ``operators``: how strongly each binds, and what stands between its operands. Inside any other operation,
    parentheses stand around what binds less than ``loose``.
    """

    def __init__(self, operators: Mapping[str, tuple[int, str]], *, loose: int = 0) -> None:
        self.operators = operators
        self.loose = loose
        self.atom = 1 + max(level for level, _ in operators.values())

    def piece(self, term: Term) -> Piece:
        """The text of a term by itself, as an operand of whatever is around it."""
        if term.op == "integer":
            return Piece(str(term.args[0]), 0 if term.args[0] < 0 else self.atom)
        if term.op == "symbol":
            return Piece(term.args[0], self.atom)
        if term.op == "table":
            return Piece(term.args[0].name, self.atom)
        if term.op == "entry":
            name, *index = (self.within(self.piece(part), 0) for part in term.args)
            return Piece(f"{name}[{', '.join(index)}]", self.atom)
        if term.op == "run_of":
            return Piece(
                f"run_of({', '.join(self.within(self.piece(part), 0) for part in term.args)})", self.atom
            )
        if term.op == "+":
            return self.sum(term)
        return self.operation(term)

    def within(self, piece: Piece, level: int) -> str:
        """A piece as an operand of something that binds as strongly as ``level``; 0 stands alone."""
        is_weak = piece.level < level or (level > 0 and piece.level < self.loose)
        return f"({piece.text})" if is_weak else piece.text

    def operation(self, term: Term) -> Piece:
        """An operator between operands, the first ones first."""
        result, *others = self.operands(term)
        for count, other in enumerate(others, start=2):
            result = self.joined(result, other, term, count)
        return result

    def operands(self, term: Term) -> list[Piece]:
        """The texts of what an operator stands between; a language that computes them lazily says so here."""
        return list(map(self.piece, term.args))

    def sum(self, term: Term) -> Piece:
        """Summands, each with its sign."""
        level = self.operators["+"][0]
        sign, size = term.args[0].sign_and_size
        result = self.piece(size)
        if sign < 0:
            leading = size.args[0] if size.op == "*" else size
            is_tight = leading.op in ("//", "%")  # or the minus would be that of the number alone
            result = self.negative(
                Piece(f"-{self.within(result, level + 1 + is_tight)}", level), result, term
            )
        for count, part in enumerate(term.args[1:], start=2):
            sign, size = part.sign_and_size
            result = self.joined(result, self.piece(size), term, count, " - " if sign < 0 else None)
        return result

    def negative(self, negated: Piece, piece: Piece, term: Term) -> Piece:
        """The first summand of a sum with its minus; a typed language says here of which type it is."""
        del piece, term
        return negated

    def joined(self, left: Piece, right: Piece, term: Term, count: int, sign: str | None = None) -> Piece:
        """The first ``count`` operands of a term, all but the last of them joined already."""
        del count
        level, between = self.operators[term.op]
        text = f"{self.within(left, level)}{sign or between}{self.within(right, level + 1)}"
        return Piece(text, level)


class _Python(Printer):
    """Python's operators, which every term prints itself with; parts keep their texts."""

    def piece(self, term: Term) -> Piece:
        op = term.op
        if op in CALLS:
            return Piece(f"{op}({', '.join(map(str, term.args))})", self.atom)
        if op in ("entry", "run_of"):
            return super().piece(term)
        if term.parts:
            return Piece(str(term), self.operators[op][0])
        return super().piece(term)

    def whole(self, term: Term) -> str:
        """The text of a term, worked out anew from those of its parts."""
        if term.op == "not":
            return f"not {self.within(self.piece(term.args[0]), self.operators['not'][0] + 1)}"
        if term.op == "*" and term.args[0].as_integer == -1:
            level, between = self.operators["*"]
            return "-" + between.join(self.within(self.piece(part), level + 1) for part in term.args[1:])
        if term.parts and term.op not in (*CALLS, "entry", "run_of"):
            return (self.sum if term.op == "+" else self.operation)(term).text
        return self.piece(term).text


def _operators(*levels: str) -> dict[str, tuple[int, str]]:
    return {op: (level, f" {op} ") for level, ops in enumerate(levels) for op in ops.split()}


_OPERATORS = _operators("or", "and", "not", "< <= == !=", "|", "^", "&", "<< >>", "+", "// %")
_OPERATORS |= {"*": (9, "*"), "exact": (9, " // ")}
_PYTHON = _Python(_OPERATORS)


_SMALL = {number: Term("integer", (number,)) for number in range(-16, 257)}
