"""Moves with leading dimensions: proved, run with padding between rows, refuted where they are confused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor
from layoutalg.codegen.kernels import permute, transpose
from layoutalg.codegen.kernels.transpose import Permutation, PermuteTiles, kernel_of, planned
from layoutalg.codegen.kernels.transpose.in_registers import DIMENSIONS, LD_IN, LD_OUT, _size, _views
from layoutalg.codegen.kernels.transpose.tile_move import TileMove
from layoutalg.data_type import DataType
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import edited, refuted, require_caught, require_refused
from tests.codegen.kernels.test_leading_dimensions import forgetful, task_of
from tests.refusals import refused


@pytest.mark.sample(3)
@pytest.mark.parametrize("element", ["f32", "f16"])
@pytest.mark.parametrize("fixed", [{}, {"m": 128, "k": 64}])
def test_a_transpose_takes_them(element, fixed):
    kernel = transpose(element, has_leading_dimensions=True, **fixed)
    assert emit(kernel, prove) == kernel.text
    task = task_of(kernel, "gfx90a", {} if fixed else {"M": 128, "K": 192})
    assert np.array_equal(CpuExecutor().run(task).outputs["out"], task.inputs["in"].T)


def test_where_rows_of_its_target_may_overlap_those_of_a_transpose_are_too():
    (m, blocks_m), (k, blocks_k) = _size(None, "M", 32), _size(None, "K", 32)
    views = _views((m, k), (blocks_m, blocks_k), (8, 8), 4, (LD_IN, LD_OUT))
    sizes = forgetful(transpose(has_leading_dimensions=True).domain, LD_OUT)
    move = TileMove(DIMENSIONS, *views, DataType.named("f32"), sizes)
    assert "one-to-one" in refuted(move.claims())


BROKEN_TRANSPOSES = {  # an edit of the text, and the fault (None: a wrong result)
    "read as if packed": (r"in \+ \(ld_in \* m", "in + (K * m", None),
    "written as if packed": (r"out \+ \(ld_out \* k", "out + (M * k", "between rows"),
    "the other one": (r"source \+ 2 \* ld_in", "source + 2 * ld_out", "which has|not aligned"),
    "into the padding": (
        r"k \+ m\)",
        "k + m + (k + m == 0 ? M : 0))",
        "bytes between rows of out were over",
    ),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN_TRANSPOSES)
def test_a_broken_transpose_is_caught_when_executed(name):
    old, new, fault = BROKEN_TRANSPOSES[name]
    kernel = transpose(has_leading_dimensions=True)
    broken = edited(kernel, old, new)

    def is_right():
        task = task_of(broken, "gfx942", {"M": 64, "K": 32})
        return np.array_equal(CpuExecutor().run(task).outputs["out"], task.inputs["in"].T)

    require_caught(is_right, fault)


PERMUTED: dict[str, tuple[Any, Any, dict[str, Any], dict[str, int]]] = {
    "a matrix": ((200, 136), (1, 0), {}, {}),
    "in registers": ((200, 136), (1, 0), {"path": "registers"}, {}),
    "rows stay": ((6, 40, 64), (1, 0, 2), {}, {}),
    "three dimensions": ((5, 50, 72), (2, 0, 1), {}, {}),
    "five": ((3, 4, 5, 36, 20), (4, 2, 0, 3, 1), {}, {}),
    "one row": ((1, 64), (0, 1), {}, {}),
    "any sizes": (("M", "N"), (1, 0), {"multiples": {"M": 4, "N": 4}}, {"M": 100, "N": 36}),
}


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("name", PERMUTED)
def test_a_permutation_takes_them(name):
    lengths, order, fields, sizes = PERMUTED[name]
    kernel = permute(lengths, order, "f16", has_leading_dimensions=True, **fields)
    assert emit(kernel, prove) == kernel.text
    assert len(kernel.name) > len(permute(lengths, order, "f16", **fields).name)
    for target in ("gfx90a", "gfx942", "gfx950"):
        task = task_of(kernel, target, sizes)
        wanted = task.inputs["in"].transpose(order)
        assert np.array_equal(CpuExecutor().run(task).outputs["out"], wanted)


class ConfusedTiles(PermuteTiles):
    """Sees the source, or the target, by the leading dimension of the other."""

    confused = "source"

    def view(self, side):
        if side != self.confused:
            return super().view(side)
        steps = (LD_OUT, LD_IN)
        turned = Permutation.of(self.permutation.lengths, self.permutation.order, steps)
        return PermuteTiles(turned, self.config, self.multiples).view(side)


class ConfusedTarget(ConfusedTiles):
    confused = "target"


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "fault"), [(ConfusedTiles, None), (ConfusedTarget, "out of bounds")])
def test_a_permutation_that_confuses_them_is_refuted_and_caught(kind, fault):
    permutation = Permutation.of((64, 64), (1, 0), (LD_IN, LD_OUT))
    config = planned(permutation, "f32", {"ld_in": 4, "ld_out": 4})
    broken = kernel_of(kind(permutation, config, {"ld_in": 4, "ld_out": 4}))
    require_refused(broken, "right place")

    def is_right():
        task = task_of(broken, "gfx942", {"ld_in": 72, "ld_out": 68})
        return np.array_equal(CpuExecutor().run(task).outputs["out"], task.inputs["in"].T)

    require_caught(is_right, fault)


ROWLESS: dict[str, tuple[Any, str]] = {
    "one dimension": (((64,), (0,)), "2"),
    "rows of one element": (((64, 1), (1, 0)), ""),
    "descriptors": ([make_naive_tensor_descriptor((8, 8), (8, 1))] * 2, ""),
}


@pytest.mark.parametrize("name", ROWLESS)
def test_where_there_are_no_rows_leading_dimensions_are_refused(name):
    arguments, facts = ROWLESS[name]
    with refused(LayoutError, *facts.split()):
        permute(*arguments, has_leading_dimensions=True)
