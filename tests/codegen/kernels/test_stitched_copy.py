"""Copies in vectors that begin anywhere: odd rows, pads and images; wide, proved, and caught when broken."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from layoutalg import make_naive_tensor_descriptor
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors.cuda_source import cuda_source
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.copy import ConvolutionShape, copy, image_to_column, kernel_of, planned_copy
from layoutalg.codegen.kernels.copy.stitched_plan import RowPart, StitchedPlan
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.benchmarks.moves import figures
from tests.codegen.kernels.broken import edited, refuted, require_caught, require_refused
from tests.codegen.kernels.test_copy import launched, moved

TARGETS = ("gfx942", "gfx950")
LEAST = {"f16": 15, "f32": 15, "i8": 7.5}  # bytes a lane


def padded(lengths, *pads):
    source = packed(lengths)
    for dimension, (left, right) in enumerate(pads):
        source = source.pad(dimension, left, right)
    return source


def by_runs(source, element, **fields):
    """The copy of a tensor to a packed one by runs of the target, and not in boxes."""
    return kernel_of(planned_copy(source, packed(source.lengths), element, **fields))


SOURCES = {
    "one row": packed((7, 33)),
    "one element more": packed((1025,)),
    "pads around": padded((21, 37), (1, 1), (1, 1)),
    "pads before": padded((21, 37), (2, 0), (3, 0)),
    "pads after": padded((5, 9, 31), (0, 1), (1, 0), (0, 5)),
    "rows that change places": packed((6, 10, 17)).permute(1, 0, 2),
    "a slice of rows": packed((12, 40)).slice(1, 3, 36),
    "rows of three": packed((30, 8)).slice(1, 2, 5),
    "rows that lie apart": make_naive_tensor_descriptor((30, 41), (44, 1)),
}


@pytest.mark.sample(24, slow=14)
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("element", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize("target", TARGETS)
def test_odd_rows_are_moved_exactly_and_at_claimed_addresses(name, element, target):
    source = SOURCES[name]
    kernel = by_runs(source, element)
    moved(kernel, target)
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


LARGE = {  # of more elements than are gone through one by one
    "pads around": (padded((1024, 1024), (1, 1), (1, 1)), "f16"),
    "pads before": (padded((1023, 1031), (0, 1), (2, 0)), "f32"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_copies_go_to_claimed_addresses(name):
    source, element = LARGE[name]
    kernel = by_runs(source, element)
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx942")), prove)
    broken = edited(kernel, r"start0 = (\d+) ", r"start0 = 1 + \1 ")
    assert not validated_kernel(broken, compile_hip(broken.text, Target.named("gfx942")), prove)


@pytest.mark.slow_sample(12)
@pytest.mark.parametrize(
    ("lengths", "pads", "element"),
    [
        ((147, 55, 126), (1, 3, 2), "f16"),
        ((56, 47, 25, 54), (3, 1, 0, 1), "f16"),  # a row before 72,275 where n < 505,925
        ((47, 60, 27, 46), (2, 1, 3, 1), "f32"),  # a magic number of what is a quotient itself
        ((829, 2348), (1, 1), "f64"),  # in boxes; quotients that no thread of them has
    ],
)
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_padding_of_many_dimensions_is_asked_for_as_claimed(target, lengths, pads, element):
    source = padded(lengths, *((n, n) for n in pads))
    kernel = copy(source, packed(source.lengths), element, gpu=target)
    assert emit(kernel, prove) == kernel.text
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


@pytest.mark.slow
def test_a_register_that_is_set_where_lanes_are_is_set_for_each_of_them():
    """What a wave without such lanes goes past, none of its lanes uses: the pointer of the last vector."""
    kernel = by_runs(padded((20_000_000,), (1, 1)), "f16")
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx942")), prove)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("length", "element"), [(84_103, "f32"), (2_395_068, "f32"), (1_000_001, "f16")])
def test_of_the_last_run_what_is_stored_is_loaded(length, element):
    """One element of it may be loaded by the whole wave, at an address that no lane decides."""
    kernel = by_runs(padded((length,), (1, 1)), element)
    assert emit(kernel, prove) == kernel.text
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx942")), prove)


@pytest.mark.slow
def test_a_load_of_the_whole_wave_from_another_place_is_not_claimed():
    kernel = by_runs(padded((2_395_068,), (1, 1)), "f32")
    broken = edited(kernel, r"(2395064 < start0\) \{\n\s+part0\[2\] = in\[start0) \+ 2", r"\1 - 7")
    compiled = compile_hip(broken.text, Target.named("gfx942"))
    assert "s_load_dword " in compiled.assembly
    assert not validated_kernel(broken, compiled, prove)


@pytest.mark.slow
def test_a_row_is_found_whose_ends_are_seldom_looked_at():
    kernel = by_runs(padded((41, 10, 41, 50), (2, 2), (1, 1), (0, 0), (0, 0)), "i8")
    assert emit(kernel, prove) == kernel.text


def test_runs_of_very_many_elements_are_proved_to_reach_all():
    kernel = by_runs(packed((11_001, 11_001)), "f16")
    assert emit(kernel, prove) == kernel.text


@pytest.mark.slow
def test_pads_are_those_of_numpy():
    source = padded((21, 37), (1, 2), (3, 1))
    kernel = by_runs(source, "f16")
    given, found = moved(kernel)
    wanted = np.pad(given.reshape(21, 37), ((1, 2), (3, 1)))
    assert np.array_equal(found.reshape(wanted.shape), wanted)


LEFT_PADS = {  # as wide as what a run has of its second row
    "rows": ((20, 40), "f32", ((0, 0), (3, 3))),
    "rows of 65": ((40, 65), "f32", ((0, 0), (3, 3))),
    "rows of 9": ((32, 5, 9), "f16", ((0, 0), (1, 1))),
    "two dimensions": ((2, 2, 65), "f32", ((0, 0), (2, 2), (3, 3))),
    "no pads in a row": ((28, 64, 65), "f32", ((1, 1), (1, 1))),
    "many rows": ((100, 300, 65), "f16", ((0, 0), (3, 3))),
    "a pad of a run": ((5, 13), "f16", ((0, 0), (8, 1))),
    "rows of three, few of them": ((3, 3), "f16", ((0, 0), (1, 0))),
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", LEFT_PADS)
def test_what_a_run_has_of_a_row_may_be_padding(name):
    lengths, element, pads = LEFT_PADS[name]
    source = padded(lengths, *pads)
    given, found = moved(by_runs(source, element))
    wanted = np.pad(given.reshape(lengths), [*pads, *[(0, 0)] * (len(lengths) - len(pads))])
    assert np.array_equal(found.reshape(wanted.shape), wanted)


@pytest.mark.long
@pytest.mark.parametrize("length", [13, 40, 65])
@pytest.mark.parametrize("element", ["f16", "f32"])
def test_pads_of_any_width_at_both_ends_of_a_row(length, element):
    for pads in itertools.product(range(6), range(4)):
        source = padded((5, length), (0, 0), pads)
        given, found = moved(by_runs(source, element))
        wanted = np.pad(given.reshape(5, length), ((0, 0), pads))
        assert np.array_equal(found.reshape(wanted.shape), wanted)


def test_where_all_is_padding_zeros_are_written():
    source = packed((2, 32, 128)).pad(2, 2, 130).slice(2, 210, 257)
    kernel = by_runs(source, "f32")
    assert not moved(kernel)[1].any()
    assert "in +" not in kernel.text
    assert "stitched" in kernel.text


def test_memory_that_holds_no_vector_of_a_row_is_read_by_elements():
    source = padded((8,), (3, 5))
    assert StitchedPlan.of(source, packed(source.lengths), "f16") is None
    given, found = moved(by_runs(source, "f16"))
    assert np.array_equal(found.ravel(), np.pad(given.ravel(), (3, 5)))


@pytest.mark.sample(9)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", LEAST)
@pytest.mark.parametrize(
    "source",
    [packed((511, 513)), padded((200, 136), (1, 1), (1, 1)), padded((5, 50, 71), (0, 0), (1, 1), (2, 2))],
    ids=str,
)
def test_odd_copies_are_wide_and_touch_few_segments(source, element, target):
    found = figures(by_runs(source, element), target)
    assert min(found["load"], found["store"]) >= LEAST[element]
    assert found["segments"] <= 1.35


@pytest.mark.slow_sample(3)
@pytest.mark.parametrize("element", LEAST)
def test_an_image_of_three_channels_is_loaded_in_whole_rows_of_the_filter(element):
    shape = ConvolutionShape(2, 3, (28, 28), (3, 3), (1, 1), (1, 1), (1, 1), (1, 1))
    kernel = image_to_column(shape, element)
    moved(kernel)
    found = figures(kernel, "gfx942")
    assert min(found["load"], found["store"]) >= LEAST[element]
    assert found["segments"] <= 1.3


@pytest.mark.slow
def test_a_copy_that_turns_is_a_permutation_through_shared_memory():
    source = packed((40, 24, 36)).permute(1, 2, 0)
    kernel = copy(source, packed(source.lengths), "f16")
    given, found = moved(kernel)
    assert np.array_equal(found.reshape(source.lengths), given.reshape(40, 24, 36).transpose(1, 2, 0))
    assert "__shared__" in kernel.text
    assert figures(kernel, "gfx942")["load"] >= 8


def test_what_is_aligned_stays_as_it_was():
    source = packed((64, 72))
    assert "anywhere" not in copy(source, source, "f16").text


@pytest.mark.slow
def test_addresses_near_the_ends_are_asked_for_on_targets_where_they_are_proved():
    source = SOURCES["pads around"]
    assert "anywhere" not in by_runs(source, "f16", gpu="gfx908").text
    assert "anywhere" in by_runs(packed((1025,)), "f16", gpu="gfx908").text
    assert "anywhere" in by_runs(source, "f16", gpu="gfx90a").text
    assert "anywhere" not in by_runs(padded((5000, 5001), (1, 1), (1, 1)), "f16", gpu="gfx90a").text


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("lengths", "zeros", "order", "element"),
    [
        ((31, 54), (1, 3), (0, 1), "f64"),
        ((251_779,), (1,), (0,), "i8"),
        ((390, 216), (0, 3), (1, 0), "f16"),
        ((39, 17, 44), (3, 1, 2), (0, 2, 1), "f32"),
        ((15, 22, 68), (3, 2, 3), (1, 0, 2), "f16"),
    ],
)
def test_addresses_before_an_array_are_right_where_words_are_added(lengths, zeros, order, element):
    source = padded(lengths, *((n, n) for n in zeros)).permute(*order)
    kernel = copy(source, packed(source.lengths), element, gpu="gfx90a")
    moved(kernel, "gfx90a")
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx90a")), prove)


def test_a_vector_that_begins_anywhere_is_moved_by_elements_on_nvidia():
    text = cuda_source(copy(packed((1025,)), packed((1025,)), "f16").text)
    assert "struct __align__(2) half_x8_anywhere" in text
    assert "for (int i = 0; i < 8; ++i) at[i] = from.at[i];" in text


# broken ones


def plan(source=SOURCES["pads around"], element="f16"):
    found = StitchedPlan.of(source, packed(source.lengths), element)
    assert found is not None
    return found


def test_a_row_that_is_too_long_is_refused_and_caught():
    kernel = kernel_of(replace(plan(SOURCES["rows that change places"]), row=2 * 17))
    require_refused(kernel, "lies together")
    require_caught(lambda: launched(kernel)[0])


def test_a_target_in_another_order_is_refused():
    source = packed((15, 17))
    turned = replace(plan(source), target=make_naive_tensor_descriptor((15, 17), (1, 15)))
    turned = replace(turned, flat_target=turned.target.merge(0, 1))
    assert "lies in order" in refuted(kernel_of(turned).claims)


@pytest.mark.parametrize("number", [0, 1])
def test_a_row_that_is_wrongly_left_out_is_refused_and_caught(monkeypatch, number):
    monkeypatch.setattr(RowPart, "is_met", property(lambda part: part.number != number))
    kernel = kernel_of(plan(padded((5, 13), (0, 0), (1, 1))))
    require_refused(kernel, "is padding")
    require_caught(lambda: launched(kernel)[0])


BROKEN_TEXT = {
    "the row after": (r"row1 = row0 \+ 1", "row1 = row0 + 2"),
    "the end of a row": (r"at0 <= 36\b", "at0 <= 37"),
    "where a run begins in its row": (r"at1 = at0 - 39", "at1 = at0 - 38"),
    "an end of memory": (r"start0 <= 769", "start0 <= 777"),
    "the store": (r"out \+ 8 \* place", "out + 8 * (place ^ 1)"),
}


def test_a_last_run_that_begins_where_it_would_is_caught():
    kernel = kernel_of(plan(SOURCES["rows that change places"]))
    require_caught(lambda: launched(edited(kernel, r"\? 8 \* place : \d+", "? 8 * place : 8 * place"))[0])


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught(name):
    kernel = kernel_of(plan())
    broken = edited(kernel, *BROKEN_TEXT[name])
    compiled = compile_hip(broken.text, Target.named("gfx942"))
    is_right = not validated_kernel(broken, compiled, prove)
    if not is_right:
        require_caught(lambda: launched(broken)[0])
