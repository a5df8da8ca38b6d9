"""Elimination refutes nothing that has a solution, and what Z3 refutes over whole numbers mostly too."""

from __future__ import annotations

import itertools
import random

import pytest
import z3

from layoutalg.rules.linear import contradictory
from layoutalg.rules.polynomial import Polynomial

LETTERS, REACH = 3, range(-3, 4)


def a_row(draw, most=3):
    terms = {(letter,): draw.randint(-most, most) for letter in range(LETTERS)} | {(): draw.randint(-6, 6)}
    return Polynomial({monomial: c for monomial, c in terms.items() if c})


def a_system(draw):
    """Rows that are 0 and rows that are not negative, some of them residues as quotients leave them."""
    zeros = [a_row(draw, 5) for _ in range(draw.choice((0, 0, 1, 2)))]
    return zeros, [a_row(draw) for _ in range(draw.randint(1, 5))]


def value(row, point):
    return sum(c * (point[m[0]] if m else 1) for m, c in row)


def has_solution(zeros, rows):
    return any(
        all(value(row, point) == 0 for row in zeros) and all(value(row, point) >= 0 for row in rows)
        for point in itertools.product(REACH, repeat=LETTERS)
    )


def z3_answer(zeros, rows):
    letters = [z3.Int(f"x{number}") for number in range(LETTERS)]
    solver = z3.Solver()
    solver.add(*(value(row, letters) == 0 for row in zeros), *(value(row, letters) >= 0 for row in rows))
    return solver.check()


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        (0, 400),
        pytest.param(3, 1000, marks=pytest.mark.slow),
        pytest.param(1, 5000, marks=pytest.mark.long),
        pytest.param(2, 5000, marks=pytest.mark.long),
    ],
)
def test_nothing_that_has_a_solution_is_refuted(seed, count):
    draw = random.Random(seed)
    refuted = missed = 0
    for _ in range(count):
        zeros, rows = a_system(draw)
        found, wanted = contradictory(zeros, rows), z3_answer(zeros, rows)
        assert not (found and has_solution(zeros, rows)), (zeros, rows)
        assert not (found and wanted == z3.sat), (zeros, rows)
        refuted += found
        missed += not found and wanted == z3.unsat
    assert refuted > count // 10
    assert missed < refuted // 10
