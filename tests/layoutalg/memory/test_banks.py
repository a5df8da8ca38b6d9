"""Shared memory: published counters, an independent count, the formula, and proofs against enumeration."""

from __future__ import annotations

import itertools
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.machine.lds import LDS_PHASES, SOURCES, LdsPhases
from layoutalg.memory import (
    WaveAccess,
    bank_conflicts,
)
from layoutalg.proofs import prove
from layoutalg.properties import conflict_free
from layoutalg.properties.conflict_free import phase_of
from layoutalg.verdict import Proved, Refuted
from tests.layoutalg.memory.strided import degree_of_stride, lane_stride, strided_degree
from tests.refusals import refused

# nod-ai/amd-shark-ai, docs/empirical-lds/cdna3info.md: conflicts of 64 reads by a wave, by stride in bytes
COUNTERS = {
    32: {4: 0, 8: 128, 16: 384, 32: 896, 64: 1920, 128: 3968, 256: 3968, 512: 3968},
    64: {8: 0, 16: 256, 32: 768, 64: 1792, 128: 3840, 256: 3840, 512: 3840},
    128: {16: 0, 32: 512, 64: 1536, 128: 3584, 256: 3584, 512: 3584},
}
READS = 64
LANES = {"gfx1100": 32, "gfx1201": 32}


