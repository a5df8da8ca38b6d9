"""A GEMM as Triton's tutorials write it; its compiler makes ping-pong of it for eight waves of 256 by 256."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def gemm(a, b, c, n, k, side: tl.constexpr, depth: tl.constexpr):
    i = tl.program_id(0) * side + tl.arange(0, side)
    j = tl.program_id(1) * side + tl.arange(0, side)
    at = tl.arange(0, depth)
    from_a = a + i[:, None] * k + at[None, :]
    from_b = b + at[:, None] + j[None, :] * k
    total = tl.zeros((side, side), dtype=tl.float32)
    for _ in range(tl.cdiv(k, depth)):
        total = tl.dot(tl.load(from_a), tl.load(from_b), total)
        from_a += depth
        from_b += depth
    tl.store(c + i[:, None] * n + j[None, :], total.to(tl.float16))
