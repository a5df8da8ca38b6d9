"""Data types: every bit pattern of the small floats against ml_dtypes, sizes, names, refusals."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.data_type import (
    DATA_TYPES,
    DataType,
    SmallFloat,
    VectorType,
    register_custom_type,
    vector_type,
)
from layoutalg.layout import make_layout
from layoutalg.tensor import make_register_tensor
from tests.refusals import refused

CODINGS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8_ocp": ml_dtypes.float8_e4m3fn,
    "bf8_ocp": ml_dtypes.float8_e5m2,
    "f8_fnuz": ml_dtypes.float8_e4m3fnuz,
    "bf8_fnuz": ml_dtypes.float8_e5m2fnuz,
    "f6": ml_dtypes.float6_e2m3fn,
    "bf6": ml_dtypes.float6_e3m2fn,
    "f4": ml_dtypes.float4_e2m1fn,
    "e8m0": ml_dtypes.float8_e8m0fnu,
}
NAMES = [row.name for row in DATA_TYPES]


def same(left: float, right: float) -> bool:
    """Equal numbers, zeros with their sign, or both no number."""
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return left == right and math.copysign(1, left) == math.copysign(1, right)


@pytest.mark.parametrize("name", CODINGS)
def test_every_pattern_of_bits_means_the_number_of_the_oracle(name):
    made, oracle = DataType.named(name), np.dtype(CODINGS[name])
    words = np.arange(1 << made.bits, dtype=np.uint16 if oracle.itemsize == 2 else np.uint8)
    with np.errstate(invalid="ignore"):
        wanted = words.view(oracle).astype(np.float64)
    found = [made.value(bits) for bits in range(1 << made.bits)]
    assert all(map(same, found, wanted.tolist()))
    assert made.largest == float(ml_dtypes.finfo(oracle).max)
    assert made.coding is not None
    assert made.coding.bits == made.bits


def test_a_coding_is_kept_for_small_floats_only():
    assert {row.name for row in DATA_TYPES if row.coding is not None} == set(CODINGS)
    with refused(LayoutError, "f8_t", hint=("f8_fnuz", "f8_ocp")):
        DataType.named("f8").value(3)
    with refused(LayoutError, "float", hint="NumPy"):
        _ = DataType.named("f32").largest


@pytest.mark.parametrize("row", DATA_TYPES, ids=NAMES)
def test_each_type_is_found_by_all_its_names(row):
    for name in (row.name, row.ck, f"ck::{row.ck}", f"ck_tile::{row.ck}"):
        assert DataType.named(name) is row
    assert str(row) == row.name


@pytest.mark.parametrize("row", DATA_TYPES, ids=NAMES)
def test_whole_bytes_are_as_wide_as_in_numpy(row):
    width = np.dtype(row.numpy).itemsize
    if row.bits % 8 == 0:
        assert row.bytes == width == row.pack_bytes
        assert row.pack == 1
    else:
        assert row.pack_bytes * 8 == row.pack * row.bits
        assert math.lcm(8, row.bits) == row.pack * row.bits
        with refused(LayoutError, str(row.bits)):
            _ = row.bytes


@given(st.sampled_from(DATA_TYPES), st.integers(0, 200))
def test_packed_elements_fill_registers_and_bytes(row, count):
    bits = count * row.bits
    assert 32 * (row.registers(count) - 1) < bits <= 32 * row.registers(count)
    if count % row.pack == 0:
        assert row.size_in_bytes(count) * 8 == bits
    else:
        with pytest.raises(LayoutError, match=rf"\b{row.pack}\b"):
            row.size_in_bytes(count)


@pytest.mark.parametrize(
    ("target", "f8", "bf8"),
    [("gfx942", "f8_fnuz", "bf8_fnuz"), ("gfx950", "f8_ocp", "bf8_ocp"), ("gfx1201", "f8_ocp", "bf8_ocp")],
)
def test_fp8_differs_between_targets_in_meaning_only(target, f8, bf8):
    for general, special in (("f8", f8), ("bf8", bf8)):
        found = DataType.named(general).on(target)
        assert found.name == special
        assert found.bits == DataType.named(general).bits
        assert found.on(target) is found
    assert DataType.named("f16").on(target).name == "f16"


def test_one_has_twice_the_exponent_in_fnuz():
    one = [DataType.named(name).value(0b0_0111_000) for name in ("f8_ocp", "f8_fnuz")]
    assert one == [1.0, 0.5]
    assert (DataType.named("f8_ocp").largest, DataType.named("f8_fnuz").largest) == (448.0, 240.0)


@given(st.sampled_from(NAMES), st.integers(1, 64))
def test_views_split_a_vector_without_overlap(name, size):
    made = vector_type(name, size)
    assert made == VectorType(DataType.named(name), size)
    assert made.registers == made.scalar.registers(size)
    powers = {1 << i for i in range(7)}
    assert set(made.widths) == {w for w in powers if size % w == 0} | {size}
    for width in made.widths:
        pieces = made.as_type(width)
        assert [len(piece) for piece in pieces] == [width] * (size // width)
        assert [i for piece in pieces for i in piece] == list(range(size))


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
def test_vectors_of_vectors_are_flat(a, b, c):
    assert vector_type(vector_type(vector_type("f16", a), b), c) == vector_type("half_t", a * b * c)


def test_the_complex_half_of_the_documentation():
    made = register_custom_type("complex_half_t", "half_t", 2)
    assert (made.bits, made.bytes, made.parts) == (32, 4, ("f16", 2))
    assert register_custom_type("complex_half_t", "f16", 2) == made == DataType.named("ck::complex_half_t")
    quad = vector_type("complex_half_t", 4)
    assert (quad.bytes, quad.registers) == (16, 4)
    assert quad.as_type(2) == ((0, 1), (2, 3))
    assert vector_type(vector_type(made, 2), 2) == quad
    assert make_register_tensor("Vgpr", made, make_layout(4)).data.shape == (4, 2)
    assert make_register_tensor("Vgpr", made, make_layout(4))[1].tolist() == [0.0, 0.0]


def test_a_custom_type_of_custom_types():
    register_custom_type("pair_of_half_t", "f16", 2)
    made = register_custom_type("two_pairs_t", "pair_of_half_t", 3)
    assert made.bits == 96
    assert np.dtype(made.numpy).shape == (3, 2)
    assert make_register_tensor("Vgpr", made, make_layout(4)).data.shape == (4, 3, 2)


def test_vectors_are_declared_without_headers():
    assert DataType.named("f16").declare_vector(8) == (
        "typedef _Float16 half_x8 __attribute__((ext_vector_type(8)));"
    )
    assert DataType.named("f8").vector(4) == "f8_x4"


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: DataType.named("f33"), "bf16 'f33'"),
        (lambda: DataType.named(5), "5"),
        (
            lambda: DataType.named("f8").on("gfx90a"),
            "gfx90a f8_fnuz gfx942",
        ),
        (lambda: DataType.named("f6").value(64), "6 64"),
        (lambda: DataType.named("f6").value(-1), "6 -1"),
        (lambda: DataType.named("f6").value(1.5), "6 1.5"),
        (lambda: SmallFloat(2, 1, "finite").value(16), "4"),
        (lambda: DataType.named("f6").size_in_bytes(3), "3 6"),
        (lambda: DataType.named("f6").size_in_bytes(-4), "0 -4"),
        (lambda: DataType.named("f6").registers("a"), "0 'a'"),
        (lambda: DataType.named("f16").vector(0), "1 0"),
        (lambda: DataType.named("f16").declare_vector("a"), "1 'a'"),
        (lambda: register_custom_type("c_t", "f16", 2).declare_vector(2), ""),
        (lambda: [register_custom_type("e_t", "f16", n) for n in (2, 3)], "e_t"),
        (lambda: register_custom_type("half_t", "f16", 2), "half_t"),
        (lambda: register_custom_type("not a name", "f16", 2), ""),
        (lambda: register_custom_type(5, "f16", 2), "5"),
        (lambda: register_custom_type("d_t", "f33", 2), "'f33'"),
        (lambda: register_custom_type("d_t", "f16", 0), "1 0"),
        (lambda: register_custom_type("d_t", "f16", True), "1 True"),
        (lambda: vector_type("f16", 0), "1 0"),
        (lambda: vector_type("f16", True), "1 True"),
        (lambda: vector_type(5, 2), "5"),
        (lambda: vector_type(vector_type("f16", 2), 0), "1 0"),
        (lambda: vector_type("f16", 6).as_type(3), "3 1 2 6"),
        (lambda: vector_type("f6", 3).bytes, "3 6"),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()
