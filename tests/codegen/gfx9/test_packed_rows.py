"""Packed instructions: the same operation on both halves, or on both words of a pair, as modifiers choose."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.gfx9.packed import PACKED_ROWS
from tests.codegen.gfx9.isa_oracle import FLOATING, VECTOR
from tests.codegen.gfx9.snippet import run_snippet
from tests.codegen.gfx9.words import LANES, M16, M32, cases, field, number, rounded, word_of

HALVES = {
    **{f"v_pk_{name}_f16": FLOATING[f"v_{name}_f16"] for name in ("add", "mul", "min", "max", "fma")},
    **{f"v_pk_{name}": VECTOR[f"v_{name}"] for name in ("add_u16", "sub_u16", "mul_lo_u16")},
    **{f"v_pk_{name}": VECTOR[f"v_{name}"] for name in ("min_u16", "max_u16", "min_i16", "max_i16")},
    **{f"v_pk_{name}": VECTOR[f"v_{name}"] for name in ("lshlrev_b16", "lshrrev_b16", "ashrrev_i16")},
    "v_pk_sub_i16": VECTOR["v_sub_u16"],
}
PAIRS = {f"v_pk_{name}_f32": FLOATING[f"v_{name}_f32"] for name in ("add", "mul", "fma")}
SELECTIONS = {
    "": ((0, 1), (0, 1), (0, 1)),
    " op_sel:[1,0,0] op_sel_hi:[0,1,1]": ((1, 0), (0, 1), (0, 1)),
    " op_sel:[0,1,1] op_sel_hi:[0,1,0]": ((0, 0), (1, 1), (1, 0)),
}
FORMS = [(name, False) for name in (*HALVES, *PAIRS)]
FORMS += [(name, True) for name in (*HALVES, *PAIRS) if name.endswith(("f16", "f32"))]
TERNARY = ("v_pk_fma_f16", "v_pk_fma_f32")


def test_every_packed_row_has_an_oracle():
    assert sorted(set(PACKED_ROWS) ^ {*HALVES, *PAIRS, "v_pk_mov_b32"}) == []


def chosen(kind: str, count: int) -> list[tuple[int, ...]]:
    """Two words of a kind in each operand, the second above the first."""
    bits = 32 if kind == "f32" else 16
    lower = [case for case in cases(*[kind] * count) if all(word < 2**bits for word in case)]
    lower = (lower + [tuple(field(w, 0, bits) for w in case) for case in cases(*[kind] * count)])[: 4 * LANES]
    return [
        tuple(a | b << bits for a, b in zip(one, other, strict=True))
        for one, other in zip(lower, lower[7:] + lower[:7], strict=True)
    ]


def result(kind: str, meaning: Callable[..., Any], words: list[int], negated: bool) -> int:
    if kind[0] != "f":
        return int(meaning(*words)) & M16
    sign = word_of(kind, -0.0) if negated else 0
    return rounded(
        kind, meaning, *(number(kind, word ^ (sign if i == 0 else 0)) for i, word in enumerate(words))
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize(("name", "negated"), FORMS)
def test_a_packed_row_computes_both_parts(name, selection, negated):
    kind = name.rsplit("_", maxsplit=1)[-1]
    bits, count = (32 if kind == "f32" else 16), 3 if name in TERNARY else 2
    table = chosen(kind, count)
    words = np.array(table, dtype=np.uint64).reshape(-1, LANES, count)
    registers: dict[int, Any] = {}
    for i in range(count):
        registers[10 + 2 * i] = words[:, :, i] & np.uint64(M32)
        registers[11 + 2 * i] = words[:, :, i] >> np.uint64(32)
    form = "v[{0}:{1}]" if bits == 32 else "v{0}"
    operands = ", ".join(form.format(n, n + 1) for n in (2, *range(10, 10 + 2 * count, 2)))
    ends = selection + (" neg_lo:[1,0,0] neg_hi:[1,0,0]" if negated else "")
    ends = ends if count == 3 else re.sub(r",\d\]", "]", ends)
    run = run_snippet(f"{name} {operands}{ends}", v=registers, waves=len(words), in_c=False)
    found = run.waves.vector[2].reshape(-1).astype(object)
    found = found + (run.waves.vector[3].reshape(-1).astype(object) * 2**32 if bits == 32 else 0)
    meaning = {**HALVES, **PAIRS}[name]
    for case, got in zip(table, found, strict=True):
        for part in range(2):
            of = [field(case[i], bits * SELECTIONS[selection][i][part], bits) for i in range(count)]
            wanted, have = result(kind, meaning, of, negated), field(int(got), bits * part, bits)
            both_nan = kind[0] == "f" and all(math.isnan(number(kind, w)) for w in (wanted, have))
            assert wanted == have or both_nan, (part, [hex(word) for word in of], hex(have), hex(wanted))
