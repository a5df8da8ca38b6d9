"""Compiled code held to its claims thread by thread: all of a launch is run, on arrays without values."""

from __future__ import annotations

import re

import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.gfx9.lifting.every_thread import every_thread, threads_to_run
from layoutalg.codegen.gfx9.thread_accesses import HIGH_WORD, UnsetLaunch
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.copy import ConvolutionShape, copy, image_to_column
from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.benchmarks.moves import padded
from tests.codegen.kernels.broken import edited

GFX942 = Target.named("gfx942")


def copied(lengths, zeros, element, order=None, gpu="gfx942"):
    source = padded(lengths, zeros)
    source = source.permute(*order) if order else source
    return copy(source, packed(source.lengths), element, gpu=gpu)


def image(channels, filter_lengths, element, pads):
    sides = (1, 1), (1, 1), pads, pads
    return image_to_column(
        ConvolutionShape(1, channels, (28, 28), filter_lengths, *sides), element, gpu="gfx942"
    )


def held(kernel, target="gfx942"):
    return every_thread(kernel, compile_hip(kernel.text, Target.named(target)))


UNDERSTOOD = {
    "elements side by side": lambda: copied((37, 70), (1, 0), "f32"),
    "pieces of rows": lambda: copied((41, 33), (1, 1), "f16"),
    "bytes": lambda: copied((41, 33), (1, 1), "i8"),
    "a box with zeros that turns": lambda: copied((40, 6, 5), (1, 0, 1), "f16", (2, 1, 0)),
    "a box": lambda: permute((100, 52), (1, 0), "f32"),
    "tiles with ends": lambda: permute((130, 70), (1, 0), "f16", path="lds"),
    "short rows": lambda: permute((2, 7, 301), (0, 2, 1), "f32", path="interleaved"),
    "rows as they are": lambda: permute((9, 5, 33), (1, 0, 2), "f64", path="direct"),
    "an image": lambda: image(8, (3, 3), "f16", (1, 1)),
}


@pytest.mark.slow
@pytest.mark.sample(14, slow=6)
@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx90a"])
@pytest.mark.parametrize("name", UNDERSTOOD)
def test_it_says_what_formulas_say(name, target):
    kernel = UNDERSTOOD[name]()
    found = validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)
    assert found is not None
    assert found.is_shown_by_formulas
    assert found.by_threads is None
    assert held(kernel, target).is_shown


NOT_UNDERSTOOD = {
    "rows of five channels by seven": lambda: image(5, (7, 7), "f16", (3, 3)),
    "two bytes of sixty-two": lambda: image(62, (2, 2), "i8", (1, 1)),
    "a row of one channel": lambda: image(1, (1, 3), "i8", (1, 1)),
    "rows of seven channels by three": lambda: image(7, (3, 3), "f16", (1, 1)),
    "boxes whose first lane loads before the array": lambda: copied((156, 108, 57), (1, 1, 2), "f16"),
    "odd rows with three zeros": lambda: copied((159, 42, 187), (0, 1, 3), "f16"),
    "a byte at odd places": lambda: permute((24, 242, 291), (0, 2, 1), "i8", target="gfx942"),
}


@pytest.mark.slow_sample(12)
@pytest.mark.parametrize("name", NOT_UNDERSTOOD)
def test_what_formulas_do_not_show_is_shown_of_all_threads(name):
    kernel = NOT_UNDERSTOOD[name]()
    assert emit(kernel, prove) == kernel.text
    found = validated_kernel(kernel, compile_hip(kernel.text, GFX942), prove)
    assert found is not None
    assert found.is_proved
    if not found.is_shown_by_formulas:  # a better lifter may show more
        assert str(found) == (
            f"addresses of the compiled code: proved (accesses of all {threads_to_run(kernel)} threads)"
        )


BROKEN = {
    "a load one back": (
        "elements side by side",
        r"\(in \+ source\)",
        "(in + source - 1)",
        "load of in|bounds",
    ),
    "a guard too narrow": ("elements side by side", "place <= 1329", "place <= 1300", "no load of in"),
    "a store too many": ("elements side by side", "place < 1365", "place <= 1365", "of out|bounds"),
    "threads that do nothing": (
        "elements side by side",
        "place < 1365",
        "place < 1000",
        "no .* which is claimed",
    ),
    "another place in the box": ("a box", r"place >> 4", "place >> 5", "box"),
    "a read from another place": ("a box", r"kept >> 6", "kept >> 7", "no load of box"),
    "the end of a row left out": ("short rows", "< 2107", "< 2100", "no (store|load) of"),
    "a row that begins elsewhere": ("pieces of rows", "at0 - 34", "at0 - 33", "load of in|bounds"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN)
def test_another_access_is_told_with_its_thread(name):
    made, old, new, says = BROKEN[name]
    kernel = UNDERSTOOD[made]()
    assert held(kernel).is_shown
    found = held(edited(kernel, old, new))
    assert not found.is_shown
    assert re.search(says, found.missing), found.missing


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("out[int(in[place]) & 1] = 1;", "address that was never set"),
        ("if (in[place] > 0) out[place] = 1;", "never set|holds no value"),
        ("if (in[blockIdx.x] > 0) out[place] = 1;", "never set|holds no value"),
        ("for (int i = 0; i < int(in[blockIdx.x]); ++i) out[place + i] = 1;", "never set|holds no value"),
        (
            "__shared__ int at[256]; at[threadIdx.x] = place; __syncthreads(); out[at[threadIdx.x ^ 9]] = 1;",
            "address that was never set",
        ),
    ],
)
def test_what_arrays_hold_decides_nothing(condition, says):
    """Code whose accesses may differ with what is loaded is not shown to do anything by one run."""
    kernel = edited(
        UNDERSTOOD["elements side by side"](), r"(?s)    if \(place < 1365\).*\Z", f"{condition}\n}}\n"
    )
    found = held(kernel)
    assert not found.is_shown
    assert re.search(says, found.missing), found.missing


def test_arrays_lie_on_both_sides_of_a_multiple_of_4_gib():
    kernel = UNDERSTOOD["elements side by side"]()
    compiled = compile_hip(kernel.text, GFX942)
    launch = UnsetLaunch(kernel, executable(compiled.code_object, kernel.name), compiled.resources)
    for array in launch.arrays:
        ends = array.address, array.address + len(array.content) - 1
        assert ends[1] // HIGH_WORD == ends[0] // HIGH_WORD + 1


@pytest.mark.slow
def test_sizes_that_are_arguments_and_loops_are_left_to_formulas():
    assert threads_to_run(permute(("M", "K"), (1, 0))) == 0
    assert threads_to_run(gemm()) == 0
    assert threads_to_run(permute((20_000, 20_000), (1, 0))) == 0
    assert threads_to_run(permute((200, 200), (1, 0))) > 0
