"""Permutations of odd lengths: vectors that begin anywhere are wide, proved, exact; caught when broken."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.transpose import Permutation, planned
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.benchmarks.moves import figures
from tests.codegen.kernels.broken import refuted, require_caught
from tests.codegen.kernels.test_permute import TARGETS, TURN, is_right

ODD = [
    ((511, 513), (1, 0), 1.27, 1.33),  # segments done for each needed: of f16 and f32, of i8
    ((33, 65, 95), (2, 0, 1), 1.14, 1.14),
    ((40, 9, 31, 65), (1, 0, 2, 3), 1.07, 1.07),
    ((3, 5, 4, 7, 33), (2, 0, 3, 1, 4), 1.1, 1.1),
]
LEAST = {"f16": 15, "f32": 15, "i8": 16}  # bytes a lane
SHORT = ((3, 5, 4, 7, 33), "f16", 8)  # a box whose source is one run of 4620, loaded in vectors of 4


@pytest.mark.slow_sample(28)
@pytest.mark.parametrize(("lengths", "order", "segments", "of_bytes"), ODD)
@pytest.mark.parametrize("element", LEAST)
@pytest.mark.parametrize("target", TARGETS)
def test_odd_lengths_are_moved_in_wide_accesses_at_claimed_addresses(
    lengths, order, segments, of_bytes, element, target
):
    kernel = permute(lengths, order, element, target=target)
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel, target)
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)
    found = figures(kernel, target)
    least = SHORT[2] if (lengths, element) == SHORT[:2] else LEAST[element]
    assert min(found["load"], found["store"]) >= least
    assert found["segments"] <= (of_bytes if element == "i8" else segments)


def test_one_workgroup_along_a_row_is_the_only_one_there_is():
    """Rows of fewer elements than a tile has, in a tensor of more places than are gone through one by one."""
    kernel = permute((300, 300, 33), (1, 0, 2), "f16", path="direct")
    assert kernel.grid_for({})[0] == 1
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx942")), prove)


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("path", ["lds", "registers"])
def test_odd_lengths_are_turned_on_every_path(path):
    kernel = permute((67, 45), TURN, "f16", path=path)
    assert emit(kernel, prove) == kernel.text
    assert "anywhere" in kernel.text
    assert is_right(kernel)


@pytest.mark.slow
def test_odd_lengths_compile_for_rdna():
    for target in ("gfx1100", "gfx1201"):
        kernel = permute((67, 45), TURN, "f16", target=target)
        assert "__shared__" in kernel.text
        assert compile_hip(kernel.text, Target.named(target)).resources.scratch_bytes == 0


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"column \+ 8 <= 513", "column + 1 <= 513"),
        (r"loaded\[r\]\[0\] = \(source \+ 513 \* r\)\[0\]", "loaded[r][0] = (source + 513 * r)[1]"),
        (r"out_row \+ 8 <= 511", "out_row + 4 <= 511"),
    ],
)
def test_a_broken_end_of_a_row_is_caught(old, new):
    kernel = permute((511, 513), TURN, "f16", path="lds")
    text = re.sub(old, new, kernel.text)
    assert text != kernel.text
    require_caught(lambda: is_right(replace(kernel, text=text)))


def test_parts_of_vectors_are_refuted_where_none_is():
    config = planned(Permutation.of((512, 512), TURN), "f16")
    kernel = permute((511, 513), TURN, "f16", config=replace(config, begins_anywhere=False))
    assert refuted(kernel.claims) & {"vector aligned", "vector valid together"}


ALIGNED = [  # large lengths, what is chosen for them, and lengths that are run with that; a quick one first
    ((8192, 8192), "f32", (64, 64, 512, 2, 2, "target"), (130, 66)),
    ((8191, 8193), "u8", (128, 128, 256, 1, 1, "target"), (131, 259)),
    ((8191, 8193), "f16", (128, 64, 256, 1, 1, "target"), (259, 131)),
    ((8191, 8193), "f32", (128, 64, 1024, 1, 1, "target"), (259, 131)),
    ((100003, 257), "u8", (256, 64, 256, 1, 1, "source"), (517, 131)),
    ((100003, 257), "f16", (256, 32, 512, 1, 1, "source"), (517, 67)),
    ((8192, 8192), "u8", (64, 256, 256, 16, 4, "target"), (192, 528)),
    ((8192, 8192), "f16", (128, 128, 512, 8, 4, "target"), (260, 264)),
    ((8192, 8192), "f64", (64, 32, 512, 2, 2, "target"), (66, 98)),
    ((8191, 8193), "f64", (64, 64, 1024, 1, 1, "target"), (129, 67)),
    ((8200, 8192), "f16", (256, 64, 512, 8, 4, "target"), (260, 136)),  # rows begin inside of a sector
    ((8196, 8192), "f32", (128, 64, 512, 4, 4, "target"), (132, 68)),
    ((8196, 8190), "f32", (128, 64, 512, 2, 4, "target"), (132, 66)),
    ((8191, 8192), "u8", (256, 128, 1024, 8, 1, "target"), (259, 136)),  # stored one by one
    ((8191, 8192), "f16", (256, 64, 1024, 8, 1, "target"), (259, 72)),
    ((8191, 8192), "f32", (128, 64, 1024, 2, 1, "target"), (131, 66)),
    ((8192, 8191), "u8", (128, 128, 256, 1, 4, "target"), (144, 131)),  # loaded one by one
    ((8192, 8191), "f16", (128, 128, 256, 1, 4, "target"), (136, 131)),
    ((8192, 8191), "f32", (64, 64, 512, 1, 2, "target"), (132, 67)),
    ((100, 960, 500), "f16", (128, 128, 512, 4, 8, "target"), (3, 144, 132)),  # a thread turns as much
    ((50, 24, 80000), "f16", (32, 512, 512, 8, 4, "target"), (3, 24, 520)),  # a short side, a long one
    ((50000, 80, 12), "f32", (128, 16, 256, 2, 2, "target"), (3, 80, 12)),
]


def planned_aligned(lengths, element):
    order = TURN if len(lengths) == 2 else (0, 2, 1)
    return planned(Permutation.of(lengths, order), element, begins_anywhere=False)


def test_tiles_for_aligned_accesses_are_those_that_were_measured():
    fields = ("rows", "columns", "threads", "vector_in", "vector_out", "along")
    for lengths, element, chosen, _ in ALIGNED:
        config = planned_aligned(lengths, element)
        assert tuple(getattr(config, name) for name in fields) == chosen, (lengths, element)


@pytest.mark.sample(len(ALIGNED), slow=7)
@pytest.mark.parametrize(("large", "element", "_", "lengths"), ALIGNED)
def test_what_is_planned_for_aligned_accesses_is_right(large, element, _, lengths):
    """Tiles that were measured, run where they end within lengths of their kind."""
    order = TURN if len(large) == 2 else (0, 2, 1)
    config = planned_aligned(large, element)
    kernel = permute(lengths, order, element, config=config)
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel)
