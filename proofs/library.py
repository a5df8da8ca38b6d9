"""Every theorem the package rests on or ships, in one list: transforms, rewrite rules, tiled softmax."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.prove import prove
from layoutalg.proofs.smt.solvers import Z3
from layoutalg.proofs.theorems.lemmas import LEMMAS, Lemma
from layoutalg.proofs.theorems.softmax import softmax_identities
from layoutalg.proofs.theorems.theorem import is_over_words, row_question
from layoutalg.reading.near_names import near_hint
from layoutalg.rules.table import RULES
from layoutalg.verdict import Proved

if TYPE_CHECKING:
    from layoutalg.proofs.theorems.softmax import Identity
    from layoutalg.rules.rule import Rule

__all__ = ["Entry", "entries"]

THEOREM = 20_000_000  # Z3 steps for a row of the rule table


@dataclass(frozen=True)
class Entry:
    """A theorem: ``prove`` gives the member that proves it, or None."""

    name: str
    kind: str
    condition: str
    prove: Callable[[], str | None]


def entries(kind: str | None = None) -> Iterator[Entry]:
    """The theorems, or those of one kind: a transform's, ``rule`` or ``softmax``.

    >>> [entry.prove() for entry in entries("pass_through")]
    ['normal form', 'digits', 'digits']
    """
    found = [*map(_of_lemma, LEMMAS), *map(_of_rule, RULES), *map(_of_identity, softmax_identities())]
    kinds = dict.fromkeys(entry.kind for entry in found)
    if kind is not None and kind not in kinds:
        raise LayoutError(f"there are no lemmas about {kind!r}", hint=near_hint(kind, kinds))
    return (entry for entry in found if kind in (None, entry.kind))


def _of_lemma(lemma: Lemma) -> Entry:
    def by() -> str | None:
        verdict = prove(lemma.claim)
        return verdict.by if isinstance(verdict, Proved) else None

    return Entry(lemma.name, lemma.kind, lemma.condition or "all", by)


def _of_rule(rule: Rule) -> Entry:
    def by() -> str | None:
        return "z3" if Z3.ask(row_question(rule), THEOREM).verdict == "unsat" else None

    numbers = "words of 10 bits" if is_over_words(rule) else "all integers"
    condition = f"{numbers} with {rule.when}" if rule.when else numbers
    return Entry(f"{rule.name}: {rule.before} = {rule.after}", "rule", condition, by)


def _of_identity(identity: Identity) -> Entry:
    def by() -> str | None:
        return "induction" if identity.is_proved else None

    return Entry(f"{identity.number} {identity.name}", "softmax", "reals, any number of tiles", by)
