"""CK Tile's programs as kernels of ours: compiled, executed, and what CK's own code gave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.golden
from layoutalg.claim import Claim
from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.text.source import nested
from layoutalg.codegen.tile_programs import kernel_of_program
from layoutalg.codegen.tile_programs.statement_text import TEXTS, StatementText
from layoutalg.errors import LayoutError, NoPointError
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted
from tests.golden.read_tile_programs import REFUSED, Record, said
from tests.refusals import refused

TARGET = "gfx942"
DATA = Path(tests.golden.__file__).parent / "data" / "tile_programs.json"
EVERY = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
CASES = {case["name"]: case for case in EVERY if case["name"] not in REFUSED}
NO_KERNEL = {  # what runs on NumPy alone
    "cast_f32_to_fp8",
    "cast_fp8_to_f32",
    "load_raw_padded_f32",
    "linear_one_access_f32",
    "block_reduce_max_with_index",
    "update_atomic_add_padded_f16",
    "get_y_sliced",
    "window_origin_and_lengths",
    "lds_packed_f32",
    "lds_padded_rows_f32",
    "lds_padded_planes_f16",
    "lds_xor_f16",
    "lds_transposed_by_four_waves_f16",
    "lds_two_buffers_i32",
    "lds_async_load_f32",
}
BEYOND = {  # what hangs on the end of a buffer resource, which plain accesses have not
    "load_rows_padded_f32",
    "load_padded_inside_vector_f32",
    "load_beyond_unpadded_f32",
    "load_before_unpadded_f32",
    "load_before_padded_f32",
    "load_invalid_value_and_beyond_f32",
    "load_padded_unchecked_f32",
    "store_padded_inside_vector_f32",
    "store_beyond_unpadded_i32",
}


def dumped(_: StatementText, record: Record) -> Iterator[str]:
    """All thread buffers, one after the other."""
    if record.tile is None:
        raise LayoutError("tile program: no HIP for what is recorded of windows and LDS")
    count, threads = record.tile.thread_buffer_size, 64 * -(-record.output.shape[-2] // 64)
    parts = [
        f"workgroup_x * {one['block_id_times']}" if isinstance(one, dict) else str(one) for one in record.part
    ]
    begin = "0"
    for part, length in zip(parts, record.output.shape, strict=False):
        begin = f"({begin}) * {length} + {part}"
    at = f"(({begin}) * {threads} + threadIdx.x) * {count}"
    line = f"{record.buffer}[{at} + i] = t{record.tile.number}[i];"
    yield from nested([("i", count)], [line])


TEXTS[Record] = dumped


@pytest.mark.sample(36, slow=8)
@pytest.mark.parametrize("name", CASES)
def test_a_program_of_ck_tile_is_the_same_as_a_kernel(name: str) -> None:
    case = CASES[name]
    program, arrays, _ = said(case)
    if name in NO_KERNEL:
        with refused(LayoutError):
            kernel_of_program(program, TARGET)
        return
    kernel = kernel_of_program(program, TARGET)
    bounds = [claim for claim in kernel.claims if "bounds" in claim.name]
    if name in BEYOND:
        assert any(isinstance(prove(claim), Refuted) for claim in bounds)
        return
    assert all(map(is_proved, bounds))
    found = executed(kernel, program, arrays)
    for output, wanted in case["outputs"].items():
        expected = np.array(wanted, float)
        assert (found[output].astype(float).reshape(expected.shape) == expected).all(), output


def is_proved(claim: Claim) -> bool:
    """Whether a claim is proved, or there is no point that it speaks of: a window that padding hides."""
    try:
        return isinstance(prove(claim), Proved)
    except NoPointError:
        return True


def executed(kernel: Any, program: Any, arrays: dict[str, Any]) -> dict[str, Any]:
    """The outputs of a compiled kernel by name."""
    code = compile_source(kernel.text, TARGET).code_object
    named = [name for name, kind in program.parameters.items() if kind.is_output]
    outputs = {name: Output(arrays[name], is_initialised=True) for name in named}
    passed = [outputs.get(name, arrays[name]) for name in program.parameters]
    grid = tuple(int(extent) for extent in program.extents)
    done = run_code_object(code, grid, (program.block_size,), passed, kernel=kernel.name)
    return dict(zip(outputs, done.outputs.values(), strict=True))
