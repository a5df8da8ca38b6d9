"""Syncs at a turn's end, and reductions across waves of which CK would join the wrong parts."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.tile_programs import kernel_of_program
from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.errors import LayoutError
from layoutalg.pictures.view import Grid, View, view_of
from layoutalg.proofs import prove
from layoutalg.tile import (
    allocate_lds,
    block_reduce_cross_warp_sync,
    block_sync_lds,
    block_tile_reduce,
    block_tile_reduce_sync,
    get_block_id,
    load_tile,
    make_naive_tensor_view_packed,
    make_tile_window,
    move_tile_window,
    pointer,
    program_claims,
    size,
    steps_of,
    store_tile,
    tile_elementwise_inout,
    tile_loop,
    tile_program,
)
from layoutalg.tile.tile_accesses import Load
from layoutalg.verdict import Proved, Refuted
from tests.refusals import refused

ROWS = Encoding((), ((4, 16), (4, 8)), ((1,), (1, 2)), ((0,), (1, 0)), (2,), (1,))  # 64x32 by four waves
OTHER = Encoding((), ((16, 4), (4, 8)), ((1,), (1, 2)), ((1,), (0, 0)), (2,), (1,))  # other waves' rows
ONE_EACH = Encoding((), ((4,), (4, 16)), ((1,), (2, 2)), ((0,), (0, 1)), (), ())  # no Y at all


def through_lds(*, last_sync, kind="f16"):
    """Tile after tile goes through the same LDS."""

    @tile_program(block_size=256, facts=("2048*N < 2**31",))
    def through(x: pointer(kind), y: pointer(kind, is_output=True), N: size(1, 65536)):
        room = make_naive_tensor_view_packed(allocate_lds(64 * 32, kind), (64, 32), 8)
        source, target = (make_naive_tensor_view_packed(one, (64 * N, 32), 8) for one in (x, y))
        given = make_tile_window(source, (64, 32), (0, 0), ROWS)
        result = make_tile_window(target, (64, 32), (0, 0))
        for _ in tile_loop(N):
            store_tile(make_tile_window(room, (64, 32), (0, 0)), load_tile(given))
            block_sync_lds()
            store_tile(result, load_tile(make_tile_window(room, (64, 32), (0, 0), OTHER)))
            move_tile_window(given, (64, 0))
            move_tile_window(result, (64, 0))
            if last_sync:
                block_sync_lds()

    return through


def order(program):
    return [prove(claim) for claim in program_claims(program) if claim.name == "waves in order"]


@pytest.mark.parametrize("kind", ["f16", "i8", "f32"])
def test_a_sync_is_needed_before_the_next_turn_writes(kind):
    given = (np.arange(3 * 2048) % 100).astype({"f16": np.float16, "i8": np.int8, "f32": np.float32}[kind])
    good, bad = (through_lds(last_sync=last, kind=kind) for last in (True, False))
    assert (good.run(x=given, y=np.zeros_like(given), N=3)["y"] == given).all()
    assert {type(found) for found in order(good)} == {Proved}
    assert Refuted in {type(found) for found in order(bad)}
    with refused(LayoutError):
        bad.run(x=given, y=np.zeros_like(given), N=3)


def reduced(encoding, lengths):
    @tile_program(block_size=256)
    def summed(x: pointer("f32"), y: pointer("f32", is_output=True)):
        views = [
            make_naive_tensor_view_packed(one, size_of) for one, size_of in ((x, lengths), (y, lengths[:1]))
        ]
        tile = load_tile(make_tile_window(views[0], lengths, (0, 0), encoding))
        sums = block_tile_reduce(tile, (1,), lambda a, b: a + b, 0.0)
        block_tile_reduce_sync(sums, lambda a, b: a + b)
        block_reduce_cross_warp_sync(sums, lambda a, b: a + b)
        store_tile(make_tile_window(views[1], lengths[:1], (0,)), sums)

    return summed


NEIGHBOURS = Encoding((), ((2,), (4, 2, 64)), ((1, 2), (2,)), ((0, 1), (2,)), (2,), (0,))
STRANGERS = Encoding((), ((2,), (4, 2, 64)), ((2, 1), (2,)), ((1, 0), (2,)), (2,), (0,))
MANY_ROWS = Encoding((), ((2,), (4, 4, 32)), ((2,), (1, 2)), ((1,), (0, 2)), (2,), (0,))


def test_neighbouring_waves_join_what_they_hold():
    given = np.arange(2 * 512, dtype=np.float32).reshape(2, 512) % 7
    found = reduced(NEIGHBOURS, (2, 512)).run(x=given, y=np.zeros(2, np.float32))["y"]
    assert (found == given.sum(1)).all()


@pytest.mark.parametrize(("encoding", "facts"), [(STRANGERS, ""), (MANY_ROWS, "")])
def test_waves_that_would_join_what_does_not_belong_together_are_refused(encoding, facts):
    with refused(LayoutError, *facts.split()):
        _ = reduced(encoding, (2, 512)).statements


def test_more_lds_than_a_workgroup_has_is_refused():
    @tile_program(block_size=256)
    def large(x: pointer("f32"), y: pointer("f32", is_output=True)):
        room = make_naive_tensor_view_packed(allocate_lds(64 * 1024, "f16"), (64, 32), 8)
        views = [make_naive_tensor_view_packed(one, (64, 32), 8) for one in (x, y)]
        tile = load_tile(make_tile_window(views[0], (64, 32), (0, 0), ROWS))
        tile_elementwise_inout(lambda a: a + 1, tile)
        store_tile(make_tile_window(views[1], (64, 32), (0, 0)), tile)
        assert room

    with refused(LayoutError, "65536", "131072", "lds_0"):
        kernel_of_program(large, "gfx942")
    assert kernel_of_program(large, "gfx950").text


def test_threads_of_one_element_each():
    @tile_program(block_size=256)
    def copied(x: pointer("f32"), y: pointer("f32", is_output=True)):
        source, target = (make_naive_tensor_view_packed(one, (4, 64)) for one in (x, y))
        tile = load_tile(make_tile_window(source, (4, 64), (0, 0), ONE_EACH))
        store_tile(make_tile_window(target, (4, 64), (0, 0)), tile)

    assert {type(prove(claim)) for claim in kernel_of_program(copied).claims} == {Proved}


def test_every_step_is_seen_turn_by_turn():
    """What threads hold, the memory, and the phase."""
    given = np.arange(2 * 2048).astype(np.float16)
    seen = []

    def watch(statement, machine):
        turn = machine.names.get("turn_0", machine.names.get("turn"))
        seen.append((type(statement).__name__, turn, machine.epoch))
        if isinstance(statement, Load):
            tile = machine.tiles[statement.tile.number]
            assert tile.shape == (1, 256, 8)

    through_lds(last_sync=True).run(x=given, y=np.zeros_like(given), N=2, watch=watch)
    words = [word for word, _, _ in seen]
    assert words == ["Load", "Store", "BlockSync", "Load", "Store", "BlockSync"] * 2
    assert [phase for _, _, phase in seen] == [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5]
    assert [turn for _, turn, _ in seen] == [0] * 6 + [1] * 6


def test_steps_show_what_each_thread_holds_and_where_the_window_stands():
    given = np.arange(2 * 2048).astype(np.float16)
    steps = steps_of(through_lds(last_sync=True), x=given, y=np.zeros_like(given), N=2)
    loads = [step for step in steps if step.word == "Load"]
    assert [step.windows for step in loads[::2]] == [("64x32 at (0, 0) of x",), ("64x32 at (64, 0) of x",)]
    for turn, step in enumerate(loads[::2]):
        row, column = np.moveaxis(step.index, -1, 0)
        assert np.array_equal(step.buffers, given.reshape(-1, 32)[64 * turn + row, column])
    [row] = view_of(loads[2]).parts[1:]
    assert isinstance(row, View)
    threads, tile = row.parts
    assert isinstance(threads, Grid)
    assert isinstance(tile, Grid)
    assert threads.cell(70, 3).text == f"{loads[2].buffers[70, 3]:g}"
    row, column = loads[2].index[70, 3]
    assert tile.cell(row, column).text == threads.cell(70, 3).text
    assert tile.class_of(row, column) == threads.class_of(70, 3) == 70 // 64
    assert view_of(steps[2]).parts == ()  # a sync
    assert "image/svg+xml" in loads[0]._repr_mimebundle_()


def test_what_is_not_decided_is_not_proved():
    """An offset in the LDS that hangs on the workgroup; two statements that store one output."""

    @tile_program(block_size=256, grid=(2,))
    def moved(x: pointer("f16"), y: pointer("f16", is_output=True)):
        room = make_naive_tensor_view_packed(allocate_lds(128 * 32, "f16"), (128, 32), 8)
        source, target = (make_naive_tensor_view_packed(one, (128, 32), 8) for one in (x, y))
        at = (get_block_id() * 64, 0)
        store_tile(
            make_tile_window(room, (64, 32), at), load_tile(make_tile_window(source, (64, 32), at, ROWS))
        )
        block_sync_lds()
        tile = load_tile(make_tile_window(room, (64, 32), at, OTHER))
        for _ in range(2):
            store_tile(make_tile_window(target, (64, 32), at), tile)

    found = {claim.subject: prove(claim) for claim in program_claims(moved) if claim.name == "decided"}
    assert [type(verdict) for verdict in found.values()] == [Refuted] * len(found)
    assert any("hang on workgroup_x" in subject for subject in found)
    assert any("2 statements store" in subject for subject in found)


def test_turns_that_hang_on_the_workgroup_are_refused():
    @tile_program(block_size=256, grid=(2,))
    def causal(x: pointer("f16")):
        for _ in tile_loop(get_block_id() + 1):
            load_tile(make_tile_window(make_naive_tensor_view_packed(x, (64, 32)), (64, 32), (0, 0), ROWS))

    with refused(LayoutError, "workgroup_x + 1"):
        _ = causal.statements
