"""A short dimension beside a long one: whole vectors on both sides, proved, exact; caught when broken."""

from __future__ import annotations

import math
import random
from dataclasses import fields, replace

import pytest

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.transpose import Permutation
from layoutalg.codegen.kernels.transpose.config import moved
from layoutalg.codegen.kernels.transpose.interleaved_kernel import interleaved_kernel
from layoutalg.codegen.kernels.transpose.interleaving import Interleaving
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.benchmarks.moves import figures
from tests.codegen.kernels.broken import edited, refuted, require_caught
from tests.codegen.kernels.test_permute import TARGETS, TURN, is_right, launched
from tests.refusals import refused

IMAGE, PIXELS = ((4, 3, 51, 61), (0, 2, 3, 1)), ((5, 51, 61, 3), (0, 3, 1, 2))
CASES = [  # lengths, order, type
    (*IMAGE, "f16"),
    (*PIXELS, "bf16"),
    ((3, 64, 40), (1, 2, 0), "f16"),
    ((4096, 3), TURN, "f32"),
    ((2, 3, 4, 7, 33), (0, 2, 3, 4, 1), "i8"),
    ((6, 15, 77), (0, 2, 1), "i8"),
    ((513, 10), TURN, "f16"),
    ((2, 7, 301), (0, 2, 1), "f32"),
    ((11, 3, 30), (0, 2, 1), "f16"),
    ((3, 5, 17, 24), (2, 3, 0, 1), "i8"),
    ((16, 1001), TURN, "f8_fnuz"),
    ((2, 40, 5, 130), (1, 0, 3, 2), "bf16"),
]


def interleaving(lengths, order, element="f16", **fields):
    found = Interleaving.of(Permutation.of(lengths, order), moved(element), **fields)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.sample(39, slow=16)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("lengths", "order", "element"), CASES)
def test_every_element_arrives_at_claimed_addresses(lengths, order, element, target):
    is_wide = lengths == (16, 1001)
    kernel = permute(lengths, order, element, target=target, path="lds" if is_wide else "interleaved")
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel, target)
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


@pytest.mark.slow_sample(6)
@pytest.mark.parametrize("seed", range(24))
def test_any_short_dimension(seed):
    chance = random.Random(seed)
    batch = [chance.randint(1, 5) for _ in range(chance.randint(0, 2))]
    element = chance.choice(("i8", "f16", "f32"))
    narrow = [n for n in range(2, 17) if math.gcd(n, 16 // moved(element).bytes) * moved(element).bytes < 8]
    lengths = [*batch, *chance.sample((chance.choice(narrow), chance.randint(17, 400)), 2)]
    order = [*range(len(batch)), len(batch) + 1, len(batch)]
    if len(batch) == 2 and chance.random() < 0.5:
        order[:2] = 1, 0
    kernel = permute(lengths, order, element, path="interleaved")
    assert emit(kernel, prove) == kernel.text
    found, _, (given, moved_) = launched(kernel)
    assert found.is_good
    assert (moved_ == given.transpose(order)).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("element", ["f16", "f32", "i8"])
@pytest.mark.parametrize(
    ("lengths", "order"),
    [((3, 64, 64), (1, 2, 0)), ((64, 64, 3), (2, 0, 1)), ((2, 5, 3, 4001), (0, 1, 3, 2))],
)
def test_accesses_are_whole_vectors_and_touch_no_line_twice(lengths, order, element):
    found = figures(permute(lengths, order, element), "gfx942")
    assert min(found["load"], found["store"]) >= (8 if element == "i8" else 15)
    assert found["segments"] <= 1.3


@pytest.mark.slow
def test_shared_memory_has_no_bank_conflicts():
    for count in (2, 3, 6, 7, 10, 12):
        kernel = permute((count, 2048), TURN, "i8")
        assert {claim.name for claim in kernel.claims} >= {"conflict-free", "barrier between"}
        _, result, _ = launched(kernel)
        assert result.counters["lds_writes"] > 0
        assert (
            result.counters["lds_write_conflict_cycles"] == result.counters["lds_read_conflict_cycles"] == 0
        )


@pytest.mark.slow
def test_what_moves_wide_anyway_is_not_interleaved():
    for lengths, element in (((8, 4096), "f16"), ((64, 64), "f16"), ((17, 4096), "i8"), ((3, 512), "f64")):
        assert "interleaved" not in permute(lengths, TURN, element).name
    assert "interleaved" not in permute((3, 4096), TURN, "f16", path="lds").name
    assert "interleaved" not in permute((3, 4096), TURN, "f16", rows=4, vector_out=1).name
    assert "interleaved" not in permute(("A", 3), TURN, "f16").name
    assert "interleaved" not in permute((3, 4095), TURN, "f16", begins_anywhere=False).name


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("lengths", "order", "is_interleaved"),
    [((64, 40, 3, 24), (1, 0, 3, 2), False), ((640, 3, 136), (0, 2, 1), True)],  # pieces apart, and in a row
)
def test_aligned_pieces_that_lie_apart_go_in_boxes(lengths, order, is_interleaved):
    """As on an H200: 1.1 to 2 times as fast, and slower where caches join what neighbours share."""
    kernel = permute(lengths, order, "f16", begins_anywhere=False)
    assert ("interleaved" in kernel.name) == is_interleaved
    assert is_right(kernel)
    assert "interleaved" in permute(lengths, order, "f16", begins_anywhere=False, path="interleaved").name


def test_the_path_may_be_asked_for():
    kernel = permute((3, 4096), TURN, "f16", path="interleaved")
    assert kernel.name == permute((3, 4096), TURN, "f16").name
    for lengths, order in (((64, 64), TURN), ((3, 4, 8), (1, 0, 2)), ((3, 4), (0, 1)), ((8, 4096), TURN)):
        with refused(LayoutError, "interleaved", "16"):
            permute(lengths, order, "f16", path="interleaved")
    with refused(LayoutError, "rows"):
        permute((3, 4096), TURN, "f16", path="interleaved", rows=4)
    with refused(LayoutError, "lds", "registers", "direct"):
        permute((64, 128), TURN, "f16", path="interleave")


def test_waves_of_32_have_it_too():
    kernel = permute((3, 4096), TURN, "f16", target="gfx1100")
    assert emit(kernel, prove) == kernel.text
    assert compile_hip(kernel.text, Target.named("gfx1100")).resources.scratch_bytes == 0


@pytest.mark.parametrize(
    ("source", "target"),
    [(((10, 64), (10, 1)), (1, 10)), (((4, 3, 64), (3, 64, 1)), (192, 1, 3))],
)
def test_windows_that_overlap_get_no_aligned_vectors(source, target):
    lengths, steps = source
    given, moved_ = (make_naive_tensor_descriptor(lengths, strides) for strides in (steps, target))
    kernel = permute(given, moved_, "f16")
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel)


