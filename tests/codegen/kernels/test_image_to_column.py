"""Image to column against a plain loop over pixels of the output, pixels of the filter and channels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.copy import ConvolutionShape, CopyPlan, image_to_column, kernel_of
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import refuted
from tests.codegen.kernels.test_copy import launched
from tests.refusals import refused

SHAPES = {
    "plain": ConvolutionShape(2, 8, (7, 9), (3, 3)),
    "padded": ConvolutionShape(2, 16, (8, 10), (3, 3), (1, 1), (1, 1), (1, 1), (1, 1)),
    "strides": ConvolutionShape(1, 8, (14, 13), (3, 3), (2, 3), (1, 1), (1, 1), (1, 1)),
    "dilations": ConvolutionShape(2, 4, (12, 10), (3, 2), (1, 1), (2, 3), (2, 0), (1, 2)),
    "pads on one side": ConvolutionShape(1, 8, (6, 6), (5, 5), (1, 1), (1, 1), (4, 0), (0, 4)),
    "three channels": ConvolutionShape(2, 3, (11, 11), (5, 3), (2, 2), (1, 1), (2, 1), (2, 1)),
    "one pixel": ConvolutionShape(3, 8, (5, 4), (1, 1), (2, 2)),
    "filter of the image": ConvolutionShape(2, 2, (4, 4), (4, 4)),
    "steps beyond the image": ConvolutionShape(1, 8, (2, 15), (1, 3), (3, 1), (1, 1), (7, 7), (3, 2)),
    "groups": ConvolutionShape(2, 8, (6, 7), (3, 3), (1, 2), (1, 1), (1, 1), (1, 1), 3),
    "a line": ConvolutionShape(2, 8, (20,), (5,), (2,), (2,), (3,), (1,)),
    "a volume": ConvolutionShape(1, 8, (4, 5, 6), (2, 3, 2), (1, 2, 1), (2, 1, 1), (1, 1, 0), (0, 1, 1)),
    "a volume in groups": ConvolutionShape(1, 4, (3, 4, 5), (3, 1, 2), (), (), (1, 0, 1), (1, 0, 0), 2),
}


def by_loop(image, shape):
    """The matrix, one element after the other."""
    image = image.reshape(shape.group_count, shape.n, *shape.input_spatial_lengths, shape.c)
    pixels, taps = shape.output_spatial_lengths, shape.filter_spatial_lengths
    rows = list(itertools.product(range(shape.n), *map(range, pixels)))
    columns = list(itertools.product(*map(range, taps), range(shape.c)))
    found = np.zeros((shape.group_count, len(rows), len(columns)), image.dtype)
    steps = (shape.conv_filter_strides, shape.conv_filter_dilations, shape.input_left_pads)
    for (m, (n, *out)), (k, (*tap, c)) in itertools.product(enumerate(rows), enumerate(columns)):
        at = [o * s + t * d - p for o, t, s, d, p in zip(out, tap, *steps, strict=True)]
        if all(0 <= x < length for x, length in zip(at, shape.input_spatial_lengths, strict=True)):
            found[:, m, k] = image[(slice(None), n, *at, c)]
    return found


@pytest.mark.sample(18, slow=10)
@pytest.mark.parametrize(("name", "element"), [(n, ("f16", "f32")[at % 2]) for at, n in enumerate(SHAPES)])
def test_every_element_is_the_one_of_the_loop(name, element):
    shape = SHAPES[name]
    kernel = image_to_column(shape, element)
    assert emit(kernel, prove) == kernel.text
    is_good, given, result = launched(kernel, ("gfx90a", "gfx942", "gfx950")[len(name) % 3])
    assert is_good
    wanted = by_loop(given, shape)
    assert np.array_equal(result.outputs["out"].reshape(wanted.shape), wanted)


def test_lengths_are_those_of_a_convolution():
    assert SHAPES["strides"].output_spatial_lengths == (7, 5)
    assert SHAPES["padded"].columns.lengths == (160, 144)
    assert SHAPES["groups"].columns.lengths == (3, 48, 72)
    assert SHAPES["groups"].image_lengths == (3, 2, 6, 7, 8)


@pytest.mark.parametrize(("channels", "loads", "stores"), [(32, 8, 8), (4, 4, 4), (2, 2, 2), (3, 1, 1)])
def test_channels_move_together(channels, loads, stores):
    shape = ConvolutionShape(1, channels, (9, 9), (3, 3), (), (), (1, 1), (1, 1))
    columns = shape.columns
    plan = CopyPlan.of(columns, packed(columns.lengths), "f16")
    assert (plan.loads, plan.stores) == (loads, stores)


@pytest.mark.slow
def test_a_large_image_is_proved():
    """A layer of ResNet at a batch of 32: 231 million elements."""
    shape = ConvolutionShape(32, 128, (28, 28), (3, 3), (1, 1), (1, 1), (1, 1), (1, 1))
    kernel = image_to_column(shape)
    assert emit(kernel, prove) == kernel.text
    assert kernel.grid_for({}) == (14112,)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pixels", "channels", "steps"),
    [((112, 112), 64, (1, 1)), pytest.param((56, 40), 24, (2, 1), marks=pytest.mark.long)],
)
def test_compiled_guards_of_padding_are_those_claimed(pixels, channels, steps):
    """The compiler asks of ``24*row + rest`` what is claimed of the row."""
    shape = ConvolutionShape(2, channels, pixels, (3, 3), steps, (1, 1), (1, 1), (1, 1))
    kernel = image_to_column(shape, "f16")
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx942")), prove)


@pytest.mark.slow
@pytest.mark.sample(10, slow=5)
@pytest.mark.parametrize(
    ("channels", "pixels", "window", "step", "dilation", "pad", "element"),
    [
        (4, (112, 14), (3, 1), 1, 1, 1, "f16"),  # quotients by negative numbers, shifted without sign
        (4, (7, 112), (1, 3), 2, 1, 0, "f32"),
        (5, (7, 7), (2, 1), 1, 1, 1, "f32"),
        (70, (14, 112), (3, 3), 1, 1, 1, "f16"),
        (4, (112, 28), (2, 1), 2, 2, 1, "f16"),  # copies of a sign, made before it is asked for
        (32, (112, 112), (3, 3), 2, 2, 1, "i8"),
        (64, (56, 53), (5, 5), 1, 1, 1, "f64"),  # quotients of threads past the end
        (32, (112, 56), (7, 7), 1, 2, 3, "f16"),
        (19, (56, 14), (5, 5), 1, 1, 1, "f16"),
    ],
)
def test_images_of_all_kinds_go_to_claimed_addresses(channels, pixels, window, step, dilation, pad, element):
    steps, dilations, pads = (step, step), (dilation, dilation), (pad, pad)
    shape = ConvolutionShape(1, channels, pixels, window, steps, dilations, pads, pads)
    kernel = image_to_column(shape, element)
    assert emit(kernel, prove) == kernel.text
    for target in ("gfx942", "gfx950"):
        assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


@pytest.mark.slow
def test_a_large_image_of_one_channel_is_proved_in_32_bits():
    kernel = image_to_column(ConvolutionShape(8, 1, (224, 224), (7, 7), (), (), (3, 3), (3, 3)), "i8")
    assert emit(kernel, prove) == kernel.text
    assert "long long" not in kernel.text


def test_steps_beyond_the_image_meet_only_padding():
    kernel = image_to_column(SHAPES["steps beyond the image"])
    assert emit(kernel, prove) == kernel.text
    assert not launched(kernel)[2].outputs["out"].any()


@pytest.mark.slow
def test_without_guards_it_reads_beyond_the_image():
    columns = SHAPES["padded"].columns
    plan = CopyPlan.of(columns, packed(columns.lengths), "f16", is_guarded=False)
    kernel = kernel_of(plan)
    assert "in memory bounds" in refuted(kernel.claims)


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: ConvolutionShape(1, 8, (4, 4, 4, 4), (1, 1, 1, 1)), "1 3 4"),
        (lambda: ConvolutionShape(1, 8, (4, 4), (3,)), "filter_spatial_lengths 2"),
        (lambda: ConvolutionShape(1, 8, (4, 4), (3, 3), (0, 1)), "conv_filter_strides 2"),
        (lambda: ConvolutionShape(1, 8, (4, 4), (5, 3)), ""),
        (lambda: ConvolutionShape(0, 8, (4, 4), (3, 3)), ""),
    ],
)
def test_what_cannot_be_is_refused(call, facts):
    with refused(LayoutError, *facts.split()):
        call()


@pytest.mark.parametrize("name", ["padded", "a line"])
def test_the_text_is_the_one_that_was_read(name, snapshot):
    snapshot.check(f"image_to_column_{name.replace(' ', '_')}.hip", image_to_column(SHAPES[name]).text)
