"""What sizes must satisfy for a formula to hold: the ends of their ranges, and the facts about them.

>>> found = size_facts(Domain.of({"i": "K"}, {"M": (1, None), "K": (8, 64, 8)}))
>>> [str(fact) for fact in found]
['1 <= M', '8 <= K', 'K <= 64', 'K % 8 == 0']
"""

from __future__ import annotations

from layoutalg.domain import Domain, Variable
from layoutalg.index.table import tables_in
from layoutalg.term import Term
from layoutalg.term.as_terms import to_term

__all__ = ["size_facts", "sizes_in_words"]


def size_facts(domain: Domain) -> tuple[Term, ...]:
    """Conditions on parameters alone, in an order in which each is defined where those before it hold.

    What is said of entries of tables is not among them: tables are not there when sizes are prepared.
    """
    ranges = [fact for size in domain.parameters for fact in _ends(size)]
    return (*ranges, *(_without_not(to_term(fact)) for fact in _facts_of_sizes(domain)))


def sizes_in_words(domain: Domain) -> str:
    """The same in one line: ``8 <= K <= 64, K % 8 == 0``."""
    return ", ".join(map(str, (*domain.parameters, *_facts_of_sizes(domain))))


def _facts_of_sizes(domain: Domain) -> list[object]:
    sizes = {size.symbol for size in domain.parameters}
    return [fact for fact in domain.facts if fact.free_symbols <= sizes and not tables_in(fact)]


def _ends(size: Variable) -> list[Term]:
    name, found = Term.symbol(size.name), []
    if size.lower is not None:
        found.append(Term("<=", (to_term(size.lower), name)))
    if size.upper is not None:
        found.append(Term("<=", (name, to_term(size.upper - 1))))
    if size.multiple_of > 1:
        remainder = Term("%", (name, Term.integer(size.multiple_of)))
        found.append(Term("==", (remainder, Term.integer(0))))
    return found


def _without_not(fact: Term, *, holds: bool = True) -> Term:
    """A condition, or its negation, with ``or`` and turned comparisons in place of ``not``."""
    if fact.op == "not":
        return _without_not(fact.args[0], holds=not holds)
    if fact.op in ("and", "or"):
        op = fact.op if holds else {"and": "or", "or": "and"}[fact.op]
        return Term(op, tuple(_without_not(part, holds=holds) for part in fact.args))
    if holds:
        return fact
    if fact.op in ("<", "<="):
        return Term({"<": "<=", "<=": "<"}[fact.op], tuple(reversed(fact.args)))
    return Term({"==": "!=", "!=": "=="}[fact.op], fact.args)