def strided(
    stride: int, bits: int, target: str = "gfx942", direction: Literal["read", "write"] = "read"
) -> WaveAccess:
    """Lane ``l`` at byte ``l * stride``, ``bits`` wide."""
    lanes = LANES.get(target, 64)
    domain = Domain.of({"lane": lanes})
    return WaveAccess.of_expression(domain["lane"] * (stride // 4), domain, "f32", bits // 32, direction)


def counted(addresses: list[int], row: LdsPhases) -> list[int]:
    """The cycles of each phase, by nothing but the rule: dwords in a dict of sets."""
    cycles = []
    for members in row.phases:
        banks: dict[int, list[int]] = {}
        for lane in members:
            for word in range(max(1, row.bits // 32)):
                dword = addresses[lane] // 4 + word
                wanted = banks.setdefault(dword % row.banks, [])
                if dword not in wanted or not row.merges:
                    wanted.append(dword)
        cycles.append(max(map(len, banks.values())))
    return cycles


@pytest.mark.parametrize(("bits", "stride"), [(b, s) for b, row in COUNTERS.items() for s in row])
def test_published_counters_of_gfx942_are_reproduced(bits, stride):
    report = bank_conflicts(strided(stride, bits), "gfx942")
    assert READS * report.conflicts == COUNTERS[bits][stride]
    assert report.phases.source.kind == "measured"
    assert report.is_free == (COUNTERS[bits][stride] == 0)


def test_all_of_the_published_values_are_here():
    assert sum(map(len, COUNTERS.values())) == 21


@pytest.mark.sample(3)
@pytest.mark.parametrize("row", LDS_PHASES, ids=str)
def test_phases_share_all_lanes_out_evenly_and_are_xors_of_lane_bits(row):
    lanes = [lane for members in row.phases for lane in members]
    assert sorted(lanes) == list(range(LANES.get(row.target, 64)))
    assert len({len(members) for members in row.phases}) == 1
    lane = Domain.of({"lane": len(lanes)})["lane"]
    for number, members in enumerate(row.phases):
        for member in members:
            assert evaluate(phase_of(row, lane), {"lane": member}) == number


@pytest.mark.sample(9)
@pytest.mark.parametrize("row", LDS_PHASES, ids=str)
@pytest.mark.parametrize("stride", [0, 4, 8, 12, 16, 20, 36, 64, 68, 128, 132, 260, 512])
def test_enumeration_is_the_rule_itself(row, stride):
    access = strided(stride, row.bits, row.target, row.direction)
    report = bank_conflicts(access, row.target, row.source.name)
    addresses = [lane * stride for lane in range(access.lanes)]
    assert report.cycles.tolist() == [counted(addresses, report.phases)]


@pytest.mark.sample(8)
@pytest.mark.parametrize("row", LDS_PHASES, ids=str)
def test_the_formula_for_strides_is_what_enumeration_counts(row):
    for stride in range(0, 1024, row.bits // 8):
        access = strided(stride, row.bits, row.target, row.direction)
        degree = bank_conflicts(access, row.target, row.source.name).degree
        found = LdsPhases.of(row.target, row.direction, row.bits, row.source.name)
        assert lane_stride(access) == stride
        assert degree_of_stride(stride, found) == degree
        in_turn = sorted(found.phases[0]) == list(range(len(found.phases[0])))
        if in_turn and found.bits != 96:
            assert strided_degree(stride, found) == degree
        else:
            with pytest.raises(LayoutError):
                strided_degree(stride, found)


PARTS = list(itertools.product(("f16", "i8"), (1, 2, 4), (8, 16, 31), ("0", "1", "3", "i", "64*i")))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("element", "stride", "period", "added"), PARTS)
def test_parts_of_a_word_that_all_lanes_add_are_counted(element, stride, period, added):
    domain = Domain.of({"lane": 64, "i": 4})
    form = f"{stride}*lane + lane % 32 // {period} + {added}"
    access = WaveAccess.of_expression(form, domain, element, 1, "read")
    report = bank_conflicts(access, "gfx942")
    expected = max(max(counted(list(line), report.phases)) for line in access.addresses().tolist())
    assert report.degree == expected
    verdict = prove(conflict_free(access, report.phases)[1])
    assert isinstance(verdict, Proved if report.is_free else Refuted)


@pytest.mark.slow
@given(st.data())
def test_a_proof_is_what_enumeration_says(data):
    target = data.draw(st.sampled_from(["gfx942", "gfx950", "gfx1100", "gfx1201"]))
    direction = data.draw(st.sampled_from(["read", "write"]))
    bits = data.draw(st.sampled_from([32, 64, 128]))
    lanes = LANES.get(target, 64)
    domain = Domain.of({"lane": lanes, "i": 4})
    pack = bits // 32
    row, column, xor = (data.draw(st.integers(0, 12)) for _ in range(3))
    split = data.draw(st.sampled_from([1, 2, 4, 8, 16]))
    place = f"lane // {split} * {row} + (lane % {split} ^ lane // {split} % {max(1, xor)})"
    form = f"({place}) * {pack} + i*{column * pack}"
    access = WaveAccess.of_expression(form, domain, "f32", pack, direction)
    report = bank_conflicts(access, target)
    verdicts = [prove(claim) for claim in conflict_free(access, report.phases)]
    assert isinstance(verdicts[0], Proved)
    assert isinstance(verdicts[1], Proved if report.is_free else Refuted)
    expected = max(max(counted(list(line), report.phases)) for line in access.addresses().tolist())
    assert report.degree == expected


def test_the_worst_phase_names_bank_and_lanes():
    worst = bank_conflicts(strided(64, 128), "gfx942").worst
    assert worst.members == (0, 1, 2, 3, 20, 21, 22, 23)
    assert worst.cycles == 4
    assert worst.lanes == (0, 2, 20, 22)
    assert "lanes 0-3, 20-23" in str(worst)


def test_a_loop_without_end_is_proved_and_refuted():
    domain = Domain.of({"lane": 64, "stage": "N"}, {"N": (1, None)})
    phases = LdsPhases.of("gfx942", "write", 128)
    for text, expected in (("lane*8 + stage*2048", Proved), ("lane*64 + stage*2048", Refuted)):
        access = WaveAccess.of_expression(text, domain, "f16", 8, "write")
        aligned, free = conflict_free(access, phases)
        assert isinstance(prove(aligned), Proved)
        assert isinstance(prove(free), expected)


def test_a_misaligned_access_is_refuted_not_counted_away():
    domain = Domain.of({"lane": 64})
    access = WaveAccess.of_expression("lane*10", domain, "f16", 8, "write")
    aligned, _ = conflict_free(access, LdsPhases.of("gfx942", "write", 128))
    assert isinstance(prove(aligned), Refuted)


def test_lanes_that_take_no_part_cause_no_conflict():
    domain = Domain.of({"lane": 64})
    access = WaveAccess.of_expression("lane*32", domain, "f32", 1, "read")
    alone = type(access)(
        type(access.index_map)(domain, access.index_map.outputs, (domain["lane"] < 1,)),
        access.lane, access.element, 1, "read",
    )  # fmt: skip
    assert bank_conflicts(access, "gfx942").degree == 32
    assert bank_conflicts(alone, "gfx942").is_free
    assert isinstance(prove(conflict_free(alone, LdsPhases.of("gfx942", "read", 32))[1]), Proved)


def test_sources_disagree_and_each_can_be_asked():
    access = strided(4, 32, "gfx950")
    assert bank_conflicts(access, "gfx950").phases.banks == 64
    assert bank_conflicts(access, "gfx950", "rocke").phases.banks == 32
    assert bank_conflicts(access, "gfx950", "rocroller").phases.merges is False
    assert {row.source.name for row in LDS_PHASES} == set(SOURCES)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("gfx942", "read", 96, "amd-shark-ai"), "ds_read_b96"),
        (("gfx942", "read", 256), "ds_read_b256"),
        (("gfx700", "read", 32), "'gfx700'"),
        (("gfx942", "read", 32, "nobody"), "nobody"),
    ],
)
def test_what_is_not_known_is_refused(arguments, facts):
    with refused(LayoutError, *facts.split()):
        LdsPhases.of(*arguments)


def test_unaligned_dwords_and_waves_of_another_size_are_refused():
    domain = Domain.of({"lane": 64})
    odd = WaveAccess.of_expression("lane*3", domain, "f16", 2, "read")
    with refused(LayoutError, "4"):
        bank_conflicts(odd, "gfx942")
    with refused(LayoutError, "gfx1100", "32"):
        bank_conflicts(WaveAccess.of_expression("lane", domain, "f32", 1, "read"), "gfx1100")
