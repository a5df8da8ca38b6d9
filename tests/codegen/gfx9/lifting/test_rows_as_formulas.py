"""A row computed on formulas gives the numbers that it computes on arrays: random and borderline words."""

from __future__ import annotations

import re

import numpy as np
import pytest

from layoutalg.codegen.gfx9.assembly import parse_instruction
from layoutalg.codegen.gfx9.lifting.execute import NO_FORMULA
from layoutalg.codegen.gfx9.lifting.formula_array import FormulaArray, TruthArray
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.idioms import idiom
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.codegen.gfx9.rows.comparison_rows import COMPARISON_ROWS
from layoutalg.codegen.gfx9.rows.integer_rows import INTEGER_ROWS
from layoutalg.codegen.gfx9.rows.scalar_rows import SCALAR_ROWS
from layoutalg.codegen.gfx9.scalar import scalar_arithmetic
from layoutalg.codegen.gfx9.vector import vector_arithmetic
from layoutalg.domain import Domain
from layoutalg.rules.condition import Condition
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import Polynomial

WORD = 2**32
BORDERS = (0, 1, 2, 31, 32, 63, 64, 2**16 - 1, 2**16, 2**24, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1)
SHIFTED = re.compile("_(lsh|ash|bfe|bfm|lshl|lshr|align|bitset|bitcmp|add_lshl|xad)")
REGISTERS = {"u64": "v[{0}:{1}]", "i64": "v[{0}:{1}]", "mask": "s[{0}:{1}]"}
INTEGER = re.compile(r"^v_cmp_\w+_[iu](16|32|64)$")
ROUNDS, MANY = 2, 100_000


def instructions():
    """Each row with registers of its own for all operands, and with shifts by a constant."""
    vector = {name: row for name, row in INTEGER_ROWS.items() if not NO_FORMULA.match(name)}
    vector |= {name: row for name, row in COMPARISON_ROWS.items() if INTEGER.match(name)}
    for name, row in vector.items():
        if any(kind in ("lane", "vcc") or kind.startswith("old") for kind in row.sources):
            continue
        for text in _texts(name, (*row.results, *row.sources), "v"):
            yield pytest.param(text, id=text.replace(" ", "_"))
    for name, scalar in SCALAR_ROWS.items():
        if NO_FORMULA.match(name) or {"k16"} & set(scalar.sources):
            continue
        kinds = [scalar.result] * bool(scalar.result)
        kinds += [kind for kind in scalar.sources if kind not in ("scc", "old", "old64")]
        for text in _texts(name, kinds, "s"):
            yield pytest.param(text, id=text.replace(" ", "_"))


def _texts(name, kinds, bank):
    operands = []
    for number, kind in enumerate(kinds):
        first = 4 * number + 4
        wide = kind in ("u64", "i64", "mask")
        letter = "s" if kind == "mask" else bank
        operands.append(f"{letter}[{first}:{first + 1}]" if wide else f"{letter}{first}")
    yield f"{name} {', '.join(operands)}"
    if SHIFTED.search(name):  # a constant amount stands first or last among the sources
        for place in {1, len(operands) - 1} if len(kinds) > 1 else ():
            if kinds[place] in ("u32", "i32", "u16", "i16"):
                for amount in ("3", "17"):
                    yield f"{name} {', '.join([*operands[:place], amount, *operands[place + 1 :]])}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("text", [*instructions()])
def test_a_row_means_the_same_on_formulas(text):
    for seed in range(ROUNDS):
        _compare(text, seed, LANES)


@pytest.mark.long
@pytest.mark.parametrize("text", [*instructions()])
def test_a_row_means_the_same_on_many_words(text):
    _compare(text, 7, MANY)


def _compare(text, seed, count):
    instruction = parse_instruction(text, 1)
    arithmetic = scalar_arithmetic(instruction) or vector_arithmetic(instruction, "gfx950")
    assert arithmetic is not None
    words, given, computed = _on_formulas(instruction, arithmetic)
    values = _random_words(seed, len(arithmetic.sources), count)
    numbers = [_number(word, value) for word, value in zip(arithmetic.sources, values, strict=True)]
    with np.errstate(all="ignore"):
        wanted = arithmetic.compute(*numbers)
    names = {f"word_{n}": value.astype(object) for n, value in enumerate(values)}
    names["lane"] = np.arange(count).astype(object) % LANES
    for result, expected in zip(computed, wanted, strict=True):
        found = _numbers_of(words, names, result, given)
        if found is not None:
            assert (found == np.broadcast_to(expected, count).astype(object) % WORD).all()


