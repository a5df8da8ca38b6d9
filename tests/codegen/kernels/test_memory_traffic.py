"""Traffic that is counted from claimed accesses is that of the executed machine code."""

from __future__ import annotations

import pytest

from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.boxes import StridedMove, planned_box
from layoutalg.codegen.kernels.boxes.box import ELEMENT
from layoutalg.codegen.kernels.boxes.boxed_kernel import accesses_of
from layoutalg.codegen.kernels.copy.boxed import boxed_copy
from layoutalg.codegen.kernels.memory_traffic import Traffic, Vectors, traffic_of
from layoutalg.data_type import DataType
from layoutalg.descriptor.make_descriptor import (
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
)
from tests.benchmarks.moves import counters_of

BOXES = [  # lengths, strides of the source, those of the target, type; few enough that all is counted
    ((100, 50, 3), (3, 300, 1), (150, 3, 1), "f16"),
    ((30, 20, 7), (7, 210, 1), (140, 7, 1), "f16"),
    ((40, 64), (1, 40), (64, 1), "f32"),
    ((11, 23, 5), (1, 55, 11), (115, 5, 1), "i8"),
    ((17, 4, 33), (132, 33, 1), (132, 33, 1), "f64"),
]
TILES = [((128, 64), "f16"), ((65, 130), "f32"), ((96, 256), "i8")]
CUT = [(element, rest) for element, width in (("f16", 8), ("f32", 4), ("i8", 8)) for rest in range(1, width)]


def counted(kernel) -> Traffic:
    """By the executor."""
    counts, _ = counters_of(kernel, "gfx942")
    ways = ("load", "store")
    segments = sum(counts[f"global_{way}_segments"] for way in ways)
    return Traffic(
        segments, min(counts[f"global_{way}_bytes"] / counts[f"global_{way}_lanes"] for way in ways)
    )


def said_of_tiles(kernel) -> Traffic:
    domains = [
        next(one.map.domain for one in kernel.accesses if one.way == way and not one.is_shared)
        for way in ("load", "store")
    ]
    loaded, stored = (
        Vectors(domain[axis], int(domain.variable(domain[axis]).upper))
        for domain, axis in zip(domains, ("y3", "y2"), strict=True)
    )
    return traffic_of(kernel.accesses, kernel.grid, kernel.block, (loaded, stored))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("lengths", "strides", "steps", "element"), BOXES)
def test_a_box_touches_the_segments_that_are_said(lengths, strides, steps, element):
    kind, move = DataType.named(element), StridedMove.of(lengths, strides, steps)
    assert move is not None
    box = planned_box(move, kind)
    assert box is not None
    vectors = Vectors(ELEMENT, box.loaded.vector), Vectors(ELEMENT, box.stored.vector)
    source = make_naive_tensor_descriptor(lengths, strides)
    kernel = boxed_copy(source, make_naive_tensor_descriptor_packed(lengths), box)
    assert traffic_of(accesses_of(box), (box.blocks,), (box.threads,), vectors) == counted(kernel)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("lengths", "element"), TILES)
def test_a_tile_touches_the_segments_that_are_said(lengths, element):
    kernel = permute(lengths, (1, 0), element, path="lds")
    assert said_of_tiles(kernel) == counted(kernel)


@pytest.mark.sample(18)
@pytest.mark.parametrize(("element", "rest"), CUT)
def test_vectors_that_end_early_are_moved_in_pieces(element, rest):
    kernel = permute((96 + rest, 69), (1, 0), element, path="lds")
    said, found = said_of_tiles(kernel), counted(kernel)
    assert said.bytes_a_lane == found.bytes_a_lane
    assert said.segments == pytest.approx(found.segments, rel=0.04)  # 7 halves are three pieces to clang 22
