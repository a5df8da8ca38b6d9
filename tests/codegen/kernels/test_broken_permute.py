"""Broken permutations: each is refused by a proof, and caught by the executor where proofs are off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from layoutalg import Proved, make_naive_tensor_descriptor
from layoutalg.codegen.kernels.transpose import Permutation, PermuteConfig, PermuteTiles, kernel_of
from layoutalg.codegen.schedule import BARRIER, LOAD, READ, STORE, WRITE, Schedule
from layoutalg.memory import row_major
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import edited, require_caught, require_refused
from tests.codegen.kernels.test_permute import TURN, is_right

SIZE = (128, 128)
GOOD = PermuteConfig("f32", 64, 64, 256)
TAIL = PermuteConfig("f32", 32, 32, 64)


def tiles(size=SIZE, config=GOOD, **changes):
    return PermuteTiles(Permutation.of(size, TURN), config, **changes)


def wrong_target():
    """Tiles of the same lengths whose target is another one than it was meant to be."""
    found = Permutation.of((128, 64), TURN)
    object.__setattr__(found, "target", (64, 1))
    return found


BROKEN = {  # tiles that are wrong, and the claim that says so
    "no barrier": (
        lambda: tiles(config=replace(GOOD, schedule=Schedule((LOAD, STORE, READ, WRITE)))),
        "barrier between",
    ),
    "barrier too late": (
        lambda: tiles(config=replace(GOOD, schedule=Schedule((LOAD, STORE, READ, WRITE, BARRIER)))),
        "barrier between",
    ),
    "swizzled for the writer only": (lambda: tiles(read=row_major(64, 64, 4).permute(1, 0)), "same map"),
    "swizzled for the reader only": (lambda: tiles(stored=row_major(64, 64, 4).permute(1, 0)), "same map"),
    "two elements in one place": (
        lambda: tiles(
            stored=make_naive_tensor_descriptor((64, 64), (1, 60)),
            read=make_naive_tensor_descriptor((64, 64), (1, 60)),
        ),
        "one-to-one",
    ),
    "no guard at the end": (lambda: tiles((100, 100), replace(TAIL, is_guarded=False)), "in logical bounds"),
    "vectors too wide": (lambda: tiles((100, 99), TAIL), "vector aligned"),
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_kernel_is_refused_and_caught(name):
    make, claim = BROKEN[name]
    kernel = kernel_of(make())
    require_refused(kernel, claim)
    require_caught(lambda: is_right(kernel))


BROKEN_TEXT = {  # an edit of the source that no claim can see: the executor does
    "guard of the stores": (r"if \(out_row[^)]*\)", "if (true)"),
    "guard of the loads": (r"if \(row[^)]*\)", "if (true)"),
    "guard one too far": (r"row < 100", "row < 104"),
    "guard one too near": (r"out_row < 100", "out_row < 96"),
    "barrier": (r"__syncthreads\(\);", ""),
    "swizzle of the reads": (r"\^ lane", "+ 0 * lane"),
    "stride": (r"source \+ 100 \* r", "source + 99 * r"),
    "turned": (r"loaded\[0\]\[c\]", "loaded[1][c]"),
    "block": (r"block_row = blockIdx.y", "block_row = blockIdx.x"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught_when_executed(name):
    kernel = kernel_of(tiles((100, 100), PermuteConfig("f32", 32, 32, 64)))
    if name == "barrier":
        kernel = kernel_of(tiles())
    broken = edited(kernel, *BROKEN_TEXT[name])
    require_caught(lambda: is_right(broken))


def test_a_wrong_target_is_refuted():
    kernel = kernel_of(PermuteTiles(wrong_target(), PermuteConfig("f32", 32, 32, 64, path="direct")))
    good = kernel_of(PermuteTiles(Permutation.of((128, 64), TURN), PermuteConfig("f32", 32, 32, 64)))
    assert all(isinstance(prove(claim), Proved) for claim in good.claims)
    assert not is_right(replace(kernel, reference=good.reference, arguments=good.arguments))
