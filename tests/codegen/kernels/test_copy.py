"""Copies between descriptors: proved, compiled, executed against NumPy, and caught when broken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.copy import CopyPlan, copy, kernel_of, planned_copy
from layoutalg.codegen.kernels.copy.plan import run_view, widest_vector
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.data_type import DataType
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import edited, refuted, require_caught, require_refused
from tests.refusals import refused

TARGETS = ("gfx90a", "gfx942", "gfx950")


def launched(kernel, target="gfx942"):
    """A run on distinct patterns: whether it agrees with the reference, what went in, what came out."""
    argument = kernel.arguments[0]
    shape, kind = kernel.shape_of(argument, {}), np.dtype(argument.element.numpy)
    values = np.random.default_rng(5).permutation(int(np.prod(shape))).reshape(shape) + 1
    given = (values % (100 if kind.itemsize == 1 else 1 << 10)).astype(kind)
    compiled = compile_hip(kernel.text, Target.named(target))
    assert compiled.resources.spills == compiled.resources.scratch_bytes == 0
    task = Launch(kernel, compiled, {}, {"in": given})
    result = CpuExecutor().run(task)
    return compare_outputs(task, result.outputs)["out"].is_good, given, result


def moved(kernel, target="gfx942"):
    """The input and the output of a proved kernel that agrees with its reference."""
    assert emit(kernel, prove) == kernel.text
    is_good, given, result = launched(kernel, target)
    assert is_good
    return given, result.outputs["out"]


def naive(lengths, strides):
    return make_naive_tensor_descriptor(lengths, strides)


# what moves, against NumPy itself


@pytest.mark.sample(5)
@pytest.mark.parametrize("element", ["i8", "f16", "bf16", "f32", "f64"])
def test_rows_that_lie_apart_are_packed(element):
    given, found = moved(copy(naive((30, 40), (48, 1)), packed((30, 40)), element))
    rows = np.resize(np.append(given, np.zeros(8, given.dtype)), (30, 48))
    assert np.array_equal(found.reshape(30, 40), rows[:, :40])


@pytest.mark.sample(12)
@pytest.mark.parametrize("pads", [(1, 1, 0, 0), (0, 0, 4, 8), (2, 0, 3, 1), (0, 5, 0, 0)])
@pytest.mark.parametrize("target", TARGETS)
def test_padding_is_zero(pads, target):
    top, bottom, left, right = pads
    source = packed((21, 24)).pad(0, top, bottom).pad(1, left, right)
    given, found = moved(copy(source, packed(source.lengths), "f16"), target)
    wanted = np.pad(given.reshape(21, 24), ((top, bottom), (left, right)))
    assert np.array_equal(found.reshape(wanted.shape), wanted)


@pytest.mark.parametrize(
    "source",
    [packed((16, 4)).pad(0, 1, 0).slice(0, 0, 1), packed((7,)).pad(0, 8, 2).slice(0, 15, 17)],
    ids=str,
)
def test_where_all_is_padding_nothing_is_read(source):
    kernel = copy(source, packed(source.lengths), "f32")
    assert not moved(kernel)[1].any()
    assert "in +" not in kernel.text


@pytest.mark.sample(4)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_an_offset_that_is_negative_in_padding_is_none_where_it_is_read(target):
    """Both words of a pointer are added to: what is carried is known inside the guard."""
    source = packed((200, 201)).pad(1, 1, 1)
    kernel = copy(source, packed(source.lengths), "i8", vector=1)
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


@pytest.mark.sample(2)
@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0)])
def test_dimensions_in_another_order(order):
    source = packed((6, 10, 16)).permute(*order)
    given, found = moved(copy(source, packed(source.lengths), "f32"))
    assert np.array_equal(found.reshape(source.lengths), given.reshape(6, 10, 16).transpose(order))


def test_any_chain_of_transforms():
    source = packed((8, 64)).xor(0, 1).unmerge(1, (4, 16)).slice(1, 1, 4).merge(0, 1)
    given, found = moved(copy(source, packed((24, 16)), "f32"))
    rows, columns = np.indices((8, 64))
    swizzled = given.reshape(8, 64)[rows, columns ^ rows]
    assert np.array_equal(found.reshape(8, 3, 16), swizzled.reshape(8, 4, 16)[:, 1:])


def test_what_pads_the_target_is_not_written():
    padded = packed((20, 24)).pad(0, 0, 12).pad(1, 0, 8)
    given, found = moved(copy(padded, padded, "f16"))
    assert np.array_equal(found, given)
    given, found = moved(copy(naive((32, 32), (1, 32)), padded, "f16"))
    assert np.array_equal(found.reshape(20, 24), given.reshape(32, 32).T[:20, :24])


@pytest.mark.sample(6)
@pytest.mark.parametrize("size", [1, 7, 255, 256, 257, 4096, 4099])
@pytest.mark.parametrize("threads", [64, 256])
def test_any_number_of_elements(size, threads):
    given, found = moved(copy(packed((size,)), packed((size,)), "f32", threads=threads))
    assert np.array_equal(given, found)


# vectors

WIDTHS = [
    ("f16", packed((8, 64)), 8),
    ("f32", packed((8, 64)), 4),
    ("i8", packed((8, 64)), 16),
    ("f64", packed((8, 64)), 2),
    ("f16", packed((8, 60)), 4),
    ("f16", packed((8, 63)), 1),
    ("f16", naive((8, 64), (66, 1)), 2),
    ("f16", naive((8, 64), (1, 8)), 1),
    ("f16", packed((8, 64)).pad(1, 8, 8), 8),
    ("f16", packed((8, 64)).pad(1, 4, 4), 4),
    ("f16", packed((8, 64)).pad(1, 1, 7), 1),
    ("f16", packed((8, 64)).pad(0, 1, 7), 8),
    ("f16", packed((8, 8, 8)).merge(1, 2), 8),
    ("f16", naive((8, 8, 4), (64, 8, 1)).merge(1, 2), 4),
]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("element", "tensor", "width"), WIDTHS)
def test_vectors_are_as_wide_as_is_proved(element, tensor, width):
    assert widest_vector(tensor, DataType.named(element)) == width
    plan = CopyPlan.of(tensor, packed(tensor.lengths), element)
    assert plan.loads == width
    moved(kernel_of(plan))
    if width * DataType.named(element).bytes < 16 and int(tensor.lengths[-1]) % (2 * width) == 0:
        wider = kernel_of(replace(plan, loads=2 * width, source_view=None, target_view=None))
        assert refuted(wider.claims) & {"vector aligned", "vector contiguous", "vector valid together"}


def test_each_side_has_vectors_of_its_own():
    plan = CopyPlan.of(naive((32, 64), (1, 32)), packed((32, 64)), "f16")
    assert (plan.loads, plan.stores, plan.held) == (1, 8, 8)
    kernel = kernel_of(plan)
    _, _, result = launched(kernel)
    assert result.counters["global_stores"] == result.counters["global_stores_of_16_bytes"]
    plan = CopyPlan.of(packed((32, 64)), naive((32, 64), (1, 32)), "f16")
    assert (plan.loads, plan.stores) == (8, 1)
    moved(kernel_of(plan))


def test_narrow_vectors_that_follow_each_other_are_not_gathered():
    """A compiler would make one access of 8 bytes of them, which is not aligned."""
    plan = CopyPlan.of(naive((8, 64), (66, 1)), packed((8, 64)), "f16")
    assert (plan.loads, plan.stores) == (2, 2)


def test_elements_that_follow_each_other_beside_padding_are_not_gathered():
    source = packed((3, 3)).pad(1, 1, 0)
    given, found = moved(copy(source, packed((3, 4)), "f16"))
    assert np.array_equal(found.reshape(3, 4), np.pad(given.reshape(3, 3), ((0, 0), (1, 0))))


def test_a_width_is_proposed_from_many_vectors_and_proved_for_all():
    long = packed((1 << 22, 8))
    assert widest_vector(long, DataType.named("f16")) == 8
    kernel = copy(long, long, "f16")
    assert emit(kernel, prove) == kernel.text


def test_a_plain_copy_is_coalesced():
    _, _, result = launched(copy(packed((64, 512)), packed((64, 512)), "f16"))
    for way in ("load", "store"):
        assert result.counters[f"global_{way}_segments"] == result.counters[f"global_{way}_segments_needed"]
        assert result.counters[f"global_{way}s"] == result.counters[f"global_{way}s_of_16_bytes"]


# broken ones

ROWS = packed((30, 40))
PADDED = ROWS.pad(0, 1, 1)


def plan(source=PADDED, target=None, **fields):
    return CopyPlan.of(source, target or packed(source.lengths), "f32", **fields)


BROKEN = {
    "no guards": (lambda: plan(is_guarded=False), "in memory bounds"),
    "no guard at the end": (lambda: plan(ROWS, is_guarded=False), "in bounds"),
    "vectors too wide": (lambda: plan(naive((30, 40), (41, 1)), vector=4), "vector aligned"),
    "vectors of a column": (lambda: plan(naive((32, 40), (1, 32)), vector=4), "vector contiguous"),
    "vectors half in padding": (lambda: plan(ROWS.pad(1, 2, 2), vector=4), "vector valid together"),
    "two elements in one place": (lambda: plan(ROWS, naive((30, 40), (36, 1))), "one-to-one"),
    "a gap in the target": (lambda: plan(ROWS, naive((30, 40), (44, 1))), "covers"),
    "columns for rows": (
        lambda: plan(packed((40, 40)), source_view=run_view(packed((40, 40)).permute(1, 0), 4)),
        "vector contiguous",
    ),
    "the next row": (
        lambda: plan(ROWS, source_view=run_view(packed((31, 40)).slice(0, 1, 31), 4)),
        "in memory bounds|writes what was read",
    ),
}
# A gap leaves the elements there right; which of two comes last is the same on the CPU as in NumPy;
# the hardware takes vectors that are aligned to words.
CAUGHT_BY_PROOF_ONLY = {"vectors too wide", "a gap in the target", "two elements in one place"}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_copy_is_refused_and_caught(name):
    make, claims = BROKEN[name]
    kernel = kernel_of(make())
    require_refused(kernel, claims)
    if name not in CAUGHT_BY_PROOF_ONLY:
        require_caught(lambda: launched(kernel)[0])


BROKEN_TEXT = {
    "guard of padding": (r"if \(\d+ <= [^)]*\)", "if (true)"),
    "guard of the end": (r"if \(place < \d+\)", "if (true)"),
    "threads": (r"256 \* blockIdx", "257 * blockIdx"),
    "stride": (r"source = 4 \* place", "source = 8 * place"),
    "target": (r"target = 4 \* place", "target = 4 * (place ^ 1)"),
    "zeros": (r"= \{\};", "= {1.0f};"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught_when_executed(name):
    broken = edited(kernel_of(planned_copy(PADDED, packed((32, 40)), "f32")), *BROKEN_TEXT[name])
    require_caught(lambda: launched(broken)[0])


def test_a_source_that_is_wrongly_taken_for_padding_is_refused_and_caught(monkeypatch):
    monkeypatch.setattr(CopyPlan, "is_read", False)
    kernel = kernel_of(plan())
    require_refused(kernel, "is padding")
    require_caught(lambda: launched(kernel)[0])


TURNED = {  # offsets that fit; in their simplest form not all on the way to them do
    "pads around": (packed((4096, 4096)).pad(0, 1, 1).pad(1, 1, 1).permute(1, 0), (4098, 1)),
    "a pad of the rows": (packed((4096, 4096)).pad(0, 0, 1), (1, 4097)),
    "planes": (packed((7, 256, 1024)).pad(0, 0, 1), (1024, 8 * 1024, 1)),
    "planes that turn": (packed((7, 256, 1024)).pad(0, 0, 1), (256, 1, 8 * 256)),
}


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TURNED)
def test_offsets_that_fit_are_computed_in_32_bits(name):
    source, strides = TURNED[name]
    kernel = copy(source, naive(source.lengths, strides), "f16")
    assert emit(kernel, prove) == kernel.text
    assert "long long" not in kernel.text


@pytest.mark.long
def test_an_offset_that_is_not_in_simplest_form_is_the_right_one():
    source, strides = TURNED["pads around"]
    given, found = moved(copy(source, naive(source.lengths, strides), "f16"))
    assert np.array_equal(found.reshape(4098, 4098), np.pad(given.reshape(4096, 4096), 1).T)


@pytest.mark.parametrize("lengths", [(1 << 16, 1 << 16), (1 << 31, 2), (10**20, 5)])
def test_offsets_beyond_32_bits_are_refused(lengths):
    with refused(LayoutError, "copy", "2147483648", "32"):
        copy(packed(lengths), packed(lengths), "i8")
    apart = make_naive_tensor_descriptor((2, 8), (1 << 31, 1))
    with refused(LayoutError, "2147483648"):
        copy(apart, packed((2, 8)), "i8")


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: copy(packed((4, 6)), packed((6, 4))), ""),
        (
            lambda: copy(packed((4, 6)), packed((4, 6)), vector=4),
            "6 4",
        ),
        (lambda: copy(packed((4, 8)), packed((4, 8)), vector=8), "16 32"),
        (lambda: copy(packed(("M", 8)), packed(("M", 8))), "M"),
    ],
)
def test_what_cannot_be_is_refused(call, facts):
    with refused(LayoutError, *facts.split()):
        call()
