"""The ladder of CK's GEMM tutorial in shared memory, and the search for layouts without conflicts."""

from __future__ import annotations

import pytest

from layoutalg.codegen.kernels.gemm.copy_distributions import along_rows
from layoutalg.data_type import DataType
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_embed_tile_distribution_encoding,
    make_static_tile_distribution,
    make_tile_window,
    read_encoding,
)
from layoutalg.memory import (
    WaveAccess,
    bank_conflicts,
    free_layouts,
    k_first,
    least_conflicts,
    padded_rows,
    row_major,
    swizzles,
    xor_swizzled,
)
from layoutalg.memory.lds_search import examined
from layoutalg.mma import MatrixInstruction
from layoutalg.proofs import prove
from layoutalg.properties import bijective, conflict_free, one_to_one
from layoutalg.verdict import Proved
from tests.layoutalg.memory.test_banks import counted

A_DRAM = make_static_tile_distribution(
    read_encoding(
        "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>,"
        " tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>,"
        " sequence<1, 2>, sequence<0, 1>>"
    )
)


def registers(rows: int, columns: int, waves: int, instruction: str) -> TileDistribution:
    """A of a block: waves one above the other, then rounds of them, then steps along K."""
    warp = MatrixInstruction.named(instruction, "gfx942").a
    m, k = warp.x_lengths
    outer = TileDistributionEncoding(
        (), ((rows // m // waves, waves), (columns // k,)), ((1,),), ((1,),), (1, 2), (0, 0)
    )
    return make_static_tile_distribution(make_embed_tile_distribution_encoding(outer, warp))


# Two steps of K in one access: a lane reads 8 half-precision neighbours, as CK does with kKIter of 2.
B64 = registers(256, 32, 4, "v_mfma_f32_32x32x8_f16")
B128 = registers(256, 32, 4, "v_mfma_f32_32x32x16_fp8_fp8")
LADDER = {  # layout: degrees of the write, of reads of 8 and of 16 bytes
    "naive": (row_major(256, 32, 8), 1, 8, 4),
    "padded": (k_first(256, 32, 8), 2, 2, 1),
    "xor": (xor_swizzled(256, 32, 8, layers=2), 1, 2, 1),
}


def access(descriptor, distribution, direction):
    window = make_tile_window(descriptor, distribution.lengths, (0, 0), distribution)
    return WaveAccess.of_window(window, "f16", direction)


@pytest.mark.parametrize("rung", LADDER)
def test_every_rung_of_the_ladder_gets_its_verdict_for_write_and_read(rung):
    descriptor, *expected = LADDER[rung]
    accesses = [
        access(descriptor, A_DRAM, "write"),
        access(descriptor, B64, "read"),
        access(descriptor, B128, "read"),
    ]
    reports = [bank_conflicts(each, "gfx942") for each in accesses]
    assert [report.degree for report in reports] == expected
    for each, report in zip(accesses, reports, strict=True):
        lines = each.addresses().tolist()
        assert report.degree == max(max(counted(line, report.phases)) for line in lines)
        aligned, free = conflict_free(each, report.phases)
        assert isinstance(prove(aligned), Proved)
        assert isinstance(prove(free), Proved) == report.is_free


@pytest.mark.parametrize("rung", ["naive", "xor"])
def test_rungs_without_padding_hold_every_element_once(rung):
    assert all(isinstance(prove(claim), Proved) for claim in bijective(LADDER[rung][0]))


def test_padded_rungs_share_no_element():
    for descriptor in (LADDER["padded"][0], padded_rows(256, 32, 8, 8)):
        assert isinstance(prove(one_to_one(descriptor)), Proved)


@pytest.mark.parametrize(
    "instruction",
    ["v_mfma_f32_32x32x8_f16", "v_mfma_f32_16x16x16_f16", "v_mfma_f32_32x32x16_fp8_fp8"],
)
def test_the_search_for_a_tile_of_128_by_64_finds_a_layout_that_is_proved(instruction):
    writer = make_static_tile_distribution(
        read_encoding(
            "tile_distribution_encoding<sequence<>, tuple<sequence<4, 4, 8>, sequence<8, 8>>,"
            " tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>,"
            " sequence<1, 2>, sequence<0, 1>>"
        )
    )
    found = free_layouts(writer, registers(128, 64, 4, instruction), "f16", "gfx942")
    assert [layout.name.split()[0] for layout in found] == ["xor", "rows"]
    assert found[0].bytes == 128 * 64 * 2 < found[1].bytes
    for layout in found:
        assert isinstance(prove(one_to_one(layout.descriptor)), Proved)
        for report in (layout.writer, layout.reader):
            claims = conflict_free(report.access, report.phases)
            assert all(isinstance(prove(claim), Proved) for claim in claims)


def test_the_smallest_padding_is_the_smallest():
    reader = registers(128, 64, 4, "v_mfma_f32_32x32x8_f16")
    pair = (reader, reader)
    found = free_layouts(*pair, "f16", "gfx942")[-1]
    pack = 4
    for padding in range(0, 64, pack):
        layout = row_major(128, 64, pack) if padding == 0 else padded_rows(128, 64, pack, padding)
        if examined("", layout, pair, DataType.named("f16"), "gfx942").is_free:
            assert found.descriptor.element_space_size == layout.element_space_size
            break


def test_where_nothing_is_needed_nothing_else_is_proposed():
    (found,) = free_layouts(A_DRAM, A_DRAM, "f16", "gfx950", source="rocke")
    assert found.name == "rows as they are, packs of 8"


SWIZZLED = [
    (rows, line, kind)
    for rows in (64, 128, 256)
    for line in (64, 128, 96, 192)  # of the last two in groups of packs
    for kind in ("f16", "i8", "f32")
]


@pytest.mark.sample(10)
@pytest.mark.parametrize(("rows", "line", "kind"), SWIZZLED)
def test_swizzles_hold_every_element_once_and_keep_packs_whole(rows, line, kind):
    size = DataType.named(kind).bytes
    columns, pack = line // size, 16 // size
    made = [*swizzles(rows, columns, pack, DataType.named(kind))]
    assert len(made) >= 3
    for layout in made:
        assert all(isinstance(prove(claim), Proved) for claim in bijective(layout))
        places = [int(layout.calculate_offset((rows - 1, column))) for column in range(columns)]
        assert all(place % pack == column % pack for column, place in enumerate(places))


def test_rows_of_an_odd_number_of_packs_stay_as_they_are():
    (found,) = swizzles(64, 24, 8, DataType.named("f16"))
    assert found.offset == row_major(64, 24, 8).offset


def test_a_turned_tile_needs_the_fold_and_the_search_finds_it():
    writer = along_rows(256, 32, 8, threads=512, lanes=64, pack=8)  # by 8 rows a lane
    kind = DataType.named("f16")
    plain = xor_swizzled(256, 32, 8, layers=2)
    found = least_conflicts(swizzles(256, 32, 8, kind), (writer, B128), kind, "gfx942")

    def cycles(layout):
        one = examined("", layout, (writer, B128), kind, "gfx942")
        return one.writer.total_conflicts, one.reader.total_conflicts

    assert cycles(plain)[0] > 0
    assert cycles(found) == (0, 0)
