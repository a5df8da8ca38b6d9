"""Every row of arithmetic as compiled C against the same row on NumPy's arrays, word by word."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.gfx9.assembly import Assembly, parse_instruction
from layoutalg.codegen.gfx9.machine import arithmetic_of
from layoutalg.codegen.gfx9.native.compiled_c import rows_library
from layoutalg.codegen.gfx9.native.row_source import row_source
from layoutalg.codegen.gfx9.packed import PACKED_ROWS
from layoutalg.codegen.gfx9.rows.scalar_rows import LOGIC, SCALAR_ROWS
from layoutalg.codegen.gfx9.rows.vector_rows import VECTOR_ROWS
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic

POINTER = ctypes.POINTER(ctypes.c_uint32)
SPECIAL = [
    0, 1, 2, 3, 7, 0x1F, 0x20, 0x3F, 0x40, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
    0x3C00, 0x7C00, 0x7E00, 0xFC00, 0x00FFFFFF, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x7F800000,
    0xFF800000, 0x7FC00000, 0x00000001, 0x00800000, 0x4F000000, 0xCF000000, 0x4F800000, 0x7FFFFFFF,
    0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x3FF00000, 0x7FF00000, 0xBFF00000, 0x41E00000,
    0x43E80000, 0x33800000, 0x38800000, 0x477FE000, 0x477FF000,
]  # fmt: skip
ROUNDS = 40
TWO = ("u64", "i64", "f64")
DESTINATIONS = {"mask": "s[30:31]"}
SOURCES = {"mask": "vcc"}


def operands(kinds: tuple[str, ...], first: int, others: dict[str, str]) -> list[str]:
    """Operands of these kinds, in registers from ``first`` on."""
    found = []
    for number, kind in enumerate(kinds):
        register = first + 4 * number
        found.append(others.get(kind) or (f"v[{register}:{register + 1}]" if kind in TWO else f"v{register}"))
    return found


def vector_texts() -> list[str]:
    texts = []
    for name, row in VECTOR_ROWS.items():
        sources = tuple(kind for kind in row.sources if not kind.startswith(("old", "lane", "vcc")))
        texts.append(
            f"{name} {', '.join([*operands(row.results, 0, DESTINATIONS), *operands(sources, 20, SOURCES)])}"
        )
        if sources and sources[0] in ("f32", "f64"):
            changed = [
                "-" + text if n == 0 else f"|{text}|" if sources[n].startswith("f") else text
                for n, text in enumerate(operands(sources, 20, SOURCES))
            ]
            texts.append(f"{name}_e64 {', '.join([*operands(row.results, 0, DESTINATIONS), *changed])}")
    return texts


def scalar_texts() -> list[str]:
    texts = []
    for name, row in SCALAR_ROWS.items():
        sources = [kind for kind in row.sources if kind not in ("scc", "old")]
        kinds = [row.result, *sources] if row.result else sources
        texts.append(name + " " + ", ".join(
            "0x8123" if kind == "k16" else f"s[{4 * n}:{4 * n + 1}]" if kind in TWO else f"s{4 * n}"
            for n, kind in enumerate(kinds)
        ))  # fmt: skip
    return texts + [f"s_{name}_saveexec_b64 s[0:1], s[4:5]" for name in (*LOGIC, "andn1", "orn1")]


def packed_texts() -> list[str]:
    texts = []
    for name in PACKED_ROWS:
        count = 3 if "fma" in name else 2
        pairs = [f"v[{4 * n}:{4 * n + 1}]" if name.endswith("32") else f"v{n}" for n in range(count + 1)]
        texts.append(f"{name} {', '.join(pairs)}")
        if name != "v_pk_mov_b32":
            select = ",".join("10"[n % 2] for n in range(count))
            texts.append(f"{name} {', '.join(pairs)} op_sel:[{select}] op_sel_hi:[{select}]")
        if name.endswith(("f16", "f32")):
            texts.append(f"{name} {', '.join(pairs)} neg_lo:[{select}] neg_hi:[{select}]")
    return texts


SELECTED = (
    "v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_1",
    "v_lshlrev_b32_sdwa v0, v1, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_3",
    "v_add_u16_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:WORD_0 src1_sel:BYTE_0",
    "v_bitop3_b32 v0, v1, v2, v3 bitop3:0x6c",
    "v_bitop3_b16 v0, v1, v2, v3 bitop3:0xe1",
    *(f"v_cvt_f32_{kind} v0, v1" for kind in ("fp8", "bf8")),
    *(f"v_cvt_pk_f32_{kind} v[0:1], v2" for kind in ("fp8", "bf8")),
    *(f"v_cvt_pk_{kind}_f32 v0, v1, v2" for kind in ("fp8", "bf8")),
    "v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]",
    "v_pack_b32_f16 v0, v1, v2 op_sel:[1,0,0]",
    "v_fma_f64 v[0:1], 0.5, v[2:3], v[4:5]",
    "v_fma_f16 v0, 0.5, v2, v4",
)


def words(arithmetic: Arithmetic, generator: Any) -> list[Any]:
    """Values for the sources of an instruction, a lane each: special words, and any."""
    lanes = 1 if arithmetic.is_scalar else 64
    found = []
    for word in arithmetic.sources:
        if word.operand.bank == "number":
            found.append(np.full(lanes, word.operand.word_of_number(word.number), dtype=np.uint32))
        elif word.operand.bank == "lane":
            found.append(np.arange(lanes, dtype=np.uint32))
        elif word.is_mask or word.operand.bank == "scc":
            found.append(generator.integers(0, 2, lanes).astype(bool))
        else:
            any_word = generator.integers(0, 2**32, lanes, dtype=np.uint32)
            chosen = generator.choice(np.array(SPECIAL, dtype=np.uint32), lanes)
            found.append(np.where(generator.random(lanes) < 0.5, chosen, any_word))
    return found


def in_c(function: Any, arithmetic: Arithmetic, values: list[Any]) -> list[Any]:
    lanes = 1 if arithmetic.is_scalar else 64
    given = [np.ascontiguousarray(value, dtype=np.uint32) for value in values]
    made = [np.zeros(lanes, dtype=np.uint32) for _ in arithmetic.targets]
    inputs, outputs = (
        (POINTER * len(part))(*(a.ctypes.data_as(POINTER) for a in part)) for part in (given, made)
    )
    function(inputs, outputs)
    return made


def not_numbers(text: str, results: list[Any]) -> Any:
    """Lanes whose result is a float that is not a number: which NaN it is differs between processors."""
    found = np.zeros(results[0].shape, dtype=bool)
    if "f64" in text and len(results) == 2:
        pair = results[0].astype(np.uint64) | results[1].astype(np.uint64) << np.uint64(32)
        return np.isnan(pair.view(np.float64))
    for result in results:
        if "f32" in text:
            found |= np.isnan(result.view(np.float32))
        if "f16" in text:
            found |= np.isnan(np.ascontiguousarray(result).view(np.float16).reshape(-1, 2)).any(axis=1)
    return found


@pytest.mark.parametrize(
    ("target", "texts"),
    [
        pytest.param(
            "gfx942",
            [*vector_texts(), *scalar_texts(), *packed_texts(), *SELECTED],
            marks=pytest.mark.slow,
        ),
        ("gfx950", SELECTED),
    ],
    ids=["gfx942", "gfx950"],
)
def test_a_row_in_c_gives_what_its_meaning_gives_on_arrays(target, texts):
    code = Assembly("rows", target, (), {}, {})
    found = [(text, arithmetic_of(parse_instruction(text, 1), code)) for text in texts]
    rows = [(text, arithmetic) for text, arithmetic in found if arithmetic is not None]
    assert len(rows) == len(texts), [text for text, arithmetic in found if arithmetic is None]
    sources = [row_source(arithmetic) for _, arithmetic in rows]
    distinct = list(dict.fromkeys(sources))
    library = rows_library(distinct)
    generator = np.random.default_rng(7)
    for (text, arithmetic), source in zip(rows, sources, strict=True):
        function = getattr(library, f"row{distinct.index(source)}")
        for _ in range(ROUNDS):
            values = words(arithmetic, generator)
            with np.errstate(all="ignore"):
                results = [np.asarray(result).astype(np.uint32) for result in arithmetic.compute(*values)]
            lanes = 1 if arithmetic.is_scalar else 64
            wanted = [np.broadcast_to(result, (lanes,)) for result in results]
            made = in_c(function, arithmetic, values)
            allowed = not_numbers(text, wanted) & not_numbers(text, made)
            for one, other in zip(wanted, made, strict=True):
                bad = (one != other) & ~allowed
                lane = int(np.argmax(bad))
                given = [hex(int(value[lane])) for value in values]
                assert not bad.any(), f"{text}: {given} give {one[lane]:#x} in Python, {other[lane]:#x} in C"
