"""Blockwise copies: tiles through shared memory by layouts of threads; broken ones are caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.codegen.emit import emit
from layoutalg.codegen.kernels.blockwise_copy import BlockTiles, blockwise_copy, kernel_of
from layoutalg.codegen.kernels.blockwise_copy.tiles import shared_out
from layoutalg.codegen.schedule import LOAD, READ, STORE, WRITE, Schedule
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.layout import make_layout
from layoutalg.memory import k_first, padded_rows, xor_swizzled
from layoutalg.proofs import prove
from layoutalg.tensor import make_local_partition, make_tensor
from tests.codegen.kernels.broken import edited, require_caught, require_refused
from tests.codegen.kernels.test_copy import launched
from tests.refusals import refused

ROWS = packed((256, 128))
BY_ROWS = make_layout((64, 4), (4, 1))  # of the wrapper's basic GEMM
BY_COLUMNS = make_layout((64, 4), (1, 64))
CASES: dict[str, tuple[Any, tuple[int, ...], Any, dict[str, Any]]] = {
    "the basic GEMM's": (ROWS, (256, 32), BY_ROWS, {"scalars": 8}),
    "other readers": (ROWS, (128, 64), BY_ROWS, {"scalars": 8, "readers": make_layout((32, 8), (8, 1))}),
    "readers in another order": (ROWS, (64, 64), BY_ROWS, {"scalars": 4, "readers": BY_COLUMNS}),
    "one at a time": (ROWS, (64, 32), make_layout((8, 32), (32, 1)), {}),
    "one wave": (ROWS, (32, 128), make_layout((8, 8), (8, 1)), {"scalars": 8}),
    "a line": (packed((4096,)), (1024,), make_layout((64,), (1,)), {"scalars": 8}),
    "(K0, M, K1)": (
        packed((8, 256, 8)),
        (4, 256, 8),
        make_layout((4, 64, 1), (1, 4, 1)),
        {"scalars": 8},
    ),
    "padded rows": (ROWS, (256, 32), BY_ROWS, {"scalars": 8, "lds": padded_rows(256, 32, 8, 8)}),
    "packs first": (ROWS, (256, 32), BY_ROWS, {"scalars": 8, "lds": k_first(256, 32, 8)}),
    "swizzled": (ROWS, (256, 64), BY_ROWS, {"scalars": 8, "lds": xor_swizzled(256, 64, 8)}),
    "tails": (packed((200, 72)).pad(0, 0, 56).pad(1, 0, 24), (128, 32), BY_ROWS, {"scalars": 8}),
    "columns": (
        make_naive_tensor_descriptor((256, 128), (1, 256)),
        (64, 64),
        make_layout((8, 32), (1, 8)),
        {"scalars": 8, "vector_dim": 0},
    ),
}


def of(name, element="f16", **changes):
    tensor, tile, threads, fields = CASES[name]
    chosen = {**fields, **changes}
    if "lds" in chosen:
        chosen["stored"] = chosen["read"] = chosen.pop("lds")
    return BlockTiles(tensor, tensor, tile, threads, element, **chosen)


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", CASES)
def test_tiles_come_out_as_they_went_in(name):
    kernel = kernel_of(of(name))
    assert emit(kernel, prove) == kernel.text
    is_good, given, result = launched(kernel, ("gfx90a", "gfx942", "gfx950")[len(name) % 3])
    assert is_good
    assert np.array_equal(given, result.outputs["out"])


@pytest.mark.sample(4)
@pytest.mark.parametrize("element", ["i8", "bf16", "f32", "f64"])
def test_elements_of_any_size(element):
    kernel = kernel_of(of("other readers", element, scalars=2))
    assert emit(kernel, prove) == kernel.text
    assert launched(kernel)[0]


def test_the_target_may_lie_otherwise():
    turned = make_naive_tensor_descriptor((256, 128), (1, 256))
    kernel = blockwise_copy(ROWS, turned, (64, 64), BY_ROWS, "f32", readers=BY_COLUMNS)
    assert emit(kernel, prove) == kernel.text
    is_good, given, result = launched(kernel)
    assert is_good
    assert np.array_equal(result.outputs["out"].reshape(128, 256), given.reshape(256, 128).T)


@pytest.mark.parametrize("threads", [BY_ROWS, BY_COLUMNS, make_layout((16, 16), (16, 1))])
def test_a_thread_has_the_part_of_the_wrappers_partition(threads):
    """What ``make_local_partition`` gives a thread is what it copies here."""
    held = shared_out((256, 32), threads, 1, 2)
    numbers = np.arange(256 * 32)
    whole = make_tensor("Global", numbers, make_layout((256, 32), (32, 1)))
    for thread in (0, 1, 5, 64, 200, 255):
        part = make_local_partition(whole, threads, thread)
        rows, columns = part.layout.shape
        wanted = {part[i, j] for i in range(rows) for j in range(columns)}
        ys = np.indices(tuple(map(int, held.y_lengths))).reshape(len(held.ys), -1)
        found = set()
        for y in ys.T:
            values = dict(zip((*held.ps, *held.ys), (thread, *map(int, y)), strict=True))
            row, column = (int(x.xreplace(values)) for x in held.index_map().outputs)
            found.add(32 * row + column)
        assert found == wanted


# broken ones

READERS = make_layout((32, 8), (1, 32))  # other waves than those that filled a place
GOOD = BlockTiles(ROWS, ROWS, (64, 64), BY_ROWS, "f32", scalars=4, readers=READERS)
BROKEN = {
    "no barrier": (
        lambda: replace(GOOD, schedule=Schedule((LOAD, STORE, READ, WRITE))),
        "barrier between",
        "no barrier between",
    ),
    "swizzled for the writer only": (lambda: replace(GOOD, stored=xor_swizzled(64, 64, 4)), "same map", ""),
    "two elements in one place": (
        lambda: replace(GOOD, stored=packed_at(60), read=packed_at(60)),
        "one-to-one",
        "",
    ),
    "more than there is room": (lambda: replace(GOOD, stored=packed_at(72)), "same map", ""),
    "vectors not together": (
        lambda: replace(GOOD, source=make_naive_tensor_descriptor((256, 128), (1, 256))),
        "vector contiguous",
        "",
    ),
    "vectors not aligned": (
        lambda: replace(GOOD, source=make_naive_tensor_descriptor((256, 128), (129, 1))),
        "vector aligned",
        "not aligned",
    ),
    "a gap in the target": (
        lambda: replace(GOOD, target=make_naive_tensor_descriptor((256, 128), (132, 1))),
        "covers",
        "",
    ),
}
CAUGHT_BY_PROOF_ONLY = {"vectors not aligned", "a gap in the target"}  # what is there is right


def packed_at(stride):
    return make_naive_tensor_descriptor((64, 64), (stride, 1))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_copy_is_refused_and_caught(name):
    make, claim, fault = BROKEN[name]
    kernel = kernel_of(make())
    require_refused(kernel, claim)
    if name not in CAUGHT_BY_PROOF_ONLY:
        require_caught(lambda: launched(kernel)[0], fault)


BROKEN_TEXT = {
    "barrier": (r"__syncthreads\(\);", ""),
    "block": (r"block0 = blockIdx.y", "block0 = blockIdx.x"),
    "stride": (r"source \+ 4 \* ", "source + 8 * "),
    "reader": (r"tile \+ read \+ 64", "tile + read + 32"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught_when_executed(name):
    broken = edited(kernel_of(GOOD), *BROKEN_TEXT[name])
    require_caught(lambda: launched(broken)[0])


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"tile": (100, 64)}, ""),
        ({"tile": (64,)}, ""),
        ({"scalars": 8}, "16"),
        ({"threads": make_layout((3, 4), (4, 1)), "readers": None}, ""),
        ({"threads": make_layout((64, 4), (8, 1))}, ""),
        ({"threads": make_layout((64, 8), (8, 1))}, ""),
        ({"source": packed((1, 1, 1, 1)), "target": packed((1, 1, 1, 1))}, "1 3"),
    ],
)
def test_what_cannot_be_is_refused(changes, facts):
    with refused(LayoutError, *facts.split()):
        kernel_of(replace(GOOD, **changes))


def test_the_text_is_the_one_that_was_read(snapshot):
    snapshot.check("blockwise_copy_f32.hip", kernel_of(GOOD).text)
