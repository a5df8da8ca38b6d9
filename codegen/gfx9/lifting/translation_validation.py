"""Compiled code held to what its kernel claims: each address is claimed, each claimed element is accessed.

What was proved of a kernel's layouts was proved of the text that goes into a compiler. Here the addresses of
what comes out are shown to be the same, for all admissible sizes: each access of the code goes to an element
of a claimed access, where that one is valid, and each element of each claimed access, in every turn in which
it is valid, is accessed by some instruction. Where a loop decides how often a window is gone through, that
often; its elements all alike. (Of a few buffers that turns go around in, each is used.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from layoutalg.codegen.claimed_access import ClaimedAccess, begins_in_lds
from layoutalg.codegen.gfx9.lifting.claimed_elements import ClaimedElement
from layoutalg.codegen.gfx9.lifting.claimed_places import ClaimedPlaces, Found
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.lift import LiftedKernel
from layoutalg.codegen.gfx9.lifting.lifted_access import LiftedAccess, Shown
from layoutalg.codegen.gfx9.lifting.replacement import replaced_in_guard
from layoutalg.errors import LayoutError
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

__all__ = ["TranslationValidation", "validate_translation"]

WORD = 4  # bytes, of which a buffer access makes each or not


@dataclass(frozen=True)
class TranslationValidation:
    """What was shown of each access of the code, and of each claimed access.

    ``by_threads``: by running all threads, where formulas did not show all.
    """

    accesses: tuple[tuple[LiftedAccess, Shown], ...]
    claims: tuple[tuple[ClaimedAccess, Shown], ...]
    by_threads: Shown | None = None

    @property
    def told(self) -> tuple[tuple[LiftedAccess, Shown], ...]:
        """Each access with what was shown; what is claimed and not accessed stands with the first one."""
        first = [access for access, _ in self.accesses[:1]]
        missing = [(access, shown) for access in first for _, shown in self.claims if not shown.is_shown]
        return (*self.accesses, *missing)

    @property
    def is_proved(self) -> bool:
        """Whether the code accesses what the kernel claims, and nothing else."""
        return self.is_shown_by_formulas or (self.by_threads is not None and self.by_threads.is_shown)

    @property
    def is_shown_by_formulas(self) -> bool:
        return all(shown.is_shown for _, shown in (*self.accesses, *self.claims))

    def __bool__(self) -> bool:
        return self.is_proved

    def __str__(self) -> str:
        if self.is_proved:
            by_threads = None if self.is_shown_by_formulas else self.by_threads
            how = f"{len(self.accesses)} accesses" if by_threads is None else by_threads.what
            return f"addresses of the compiled code: proved ({how})"
        lines = [
            f"{access.instruction.text}: {access.formula if access.is_understood else ''}: {shown}"
            for access, shown in self.accesses
            if not shown.is_shown
        ]
        lines += [str(shown) for _, shown in self.claims if not shown.is_shown]
        lines += [] if self.by_threads is None else [str(self.by_threads)]
        return "\n".join(["addresses of the compiled code: not proved", *lines])


@dataclass(frozen=True)
class _Piece:
    """Where an element is accessed: in which turn of the claim, under which guard, in which loops."""

    turn: Polynomial
    holds: int
    loops: tuple[int, ...]


@dataclass
class _Uses:
    """Who uses the elements of a claimed access."""

    places: ClaimedPlaces
    pieces: dict[int, list[_Piece]] = field(default_factory=dict)
    reached: dict[_Piece, int] = field(default_factory=dict)

    def reached_by(self, piece: _Piece) -> int:
        """For which turns of the claim a piece accesses its element, as a guard."""
        if piece not in self.reached:
            self.reached[piece] = _reached(self.places, piece)
        return self.reached[piece]


def validate_translation(claims: Sequence[ClaimedAccess], lifted: LiftedKernel) -> TranslationValidation:
    """Compare what the code of a kernel accesses with what it is claimed to access.

    Refused: kernels without claimed accesses.
    """
    if not claims:
        raise LayoutError(f"{lifted.name}: has no claimed accesses to compare with")
    loops = {loop.letter: loop.last for loop in lifted.loops}
    uses = [_Uses(ClaimedPlaces(claim, lifted.formulas, loops)) for claim in claims]
    arrays = {claim.array for claim in claims}
    accesses = [one for one in lifted.accesses if one.space != "scalar" or one.buffer in arrays]
    shared = [one for one in accesses if one.space == "lds"]
    begins = _begins(claims, shared, uses)
    told = tuple((access, _compared(access, uses, begins)) for access in accesses)
    return TranslationValidation(told, tuple((one.places.claim, _all_used(one)) for one in uses))


def _begins(
    claims: Sequence[ClaimedAccess], shared: Sequence[LiftedAccess], uses: Sequence[_Uses]
) -> Mapping[str, int]:
    """Where arrays begin in the LDS: as most accesses are claimed ones."""
    best: tuple[int, dict[str, int]] = (-1, {})
    for begins in begins_in_lds(claims):
        fitting = 0
        if len(begins) > 1:
            fitting = sum(bool(_elements(one, uses, begins)) for one in shared)
        if fitting > best[0]:
            best = fitting, begins
        if fitting == len(shared):
            break
    return best[1]


def _compared(access: LiftedAccess, uses: Sequence[_Uses], begins: Mapping[str, int]) -> Shown:
    """Whether an access goes to elements of one claimed access; notes which."""
    if not access.is_understood:
        return Shown("as claimed", is_shown=False, missing=access.missing[0])
    found = _elements(access, uses, begins)
    if found is None:
        where = access.buffer or access.space
        return Shown(
            "as claimed", is_shown=False, missing=f"no {access.claimed_way} of {where} is claimed there"
        )
    use, pieces = found
    for holds, one in pieces:
        if one.element is not None:
            use.places.note_use(access.place, one.element, holds)
            use.pieces.setdefault(one.element.number, []).append(_Piece(one.turn, holds, access.loops))
    return Shown("as claimed", is_shown=True)


def _elements(
    access: LiftedAccess, uses: Sequence[_Uses], begins: Mapping[str, int]
) -> tuple[_Uses, list[tuple[int, Found]]] | None:
    """The claimed access that all of an access belongs to, with its elements by guard.

    That a case of the access never happens is asked where no claimed access has all cases: it takes long.
    """
    for is_asked in (False, True):
        for use in uses:
            claim = use.places.claim
            if claim.way != access.claimed_way or claim.is_shared != (access.space == "lds"):
                continue
            if not claim.is_shared and claim.array != access.buffer:
                continue
            pieces = _in(access, use.places, begins.get(claim.array, 0), is_asked=is_asked)
            if pieces is not None:
                return use, pieces
    return None


def _in(
    access: LiftedAccess, places: ClaimedPlaces, begin: int, *, is_asked: bool
) -> list[tuple[int, Found]] | None:
    """The elements of a claimed access that an access is of; None where it is not all of it.

    ``is_asked``: whether a case that goes elsewhere may be one that never happens.
    """
    count, rest = divmod(access.bytes, places.bytes)
    if rest:
        return None
    guards, found = places.words.guards, list[tuple[int, Found]]()
    if access.size is not None and places.bytes > WORD and not _ends_at_multiples(access, places.bytes):
        return None  # half an element may be accessed
    pieces = (
        (guards.both(guards.both(holds, access.active), reached), elements, offset)
        for holds, offset in access.cases
        for reached, elements in _reached_elements(access, offset, count)
    )
    for both, elements, offset in pieces:
        lanes = places.tables.where(both)
        if guards.is_empty(both) or not lanes.any():
            continue
        hint, before = -1, len(found)
        for element in elements:
            at = offset.plus(element * places.bytes - begin)
            alike = places.all_found(at, both, lanes, hint)
            if alike is None:
                if len(found) > before and places.may_be_read_too(at, both):
                    continue
                if is_asked and places.formulas.implied(both, NEVER):  # a case that is none
                    break
                return None
            hint = -1 if (last := alike[-1][1].element) is None else last.number + 1
            found += alike
    return found


def _reached_elements(access: LiftedAccess, offset: Polynomial, count: int) -> Iterator[tuple[int, range]]:
    """Which of an access's elements the hardware reaches, by guard: of a buffer those before its end.

    A word that is not all there is not accessed; an aligned access is made as a whole or not at all.
    """
    size, words = access.size, access.formulas.words
    if size is None:
        yield ALWAYS, range(count)
        return
    is_whole = _ends_at_multiples(access, access.bytes)
    step = count if is_whole else min(count, max(1, count * WORD // access.bytes))
    for first in range(0, count, step):
        end = access.bytes * (first + step) // count
        yield words.compared("nonnegative", size - offset.plus(end), ALWAYS), range(first, first + step)


def _ends_at_multiples(access: LiftedAccess, size: int) -> bool:
    """Whether places of an access of a buffer, and its end, are aligned to so many bytes: it ends between."""
    words, ends = access.formulas.words, [offset for _, offset in access.cases]
    if access.size is not None:
        ends.append(access.size)
    return all(not words.masked(end, size - 1, 64) for end in ends)


def _all_used(use: _Uses) -> Shown:
    """Whether every element of a claimed access is accessed wherever it is there, and as often as claimed."""
    claim, places = use.places.claim, use.places
    what = f"every {claim.way} of {claim.array}"
    first: tuple[Counter[_Piece], ClaimedElement] | None = None
    for element in places.elements:
        pieces = use.pieces.get(element.number, [])
        if not pieces:
            if places.formulas.implied(element.valid, NEVER):  # it is nowhere there
                continue
            return Shown(what, is_shown=False, missing=f"none of {_named(places, element)}")
        alike = Counter(_where_it_is_there(places, element, piece) for piece in pieces)
        if not _covers(use, element, tuple(alike)):
            return Shown(what, is_shown=False, missing=f"not all of {_named(places, element)}")
        if first is None:
            first = alike, element
            if claim.times is not None and not _is_as_often(use, element, alike):
                return Shown(what, is_shown=False, missing=f"not {claim.times} times")
        elif _may_differ(claim, alike, first[0]) and _joined(use, element) != _joined(use, first[1]):
            names = _named(places, first[1]), _named(places, element)
            return Shown(what, is_shown=False, missing=f"{names[0]} and {names[1]} not equally often")
    return Shown(what, is_shown=True)


def _may_differ(claim: ClaimedAccess, one: Counter[_Piece], other: Counter[_Piece]) -> bool:
    """Whether elements of shared memory are not accessed alike, in loops."""
    return claim.is_shared and one != other and any(piece.loops for piece in (*one, *other))


def _where_it_is_there(places: ClaimedPlaces, element: ClaimedElement, piece: _Piece) -> _Piece:
    """A piece without what holds of the element anyhow."""
    guards = places.words.guards
    valid = element.valid if places.turn is None else places.at(element.valid, piece.turn)
    return replace(piece, holds=guards.given(piece.holds, valid))


def _joined(use: _Uses, element: ClaimedElement) -> Counter[_Piece]:
    """An element's pieces; as one those of which a lane goes through one alone, without what is known."""
    places, found = use.places, list[_Piece]()
    guards = places.words.guards
    valid = element.valid
    for piece in use.pieces.get(element.number, []):
        for number, other in enumerate(found):
            is_other = replace(other, holds=piece.holds) == piece
            if is_other and guards.both(other.holds, piece.holds) == NEVER:
                found[number] = replace(piece, holds=guards.either(other.holds, piece.holds))
                break
        else:
            found.append(piece)
    is_turning = places.turn is not None
    return Counter(
        replace(one, holds=ALWAYS) if not is_turning and places.formulas.implied(valid, one.holds) else one
        for one in found
    )


