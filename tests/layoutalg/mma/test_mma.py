"""Matrix instructions are as AMD's calculator prints them, slot by slot, and as CK and others have them."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensor_layouts import atoms_amd

from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.mma import MATRIX_INSTRUCTIONS, MatrixInstruction
from layoutalg.mma.cdna4 import BYTES
from layoutalg.mma.rows import CALCULATOR
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.views.mma import instruction_named, mma_view
from tests.refusals import refused

HERE = Path(__file__).parent
RECORDS = json.loads((HERE / "mma_layouts.json").read_text(encoding="utf-8"))
CK_CASES = json.loads(
    (HERE.parents[1] / "golden" / "data" / "mfma_register_layouts.json").read_text(encoding="utf-8")
)["cases"]
OPERANDS = ("A", "B", "D")
CDNA4 = MatrixInstruction.of_target("gfx950")
TYPES = {  # the calculator's words; FP8 and BF8 follow in _type
    "FP64": "f64", "FP32": "f32", "FP16": "f16", "BF16": "bf16", "int8": "i8", "int32": "i32", "IU8": "i8",
    "IU4": "i4",
}  # fmt: skip


def _key(record: dict[str, Any]) -> tuple[str, str, int]:
    return record["gfx"], record["instruction"], record["wave_size"]


def _row(record: dict[str, Any]) -> MatrixInstruction:
    gfx, name, wave_size = _key(record)
    return MatrixInstruction.named(name, gfx, wave_size)


def _type(text: str, name: str) -> str:
    word = text.split(maxsplit=1)[0]
    if word in {"FP8", "BF8"}:
        return f"{word.lower().replace('fp8', 'f8')}_{'ocp' if 'OCP' in text else 'fnuz'}"
    return "xf32" if name.endswith("_xf32") else TYPES[word]


def _held(mma: MatrixInstruction, operand: str) -> np.ndarray:
    """The X index by lane, element and dimension."""
    shape = (mma.wave_size, mma.elements(operand))
    found = mma.element(operand, np.arange(shape[0])[:, None], np.arange(shape[1])[None, :])
    return np.stack([np.broadcast_to(x, shape) for x in found], axis=-1)


def _by_digits(encoding: TileDistributionEncoding) -> Counter[tuple[int, ...]]:
    """How often each X index is held, by going through the digits and nothing else of the library."""
    names = [factor for factors in encoding.ps_factors for factor in factors] + list(encoding.ys_factors)
    lengths = [int(encoding.factor_length(name)) for name in names]
    found: Counter[tuple[int, ...]] = Counter()
    for digits in product(*map(range, lengths)):
        value = dict(zip(names, digits, strict=True))
        index = []
        for major, row in enumerate(encoding.hs_lengthss, start=1):
            x = 0
            for minor, length in enumerate(row):
                x = x * int(length) + value.get((major, minor), 0)
            index.append(x)
        found[tuple(index)] += 1
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: "-".join(map(str, _key(record))))
class TestOneRecordOfTheCalculator:
    def test_shape_and_cycles_are_equal(self, record):
        row = _row(record)
        wanted = [record[name] for name in ("M", "N", "K", "blocks", "cycles", "wave_size")]
        assert [row.m, row.n, row.k, row.blocks, row.cycles, row.wave_size] == wanted

    def test_the_rate_is_equal(self, record):
        assert _row(record).flops_per_cu_cycle == record["flops_per_cu_cycle"]

    def test_types_are_equal(self, record):
        row, name = _row(record), record["instruction"]
        assert row.type_a == _type(record["src0"], name)
        assert row.type_b == _type(record["src1"], name)
        assert row.type_c == _type(record["src2"], "") == row.type_d == _type(record["vdst"], "")

    def test_registers_are_equal(self, record):
        # For a wave of 64 the calculator prints the registers of a wave of 32, also where, by its own
        # columns, a lane needs half of them.
        gfx, name, wave_size = _key(record)
        row = MatrixInstruction.named(name, gfx, 32) if "wmma" in name else _row(record)
        counts = [row.registers_a, row.registers_b, row.registers_d]
        assert counts == [record["gprs_A"], record["gprs_B"], record["gprs_D"]]
        if wave_size == 64 and "wmma" in name:
            assert _row(record).registers_d * 2 == record["gprs_D"]

    def test_every_slot_is_equal(self, record):
        row = _row(record)
        for operand in OPERANDS:
            slots = np.array(record["layouts"][operand])
            if operand == "B":  # the calculator has K before N
                slots[..., [0, 1]] = slots[..., [1, 0]]
            held = _held(row, operand)
            if slots.shape[-1] > held.shape[-1]:  # a block that is always 0
                assert row.blocks == 1
                assert not slots[..., 2].any()
                slots = slots[..., :2]
            assert np.array_equal(slots, held)

    def test_columns_of_d_are_where_place_says(self, record):
        row = _row(record)
        assert row.elements_d == len(record["D_columns"])
        for element, column in enumerate(record["D_columns"]):
            pair = re.fullmatch(r"v\[(\d+):(\d+)\]", column)
            if pair:
                assert int(pair[1]) == int(pair[2]) + 1
                assert row.place("D", element) == (int(pair[2]), 0, 63)
                continue
            match = re.fullmatch(r"v(\d+)(?:\.\[(\d+):(\d+)\])?", column)
            assert match, column
            wanted = (int(match[1]), int(match[3] or 0), int(match[2] or 31))
            assert row.place("D", element) == wanted


def test_every_record_has_a_row_and_every_row_of_the_calculator_a_record():
    rows = Counter((r.target, r.name, r.wave_size) for r in MATRIX_INSTRUCTIONS if r.source == CALCULATOR)
    assert rows == Counter(map(_key, RECORDS))
    assert set(rows.values()) == {1}


def test_rows_that_the_calculator_does_not_have_say_so():
    assert {r.target for r in MATRIX_INSTRUCTIONS if r.source != CALCULATOR} == {"gfx950"}
    assert all(r.source.startswith("derived") for r in CDNA4)


def test_no_two_rows_have_the_same_name_target_and_wave():
    assert len({(r.target, r.name, r.wave_size) for r in MATRIX_INSTRUCTIONS}) == len(MATRIX_INSTRUCTIONS)


@pytest.mark.parametrize("operand", OPERANDS)
def test_every_element_is_owned_once_or_by_every_copy(operand):
    done: set[TileDistributionEncoding] = set()
    for row in MATRIX_INSTRUCTIONS:
        encoding = row.encoding(operand)
        lengths = {"A": (row.m, row.k), "B": (row.n, row.k), "D": (row.m, row.n)}[operand]
        assert encoding.x_lengths == (lengths if row.blocks == 1 else (*lengths, row.blocks))
        assert encoding.p_lengths == (row.wave_size,)
        if encoding in done:
            continue
        done.add(encoding)
        found = _by_digits(encoding)
        copies = row.wave_size // 16 if row.target == "gfx1100" and operand != "D" else 1
        assert set(found) == set(product(*map(range, map(int, encoding.x_lengths))))
        assert set(found.values()) == {copies}
        assert make_static_tile_distribution(encoding).copies == copies


def test_places_fill_registers_without_overlap():
    for row in MATRIX_INSTRUCTIONS:
        for operand in OPERANDS:
            places = [row.place(operand, element) for element in range(row.elements(operand))]
            bits = [32 * r + bit for r, first, last in places for bit in range(first, last + 1)]
            assert len(set(bits)) == len(bits)
            assert bits == sorted(bits)
            assert max(bits) // 32 + 1 == row.registers(operand)


# CK


CK_NAMES = {  # plain variants, neither swizzled nor transposed
    "warp_mfma_f16_32x32x8": ("v_mfma_f32_32x32x8f16", "gfx90a"),
    "warp_mfma_f16_16x16x16": ("v_mfma_f32_16x16x16f16", "gfx90a"),
    "warp_mfma_fp8_32x32x16": ("v_mfma_f32_32x32x16_fp8_fp8", "gfx942"),
}


@pytest.mark.parametrize("base", CK_NAMES)
def test_what_ck_itself_prints_is_the_same_map(base):
    cases = {case["operand"]: case for case in CK_CASES if case["name"] == f"{base}_{case['operand']}"}
    assert set(cases) in ({"A"}, {"A", "B", "C"})
    row = MatrixInstruction.named(*CK_NAMES[base])
    for operand, case in cases.items():
        assert np.array_equal(_held(row, operand), np.array(case["lane_register_to_x"]))
        encoding = TileDistributionEncoding(*map(_tuples, case["encoding"].values()))
        assert encoding == row.encoding(operand)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


# CK Tile, ops/gemm/warp/warp_gemm_attribute_mfma_impl.hpp: kAMLane, kABKLane, kABKPerLane, kCM0PerLane,
# kCMLane, kCM1PerLane, kCNLane.
CK_WARP_GEMMS = {
    "v_mfma_f32_16x16x4_f32": (16, 4, 1, 1, 4, 4, 16),
    "v_mfma_f32_32x32x2_f32": (32, 2, 1, 4, 2, 4, 32),
    "v_mfma_f32_16x16x32_bf16": (16, 4, 8, 1, 4, 4, 16),
    "v_mfma_f32_32x32x8_f16": (32, 2, 4, 4, 2, 4, 32),
    "v_mfma_f32_16x16x16_f16": (16, 4, 4, 1, 4, 4, 16),
    "v_mfma_f32_16x16x32_f16": (16, 4, 8, 1, 4, 4, 16),
    "v_mfma_f32_32x32x8_bf16": (32, 2, 4, 4, 2, 4, 32),
    "v_mfma_f32_16x16x16_bf16": (16, 4, 4, 1, 4, 4, 16),
    "v_mfma_f32_32x32x16_f16": (32, 2, 8, 4, 2, 4, 32),
    "v_mfma_f32_32x32x16_bf16": (32, 2, 8, 4, 2, 4, 32),
    "v_mfma_f32_16x16x32_fp8_fp8": (16, 4, 8, 1, 4, 4, 16),
    "v_mfma_f32_32x32x16_fp8_bf8": (32, 2, 8, 4, 2, 4, 32),
    "v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4": (16, 4, 32, 1, 4, 4, 16),
    "v_mfma_i32_32x32x16_i8": (32, 2, 8, 4, 2, 4, 32),
    "v_mfma_i32_16x16x32_i8": (16, 4, 8, 1, 4, 4, 16),
    "v_mfma_i32_16x16x64_i8": (16, 4, 16, 1, 4, 4, 16),
    "v_mfma_i32_32x32x32_i8": (32, 2, 16, 4, 2, 4, 32),
}


def _ck_input(lanes: int, k_lanes: int, k_per_lane: int) -> TileDistributionEncoding:
    """``WarpGemmAttributeMfma::get_warp_dstr_encoding``, for one access."""
    hs = ((lanes,), (k_lanes, k_per_lane))
    return TileDistributionEncoding((), hs, ((2, 1),), ((0, 0),), (2,), (1,))


@pytest.mark.parametrize("name", CK_WARP_GEMMS)
def test_warp_gemms_of_ck_tile_are_the_instructions_of_gfx950(name):
    lanes, k_lanes, k_per_lane, m0, m_lanes, m1, n_lanes = CK_WARP_GEMMS[name]
    row = MatrixInstruction.named(name, "gfx950")
    assert row.a == row.b == _ck_input(lanes, k_lanes, k_per_lane)
    hs = ((m0, m_lanes, m1), (n_lanes,))
    assert row.d == TileDistributionEncoding((), hs, ((1, 2),), ((1, 0),), (1, 1), (0, 2))


@pytest.mark.parametrize(("name", "k_lanes"), [("16x16x128", 4), ("32x32x64", 2)])
def test_ck_tile_takes_k_of_8_bit_f8f6f4_in_another_order_the_same_for_a_and_b(name, k_lanes):
    row = MatrixInstruction.named(f"v_mfma_f32_{name}_f8f6f4", "gfx950")
    theirs = make_static_tile_distribution(_ck_input(row.m, k_lanes, 32))
    lanes, elements = np.arange(64)[:, None], np.arange(32)[None, :]
    m, k = theirs.element((lanes,), (elements,))
    assert row.a == row.b
    held = _held(row, "A")
    assert np.array_equal(np.broadcast_to(m, (64, 32)), held[..., 0])
    pairs = set(
        zip(np.broadcast_to(k, (64, 32)).ravel().tolist(), held[..., 1].ravel().tolist(), strict=True)
    )
    assert len(pairs) == row.k  # a permutation of K, not the identity
    assert any(ours != other for ours, other in pairs)


# gfx950


def test_f8f6f4_holds_8_bits_in_two_runs_of_16_and_less_in_one_of_32():
    # CK, test/mx_mfma_op/mx_mfma_op.hpp, "Register Mapping for 16x128", lanes 0 to 15 and 16 to 31.
    eight = MatrixInstruction.named("v_mfma_f32_16x16x128_f8f6f4", "gfx950")
    assert [eight.element("A", 0, e)[1] for e in (0, 15, 16, 31)] == [0, 15, 64, 79]
    assert [eight.element("A", 16, e)[1] for e in (0, 15, 16, 31)] == [16, 31, 80, 95]
    four = MatrixInstruction.named("v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4", "gfx950")
    assert [four.element("A", 16, e)[1] for e in (0, 31)] == [32, 63]
    six = MatrixInstruction.named("v_mfma_f32_16x16x128_f8f6f4 cbsz:2 blgp:3", "gfx950")
    assert [six.element("A", 16, e)[1] for e in (0, 15, 16, 31)] == [32, 47, 48, 63]
    assert [row.registers_a for row in (eight, six, four)] == [8, 6, 4]


def test_f8f6f4_takes_twice_as_long_with_any_8_bit_operand():
    for row in CDNA4:
        if "f8f6f4" in row.name:
            slow = bool(BYTES & {row.type_a, row.type_b})
            assert row.flops_per_cu_cycle == (8192 if slow else 16384)


def test_gfx950_keeps_all_of_gfx942_but_xf32_and_slows_f64():
    kept = {row.name for row in CDNA4} & {row.name for row in MatrixInstruction.of_target("gfx942")}
    for old in MatrixInstruction.of_target("gfx942"):
        if "xf32" in old.name:
            assert old.name not in kept
            continue
        new = MatrixInstruction.named(old.name, "gfx950")
        assert (new.a, new.b, new.d) == (old.a, old.b, old.d)
        assert new.cycles == (64 if old.name == "v_mfma_f64_16x16x4_f64" else old.cycles)
        assert new.type_a == old.type_a.replace("fnuz", "ocp")


ATOMS = {  # as tensor-layouts calls the forms that are new on gfx950
    "CDNA3P_32x32x16_F32F16F16_MFMA": "v_mfma_f32_32x32x16_f16",
    "CDNA3P_16x16x32_F32F16F16_MFMA": "v_mfma_f32_16x16x32_f16",
    "CDNA3P_32x32x16_F32BF16BF16_MFMA": "v_mfma_f32_32x32x16_bf16",
    "CDNA3P_16x16x32_F32BF16BF16_MFMA": "v_mfma_f32_16x16x32_bf16",
    "CDNA3P_32x32x32_I32I8I8_MFMA": "v_mfma_i32_32x32x32_i8",
    "CDNA3P_16x16x64_I32I8I8_MFMA": "v_mfma_i32_16x16x64_i8",
}


@pytest.mark.parametrize("atom_name", ATOMS)
def test_atoms_of_tensor_layouts_are_the_same_map(atom_name):
    # Their layouts give column-major offsets of ((lane // n, lane % n), value). Their A and B leave out
    # which part of K a lane has, which is added here: row, count and order of elements are theirs.
    atom = getattr(atoms_amd, atom_name)
    row = MatrixInstruction.named(ATOMS[atom_name], "gfx950")
    assert atom.shape_mnk == (row.m, row.n, row.k)
    assert set(_atom_names()) == set(ATOMS)
    for lane in range(64):
        thread = divmod(lane, row.n)
        for element in range(row.elements_d):
            n, m = divmod(atom.c_layout(thread, divmod(element, 4)), row.m)
            assert row.element("D", lane, element) == (m, n)
        for operand, layout in (("A", atom.a_layout), ("B", atom.b_layout)):
            held = row.elements(operand)
            for element in range(held):
                k, x = divmod(layout(thread, element), row.m)
                assert row.element(operand, lane, element) == (x, k + held * thread[0])


def _atom_names() -> list[str]:
    return [atom.name for atom in atoms_amd.MMA_ATOMS_CDNA3P]


# Names


def test_a_name_on_one_target_needs_no_target():
    assert MatrixInstruction.named("V_MFMA_F32_32X32X4_XF32").target == "gfx942"


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("v_mfma_f32_32x32x8f17",), "v_mfma_f32_32x32x8f16"),
        (("v_mfma_f32_32x32x8f16",), "gfx908 gfx90a"),
        (("v_mfma_f32_32x32x4_xf32", "gfx950"), "gfx950 gfx942"),
        (("v_mfma_f32_32x32x4_xf32", "gfx1030"), "'gfx1030' gfx908"),
        (("v_wmma_f32_16x16x16_f16", "gfx1100"), "32 64"),
        (("v_wmma_i32_16x16x16_iu4", "gfx1100", 64), "32 64"),
        (("nothing like it at all", "gfx908"), "of_target"),
    ],
)
def test_a_name_that_does_not_settle_it_is_refused_with_what_would(arguments, facts):
    with refused(LayoutError, *facts.split()):
        MatrixInstruction.named(*arguments)


def test_operands_and_elements_that_do_not_exist_are_refused():
    row = MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942")
    with refused(LayoutError, "A", "B", "C", "D"):
        row.encoding("E")
    with refused(LayoutError, "0", "3", "A", "4"):
        row.place("A", 4)


# Text


def test_the_text_shows_owners_both_ways():
    text = as_text(mma_view(instruction_named("v_mfma_f32_32x32x8_f16", "gfx942")))
    assert "32 cycles, 16384 operations, 2048 FLOPs per CU and cycle" in text
    assert "targets: gfx942 in 32 cycles, gfx950 in 32 cycles" in text
    assert "m = 8*y0 + y1 + 4*(lane // 32)" in text
    assert "  33         1,4        1,5        1,6        1,7" in text
    assert "  1    1:0.0  1:0.16   1:1.0  1:1.16  33:0.0 33:0.16  33:1.0 33:1.16" in text


@pytest.mark.slow
def test_tables_fit_in_160_characters():
    for row in MATRIX_INSTRUCTIONS[::4]:
        if row.name.count(":") > 1:  # its operands are those of instructions with one modifier
            continue
        for line in as_text(mma_view(row)).split("\n"):
            assert len(line) <= 160 or line.startswith(("source", "tile_distribution_encoding"))
