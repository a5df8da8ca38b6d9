"""Orders of blocks: each block is one workgroup's, those of a die are neighbours, dies have equally many."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest
import sympy

from layoutalg import evaluate
from layoutalg.codegen.kernels.gemm import configured
from layoutalg.codegen.kernels.gemm.block_order import BLOCK_M, BLOCK_N, GROUP_M, XCD, BlockOrder
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.domain import Domain
from layoutalg.length import sizes
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted
from tests.refusals import refused

COLUMNS = 3
NUMBERS = [sympy.Integer(n) for n in range(42)]


def made_blocks(order):
    """Of each workgroup that makes a block: its number, die, row and column."""
    grid = [int(extent) for extent in (*order.grid, 1)[:3]]
    for z, y, x in itertools.product(*map(range, reversed(grid))):
        here = dict(zip(("workgroup_x", "workgroup_y", "workgroup_z"), (x, y, z), strict=True))
        found = {symbol: int(evaluate(place, here)) for symbol, place in order.launch.items()}
        if all(condition.subs(found) == sympy.true for condition in order.when):
            number = x + grid[0] * (y + grid[1] * z)
            row = found[BLOCK_M] + order.group_m * found.get(GROUP_M, 0)
            yield number, found.get(XCD, 0), row, found[BLOCK_N]


@pytest.mark.sample(5)
@pytest.mark.parametrize("xcds", [1, 2, 3, 8])
@pytest.mark.parametrize("group_m", [1, 2, 3, 4])
@pytest.mark.parametrize("rows", [1, 3, 7, 8, 9, 17, 24, 41])
def test_each_block_is_one_workgroups(rows, group_m, xcds):
    order = BlockOrder(NUMBERS[rows], NUMBERS[COLUMNS], group_m, xcds=xcds)
    found = list(made_blocks(order))
    every = rows * (group_m if xcds == 1 else 1)  # given as groups, or as rows
    blocks = Counter((row, column) for *_, row, column in found)
    assert blocks == Counter(itertools.product(range(every), range(COLUMNS)))
    for number, die, *_ in found:
        assert die == number % xcds
    of_die = [sorted({row for _, die, row, _ in found if die == one}) for one in range(xcds)]
    assert [row for mine in of_die for row in mine] == list(range(every))
    assert max(map(len, of_die)) - min(map(len, of_die)) <= 1
    for mine in of_die:  # in the order of launch: a group after the other, of each its columns
        launched = [(row, column) for _, _, row, column in sorted(found) if row in mine]
        assert launched == sorted(
            launched, key=lambda block: ((block[0] - mine[0]) // group_m, block[1], block[0])
        )


@pytest.mark.sample(4)
@pytest.mark.parametrize("has_tails", [False, True])
@pytest.mark.parametrize(("xcds", "group_m"), [(8, 1), (8, 4), (3, 2), (5, 1), (7, 3)])
def test_that_is_proved_for_all_grids(xcds, group_m, has_tails):
    problem = GemmProblem(configured("pipelined", xcds=xcds, group_m=group_m, has_tails=has_tails))
    claims = problem.order.claims(problem.sizes)
    assert len(claims) == 4
    assert all(isinstance(prove(claim), Proved) for claim in claims)


class Short(BlockOrder):
    """The grid has no room for what is left over."""

    @property
    def _groups_of_a_die(self):
        return super()._groups_of_a_die - 1


@pytest.mark.parametrize("group_m", [1, 3])
def test_an_order_that_leaves_blocks_out_is_refuted(group_m):
    rows = sizes("rows")
    order = Short(rows, rows, group_m, xcds=8)
    verdicts = [prove(claim) for claim in order.claims(Domain.of({}, {rows: (1, None)}))]
    assert any(isinstance(verdict, Refuted) for verdict in verdicts)


def test_a_split_is_not_dealt_to_dies():
    config = configured("pipelined", xcds=8)
    with refused(ValueError):
        replace(config, split_k=2, output="f32")