def _is_as_often(use: _Uses, element: ClaimedElement, pieces: Counter[_Piece]) -> bool:
    """Whether the turns of the loops around pieces add up to the number that is claimed."""
    places = use.places
    words, total = places.words, ZERO
    for piece, count in pieces.items():
        made = ONE
        for letter in piece.loops:
            last = places.loops[letter]
            if last is None or letter in words.bases_of_guard(piece.holds):
                return False
            if words.bases(last) & places.loops.keys():  # other turns of one loop in each of another
                return False
            made = made * last.plus(1)
        total = total + (words.truth(piece.holds) * made).scaled(count)
    distance = total - words.form.of(places.claim.times)
    ends = (words.compared("nonnegative", end, ALWAYS) for end in (distance, -distance))
    valid = element.valid if places.turn is None else ALWAYS
    return places.formulas.implied(valid, words.guards.both(*ends))


def _named(places: ClaimedPlaces, element: ClaimedElement) -> str:
    number, found = element.number // len(places.cases), []
    for axis in reversed(places.claim.registers):
        assert axis.upper is not None
        number, value = divmod(number, int(axis.upper))
        found.append(f"{axis.name} = {value}")
    return ", ".join(reversed(found)) or "its elements"


def _covers(use: _Uses, element: ClaimedElement, pieces: Sequence[_Piece]) -> bool:
    """Whether the pieces reach an element in every turn in which it is there.

    Of their guards is left what is not that it is there, so that elements differ in little.
    """
    places = use.places
    guards, reached, count = places.words.guards, NEVER, places.turns.as_integer
    if places.turn is not None and count is not None:  # buffers: each of them in some turn
        return {piece.turn.as_integer for piece in pieces} >= set(range(count))
    for piece in pieces:
        reached = guards.either(reached, use.reached_by(piece))
        if reached == ALWAYS:
            return True
    return places.formulas.implied(element.valid, reached)


