"""Index functions of symbolic and numeric sizes, each with what it must compute by plain integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import sympy

from layoutalg import (
    Domain,
    evaluate,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    parse,
    simplify,
)
from layoutalg.index_code import IndexFunction
from layoutalg.length import sizes
from layoutalg.transforms import Embed, Merge, Pad, PassThrough

__all__ = ["CASES", "Case"]

LARGEST = 2**31 - 1


class Case(NamedTuple):
    """A function, and the offset and validity of a point by name, computed another way."""

    made: IndexFunction
    wanted: Callable[[dict[str, int]], tuple[int, bool]]


def of_text(name, text, domain, valid="0 <= 0", step=None):
    """An expression and a condition, evaluated as they were written."""
    offset, condition = parse(text, domain), parse(valid, domain)
    program = simplify(condition, domain).program
    made = IndexFunction.of_expression(offset, domain, name, valid=program, step=step)
    return Case(made, lambda at: (evaluate(offset, at), bool(evaluate(condition, at))))


def of_descriptor(name, descriptor, step=None):
    """A descriptor, whose transforms run one after another on numbers."""
    axes = [str(symbol) for symbol in descriptor.index]

    def wanted(at):
        symbols = {str(symbol) for symbol in descriptor.free_symbols}
        bound = descriptor.bind({size: at[size] for size in at if size in symbols})
        index = [at[axis] for axis in axes]
        return bound.calculate_offset(index), bool(bound.is_valid_index(index))

    return Case(descriptor.index_function(name, step), wanted)


def convolution():
    """An image seen by output pixels and filter taps, as an implicit GEMM reads it."""
    n, h, w, c = sizes("N H W C")
    image = make_naive_tensor_descriptor_packed((n, h, w, c))
    padded = image.transform(
        [PassThrough(n), Pad(h, 1, 1), Pad(w, 1, 1), PassThrough(c)],
        [(0,), (1,), (2,), (3,)],
        [(0,), (1,), (2,), (3,)],
    )
    embedded = padded.transform(
        [PassThrough(n), Embed((3, h), (1, 1)), Embed((3, w), (1, 1)), PassThrough(c)],
        [(0,), (1,), (2,), (3,)],
        [(0,), (1, 2), (3, 4), (5,)],
    )
    gemm = embedded.transform([Merge((n, h, w)), Merge((3, 3, c))], [(0, 2, 4), (1, 3, 5)], [(0,), (1,)])
    facts = Domain.of({}, {"N": (1, 64), "H": (1, 64), "W": (1, 64), "C": (8, 256, 8)})
    return gemm.assuming(facts)


def descriptors():
    m, k, a, b, c, p = sizes("M K A B C P")
    ranges = Domain.of({}, {"M": (1, 4096), "K": (8, 2048, 8)})
    small = Domain.of({}, {"A": (1, 60), "B": (1, 50), "C": (1, 40)})
    rows = make_naive_tensor_descriptor((m, k), (k + 8, 1))
    yield "merged", rows.assuming(ranges).merge(0, 1), None
    yield "columns", make_naive_tensor_descriptor((m, k), (1, m)).assuming(ranges).merge(1, 0), None
    split = make_naive_tensor_descriptor_packed((a * b, c)).assuming(small).unmerge(0, (a, b))
    yield "unmerged", split, {2: 1}
    yield "transposed", split.permute(1, 2, 0).merge(0, 1, 2), None
    yield (
        "digits",
        make_naive_tensor_descriptor_packed((a, b, c)).assuming(small).permute(2, 0, 1).merge(0, 1, 2),
        None,
    )
    pads = Domain.of({}, {"M": (1, 300), "K": (1, 300), "P": (0, 9)})
    padded = make_naive_tensor_descriptor_packed((m, k)).assuming(pads).pad(0, p, p).pad(1, 1, 2)
    yield "padded", padded, {1: 1}
    yield "padded_merged", padded.merge(0, 1), None
    yield "convolution", convolution(), None
    yield "swizzled", make_naive_tensor_descriptor_packed((m, 64)).assuming(ranges).xor(0, 1), None
    yield "numbers", make_naive_tensor_descriptor((6, 28), (36, 1)).pad(0, 1, 1).merge(0, 1), None
    yield "ones", make_naive_tensor_descriptor_packed((1, 1)).merge(0, 1), None
    yield "open_rows", make_naive_tensor_descriptor((m, k), (k, 1)).pad(0, 1, 0).merge(0, 1), None


def texts():
    tiles = Domain.of(
        {"tile": "(M + 127) // 128 * ((N + 63) // 64)", "t": 128}, {"M": (1, 100_000), "N": (1, 100_000)}
    )
    yield (
        "ragged",
        "tile // ((N + 63) // 64) * 128 + t + tile % ((N + 63) // 64)*64*M",
        tiles,
        "tile // ((N + 63) // 64) * 128 + t < M",
        {"t": 1},
    )
    group = Domain.of({"pid": "T*S"}, {"T": (1, 512), "S": (1, 512)})
    first = "pid // (8*S) * 8"
    yield (
        "grouped",
        f"{first} + pid % (8*S) % min(T - {first}, 8) + 1000*(pid % (8*S) // min(T - {first}, 8))",
        group,
        "0 <= 0",
        None,
    )
    xor = Domain.of({"m": "M", "k": "K"}, {"M": (1, 4096), "K": (64, 4096, 64)})
    yield "xor", "m*K + (k // 8 ^ m % 8)*8 + k % 8", xor, "m + k < M", None
    yield (
        "xor_of_quotient",
        "(x % K + 3 ^ x // K) + (x % K & 5 | x // K)",
        Domain.of({"x": 10**6}, {"K": (1, 5000)}),
        "x // K < 7 and x % K != 3 or x == 5",
        None,
    )
    for name, end in (("near", LARGEST), ("beyond", 2**31 + 9), ("far", 2**40), ("farthest", 2**62)):
        domain = Domain.of({"x": end}, {"D": (1, LARGEST)})
        yield name, "x // D + x % D", domain, "x % D < 5", None
    yield "largest", "x // D + x % D", Domain.of({"x": 2**62}, {"D": (1, 2**62)}), "x // D == 1", None
    yield "one", "x // D * 7 + x % D", Domain.of({"x": 99}, {"D": (1, 1)}), "0 <= 0", None
    yield "both_words", "x // D + y // D", Domain.of({"x": 2**40, "y": 2**20}, {"D": (1, 99)}), "0 <= 0", None
    yield "may_be_zero", "x // K + x % K if 0 < K else 7", Domain.of({"x": 999}, {"K": (0, 9)}), "K < 4", None
    yield (
        "by_index",
        "x // (y + 1) + x % (y + K)",
        Domain.of({"x": 999, "y": 30}, {"K": (1, 9)}),
        "0 <= 0",
        None,
    )
    below = "(x - 500) // 7 + (x - 501) % 24 * 3 - (x - y) % 1000 + (x - y) // 3"
    for name, x, y in (("below_zero", 999, 2000), ("far_below_zero", 10**6, 2**40)):
        yield name, below, Domain.of({"x": x, "y": y}), "(x - y) // 5 < 3", None
    unbounded = Domain.of({"x": "M*K"}, {"M": (1, None), "K": (1, None)})
    yield "unbounded", "x // K + x % K * M", unbounded, "x // K < M - 1", None
    yield (
        "bounded_by_fact",
        "x % K * M + x // K",
        unbounded.where(unbounded["M"] * unbounded["K"] <= LARGEST),
        "0 <= 0",
        None,
    )
    three = Domain.of({"x": "M*K*N"}, {"M": (1, None), "K": (1, None), "N": (1, None)})
    three = three.where(three["M"] * three["K"] * three["N"] <= LARGEST)
    yield "three_by_fact", "x // K + x % K*M*N", three, "x // N < K", None
    either = Domain.of({"x": "M*K"}, {"M": (1, 64), "K": (1, 64)})
    either = either.where(sympy.Or(sympy.Eq(either["M"], either["K"]), either["K"] > 7))
    yield "either", "x // K + x % K*M - 9*x", either, "x // K < M - 1", None
    named = Domain.of(
        {"t0": "sizes", "by_K": 70_000}, {"sizes": (1, 99), "K": (1, 70_000), "K_plus_8": (1, 9)}
    )
    yield (
        "named",
        "by_K // K + by_K % K*(K + 8) + t0*K_plus_8 + by_K // K * t0",
        named,
        "by_K < sizes",
        {"t0": 1},
    )
    wide = Domain.of({"i": 70_000, "j": 70_000}, {"K": (1, 70_000)})
    yield "wide", "i*K + j + (i - j)*K", wide, "i*K < j*K + 5", {"j": 2}
    chosen = Domain.of({"i": "M"}, {"M": (2, 5000), "K": (1, 5000)})
    yield (
        "chosen",
        "min(i, M - 1 - i) // K + max(K - 3, M*2) + (i % K if i < K + 2 else K - 1)",
        chosen,
        "i < M // 2 or M % 3 == 0",
        None,
    )


CASES = {name: of_descriptor(name, made, step) for name, made, step in descriptors()}
CASES |= {name: of_text(name, text, domain, valid, step) for name, text, domain, valid, step in texts()}
