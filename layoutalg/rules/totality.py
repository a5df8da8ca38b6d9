"""Whether a value is there at every point of the domain, also where a branch or a guard does not ask for it.

``x // K`` is not where K may be 0, an entry of a table is not beyond its end, ``a ^ b`` is not of what may be
negative. What is rearranged must be there at every point.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"x": 64}, {"K": (0, 9)})
>>> form = NormalForm(domain)
>>> guarded = form.of(parse("select(0 < K, x // K, 7)", domain))
>>> is_total(form, guarded), is_total(form, form.of(parse("x // 8 < 3", domain)))
(False, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["is_total"]


def is_total(form: NormalForm, value: Condition | Polynomial) -> bool:
    """Whether every operation in it is defined at every point of the domain, by ranges alone."""
    if isinstance(value, Condition):
        return all(is_total(form, part) for part in value.parts)
    return all(_is_total_letter(form, letter) for letter in value.letters)


def _is_total_letter(form: NormalForm, letter: int) -> bool:
    if letter not in form.total_letters:
        atom = form.atoms[letter]
        lowest = {"floor": (1,), "trunc": (1,), "left": (1,), "digit": (1, 2)}.get(atom.kind, ())
        parts = [part for part in atom.operands if isinstance(part, Condition | Polynomial)]
        found = atom.kind not in ("entry", "run") and all(is_total(form, part) for part in parts)
        found = found and all(form.bounds.interval(atom.operands[place]).low >= 1 for place in lowest)
        if atom.kind in ("xor", "and", "power_of_two"):
            numbers = [part for part in parts if isinstance(part, Polynomial)]
            found = found and all(form.bounds.interval(form.digits.split(n)).low >= 0 for n in numbers)
        form.total_letters[letter] = found
    return form.total_letters[letter]
