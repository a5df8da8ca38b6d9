"""Seven broken programs: refused, or refuted for some size, and wrong or refused when they run."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.errors import LayoutError
from layoutalg.proofs import prove
from layoutalg.tile import (
    allocate_lds,
    block_sync_lds,
    block_tile_reduce,
    block_tile_reduce_sync,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_naive_tensor_view_packed,
    make_tile_window,
    maximum,
    pad_tensor_view,
    pointer,
    program_claims,
    size,
    store_tile,
    tile_elementwise_in,
    tile_program,
)
from layoutalg.verdict import Proved, Refuted
from tests.layoutalg.tile.gemm_program import DRAM, gemm
from tests.refusals import refused

ROWS = Encoding((), ((16, 4), (16,)), ((1, 2),), ((1, 0),), (1,), (0,))  # 64x16 by a wave
BY_FOURS = Encoding((), ((4, 16), (4, 4)), ((1, 2),), ((1, 0),), (1, 2), (0, 1))  # four neighbours of a row
FOUR = Encoding((), ((4, 16), (4, 8)), ((1,), (1, 2)), ((0,), (1, 0)), (2,), (1,))  # 64x32 by four waves


def verdicts(program):
    return {f"{claim.name}: {claim.subject}": prove(claim) for claim in program_claims(program)}


def refuted(program):
    return [name for name, verdict in verdicts(program).items() if isinstance(verdict, Refuted)]


def numbers(m, n, k):
    generator = np.random.default_rng(7)
    a, b = (generator.integers(-4, 5, (rows, k)).astype(np.float16) for rows in (m, n))
    return a, b, a.astype(np.float32) @ b.astype(np.float32).T


def run(program, m=64, n=128, k=96):
    a, b, wanted = numbers(m, n, k)
    found = program.run(a=a, b=b, c=np.zeros((m, n), np.float32), M=m, N=n, K=k)
    return found["c"], wanted


def test_the_program_that_is_not_broken_is_proved_and_right():
    found = verdicts(gemm())
    assert {type(verdict) for verdict in found.values()} == {Proved}
    assert len(found) > 20
    result, wanted = run(gemm())
    assert (result == wanted).all()


def shared(*, has_sync):
    @tile_program(block_size=256)
    def through(x: pointer("f16"), y: pointer("f16", is_output=True)):
        room = make_naive_tensor_view_packed(allocate_lds(64 * 32, "f16"), (64, 32), 8)
        source, target = (make_naive_tensor_view_packed(one, (64, 32), 8) for one in (x, y))
        store_tile(make_tile_window(room, (64, 32), (0, 0)), load_tile(window(source, FOUR)))
        if has_sync:
            block_sync_lds()
        tile = load_tile(window(room, OTHER))
        store_tile(make_tile_window(target, (64, 32), (0, 0)), tile)

    return through


OTHER = Encoding((), ((16, 4), (4, 8)), ((1,), (1, 2)), ((1,), (0, 0)), (2,), (1,))  # other waves' rows


def window(view, encoding):
    return make_tile_window(view, (64, 32), (0, 0), encoding)


def test_a_missing_sync():
    given = np.arange(2048).astype(np.float16)
    good = shared(has_sync=True)
    assert not refuted(good)
    assert (good.run(x=given, y=np.zeros(2048, np.float16))["y"] == given).all()
    bad = shared(has_sync=False)
    assert any(name.startswith("waves in order") for name in refuted(bad))
    with refused(LayoutError):
        bad.run(x=given, y=np.zeros(2048, np.float16))


def test_a_wrong_window():
    """Tiles of C 32 columns apart, not 64."""
    bad = gemm(column=32)
    assert refuted(bad)
    try:
        result, wanted = run(bad)
    except LayoutError:
        return
    assert (result != wanted).any()


@pytest.mark.slow
def test_a_window_that_moves_too_far():
    bad = gemm(step=64)
    assert any(name.startswith("in memory bounds") for name in refuted(bad))
    result, wanted = run(bad)
    assert (result != wanted).any()


def test_a_wrong_distribution():
    """Columns of C before its rows."""
    with refused(LayoutError):
        _ = gemm(
            result=Encoding((), ((2, 4, 2, 4), (2, 32)), ((1, 2),), ((2, 1),), (2, 1, 1, 1), (0, 0, 1, 3))
        ).statements


def elementwise(*, pads):
    @tile_program(block_size=64, grid=("(M + 63)//64",), facts=("16*M < 2**31",))
    def doubled(x: pointer("f32"), y: pointer("f32", is_output=True), M: size(1, 65536)):
        m = get_block_id() * 64
        views = [make_naive_tensor_view(one, (M, 16), (16, 1)) for one in (x, y)]
        if pads:
            views = [pad_tensor_view(view, (64, 16), (True, False)) for view in views]
        source, target = (make_tile_window(view, (64, 16), (m, 0), ROWS) for view in views)
        store_tile(target, tile_elementwise_in(lambda a: a + a, load_tile(source)))

    return doubled


def test_a_lost_tail():
    """Rows that are no whole tiles: without padding the last tile is out of bounds."""
    given = np.arange(100 * 16, dtype=np.float32)
    good = elementwise(pads=True)
    assert not refuted(good)
    assert (good.run(x=given, y=np.zeros_like(given), M=100)["y"] == 2 * given).all()
    assert any("bounds" in name for name in refuted(elementwise(pads=False)))


def by_vectors(*, multiple):
    """Tiles of 64x16 with tails in rows and columns, stored in vectors of 4."""

    @tile_program(64, ("(N + 15)//16", "(M + 63)//64"), ("(M + 64)*(N + 16) < 2**31",))
    def copied(
        x: pointer("f32"), y: pointer("f32", is_output=True), M: size(1, 65536), N: size(4, 65536, multiple)
    ):
        views = [make_naive_tensor_view(one, (M, N), (N, 1), 4, 1) for one in (x, y)]
        source, target = (pad_tensor_view(view, (64, 16), (True, True)) for view in views)
        at = (get_block_id(1) * 64, get_block_id(0) * 16)
        tile = load_tile(make_tile_window(source, (64, 16), at, BY_FOURS))
        store_tile(make_tile_window(target, (64, 16), at), tile)

    return copied


@pytest.mark.slow
def test_vectors_across_the_end_of_a_row():
    given = np.arange(70 * 20, dtype=np.float32)
    good = by_vectors(multiple=4)
    assert {type(verdict) for verdict in verdicts(good).values()} == {Proved}
    assert (good.run(x=given, y=np.zeros_like(given), M=70, N=20)["y"] == given).all()
    bad = refuted(by_vectors(multiple=1))
    assert any("vector" in name and "store" in name for name in bad)


def test_a_tail_that_nobody_stores():
    """A grid of whole tiles alone."""

    @tile_program(block_size=64, grid=("M//64",), facts=("16*M < 2**31",))
    def copied(x: pointer("f32"), y: pointer("f32", is_output=True), M: size(64, 65536)):
        views = [make_naive_tensor_view(one, (M, 16), (16, 1)) for one in (x, y)]
        source, target = (make_tile_window(view, (64, 16), (get_block_id() * 64, 0), ROWS) for view in views)
        store_tile(target, load_tile(source))

    assert [name.split(":")[0] for name in refuted(copied)] == ["covers"]
    given = np.arange(100 * 16, dtype=np.float32)
    assert (copied.run(x=given, y=np.zeros_like(given), M=100)["y"] != given).any()


def test_a_double_write():
    """All workgroups store the first tile."""

    @tile_program(block_size=64, grid=("M//64",), facts=("16*M < 2**31",))
    def first(x: pointer("f32"), y: pointer("f32", is_output=True), M: size(64, 65536, 64)):
        views = [make_naive_tensor_view(one, (M, 16), (16, 1)) for one in (x, y)]
        source = make_tile_window(views[0], (64, 16), (get_block_id() * 64, 0), ROWS)
        store_tile(make_tile_window(views[1], (64, 16), (0, 0)), load_tile(source))

    assert any(name.startswith("one writer") for name in refuted(first))
    given = np.arange(128 * 16, dtype=np.float32)
    with refused(LayoutError):
        first.run(x=given, y=np.zeros_like(given), M=128)


def test_a_wrong_cast():
    @tile_program(block_size=64)
    def stored(x: pointer("f32"), y: pointer("f16", is_output=True)):
        source, target = (make_naive_tensor_view_packed(one, (64, 16)) for one in (x, y))
        tile = load_tile(make_tile_window(source, (64, 16), (0, 0), ROWS))
        store_tile(make_tile_window(target, (64, 16), (0, 0)), tile)

    with refused(LayoutError, "f32", "f16"):
        program_claims(stored)


def rows_summed(*, has_sync):
    @tile_program(block_size=64)
    def summed(x: pointer("f32"), y: pointer("f32", is_output=True)):
        source = make_naive_tensor_view_packed(x, (64, 16))
        tile = load_tile(make_tile_window(source, (64, 16), (0, 0), ROWS))
        sums = block_tile_reduce(tile, (1,), lambda a, b: a + b, 0)
        if has_sync:
            block_tile_reduce_sync(sums, lambda a, b: a + b)
        store_tile(make_tile_window(make_naive_tensor_view_packed(y, (64,)), (64,), (0,)), sums)

    return summed


def test_a_wrong_reduction():
    """Lanes hold parts of the sums that nobody joined."""
    given = np.arange(1024, dtype=np.float32)
    good = rows_summed(has_sync=True)
    assert not refuted(good)
    done = good.run(x=given, y=np.zeros(64, np.float32))
    assert (done["y"] == given.reshape(64, 16).sum(1)).all()
    with refused(LayoutError):
        program_claims(rows_summed(has_sync=False))


def test_what_nobody_wrote_is_not_read():
    @tile_program(block_size=64)
    def unset(y: pointer("f16", is_output=True)):
        room = make_naive_tensor_view_packed(allocate_lds(64 * 32, "f16"), (64, 32), 8)
        tile = load_tile(make_tile_window(room, (64, 32), (0, 0), DRAM))
        store_tile(make_tile_window(make_naive_tensor_view_packed(y, (64, 32), 8), (64, 32), (0, 0)), tile)

    assert any(name.startswith("waves in order") for name in refuted(unset))
    with refused(LayoutError):
        unset.run(y=np.zeros(2048, np.float16))


def test_a_tile_of_a_turn_that_is_over_is_refused():
    from layoutalg.tile import tile_loop  # noqa: PLC0415

    @tile_program(block_size=64)
    def stale(x: pointer("f32"), y: pointer("f32", is_output=True)):
        source, target = (
            make_tile_window(make_naive_tensor_view_packed(one, (64, 16)), (64, 16), (0, 0), ROWS)
            for one in (x, y)
        )
        for _ in tile_loop(4):
            tile = load_tile(source)
        store_tile(target, tile)

    with refused(LayoutError):
        _ = stale.statements


def test_a_comparison_in_python_is_refused():
    @tile_program(block_size=64)
    def compared(x: pointer("f32")):
        source = make_naive_tensor_view_packed(x, (64, 16))
        tile = load_tile(make_tile_window(source, (64, 16), (0, 0), ROWS))
        tile_elementwise_in(lambda a: a if a > 0 else maximum(a, 0), tile)

    with refused(LayoutError):
        _ = compared.statements
