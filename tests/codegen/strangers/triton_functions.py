"""Kernels as Triton's users write them; ``triton_kernels`` says how each is launched and what it computes."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask).to(tl.float32)
    tl.store(out + at, (v / (1.0 + tl.exp(-1.702 * v))).to(tl.float16), mask=mask)


@triton.jit
def copy_bytes(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + 1, mask=mask)


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out + row, tl.sum(v, axis=0))


@triton.jit
def row_max(x, out, places, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(out + row, tl.max(v, axis=0))
    tl.store(places + row, tl.argmax(v, axis=0))


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def layernorm(x, w, b, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(mask, v - mean, 0.0)
    r = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / columns + eps)
    tl.store(
        out + row * columns + at, d * r * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask
    )


@triton.jit
def rmsnorm(x, w, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / columns + eps)
    tl.store(out + row * columns + at, (v * r * tl.load(w + at, mask=mask)).to(tl.float16), mask=mask)


@triton.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i[:, None] * columns + j[None, :], mask=(i[:, None] < rows) & (j[None, :] < columns))
    tl.store(
        out + j[:, None] * rows + i[None, :], tl.trans(v), mask=(j[:, None] < columns) & (i[None, :] < rows)
    )


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=ACC)
    for at in range(0, K, BK):
        x = tl.load(
            a + i[:, None] * K + (at + k)[None, :], mask=(i[:, None] < M) & ((at + k)[None, :] < K), other=0
        )
        y = tl.load(
            b + (at + k)[:, None] * N + j[None, :], mask=((at + k)[:, None] < K) & (j[None, :] < N), other=0
        )
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    tl.store(c + i[:, None] * N + j[None, :], acc, mask=(i[:, None] < M) & (j[None, :] < N))


@triton.jit
def matmul_of_whole_tiles(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(0, K, BK):
        x = tl.load(a + i[:, None] * K + (at + k)[None, :])
        acc = tl.dot(x, tl.load(b + (at + k)[:, None] * N + j[None, :]), acc)
    tl.store(c + i[:, None] * N + j[None, :], acc)


@triton.jit
def attention(q, k, v, out, length, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + i[:, None] * D + d[None, :], mask=i[:, None] < length, other=0.0)
    m = tl.full((BM,), -float("inf"), tl.float32)
    s = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for at in range(0, length, BN):
        j = at + tl.arange(0, BN)
        y = tl.load(k + j[None, :] * D + d[:, None], mask=j[None, :] < length, other=0.0)
        p = tl.where(j[None, :] < length, tl.dot(x, y) * scale, -float("inf"))
        new = tl.maximum(m, tl.max(p, axis=1))
        e = tl.exp(p - new[:, None])
        old = tl.exp(m - new)
        z = tl.load(v + j[:, None] * D + d[None, :], mask=j[:, None] < length, other=0.0)
        acc = acc * old[:, None] + tl.dot(e.to(tl.float16), z)
        s = s * old + tl.sum(e, axis=1)
        m = new
    tl.store(out + i[:, None] * D + d[None, :], (acc / s[:, None]).to(tl.float16), mask=i[:, None] < length)


@triton.jit
def cumsum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0)
    tl.store(out + row * columns + at, tl.cumsum(v, axis=0), mask=at < columns)


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(out + tl.arange(0, BINS), tl.histogram(v, BINS))


@triton.jit
def scatter_add(x, places, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.atomic_add(out + tl.load(places + at, mask=mask), tl.load(x + at, mask=mask), mask=mask)


@triton.jit
def atomic_extremes(x, low, high, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask)
    tl.atomic_min(low + at % 16, v, mask=mask)
    tl.atomic_max(high + at % 16, v, mask=mask)


@triton.jit
def sort_rows(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def divide(x, y, out, rest, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    a, b = tl.load(x + at, mask=mask, other=0), tl.load(y + at, mask=mask, other=1)
    tl.store(out + at, a // b, mask=mask)
    tl.store(rest + at, a % b, mask=mask)


@triton.jit
def scaled_product(
    a,
    b,
    out,
    sa,
    sb,
    M: tl.constexpr,
    N: tl.constexpr,
    BYTES: tl.constexpr,
    K: tl.constexpr,
    KIND: tl.constexpr,
):
    i, j, k, s = tl.arange(0, M), tl.arange(0, N), tl.arange(0, BYTES), tl.arange(0, K // 32)
    x = tl.load(a + i[:, None] * BYTES + k[None, :])
    y = tl.load(b + j[None, :] * BYTES + k[:, None])
    u = tl.load(sa + i[:, None] * (K // 32) + s[None, :])
    v = tl.load(sb + j[:, None] * (K // 32) + s[None, :])
    tl.store(out + i[:, None] * N + j[None, :], tl.dot_scaled(x, u, KIND, y, v, KIND))