def test_the_longer_one_may_be_the_short_one():
    assert "interleaved_7" in permute((10, 7), TURN, "f16", path="interleaved").name
    assert "interleaved_7" in permute((7, 10), TURN, "f16", path="interleaved").name


def test_two_descriptors_say_the_same():
    source = make_naive_tensor_descriptor((5, 3, 400), (1300, 432, 1))
    target = make_naive_tensor_descriptor((5, 3, 400), (1200, 1, 3))
    kernel = permute(source, target, "f16")
    assert "interleaved" in kernel.name
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel)


class Mixed(Interleaving):
    """Planes in another order where a thread turns them."""

    def held(self, flat):
        plane, number = super().held(flat)
        return (plane + 1) % self.short, number


class Shifted(Interleaving):
    """Pieces of the neighbour."""

    def of_slot(self, slot):
        thread, piece = super().of_slot(slot)
        return thread + 1, piece


class Overlapping(Interleaving):
    """Pieces of two threads in one place."""

    def slot(self, side):
        found = super().slot(side)
        return found // 2 * 2 if side == self.apart else found


BROKEN = {Mixed: "writes what was read", Shifted: "writes what was read", Overlapping: "one-to-one"}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize(("lengths", "order"), [IMAGE, PIXELS])
def test_a_wrong_plan_is_refuted(kind, lengths, order):
    good = interleaving(lengths, order)
    wrong = kind(**{field.name: getattr(good, field.name) for field in fields(good)})
    assert BROKEN[kind] in refuted(interleaved_kernel(wrong).claims)


def test_aligned_vectors_are_refuted_where_planes_are_odd():
    good = interleaving(*IMAGE)
    wrong = interleaved_kernel(replace(good, begins_anywhere=False))
    assert "vector aligned" in refuted(wrong.claims) or "vector valid together" in refuted(wrong.claims)


BROKEN_TEXT = {
    "barrier": (r"__syncthreads\(\);", ""),
    "an element": (r"plane\[0\]\[0\], plane\[1\]\[0\]", "plane[1][0], plane[0][0]"),
    "end of planes": (r"<= 3103", "<= 3111"),
    "end of pieces": (r"<= 9325", "<= 9312"),
    "elements left": (r"y < 7", "y < 6"),
    "a stride": (r"3111 \* i", "3110 * i"),
    "a place": (r"slot / 3;", "slot / 4;"),
    "last place": (r"< 1556", "< 1555"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught_when_executed(name):
    broken = edited(permute(*IMAGE, "f16"), *BROKEN_TEXT[name])
    require_caught(lambda: is_right(broken))
