"""Names for what is the same in all lanes of a workgroup, so that formulas stay readable.

A tile partitioner, or the remap of workgroups to the dies of an MI300, is a long formula of workgroup and
sizes; it stands in every address of a kernel. Here it gets a name, once, and addresses are told with it.

>>> from layoutalg.codegen.gfx9.lifting.word_formulas import Words
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> sizes = {"M": (1, 9999), "stride": (1, 9999)}
>>> words = Words(NormalForm(Domain.of({"lane": 64, "workgroup_x": 999}, sizes)))
>>> form = words.form
>>> tiles = form.divided(form.symbol("M").plus(255), form.integer(256))
>>> row = form.remainder(form.symbol("workgroup_x"), tiles)
>>> names = UniformNames(words, lambda p: str(p) if len(p.terms) > 1 else "short")
>>> address = form.symbol("stride") * row.scaled(256) + words.lane.scaled(16)
>>> short = names.shortened(address)
>>> len(short.terms), list(names.definitions)
(2, ['uniform_1'])
"""

from __future__ import annotations

import math
from collections.abc import Callable

from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Monomial, Polynomial

__all__ = ["UniformNames"]

LONG = 32  # characters from which on a formula gets a name
PLAIN = ("axis", "parameter")
VARYING = ("lane", "wave")


class UniformNames:
    """The names given so far; ``definitions``: what each stands for, as text."""

    def __init__(self, words: Words, text: Callable[[Polynomial], str]) -> None:
        self.words = words
        self.text = text
        self.definitions: dict[str, str] = {}
        self._letters: dict[Polynomial, Polynomial] = {}

    def shortened(self, polynomial: Polynomial) -> Polynomial:
        """With a name in place of each long part that is times the same sizes."""
        parts: dict[Monomial, dict[Monomial, int]] = {}
        found: dict[Monomial, int] = {}
        for monomial, factor in polynomial:
            sizes = tuple(x for x in monomial if self.words.form.atoms[x].kind == "parameter")
            rest = tuple(x for x in monomial if x not in sizes)
            if rest and all(map(self._is_uniform, rest)):
                parts.setdefault(sizes, {})[rest] = factor
            else:
                found[monomial] = factor
        total = Polynomial(found)
        for sizes, part in parts.items():
            common = math.gcd(*part.values())
            one = Polynomial({monomial: factor // common for monomial, factor in part.items()})
            total = total + Polynomial({sizes: common}) * self._named(one)
        return total

    def shortened_condition(self, condition: Condition) -> Condition:
        """A condition with names in its comparisons."""
        parts = tuple(
            self.shortened(part) if isinstance(part, Polynomial) else self.shortened_condition(part)
            for part in condition.parts
        )
        return Condition(condition.kind, parts)

    def _is_uniform(self, letter: int) -> bool:
        """Whether a letter is an operation on workgroup and sizes alone."""
        words = self.words
        bases = words.bases_of(letter)
        if bases & words.opaque.keys() or letter in words.truths:
            return False
        names = {str(words.form.atoms[base].operands[0]) for base in bases}
        return all(words.form.atoms[base].kind in PLAIN for base in bases) and not any(
            name in VARYING or name.startswith("turn") for name in names
        )

    def _named(self, one: Polynomial) -> Polynomial:
        found = self._letters.get(one)
        if found is None:
            text = self.text(one)
            found = one
            if len(text) > LONG:
                name = f"uniform_{len(self.definitions) + 1}"
                self.definitions[name] = text
                found = self.words.letter(name, None, None)
            self._letters[one] = found
        return found
