"""Reading an index back from an offset: one-to-one and onto, by the digits the offset is made of.

An offset ``8*a + 2*b + c`` with ``c`` in 0..1, ``b`` in 0..3 and ``a`` in 0..9 can be read like a
number: each digit is worth more than all smaller digits together, so the digits, and with them the
index, can be recovered. Scales and bases may be symbolic, and gaps (padding) do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

if TYPE_CHECKING:
    from layoutalg.index import Table
    from layoutalg.rules import NormalForm
    from layoutalg.rules.atoms import Atom

__all__ = ["Place", "Reading", "ends_of", "read_places"]

TRIES = 500  # orders of places looked at before giving up


@dataclass(frozen=True)
class Place:
    """A letter of an offset: its scale without sign, and how far it ranges above its lowest value."""

    letter: int
    scale: Polynomial
    width: Polynomial  # in axes too where the digit's base is
    is_negative: bool

    def above(self, form: NormalForm) -> Polynomial:
        """How far the letter is above its lowest value; of a negative place, below its highest."""
        letter, (lower, upper) = Polynomial.letter(self.letter), ends_of(form, self.letter)
        assert lower is not None
        assert upper is not None
        return upper - letter if self.is_negative else letter - lower


def read_places(form: NormalForm, output: Polynomial) -> list[Place] | None:
    """The places of an offset, or None where it is no sum of scaled digits of known sign."""
    factors: dict[int, Polynomial] = {}
    for monomial, coefficient in form.digits.split(output):
        varying = [letter for letter in monomial if not form.atoms[letter].is_uniform]
        fixed = tuple(letter for letter in monomial if form.atoms[letter].is_uniform)
        if len(varying) > 1:
            return None
        if varying:
            found = factors.get(varying[0], ZERO)
            factors[varying[0]] = found + Polynomial({fixed: coefficient})
    places = []
    for letter, factor in factors.items():
        lower, upper = ends_of(form, letter)
        if lower is None or upper is None:
            return None
        negative = form.bounds.is_positive(-factor)
        if not negative and not form.bounds.is_positive(factor):
            return None
        exact = form.atoms[letter].upper
        if not negative and exact is not None and not form.atoms.is_uniform(exact):
            upper = exact  # a negative place is counted from its highest value, which must be fixed
        places.append(Place(letter, -factor if negative else factor, upper - lower, negative))
    return places


def ends_of(form: NormalForm, letter: int) -> tuple[Polynomial | None, Polynomial | None]:
    """The lowest and the highest value of a letter, facts about it alone taken into account.

    A digit of a padded dimension runs over the pads too; where the index is valid it does not.
    """
    value = Polynomial.letter(letter)
    lower, upper = form.bounds.lower(value), form.bounds.upper(value)
    for fact in form.bounds.facts:
        split = form.digits.split(fact)
        factor = split.coefficient(letter)
        rest = split.without(letter)
        if factor is None or not form.atoms.is_uniform(rest):
            continue
        if factor == ONE and (lower is None or form.bounds.is_nonnegative(-rest - lower)):
            lower = -rest
        elif factor == -ONE and (upper is None or form.bounds.is_nonnegative(upper - rest)):
            upper = rest
    return lower, upper


def ordered(form: NormalForm, places: list[Place], *, by_facts: bool = False) -> list[Place] | None:
    """The places from smallest to largest, each worth more than all before together ever are.

    ``by_facts``: facts that tie them are asked too, which takes longer; ``256*it + tid < N // 4`` keeps both
    below a scale that their ranges exceed.
    """
    tries = [TRIES]

    def extend(
        done: list[Place], rest: list[Place], reach: Polynomial, sum_: Polynomial
    ) -> list[Place] | None:
        if not rest:
            return done
        for place in rest:
            tries[0] -= 1
            if tries[0] < 0:
                return None
            if form.bounds.is_less(reach, place.scale) or is_less_by_facts(sum_, place.scale):
                others = [other for other in rest if other is not place]
                above = place.scale * place.above(form)
                found = extend([*done, place], others, reach + place.scale * place.width, sum_ + above)
                if found is not None:
                    return found
        return None

    def is_less_by_facts(sum_: Polynomial, scale: Polynomial) -> bool:
        return by_facts and bool(form.bounds.facts) and form.bounds.is_less(sum_, scale)

    by_size = sorted(places, key=lambda place: (_degree(place.scale), _total(place.scale)))
    return extend([], by_size, ZERO, ZERO)


def _degree(polynomial: Polynomial) -> int:
    return max((len(monomial) for monomial in polynomial.terms), default=0)


def _total(polynomial: Polynomial) -> int:
    return sum(polynomial.terms.values())


class Reading:
    """What can be read back of a map's outputs: letters and polynomials whose value is known."""

    asks_facts = False  # whether facts may order the places

    def __init__(self, form: NormalForm, outputs: list[Polynomial]) -> None:
        self.form = form
        self.known: set[int] = set()
        self._undone: set[int] = set()
        self.waiting = list(outputs)
        while any(self._read(output) for output in tuple(self.waiting)):
            pass

    def is_known(self, polynomial: Polynomial) -> bool:
        """Whether the value of a polynomial follows from what was read."""
        return all(map(self._is_letter_known, self.form.digits.split(polynomial).letters))

    def knows_axis(self, name: str) -> bool:
        """Whether the axis itself, or all its digits, were read."""
        (letter,) = self.form.symbol(name).letters
        return self._is_letter_known(letter)

    def _is_letter_known(self, letter: int) -> bool:
        if letter in self.known:
            return True
        atom = self.form.atoms[letter]
        if atom.is_uniform:
            return True
        if atom.kind == "axis":
            return self._has_one_value(letter) or self._digits_known(letter)
        operands = [part for part in atom.operands if isinstance(part, Polynomial)]
        if atom.kind == "entry":
            return all(map(self.is_known, operands))
        return len(operands) == len(atom.operands) and all(map(self.is_known, operands))

    def _has_one_value(self, letter: int) -> bool:
        atom = self.form.atoms[letter]
        return atom.lower is not None and atom.lower == atom.upper

    def _digits_known(self, letter: int) -> bool:
        return self.known_digits(letter) is not None

    def known_digits(self, letter: int) -> list[tuple[int, Polynomial]] | None:
        """Known digits of an axis with their scales, one after another up to the last; None if some lack."""
        axis, number = self.form.atoms[letter], Polynomial.letter(letter)
        chains: list[tuple[Polynomial, list[tuple[int, Polynomial]]]] = [(ONE, [])]
        while chains:
            scale, chain = chains.pop()
            top = self.form.atoms.find("floor", (number, scale))
            if top is not None and top.as_letter in self.known:
                return [*chain, (top.as_letter, scale)]
            if scale != ONE and self._is_below(axis, scale):
                return chain
            for known in sorted(self.known):
                atom = self.form.atoms[known]
                if atom.kind == "digit" and atom.operands[:2] == (number, scale):
                    chains.append((scale * atom.operands[2], [*chain, (known, scale)]))
        return None

    def _is_below(self, axis: Atom, end: Polynomial) -> bool:
        if axis.lower is None or axis.upper is None:
            return False
        bounds = self.form.bounds
        return bounds.is_nonnegative(axis.lower) and bounds.is_less(axis.upper, end)

    def _read(self, output: Polynomial) -> bool:
        """Read one output, without what is known already; True if something new came out."""
        split = self.form.digits.split(output)
        unknown = Polynomial({m: c for m, c in split if not all(map(self._is_letter_known, m))})
        places = read_places(self.form, unknown)
        in_order = None if places is None else ordered(self.form, places, by_facts=self.asks_facts)
        if in_order is None:
            return self._read_signed(output, split, unknown) or self._read_run(output, split, unknown)
        self.waiting.remove(output)
        self.learn(output, split - unknown, in_order)
        self.known |= {place.letter for place in in_order}
        self._undo_xors()
        self._undo_entries()
        self._undo_quotients()
        return True

    def _read_signed(self, output: Polynomial, split: Polynomial, unknown: Polynomial) -> bool:
        """Read one letter that is added or taken away as known letters say: a bit flipped by a bit."""
        letters = [letter for letter in unknown.letters if not self._is_letter_known(letter)]
        sign = unknown.coefficient(letters[0]) if len(letters) == 1 else None
        if sign is None or unknown.without(letters[0]) or not self._is_sign(sign):
            return False
        self.waiting.remove(output)
        self.learn_signed(output, split - unknown, letters[0], sign)
        self.known.add(letters[0])
        return True

    def _read_run(self, output: Polynomial, split: Polynomial, unknown: Polynomial) -> bool:
        """Read the index of an entry to which less is added than there is up to the next entry."""
        for letter in self.form.atoms.of_kind("entry", unknown):
            table, *index = self.form.atoms[letter].operands
            is_run = table.step is not None and None not in (table.first, table.last) and len(index) == 1
            step = Polynomial.constant(table.multiple_of)
            if not is_run or letter in self._undone or unknown.coefficient(letter) != step:
                continue
            rest, entry = unknown.without(letter), step * Polynomial.letter(letter)
            try:
                following = self.form.entry(table, [index[0].plus(1)])
            except LayoutError:
                continue
            bounds = self.form.bounds
            if bounds.is_nonnegative(rest) and bounds.is_less(entry + rest, following):
                self._undone.add(letter)
                self.learn_run(output, split - unknown, table, index[0])
                self.waiting.append(index[0])
                return True
        return False

    def learn_run(self, output: Polynomial, known: Polynomial, table: Table, index: Polynomial) -> None:
        """Called when an output, less its known part, lies in the run of a table that an index names."""

    def _is_sign(self, polynomial: Polynomial) -> bool:
        """Whether the value is 1 or -1: odd, and within these."""
        odd = polynomial.terms.get((), 0) % 2 == 1
        rest_even = all(coefficient % 2 == 0 for monomial, coefficient in polynomial if monomial)
        bounds = self.form.bounds
        within = bounds.is_nonnegative(polynomial.plus(1)) and bounds.is_nonnegative((-polynomial).plus(1))
        return odd and rest_even and within

    def learn_signed(self, output: Polynomial, known: Polynomial, letter: int, sign: Polynomial) -> None:
        """Called when an output, less its known part, is a letter times 1 or -1."""

    def learn(self, output: Polynomial, known: Polynomial, places: list[Place]) -> None:
        """Called when an output, less its known part, gives the digits at these places, smallest first."""

    def undo(self, xor: int, unknown: Polynomial, others: list[Polynomial]) -> None:
        """Called when a known xor and all its operands but one give that one."""

    def undo_entry(self, letter: int, number: int) -> None:
        """Called when an entry of a table without equal entries gives component ``number`` of its index."""

    def undo_quotient(self, quotient: int, digit: int | None) -> None:
        """Called when a known quotient and remainder (None for 0) by a known divisor give their number."""

    def _undo_quotients(self) -> None:
        for quotient in sorted(self.known):
            atom = self.form.atoms[quotient]
            if atom.kind != "floor" or self.is_known(atom.operands[0]) or not self.is_known(atom.operands[1]):
                continue
            number, divisor = atom.operands
            digit = self.form.atoms.find("digit", (number, ONE, divisor))
            is_told = digit is not None and digit.letters <= self.known
            if number not in self.waiting and (is_told or self._divides(divisor, number, quotient)):
                self.undo_quotient(quotient, digit.as_letter if digit is not None and is_told else None)
                self.waiting.append(number)

    def _divides(self, divisor: Polynomial, number: Polynomial, quotient: int) -> bool:
        """Whether facts say that nothing is left over."""
        bounds, rest = self.form.bounds, number - divisor * Polynomial.letter(quotient)
        return bool(bounds.facts) and bounds.is_nonnegative(-rest)

    def _undo_entries(self) -> None:
        for letter in sorted(self.known):
            atom = self.form.atoms[letter]
            if atom.kind != "entry" or not atom.operands[0].is_one_to_one or letter in self._undone:
                continue
            self._undone.add(letter)
            for number, component in enumerate(atom.operands[1:]):
                self.undo_entry(letter, number)
                self.waiting.append(component)

    def _undo_xors(self) -> None:
        for letter in sorted(self.known):
            atom = self.form.atoms[letter]
            if atom.kind != "xor":
                continue
            unknown = [operand for operand in atom.operands if not self.is_known(operand)]
            if len(unknown) == 1 and unknown[0] not in self.waiting:
                self.undo(letter, unknown[0], [part for part in atom.operands if part != unknown[0]])
                self.waiting += unknown
