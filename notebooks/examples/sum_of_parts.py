"""A Triton kernel to try: `layoutalg sanitize sum_of_parts.py` calls every function named sanitize_..."""

import numpy as np
import triton
import triton.language as tl

from layoutalg.codegen.executors import Output
from layoutalg.codegen.sanitizer import Sanitized, sanitize


@triton.jit
def sum_of_parts(x, parts, arrived, out, PARTS: tl.constexpr, BLOCK: tl.constexpr):  # noqa: N803  Triton's style
    """A part a program; the last to arrive adds them up. Arriving tells nobody that the part is there."""
    program = tl.program_id(0)
    part = tl.sum(tl.load(x + program * BLOCK + tl.arange(0, BLOCK)))
    tl.store(parts + program, part)
    if tl.atomic_add(arrived, 1, sem="relaxed") == PARTS - 1:
        tl.store(out, tl.sum(tl.load(parts + tl.arange(0, PARTS))))


def sanitize_sum_of_parts() -> Sanitized:
    """Eight programs of 512 numbers each."""
    x = np.arange(4096, dtype=np.float32)
    parts, out = (Output(np.zeros(count, np.float32)) for count in (8, 1))
    arrived = Output(np.zeros(1, np.int32), is_initialised=True)
    return sanitize(sum_of_parts, [8], x, parts, arrived, out, PARTS=8, BLOCK=512)
