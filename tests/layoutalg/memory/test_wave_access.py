"""The access of a tile's threads, to a descriptor through a window and to the same offset written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import layoutalg as la
from layoutalg.memory import WaveAccess
from tests.refusals import refused

A_DRAM = (
    "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>, tuple<sequence<1>,"
    " sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>, sequence<1, 2>, sequence<0, 1>>"
)
A_REGS = (
    "tile_distribution_encoding<sequence<1>, tuple<sequence<2, 4, 32>, sequence<2, 2, 8>>, tuple<sequence<1>,"
    " sequence<2, 1>>, tuple<sequence<1>, sequence<1, 2>>, sequence<1, 2, 2>, sequence<0, 0, 2>>"
)


@pytest.mark.parametrize("encoding", [A_DRAM, A_REGS])
@pytest.mark.parametrize("pitch", [32, 40])
@pytest.mark.parametrize("width", [1, 4, 8])
def test_a_hand_written_offset_is_accessed_as_its_descriptor(encoding, pitch, width):
    tile = la.make_static_tile_distribution(la.read_encoding(encoding))
    rows = la.make_naive_tensor_descriptor((256, 32), (pitch, 1))
    window = la.make_tile_window(rows, (256, 32), (0, 0), tile)
    known = WaveAccess.of_window(window, "f16", "read", width)
    by_hand = WaveAccess.of_tile(rows.index_map(), tile, "f16", "read", width)
    assert (by_hand.scalars, by_hand.lane) == (known.scalars, known.lane)
    assert np.array_equal(np.sort(by_hand.addresses(), axis=0), np.sort(known.addresses(), axis=0))


def test_lanes_outside_take_no_part():
    tile = la.make_static_tile_distribution(la.read_encoding(A_DRAM))
    domain = la.Domain.of({"row": 256, "col": 32})
    ragged = la.IndexMap(domain, (domain["row"] * 32 + domain["col"],), (domain["row"] < 200,))
    access = WaveAccess.of_tile(ragged, tile, "f16", "read", 8)
    assert (access.taking_part() == (access.addresses() // 64 < 200)).all()


def test_a_tile_of_another_rank_is_refused():
    tile = la.make_static_tile_distribution(la.read_encoding(A_DRAM))
    line = la.Domain.of({"at": 64})
    with refused(la.LayoutError, "1", "2"):
        WaveAccess.of_tile(la.IndexMap(line, (line["at"],)), tile, "f16", "read", 8)


def test_vectors_longer_than_the_runs_of_a_thread_are_refused():
    tile = la.make_static_tile_distribution(la.read_encoding(A_DRAM))  # runs of 8
    rows = la.make_naive_tensor_descriptor_packed((256, 32))
    window = la.make_tile_window(rows, (256, 32), (0, 0), tile)
    with refused(la.LayoutError, "16", "8"):
        WaveAccess.of_window(window, "f8", "read", 16)
    with refused(la.LayoutError, "16", "8"):
        WaveAccess.of_tile(rows.index_map(), tile, "f8", "read", 16)
