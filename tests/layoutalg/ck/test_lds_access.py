"""The accesses that CK's names tell of: their degrees are what a plain count of dwords in banks gives."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product

import pytest

from layoutalg.check.lds_access import JudgedAccess, NotJudged, judged_accesses
from layoutalg.ck.lds_pairs import lds_descriptors, target_beside
from layoutalg.ck.shipped_bindings import default_bindings
from tests.benchmarks.ck_tile import lds_accesses
from tests.golden.ck_import import has_headers, headers
from tests.layoutalg.ck.lds_policy import policy_index

needs_headers = pytest.mark.skipif(
    not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
)
FEW = (  # layouts of few elements, some with conflicts, some without
    "BlockFmhaBwdPipelineDefaultPolicy::MakeQLds",
    "BlockFmhaBwdPipelineDefaultPolicy::MakeLSED",
    "BlockFmhaBwdPipelineDefaultPolicy::MakeShuffledQ",
    "SplitKVCombinePipelineDefaultPolicy::MakeLSEacc",
    "SplitKVPipelineNWarpSShuffleQRKSVSDefaultPolicy::MakeQ",
    "QXCustomPolicy::MakeQ",
    "CompAsyncDefaultPolicy::MakeBLds",
)


def counted(judged: JudgedAccess) -> int:
    """The most dwords that one bank gives in one phase: by the two layouts alone, one element at a time."""
    assert judged.window is not None
    layout, tile, phases = judged.window.descriptor, judged.window.distribution, judged.report.phases
    width, size, axis = (
        judged.report.access.scalars,
        judged.report.access.element.bytes,
        judged.window.vector_dim_y,
    )
    steps = [width if i == axis and width > 1 else 1 for i in range(len(tile.y_lengths))]
    ys = list(product(*(range(0, n, s) for n, s in zip(tile.y_lengths, steps, strict=True))))
    origins = list(product(*(range(0, n, w) for n, w in zip(layout.lengths, tile.lengths, strict=True))))
    others = list(product(*(range(n) for n in tile.p_lengths[:-1])))
    most, place = 0, cache(layout.calculate_offset)
    for origin, other, y, lanes in product(origins, others, ys, phases.phases):
        banks = defaultdict(set)
        for lane in lanes:
            for i in {0, width - 1} if lane == lanes[0] else {0}:  # a vector lies in neighbours
                at = [v + i * (d == axis) for d, v in enumerate(y)]
                x = tile.element((*other, lane), at)
                offset = place(tuple(o + e for o, e in zip(origin, x, strict=True))) - i
                first = offset * size // 4
                for dword in range(first, max(first + 1, (offset + width) * size // 4)):
                    banks[dword % phases.banks].add(dword)
        most = max(most, *map(len, banks.values()))
    return most


def judged_of(arch, only=""):
    return [one for _, one in lds_accesses(headers(arch), only) if isinstance(one, JudgedAccess)]


@pytest.mark.slow
@needs_headers
def test_degrees_are_what_a_plain_count_gives():
    found = [one for only in FEW for one in judged_of("gfx942", only)]
    assert len(found) >= 10
    assert len({one.report.degree for one in found}) >= 3
    for one in found:
        assert one.report.degree == counted(one), one.name


@needs_headers
@pytest.mark.long
@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_every_degree_is_what_a_plain_count_gives(arch):
    found = judged_of(arch)
    assert len(found) >= 45
    for one in found:
        assert one.report.degree == counted(one), one.name
        assert one.is_proved == one.report.is_free, one.name


def own(name, **bindings):
    bound = {"Problem.kPad": 0, "Problem.ADataType": "half_t", "Problem.BDataType": "half_t"}
    bound |= {"Problem.CDataType": "half_t"} | {f"Problem.{k}": v for k, v in bindings.items()}
    return judged_accesses(f"policy.hpp::Policy::{name}", bound, index=policy_index())


@pytest.mark.parametrize(("pad", "degree"), [(0, 8), (8, 1)])
def test_a_padding_takes_the_conflicts_of_the_reads(pad, degree):
    """Lanes 0-3 and 20-23 read 8 rows: of 32 dwords each all in one bank, of 36 dwords each in all banks."""
    writer, reader = own("MakeALdsBlockDescriptor", kPad=pad)
    assert (writer.report.degree, reader.report.degree) == (1, degree)
    assert (counted(writer), counted(reader)) == (1, degree)
    assert writer.is_proved
    assert reader.is_proved == (degree == 1)
    assert reader.name == "Policy::MakeALdsBlockDescriptor read with Policy::MakeARegTileDistribution"


def test_a_tile_that_does_not_fit_is_not_judged():
    first, second = own("MakeBLdsBlockDescriptor")
    assert isinstance(first, NotJudged)
    assert first.reason == "a tile of 32x64 does not fit a layout of 48x64"
    assert second.reason == "no name of its class tells with what"


def test_two_writers_that_fit_are_not_judged():
    found = own("MakeCLdsBlockDescriptor")
    assert all(isinstance(one, NotJudged) for one in found)
    assert "fit, the pipeline chooses" in found[0].reason
    assert [one.direction for one in found] == ["write", "write", "read"]


def test_an_element_type_that_is_not_bound_is_not_guessed():
    target = "policy.hpp::Policy::MakeALdsBlockDescriptor"
    found = judged_accesses(target, {"Problem.kPad": 0}, index=policy_index())
    assert all("Problem.ADataType is not bound" in str(one) for one in found)


@pytest.mark.slow
@needs_headers
def test_every_layout_of_shared_memory_is_told_of():
    index = headers("gfx942")
    for builder, ordinal in lds_descriptors(index)[::9]:
        target = f"{builder.file}::{builder.name}#{ordinal}"
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        assert judged_accesses(target, bindings, index=index, defaults=True), target


def test_names_beside_a_target():
    target = "a.hpp::Policy<Problem>::MakeA()"
    assert target_beside(target, "MakeB<Problem>()") == "a.hpp::Policy<Problem>::MakeB<Problem>()"
    assert target_beside(target, "b.hpp::Other::MakeB") == "b.hpp::Other::MakeB"
