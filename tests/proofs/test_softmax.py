"""Tiled softmax: every identity is proved, no falsified one is, and the algorithm run on numbers agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import sympy
from sympy import Add, Expr, Max, exp

from layoutalg.proofs.theorems import softmax
from layoutalg.proofs.theorems.softmax import Identity, Step, softmax_identities

IDENTITIES = {identity.number: identity for identity in softmax_identities()}
OLD_MAX, NEW_MAX = softmax.whole_max(softmax.T), softmax.whole_max(softmax.NEXT)

each_identity = pytest.mark.parametrize("identity", IDENTITIES.values(), ids=IDENTITIES)


def factor_dropped(expression: Expr) -> Iterator[Expr]:
    for factor in expression.atoms(exp):
        if factor.args[0].is_Add:
            yield expression.xreplace({factor: sympy.S.One})


def max_swapped(expression: Expr) -> Iterator[Expr]:
    old, new = softmax.m_i, softmax.m_new
    yield expression.xreplace({old: new, new: old, OLD_MAX: NEW_MAX, NEW_MAX: OLD_MAX})


def sum_for_max(expression: Expr) -> Iterator[Expr]:
    yield expression.replace(Max, Add).xreplace({NEW_MAX: OLD_MAX + softmax.tile_max[softmax.NEXT]})


MUTATIONS = {  # with the identities whose steps have nothing to change, or nothing that matters
    factor_dropped: {"5.1", "5.12"},
    max_swapped: {"5.1"},  # max(m_new, m_j) is m_new too
    sum_for_max: {"5.14", "5.15"},  # their max is the meaning of a name: see the test below
}


def with_step(identity: Identity, step: Step) -> Identity:
    """The identity with this step alone; its other steps are proved and would not show."""
    return replace(identity, steps=(step,))


@each_identity
def test_identities_are_proved(identity: Identity) -> None:
    assert identity.is_proved
    assert str(identity).endswith(": proved")


@each_identity
@pytest.mark.parametrize("mutate", MUTATIONS)
def test_no_falsified_step_is_proved(identity: Identity, mutate) -> None:
    falsified = [
        replace(step, **{side: changed})
        for step in identity.steps
        for side in ("left", "right")
        for changed in mutate(getattr(step, side))
        if changed != getattr(step, side)
    ]
    if identity.number not in MUTATIONS[mutate]:
        assert falsified
        for step in falsified:
            assert not with_step(identity, step).is_proved, step


@pytest.mark.parametrize("number", ["5.1", "5.12", "5.13", "5.14", "5.15"])
def test_nothing_about_the_max_is_proved_with_a_sum_for_it(number: str) -> None:
    """Names of which the max is the meaning, in the loop or by 5.1."""
    identity = IDENTITIES[number]
    names = {name for name, meaning in identity.where if meaning.has(Max)}
    assert names
    for changed in names:
        where = tuple((n, m.replace(Max, Add) if n == changed else m) for n, m in identity.where)
        assert not replace(identity, where=where).is_proved, changed


@each_identity
def test_nothing_is_proved_by_how_it_is_written(identity: Identity) -> None:
    assert all(step.left != step.right for step in identity.steps)
    assert not replace(identity, where=()).is_proved
    assert not replace(identity, steps=()).is_proved


INDUCTIONS = [
    (IDENTITIES["5.1"].steps[:3], softmax.PLACE),
    (IDENTITIES["5.1"].steps[3:], softmax.T),
    (IDENTITIES["5.2"].steps[:3], softmax.T),
    (IDENTITIES["5.3"].steps, softmax.T),
    (IDENTITIES["5.4"].steps[:3], softmax.T),
]


@pytest.mark.parametrize(("steps", "count"), INDUCTIONS)
def test_the_steps_are_an_induction(steps: tuple[Step, ...], count: Expr) -> None:
    """The step starts from what the identity says of T tiles, and ends in what it says of T + 1."""
    base, grows, step = steps
    left, right = grows.left.subs(count, count - 1), step.right.subs(count, count - 1)
    assert step.left == grows.right.subs(left, right)
    first = {count: 1, softmax.K: 1}
    assert (base.left, base.right) == (left.subs(first), right.subs(first))


@pytest.mark.parametrize(("number", "name"), [("5.12", "m_i"), ("5.13", "z_i"), ("5.14", "y_ik")])
def test_the_loop_assumes_of_t_tiles_what_it_shows_of_one_more(number: str, name: str) -> None:
    _, step = IDENTITIES[number].steps
    hypothesis = dict(IDENTITIES[number].where)[getattr(softmax, name)]
    assert hypothesis.subs(softmax.T, softmax.NEXT) == step.right


def test_misprints_are_not_proved_as_printed() -> None:
    identity = IDENTITIES["5.3"]
    _, grows, _ = identity.steps
    first_for_last = grows.right.xreplace({softmax.tile_z[softmax.NEXT]: softmax.tile_z[1]})
    assert not with_step(identity, replace(grows, right=first_for_last)).is_proved

    def sum_of_ones(name: Expr, meaning: Expr) -> Expr:
        return softmax.size[name.indices] if name.base == softmax.tile_z else meaning

    where = tuple((name, sum_of_ones(name, meaning)) for name, meaning in identity.where)
    assert where != identity.where
    assert not replace(identity, where=where).is_proved


def test_an_equation_is_not_proved_where_a_denominator_may_vanish() -> None:
    real = sympy.Symbol("r", real=True)
    step = Step("cancelled", real**2 / (real - 1), real / (real - 1) + real)
    assert sympy.cancel(step.left - step.right) == 0
    assert not Identity("", "", "", (step,)).is_proved


def test_every_equation_is_cited() -> None:
    cited = {number for identity in IDENTITIES.values() for number in identity.cites}
    without_equation = {"5.8"}
    assert cited == {f"5.{number}" for number in range(1, 18)} - without_equation
    assert all(identity.number in identity.cites for identity in IDENTITIES.values())


def tiled_softmax(matrix: np.ndarray, rows: list[int], columns: list[int]) -> np.ndarray:
    """The document's algorithm, statement by statement; the lists hold the ends of the tiles."""
    y = np.full_like(matrix, np.nan)
    row_blocks = [slice(*ends) for ends in pairwise([0, *rows])]
    column_blocks = [slice(*ends) for ends in pairwise([0, *columns])]
    m: dict[int, np.ndarray] = {}
    z: dict[int, np.ndarray] = {}
    for j, column in enumerate(column_blocks):
        for i, row in enumerate(row_blocks):
            tile = matrix[row, column]
            m_tile = tile.max(axis=1)  # 5.5
            p_tile = np.exp(tile - m_tile[:, None])  # 5.6
            z_tile = p_tile.sum(axis=1)  # 5.7
            if j == 0:
                m[i] = m_tile  # 5.9
                z[i] = z_tile  # 5.10
                y[row, column] = np.diag(1 / z_tile) @ p_tile  # 5.11
                continue
            m_new = np.maximum(m[i], m_tile)  # 5.12
            z_new = np.exp(m[i] - m_new) * z[i] + np.exp(m_tile - m_new) * z_tile  # 5.13
            for earlier in column_blocks[:j]:
                factor = np.diag(1 / z_new) @ np.diag(z[i]) @ np.diag(np.exp(m[i] - m_new))
                y[row, earlier] = factor @ y[row, earlier]  # 5.14
            y[row, column] = np.diag(1 / z_new) @ np.diag(np.exp(m_tile - m_new)) @ p_tile  # 5.15
            z[i] = z_new  # 5.16
            m[i] = m_new  # 5.17
    return y


TILINGS = [
    ([6], [12]),
    ([2, 4, 6], [4, 8, 12]),
    ([3, 6], [2, 4, 6, 8, 10, 12]),
    ([1, 2, 3, 4, 5, 6], list(range(1, 13))),
    ([1, 6], [1, 7, 10, 12]),
]


@pytest.mark.parametrize(("rows", "columns"), TILINGS)
@pytest.mark.parametrize("scale", [0.0, 1.0, 100.0])
def test_the_algorithm_gives_the_softmax(rows: list[int], columns: list[int], scale: float) -> None:
    matrix = scale * np.random.default_rng(len(columns)).standard_normal((6, 12))
    exponentials = np.exp(matrix)
    expected = exponentials / exponentials.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(tiled_softmax(matrix, rows, columns), expected, rtol=1e-11)
