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
from layoutalg.verdict import Proved
from tests.golden.read_tile_programs import REFUSED, Record, said

TARGET = "gfx942"
DATA = Path(tests.golden.__file__).parent / "data" / "tile_programs.json"
EVERY = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
CASES = {case["name"]: case for case in EVERY if case["name"] not in REFUSED}
# What needs the end of a buffer resource, or is on NumPy alone.
ON_NUMPY = (
    "single accesses and raw loads",
    "no atomic addition",
    "reductions with indices",
    "moved, and not computed with",
    "no instruction for",
    "no HIP for",
)


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


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", CASES)
def test_a_program_of_ck_tile_is_the_same_as_a_kernel(name: str) -> None:
    case = CASES[name]
    program, arrays, _ = said(case)
    try:
        kernel = kernel_of_program(program, TARGET)
    except LayoutError as error:
        if not any(reason in str(error) for reason in ON_NUMPY):
            raise
        pytest.skip(f"on NumPy alone: {error.message}")
    if not all(map(is_proved, (claim for claim in kernel.claims if "bounds" in claim.name))):
        pytest.skip("hangs on the end of a buffer resource, which plain accesses have not")
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
