"""Matrix instructions executed: against AMD's own register layouts, read from the calculator's records."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from layoutalg.codegen.gfx9.assembly import UnknownInstructionError, parse_instruction
from layoutalg.codegen.gfx9.device_memory import GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.matrix_cores import matrix_operation
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.data_type import DataType
from tests.codegen.gfx9.snippet import run_snippet

RECORDS = json.loads(
    (Path(__file__).parents[2] / "layoutalg" / "mma" / "mma_layouts.json").read_text(encoding="utf-8")
)
CDNA = [
    r
    for r in (RECORDS if isinstance(RECORDS, list) else RECORDS["instructions"])
    if "mfma" in r["instruction"]
]
BITS = {
    "FP64": 64,
    "FP32": 32,
    "FP16": 16,
    "BF16": 16,
    "FP8": 8,
    "BF8": 8,
    "int8": 8,
    "int32": 32,
    "XF32": 32,
}
FLOAT8 = {"FP8": "f8_fnuz", "BF8": "bf8_fnuz"}


def word(text):
    return text.split()[0]


def encoded(kind, numbers):
    """Small whole numbers as bits of a type, by NumPy or by search, not by the machine's own decoding."""
    if kind in FLOAT8:
        table = {DataType.named(FLOAT8[kind]).value(bits): bits for bits in range(256)}
        return np.vectorize(lambda number: table[float(number)])(numbers).astype(np.uint8)
    if kind == "BF16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    kinds = {"FP64": "f8", "FP32": "f4", "FP16": "f2", "int8": "i1", "int32": "i4", "XF32": "f4"}
    return numbers.astype(kinds[kind])


def registers(state, first, lanes):
    """Put one row of bytes a lane into vector registers, low bytes first."""
    words = np.ascontiguousarray(lanes).view(np.uint8).reshape(LANES, -1)
    words = np.pad(words, ((0, 0), (0, -words.shape[1] % 4))).view(np.uint32)
    for i in range(words.shape[1]):
        state.write_vector(first + i, slice(None), words[None, :, i], np.ones((1, LANES), dtype=bool))
    return first + words.shape[1]


def span(first, end):
    return f"v{first}" if end == first + 1 else f"v[{first}:{end - 1}]"


def execute(text: str, target: str, state: Waves) -> None:
    operation = matrix_operation(parse_instruction(text, 1), target)
    assert operation is not None
    operation(state, slice(None))


@pytest.mark.sample(3)
@pytest.mark.parametrize("record", CDNA, ids=lambda r: f"{r['gfx']}-{r['instruction']}")
@pytest.mark.parametrize("with_c", [True, False])
def test_the_product_is_that_of_the_matrices(record, with_c):
    rng = np.random.default_rng(1)
    blocks, m, n, k = record["blocks"], record["M"], record["N"], record["K"]
    kinds = [word(record[key]) for key in ("src0", "src1", "vdst")]
    a, b = rng.integers(-4, 5, (blocks, m, k)), rng.integers(-4, 5, (blocks, k, n))
    c = rng.integers(-100, 101, (blocks, m, n)) * with_c
    state = Waves(1, 128, 0, GlobalMemory(), LocalMemory(1, 0), workgroup=np.zeros(1, dtype=np.int64))

    def lanes(matrix, letter):
        held = record["layouts"][letter]
        return np.array([[matrix[(i[2] if len(i) > 2 else 0, i[0], i[1])] for i in lane] for lane in held])

    places = [0]
    for matrix, letter, kind in ((a, "A", kinds[0]), (b, "B", kinds[1]), (c, "D", kinds[2])):
        values = lanes(matrix, letter)
        places.append(registers(state, places[-1], encoded(kind, values)))
    spans = [span(*pair) for pair in itertools.pairwise(places)]
    text = f"{record['instruction']} {spans[2]}, {spans[0]}, {spans[1]}, {spans[2] if with_c else 0}"
    execute(text, record["gfx"], state)
    wanted = encoded(kinds[2], lanes(a @ b + c, "D"))
    count = places[3] - places[2]
    words = np.stack([state.vector[places[2] + i, 0] for i in range(count)], axis=1)
    assert np.array_equal(np.ascontiguousarray(words).view(wanted.dtype), wanted)
    assert state.vector_set[places[2] : places[3]].all()


def test_a_register_without_a_value_leaves_the_result_without_one():
    state = Waves(1, 64, 0, GlobalMemory(), LocalMemory(1, 0), workgroup=np.zeros(1, dtype=np.int64))
    for register in (0, 1, 2):
        state.write_vector(register, slice(None), np.zeros((1, LANES), np.uint32), np.ones((1, LANES), bool))
    text = "v_mfma_f32_32x32x8_f16 v[8:23], v[0:1], v[2:3], 0"
    execute(text, "gfx942", state)
    assert not state.vector_set[8:24].any()


def test_integers_wrap():
    state = Waves(1, 64, 0, GlobalMemory(), LocalMemory(1, 0), workgroup=np.zeros(1, dtype=np.int64))
    ones = np.full((1, LANES), 0x01010101, np.uint32)
    for register in range(4):
        state.write_vector(register, slice(None), ones, np.ones((1, LANES), bool))
    for register in range(8, 24):
        most = np.full((1, LANES), 2**31 - 1, np.uint32)
        state.write_vector(register, slice(None), most, np.ones((1, LANES), bool))
    text = "v_mfma_i32_32x32x16_i8 v[8:23], v[0:1], v[2:3], v[8:23]"
    execute(text, "gfx942", state)
    assert state.vector[8, 0, 0].view(np.int32) == -(2**31) + 15


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("v_mfma_f32_32x32x8f16 v[8:23], v[0:1], v[2:3], 0", "gfx942"),
        ("v_mfma_f32_16x16x32_f16 v[8:11], v[0:3], v[4:7], 0", "gfx942"),
        ("v_mfma_f32_32x32x8_f16 v[8:23], v[0:1], v[2:3], 0 cbsz:1", "gfx942"),
    ],
)
def test_what_a_target_does_not_have_is_refused(text, target):
    with pytest.raises(UnknownInstructionError):
        matrix_operation(parse_instruction(text, 1), target)


@pytest.mark.parametrize("lanes", [2**64 - 1, 1])
def test_a_product_of_what_was_not_set_in_all_lanes_is_not_set(lanes):
    """Registers and marks are the same in compiled C, which the snippet compares."""
    lines = f"""
    s_mov_b32 exec_lo, {lanes & 0xFFFFFFFF:#x}
    s_mov_b32 exec_hi, {lanes >> 32:#x}
    v_mov_b32_e32 v8, 0
    s_mov_b64 exec, -1
    v_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[2:3], 0
    """
    run = run_snippet(lines, v=dict.fromkeys((2, 3, 9), 0))
    assert run.waves.vector_set[4:8].all() == (lanes == 2**64 - 1)
