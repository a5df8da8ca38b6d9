"""Moves in boxes: any lengths, order, zeros, strides; wide, proved, exact; caught when broken."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.boxes import Box, StridedMove, planned_box
from layoutalg.codegen.kernels.boxes.memory_runs import Runs
from layoutalg.codegen.kernels.copy import copy
from layoutalg.codegen.kernels.copy.boxed import boxed_copy
from layoutalg.codegen.kernels.transpose import Permutation
from layoutalg.data_type import DataType
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.index.evaluate import evaluate
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.benchmarks.moves import figures
from tests.codegen.kernels.broken import edited, require_caught, require_refused
from tests.codegen.kernels.test_copy import launched, moved
from tests.codegen.test_warnings import require_clean
from tests.refusals import refused

TARGETS = ("gfx90a", "gfx942", "gfx950")
SHORT = [  # lengths, order, type: rows and columns that are shorter than a line, of odd lengths
    ((500, 7, 4, 3), (0, 2, 1, 3), "f16"),
    ((257, 7, 2, 3), (0, 2, 1, 3), "f64"),
    ((100, 100, 3), (1, 0, 2), "i8"),
    ((100, 100, 17), (1, 0, 2), "f16"),
    ((23, 11, 320), (1, 2, 0), "f16"),
    ((5, 23, 11, 32), (3, 1, 0, 2), "f16"),
    ((60, 31, 65, 2), (1, 0, 3, 2), "i8"),
    ((6, 3, 9, 6, 35), (3, 1, 0, 2, 4), "f32"),
    ((27, 7, 9, 2, 8), (4, 1, 0, 3, 2), "f16"),
    ((43, 9, 51, 4), (3, 0, 1, 2), "f16"),
    ((12, 483, 8), (0, 2, 1), "i8"),
]
PADDED = [  # lengths, zeros at both ends, order, type
    ((37, 3, 50), (0, 1, 2), (2, 1, 0), "f32"),
    ((131, 128, 64), (0, 1, 1), (1, 0, 2), "f16"),
    ((200, 200), (1, 1), (1, 0), "f16"),
    ((64, 128, 96), (1, 1, 1), (2, 0, 1), "f16"),
    ((131, 128, 64), (0, 1, 1), (0, 1, 2), "i8"),
]
LEAST = {"i8": 4, "f16": 8, "f32": 8, "f64": 8}  # bytes a lane
MOST = 1.3  # segments touched for each that is needed


@dataclass(frozen=True)
class Moved:
    """A random move: of a tensor with gaps between rows, zeros beside it, dimensions in another order."""

    lengths: tuple[int, ...]
    gaps: tuple[int, ...]
    zeros: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    element: str

    @classmethod
    def drawn(cls, seed: int) -> Moved:
        chance = random.Random(seed)
        while True:
            rank = chance.choice((1, 2, 2, 3, 3, 4, 5))
            ranges = [(1, 6), (2, 17), (17, 130), (130, 700)][: 4 if rank < 4 else 3]
            lengths = tuple(chance.randint(*chance.choice(ranges)) for _ in range(rank))
            sides = tuple((chance.choice((0, 0, 1, 2, 3, 7)), chance.choice((0, 0, 1, 7))) for _ in lengths)
            if 64 < math.prod(n + sum(two) for n, two in zip(lengths, sides, strict=True)) < 200_000:
                break
        gaps = tuple(chance.choice((0, 0, 1, 5, 8)) for _ in lengths)
        order = list(range(rank))
        chance.shuffle(order)
        return cls(lengths, gaps, sides, tuple(order), chance.choice(("f16", "f16", "f32", "i8", "f64")))

    @property
    def strides(self) -> tuple[int, ...]:
        found = [1]
        for length, gap in zip(reversed(self.lengths[1:]), self.gaps, strict=False):
            found.insert(0, found[0] * length + gap)
        return tuple(found)

    @property
    def source(self):
        found = make_naive_tensor_descriptor(self.lengths, self.strides)
        for dimension, (left, right) in enumerate(self.zeros):
            found = found.pad(dimension, left, right) if left or right else found
        return found.permute(*self.order)

    def wanted(self, given):
        """What NumPy makes of the memory of the source."""
        size = given.itemsize
        steps = tuple(size * stride for stride in self.strides)
        rows = np.lib.stride_tricks.as_strided(given.ravel(), self.lengths, steps)
        return np.pad(rows, self.zeros).transpose(self.order)


def is_as_claimed(kernel, target):
    return validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


@pytest.mark.slow
@pytest.mark.sample(34, slow=16)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("lengths", "order", "element"), SHORT)
def test_short_dimensions_are_moved_in_wide_accesses_of_few_segments(lengths, order, element, target):
    kernel = permute(lengths, order, element, target=target)
    assert emit(kernel, prove) == kernel.text
    assert is_as_claimed(kernel, target)
    found = figures(kernel, target)  # compares with NumPy
    assert min(found["load"], found["store"]) >= LEAST[element]
    assert found["segments"] <= MOST


@pytest.mark.slow_sample(16)
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize(("lengths", "pads", "order", "element"), PADDED)
def test_zeros_and_another_order_at_once(lengths, pads, order, element, target):
    source = packed(lengths)
    for dimension, zeros in enumerate(pads):
        source = source.pad(dimension, zeros, zeros) if zeros else source
    source = source.permute(*order)
    kernel = copy(source, packed(source.lengths), element, gpu=target)
    given, found = moved(kernel, target)
    wanted = np.pad(given.reshape(lengths), [(n, n) for n in pads]).transpose(order)
    assert np.array_equal(found.reshape(wanted.shape), wanted)
    assert is_as_claimed(kernel, target)
    counted = figures(kernel, target)
    assert min(counted["load"], counted["store"]) >= LEAST[element]
    assert counted["segments"] <= MOST


@pytest.mark.sample(40, slow=4)
@pytest.mark.parametrize("seed", range(40))
def test_no_text_gives_a_warning(seed, tmp_path):
    made = Moved.drawn(seed)
    source, goal = made.source, packed(made.source.lengths)
    move = StridedMove.between(source, goal)
    assert move is not None
    box = planned_box(move, DataType.named(made.element))
    assert box is not None
    require_clean(boxed_copy(source, goal, box).text, tmp_path)


def _large_transpose_with_zeros():
    source = packed((4000, 5000)).pad(0, 1, 1).pad(1, 1, 1).permute(1, 0)
    return copy(source, packed(source.lengths), "f16")


def _large_rows_of_three_bytes():
    return permute((12_000, 12_007, 3), (1, 0, 2), "i8")


@pytest.mark.slow_sample(2)
@pytest.mark.parametrize("made", [_large_rows_of_three_bytes, _large_transpose_with_zeros])
def test_large_tensors_are_proved_and_go_to_claimed_addresses(made):
    kernel = made()
    assert "in_boxes" in kernel.name
    assert emit(kernel, prove) == kernel.text
    assert is_as_claimed(kernel, "gfx942")


@pytest.mark.slow
@pytest.mark.sample(300, slow=200)
@pytest.mark.parametrize("seed", range(600))
def test_any_move_is_proved_exact_and_at_claimed_addresses(seed):
    made, target = Moved.drawn(seed), TARGETS[seed % len(TARGETS)]
    source, goal = made.source, packed(made.source.lengths)
    move, kind = StridedMove.between(source, goal), DataType.named(made.element)
    assert move is not None
    box = planned_box(move, kind)
    assert box is not None
    kernel = boxed_copy(source, goal, box)
    given, found = moved(kernel, target)
    wanted = made.wanted(given)
    assert np.array_equal(found.reshape(wanted.shape), wanted)
    assert is_as_claimed(kernel, target)


@pytest.mark.slow_sample(40)
@pytest.mark.parametrize("seed", range(40))
def test_any_short_permutation_touches_few_segments(seed):
    chance = random.Random(seed)
    while True:
        rank = chance.choice((3, 4, 4, 5))
        ranges = {3: [(2, 17), (17, 130)], 4: [(2, 17), (17, 60)], 5: [(2, 9), (2, 9), (9, 40)]}[rank]
        lengths = tuple(chance.randint(*chance.choice(ranges)) for _ in range(rank))
        order = list(range(rank))
        chance.shuffle(order)
        if 20_000 < math.prod(lengths) < 300_000 and order != sorted(order):
            break
    element = chance.choice(tuple(LEAST))
    found = figures(permute(lengths, order, element), "gfx942")
    assert min(found["load"], found["store"]) >= LEAST[element]
    assert found["segments"] <= 1.5  # of the dimensions of a few, some boxes do not fit shared memory


@pytest.mark.slow
def test_what_compilers_read_beside_an_element_lies_in_shared_memory():
    """A vector of which they use one element; beyond the end of the array it is no claimed access."""
    kernel = permute((127, 123, 58, 106), (0, 1, 3, 2), "f16")
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    assert validated_kernel(kernel, compiled, prove)
    read = next(one for one in kernel.accesses if one.is_shared and one.way == "load")
    short = replace(read, room=2 * 11_553 + 2)  # the element that is read last ends there
    others = (short if one is read else one for one in kernel.accesses)
    assert not validated_kernel(replace(kernel, accesses=tuple(others)), compiled, prove)


def test_the_path_may_be_asked_for():
    kernel = permute((64, 96), (1, 0), "f16", path="box")
    assert "in_boxes" in kernel.name
    assert moved(kernel)[1].shape == (96, 64)
    with refused(LayoutError, "rows"):
        permute((64, 96), (1, 0), "f16", path="box", rows=64)
    with refused(LayoutError, "box"):
        permute(("A", 96), (1, 0), "f16", path="box")


@pytest.mark.slow
def test_vectors_are_aligned_where_they_must_be():
    kernel = permute((100, 100, 6), (1, 0, 2), "f16", path="box", begins_anywhere=False)
    assert "anywhere" not in kernel.text
    assert moved(kernel)[1].shape == (100, 100, 6)


def test_what_is_wide_and_aligned_stays_as_it_was():
    for lengths, order in (((512, 512), (1, 0)), ((64, 4, 128), (1, 0, 2)), ((4096,), (0,))):
        assert "in_boxes" not in permute(lengths, order, "f16").name
    assert "in_boxes" not in copy(packed((1032,)), packed((1032,)), "f32").name


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (make_naive_tensor_descriptor((6, 4), (1, 0)), packed((6, 4))),  # one element again and again
        (packed((6, 4)), make_naive_tensor_descriptor((6, 4), (5, 1))),  # a gap in the target
        (packed((6, 4)), packed((4, 6))),  # other lengths
        (packed((8, 8)).xor(0, 1), packed((8, 8))),  # more than steps
    ],
)
def test_what_is_no_move_of_dimensions_is_none(source, target):
    assert StridedMove.between(source, target) is None


def test_a_run_is_what_lies_together():
    runs = Runs((3, 4, 5), (5, 300, 1), whole=(10, 4, 5), vector=4)
    places = {(run, at): runs.index(run, at) for run in range(runs.count) for at in range(runs.length)}
    assert runs.length == 15
    assert len({tuple(sorted(index.items())) for index in places.values()}) == 60
    for (run, at), index in places.items():
        assert runs.flat(index) == (run, at)
        assert runs.in_memory(run, at) == sum(runs.steps[i] * digit for i, digit in index.items())


# broken ones


def box(**fields):
    move = StridedMove.of((30, 20, 7), (7, 210, 1), (140, 7, 1))
    assert move is not None
    return Box(move, DataType.named("f16"), (13, 20, 7), (8, 8), **fields)


def kernel_of(made):
    source = make_naive_tensor_descriptor((30, 20, 7), (7, 210, 1))
    return boxed_copy(source, packed(source.lengths), made)


def fields_of(made):
    return {name: getattr(made, name) for name in ("move", "kind", "lengths", "vectors", "threads", "pitch")}


class Apart(Box):
    """Boxes that leave elements out."""

    def start(self, i, number):
        return super().start(i, number) + number


class Elsewhere(Box):
    """Elements that are read where another one was put."""

    def in_shared(self, index):
        return super().in_shared({i: at + int(i == 0) for i, at in index.items()})


class Unasked(Box):
    """Threads after the last vector that are not left out."""

    def is_cut(self, _side):
        return False


BROKEN = {
    "rows that overlap": (lambda: box(pitch=88), "one-to-one"),
    "a vector left free amid vectors": (lambda: box(skew=20), "lies where it is read|vector|one-to-one"),
    "a step of the source": (
        lambda: replace(box(), move=StridedMove.of((30, 20, 7), (7, 217, 1), (140, 7, 1))),
        "same element",
    ),
    "boxes apart": (lambda: Apart(**fields_of(box())), "covers"),
    "another element": (lambda: Elsewhere(**fields_of(box())), "in memory bounds"),
    "no guard": (lambda: Unasked(**fields_of(box())), "in memory bounds"),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_box_is_refused(name):
    make, claims = BROKEN[name]
    require_refused(kernel_of(make()), claims)


BROKEN_TEXT = {
    "a barrier": (r"__syncthreads\(\);", ""),
    "a start": (r"start0 = \(", r"start0 = 1 + ("),
    "a quotient": (r"(place \* \d+) >> (\d+)", r"\1 >> (1 + \2)"),
    "an end": (r"if \(place < (\d+)\)", "if (place < 64)"),
    "a place": (r"box\[", "box[1 + "),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught_when_executed(name):
    kernel = edited(kernel_of(box()), *BROKEN_TEXT[name])
    require_caught(lambda: launched(kernel)[0])


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["a start", "a place", "an end"])
def test_a_broken_address_is_caught_in_compiled_code(name):
    assert is_as_claimed(kernel_of(box()), "gfx942")
    assert not is_as_claimed(edited(kernel_of(box()), *BROKEN_TEXT[name]), "gfx942")


CROWDED = [  # of which the cheapest box, by memory alone, had all lanes at few banks
    ((17, 240, 612, 24), (2, 3, 0, 1), "f32", False),
    ((9, 136, 3267), (2, 0, 1), "i8", True),
    ((2, 127, 15748), (0, 2, 1), "i8", True),
    ((781, 40, 128), (2, 0, 1), "i8", True),
    ((360, 112, 31, 48), (3, 2, 0, 1), "f16", False),
    ((15625, 80, 48), (1, 2, 0), "f16", False),
]


@pytest.mark.sample(6)
@pytest.mark.parametrize(("lengths", "order", "element", "anywhere"), CROWDED)
def test_banks_take_no_more_than_half_of_the_time_of_memory(lengths, order, element, anywhere):
    """Counted from the places of lanes: words of a bank are read one after another."""
    merged, kind = Permutation.of(lengths, order).merged, DataType.named(element)
    move = StridedMove.of(merged.lengths, merged.source, merged.target)
    assert move
    box = planned_box(move, kind, anywhere=anywhere)
    assert box
    for number in range(box.stored.vector):
        index = {"block": 0, "round": 0, "thread": np.arange(64), "element": number}
        words = np.unique(evaluate(box.shared_reads().outputs[0], index) * kind.bytes // 4)
        turns, moved_bytes = np.bincount(words % 32).max(), 2 * 64 * kind.bytes  # loaded and stored
        assert 2 * turns <= moved_bytes / 8.3  # bytes a cycle


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("lengths", "order", "element", "is_boxed"),
    [
        ((65, 3, 40, 12), (0, 1, 3, 2), "f16", True),
        ((7, 5, 64, 20), (1, 0, 3, 2), "f32", True),
        ((8, 4, 64, 64), (3, 1, 0, 2), "f32", False),  # runs of the source alone are long
        ((16, 16, 64, 80), (1, 0, 3, 2), "i8", False),  # bytes would be read one by one
    ],
)
def test_small_matrices_go_in_boxes_where_vectors_are_aligned(lengths, order, element, is_boxed):
    """On an H200 as fast as a copy, 36 of them; tiles are partly empty there."""
    kernel = permute(lengths, order, element, begins_anywhere=False)
    assert ("boxes" in kernel.name) == is_boxed
    if is_boxed:
        assert emit(kernel, prove) == kernel.text
        assert launched(kernel)[0]
