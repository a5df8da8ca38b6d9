"""Rows of C that end anywhere: whole vectors at any element, what is left in pieces, nothing beyond."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from layoutalg import Proved
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.copy_distributions import one_after_another
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.data_type import DataType
from layoutalg.machine import Target
from layoutalg.proofs import prove
from layoutalg.properties import owned
from tests.codegen.kernels.broken import edited, refuted, require_caught

VECTOR = 16  # bytes


def ragged(element="f16", n=1, tile=(64, 64), waves=(2, 2)):
    """A kernel that stages C, whose N is a multiple of ``n``."""
    depth = 64 // min(2, DataType.named(element).bytes)
    return configured(
        "pipelined",
        target="gfx942",
        element=element,
        tile=(*tile, depth),
        waves=waves,
        instruction=(16, 16),
        size_multiples=(1, n, 1),
        has_tails=True,
        stages_result=True,
    )


@cache
def compiled(text):
    return compile_hip(text, Target.named("gfx942"))


def ran(kernel, m, n, k):
    """What a launch gave, and whether that is what NumPy says, with nothing written beside it."""
    sizes = {"M": m, "N": n, "K": k}
    task = Launch(kernel, compiled(kernel.text), sizes, inputs_of(kernel, sizes))
    result = CpuExecutor().run(task)
    return result, compare_outputs(task, result.outputs, written=result.written)["c"].is_good


@pytest.mark.slow_sample(6)
@pytest.mark.parametrize("element", ["f32", "f16", "f64", "i8"])
@pytest.mark.parametrize("first", [1, 64])
def test_rows_of_every_length_are_stored_once(element, first):
    """All remainders of whole vectors, of rows shorter than a vector, too."""
    config = ragged(element)
    kernel, size = gemm(config), config.result.bytes
    emit(kernel, prove)
    vector = VECTOR // size
    for n in range(first, first + vector + 1):
        result, is_right = ran(kernel, 3, n, 33)
        assert is_right, n
        pieces = [count for count in (1, 2, 4) if count < vector and n & count]
        wanted = {*pieces, *([vector] if n >= vector else [])}
        counters = result.counters
        found = {n for n in (1, 2, 4, 8) if counters.get(f"global_stores_of_{n * size}_bytes")}
        assert found == wanted, n


@pytest.mark.slow
@pytest.mark.parametrize("multiple", [2, 4, 8])
def test_rows_of_multiples_are_stored_in_whole_vectors_too(multiple):
    config = ragged("f16", multiple)
    kernel = gemm(config)
    assert GemmTiles(config).problem.multiples[1] == multiple
    for n in (multiple, 64 - multiple, 64 + multiple):
        assert ran(kernel, 65, n, 31)[1]


@pytest.mark.slow
def test_whole_rows_are_stored_side_by_side_whatever_their_length():
    """A wave stores whole rows, one after the other: rows of 64-byte segments touch none twice."""
    config = ragged("f16", 8, (128, 192))
    kernel = gemm(config)
    emit(kernel, prove)
    stage = GemmTiles(config).stage
    assert stage is not None
    assert stage.pieces == 1
    result, is_right = ran(kernel, 128, 192, 64)
    assert is_right
    assert result.counters["global_store_transactions"] == result.counters["global_store_transactions_needed"]


@pytest.mark.slow
@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("rows", "columns", "vector", "threads"),
    [(64, 192, 8, 256), (32, 160, 4, 128), (64, 96, 2, 256), (16, 40, 8, 80), (64, 24, 8, 64)],
)
def test_vectors_one_after_another_are_each_held_once(rows, columns, vector, threads):
    held = one_after_another(rows, columns, vector, threads, lanes=threads // 2)
    assert held.lengths == (rows, columns)
    assert all(isinstance(prove(claim), Proved) for claim in owned(held))
    found = {
        held.element((warp, lane), ys)
        for warp in range(2)
        for lane in range(threads // 2)
        for ys in np.ndindex(*map(int, held.y_lengths))
    }
    assert found == set(np.ndindex(rows, columns))


SMALL = {"tile": (16, 32), "waves": (1, 1)}


def is_as_claimed(kernel):
    """Whether the compiled code accesses what is claimed."""
    return bool(validated_kernel(kernel, compiled(kernel.text), prove))


@pytest.mark.slow
def test_compiled_stores_reach_every_element_of_c():
    assert is_as_claimed(gemm(ragged(**SMALL)))


WRONG = {
    r"left >= 2 && left < 4": "left >= 2 && left < 3",
    r"left >= 6\)": "left >= 5)",
    r"value, value, 4, 5": "value, value, 5, 6",
    r"into, offset \+ 6, left >= 7": "into, offset + 7, left >= 7",
}


@pytest.mark.slow
@pytest.mark.parametrize("old", WRONG)
@pytest.mark.sample(4)
def test_pieces_in_wrong_places_are_caught(old):
    kernel = edited(gemm(ragged(**SMALL)), old, WRONG[old])
    require_caught(lambda: all(ran(kernel, 3, n, 32)[1] for n in range(9, 17)))


@pytest.mark.parametrize("old", [r"left >= 8\)", *WRONG])
@pytest.mark.slow_sample(8)
def test_pieces_in_wrong_places_are_no_claimed_ones(old):
    """A vector may reach into a row that is stored later, which no result tells."""
    kernel = edited(gemm(ragged(**SMALL)), old, WRONG.get(old, "left >= 7)"))
    assert is_as_claimed(kernel) == ("value" in old)  # values are no places


def test_a_vector_that_reaches_past_its_row_is_refuted():
    tiles = GemmTiles(ragged())
    stores, ends = tiles.c.index_map(), tiles.row_ends
    assert ends
    right = ends.claims(stores.outputs[0], stores.domain, "C stores")
    assert all(isinstance(prove(claim), Proved) for claim in right)
    wrong = replace(ends, access=replace(ends.access, vector=4))
    assert "inside row" in refuted(wrong.claims(stores.outputs[0], stores.domain, "C stores"))
