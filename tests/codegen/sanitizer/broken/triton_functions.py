"""Broken Triton kernels; a line that has to be reported ends with the check.

The mended twin has what follows "# =" instead of the line before it, and what follows "# +" besides.
"""
# ruff: noqa: N803, ERA001, ARG001

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def no_mask(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + at) + tl.load(y + at)  # BROKEN: out-of-bounds
    # = total = tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n)
    tl.store(out + at, total, mask=at < n)


@triton.jit
def mask_one_too_far(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at <= n
    # = mask = at < n
    value = tl.load(x + at, mask=at < n)
    tl.store(out + at, value, mask=mask)  # BROKEN: out-of-bounds


@triton.jit
def rows_too_far_apart(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * (columns + 1) + at, mask=at < columns, other=0.0)  # BROKEN: out-of-bounds
    # = values = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out + row, tl.sum(values, axis=0))


@triton.jit
def looks_up_anything(places, table, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = tl.load(places + at)
    value = tl.load(table + place)  # BROKEN: out-of-bounds
    # = value = tl.load(table + place, mask=(place >= 0) & (place < n), other=0)
    tl.store(out + at, value)


@triton.jit
def words_behind_a_byte(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    first = x + 1
    # = first = x + 4
    value = tl.load(first.to(tl.pointer_type(tl.int32), bitcast=True) + at)  # BROKEN: misaligned
    tl.store(out + at, value)


@triton.jit
def activates_in_place(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.maximum(tl.load(x + at), 0)
    tl.store(x + at, value)  # BROKEN: input-written
    # = pass
    tl.store(out + at, value)


@triton.jit
def adds_to_what_is_there(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(out + at) + tl.load(x + at))  # BROKEN: uninitialised-memory
    # = tl.store(out + at, tl.load(x + at))


@triton.jit
def mask_too_near(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n - 1
    # = mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)  # BROKEN: output-unwritten


@triton.jit
def all_programs_one_block(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    base = 0
    # = base = tl.program_id(0) * BLOCK
    tl.store(out + base + at, tl.load(x + tl.program_id(0) * BLOCK + at))  # BROKEN: global-race


@triton.jit
def counts_without_atomics(x, out):
    key = tl.load(x + tl.program_id(0))
    tl.store(out + key, tl.load(out + key) + 1)  # BROKEN: global-race
    # = tl.atomic_add(out + key, 1)


@triton.jit
def scatters_by_key(keys, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + tl.load(keys + at), at)  # BROKEN: global-lane-race
    # = tl.atomic_max(out + tl.load(keys + at), at)


@triton.jit
def two_to_one_place(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at // 2, tl.load(x + at))  # BROKEN: global-lane-race
    # = tl.store(out + at // 2, tl.load(x + at), mask=at % 2 == 0)


@triton.jit
def row_times_pitch(x, out, pitch, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * 4096
    begin = row * pitch  # BROKEN: address-overflow
    # = begin = row.to(tl.int64) * pitch
    # + begin = tl.where(begin < n, begin, 0)
    tl.store(out + tl.program_id(0) * BLOCK + at, tl.load(x + begin + at))  # BROKEN: address-overflow


@triton.jit
def waits_for_ever(flag, out):
    # + tl.atomic_xchg(flag, 1)
    while tl.atomic_add(flag, 0) == 0:  # BROKEN: endless
        pass
    tl.store(out + tl.program_id(0), 1)


@triton.jit
def every_program_sets_it(x, out, found, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at))
    tl.store(found, 1)  # BROKEN: same-value
    # = tl.store(found, 1, mask=tl.program_id(0) == 0)