def _reached(places: ClaimedPlaces, piece: _Piece) -> int:
    """For which turns of the claim a piece accesses the element, as a guard."""
    guards = places.words.guards
    loops = _loops_of(places, piece)
    if places.turn is None:
        return NEVER if loops else piece.holds
    found = NEVER
    for one in _without_minima(places, piece, loops):
        found = guards.either(found, _reached_by_steps(places, places.turn, one, loops))
    return found


def _without_minima(places: ClaimedPlaces, piece: _Piece, loops: frozenset[int]) -> Iterator[_Piece]:
    """The piece by cases in which the smaller one of two turns is known."""
    words, guards = places.words, places.words.guards
    for letter in piece.turn.letters:
        atom = words.form.atoms[letter]
        if atom.kind != "min" or not words.bases_of(letter) & loops:
            continue
        first, second = atom.operands
        for smaller, larger in ((first, second), (second, first)):
            holds = guards.both(piece.holds, words.compared("nonnegative", larger - smaller, ALWAYS))
            yield from _without_minima(
                places, replace(piece, turn=piece.turn.replaced(letter, smaller), holds=holds), loops
            )
        return
    yield piece


def _reached_by_steps(places: ClaimedPlaces, turn: Polynomial, piece: _Piece, loops: frozenset[int]) -> int:
    """The same where the turn of the claim goes by equal steps with that of a loop, or stays."""
    words, guards = places.words, places.words.guards
    mine = words.bases(piece.turn) & loops
    if mine != loops:  # an access that may happen in several turns
        return NEVER
    if not mine:
        ends = (words.compared("nonnegative", p, ALWAYS) for p in (turn - piece.turn, piece.turn - turn))
        return guards.both(guards.both(*ends), piece.holds)
    letter = next(iter(mine))
    step, last = piece.turn.coefficient(letter), places.loops[letter]
    rest = piece.turn.without(letter)
    factor = None if step is None else step.as_integer
    if len(mine) > 1 or not factor or last is None or words.bases(rest) & loops:
        return NEVER
    distance = (turn - rest).scaled(1 if factor > 0 else -1)
    own = words.form.divided(distance, Polynomial.constant(abs(factor)))
    found = replaced_in_guard(words, piece.holds, {letter: own})
    for needed in (own, last - own, own.scaled(abs(factor)) - distance):
        found = guards.both(found, words.compared("nonnegative", needed, ALWAYS))
    return found


def _loops_of(places: ClaimedPlaces, piece: _Piece) -> frozenset[int]:
    """The turns of loops that a piece speaks of."""
    words = places.words
    bases = words.bases(piece.turn) | words.bases_of_guard(piece.holds)
    return frozenset(letter for letter in bases if letter in places.loops)