def _on_formulas(instruction, arithmetic):
    """The results on one letter for each word; truths are letters' lowest bits."""
    ends = {f"word_{n}": (0, WORD) for n in range(len(arithmetic.sources))}
    words = Words(NormalForm(Domain.of({"lane": LANES, **ends})))
    given: dict[int, int] = {}
    values: list[FormulaArray | TruthArray] = []
    for number, word in enumerate(arithmetic.sources):
        if word.operand.bank == "number":
            constant = Polynomial.constant(word.operand.word_of_number(word.number))
            values.append(FormulaArray(words, ((ALWAYS, constant),), np.dtype(np.uint32)))
        elif word.is_mask or word.operand.bank == "scc":
            guard = words.guards.of(OpaqueCondition("given", (number,)))
            given[number] = guard
            values.append(TruthArray(words, guard))
        else:
            letter = words.form.symbol(f"word_{number}")
            values.append(FormulaArray(words, ((ALWAYS, letter),), np.dtype(np.uint32)))
    results = idiom(instruction, words, values, divides=True) or arithmetic.compute(*values)
    return words, given, results


def _random_words(seed, sources, count):
    random = np.random.default_rng(seed)
    found = random.integers(0, WORD, (max(sources, 1), count), dtype=np.uint64)
    borders = random.choice(BORDERS, found.shape)
    return list(np.where(random.random(found.shape) < 0.5, borders, found).astype(np.uint32))


def _number(word, value):
    if word.operand.bank == "number":
        return np.full(len(value), word.operand.word_of_number(word.number), dtype=np.uint32)
    return value & 1 == 1 if word.is_mask or word.operand.bank == "scc" else value


class _WithTruths(Numbers):
    """Numbers where truths are given, too."""

    given: dict[int, np.ndarray]

    def _holds(self, variable: Condition | OpaqueCondition):
        if isinstance(variable, OpaqueCondition) and variable.name == "given":
            (number,) = variable.operands
            assert isinstance(number, int)
            return self.given[number]
        return super()._holds(variable)


def _numbers_of(words, names, result, given):
    """The numbers of a result, or None where it is no formula."""
    numbers = _WithTruths(words, names)
    numbers.given = {number: (names[f"word_{number}"].astype(np.int64) & 1).astype(bool) for number in given}
    try:
        if isinstance(result, TruthArray):
            return numbers.guard(result.guard).astype(int).astype(object)
        if not isinstance(result, FormulaArray):
            return np.full(numbers.size, int(result), dtype=object) % WORD
        found, covered = np.zeros(numbers.size, dtype=object), np.zeros(numbers.size, dtype=bool)
        for holds, polynomial in result.value:
            lanes = numbers.guard(holds)
            assert not (lanes & covered).any()
            found, covered = np.where(lanes, numbers.of(polynomial) % WORD, found), covered | lanes
        assert covered.all()
    except OpaqueLetterError:
        return None
    return found


@pytest.mark.parametrize("mask", [1, 3, 5, 255, 2**31 - 1])
def test_a_mask_is_xored_to_numbers_that_may_be_negative(mask):
    """What is above the mask stays as it is: of an address, rows that are taken off again."""
    words = Words(NormalForm(Domain.of({"lane": LANES, "row": 4})))
    lane, row = words.form.symbol("lane"), words.form.symbol("row")
    number = row - lane.scaled(380)
    found = words.exclusive(number, Polynomial.constant(mask), 32, ALWAYS)
    lanes, rows = (axis.reshape(-1).astype(object) for axis in np.mgrid[:LANES, :4])
    values = Numbers(words, {"lane": lanes, "row": rows}).of(found)
    assert (values % WORD == ((rows - 380 * lanes) % WORD ^ mask)).all()
