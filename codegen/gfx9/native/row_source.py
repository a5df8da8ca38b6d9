"""Rows of arithmetic as functions of C, from the one meaning that they have.

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> from layoutalg.codegen.gfx9.vector import vector_arithmetic
>>> add = vector_arithmetic(parse_instruction("v_add_u32_e32 v0, v1, v2", 1), "gfx942")
>>> print(row_source(add).text)
void NAME(const uint32_t *const *in, uint32_t *const *out) {
  const uint32_t *restrict in0 = in[0], *restrict in1 = in[1];
  uint32_t *restrict out0 = out[0];
  for (int lane = 0; lane < 64; ++lane) {
    const uint32_t w0 = in0[lane];
    const uint32_t w1 = in1[lane];
    const uint32_t t0 = w0 + w1;
    out0[lane] = t0;
  }
}
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from layoutalg.codegen.gfx9.native.traced import Trace
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic

__all__ = ["RowSource", "row_source"]


@dataclass(frozen=True)
class RowSource:
    """A function ``NAME`` of C that computes what an instruction does, and the tables it needs.

    Each word comes and goes as an array of 64 (of a scalar instruction: of one), truth values as 0 and 1.
    """

    text: str
    tables: tuple[tuple[str, str], ...]


def row_source(arithmetic: Arithmetic) -> RowSource:
    """The function of an instruction; instructions that differ in their operands alone have the same."""
    trace = Trace()
    count = 1 if arithmetic.is_scalar else 64
    values, begin = [], []
    for number, word in enumerate(arithmetic.sources):
        is_truth = word.is_mask or word.operand.bank == "scc"
        kind = "_Bool" if is_truth else "uint32_t"
        begin.append(f"    const {kind} w{number} = in{number}[lane]{' != 0' if is_truth else ''};")
        values.append(trace.value(f"w{number}", np.bool_ if is_truth else np.uint32))
    results = [trace.of(value, np.uint32) for value in arithmetic.compute(*values)]
    inputs = ", ".join(f"*restrict in{i} = in[{i}]" for i in range(len(values)))
    outputs = ", ".join(f"*restrict out{i} = out[{i}]" for i in range(len(results)))
    lines = [
        "void NAME(const uint32_t *const *in, uint32_t *const *out) {",
        *([f"  const uint32_t {inputs};"] if values else ["  (void)in;"]),
        f"  uint32_t {outputs};",
        f"  for (int lane = 0; lane < {count}; ++lane) {{",
        *begin,
        *(f"    {line}" for line in trace.lines),
        *(f"    out{i}[lane] = {result};" for i, result in enumerate(results)),
        "  }",
        "}",
    ]
    return RowSource("\n".join(lines), tuple(sorted(trace.tables.items())))
