"""The last tile along K first: it alone may be a part of one; all others are loaded as whole vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem, N
from layoutalg.codegen.kernels.gemm.planner import planned
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import refuted
from tests.codegen.kernels.test_gemm import launched, made

TILE_K = 32
ODD: dict[str, Any] = {
    "has_tails": True,
    "size_multiples": (1, 1, 1),
    "tile": (64, 64, TILE_K),
    "waves": (2, 2),
}


def odd(element="f16", **fields):
    k = TILE_K * 2 if element == "i8" else TILE_K
    return configured("pipelined", element=element, **(ODD | {"tile": (64, 64, k)} | fields))


@pytest.mark.slow
@pytest.mark.sample(44, slow=6)
@pytest.mark.parametrize("k", [1, 2, 31, 32, 33, 63, 64, 65, 96, 97, 130])
@pytest.mark.parametrize("layouts", LAYOUTS)
def test_any_k_gives_the_whole_product(layouts, k):
    found, _ = launched(odd(layouts=layouts), sizes=(67, 65, k))
    assert found.is_good
    assert found.largest_error == 0


@pytest.mark.slow
@pytest.mark.sample(66, slow=10)
@pytest.mark.parametrize("k", [1, 32, 33, 64, 65, 95, 96, 97, 130, 161, 321])
@pytest.mark.parametrize("layouts", LAYOUTS)
@pytest.mark.parametrize("parts", [2, 3, 5])
def test_any_part_of_k_gives_its_product(parts, layouts, k):
    """Some parts end inside of a tile, some have fewer tiles than others or none."""
    found, _ = launched(odd(layouts=layouts, split_k=parts), sizes=(67, 65, k))
    assert found.is_good
    assert found.largest_error == 0


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("element", ["f16", "i8", "f32"])
@pytest.mark.parametrize("sizes", [(1, 3, 1), (3, 3, 129), (64, 67, 67)])
def test_what_the_next_row_holds_is_of_columns_that_are_not_stored(element, sizes):
    assert launched(odd(element, layouts="rrr", waves=(4, 1)), sizes=sizes)[0].is_good


@pytest.mark.parametrize("parts", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_in_the_loop_all_loads_are_whole_vectors(parts):
    """Of a longer K there are more loads of 16 bytes, and no others."""
    config = odd(split_k=parts)
    sizes = [(64, 64, parts * 32 * tiles + 1) for tiles in (2, 6)]
    short, long = (launched(config, sizes=one)[1].counters for one in sizes)
    more = {name: long[name] - short.get(name, 0) for name in long if name.startswith("global_load")}
    assert more["global_loads"] == more["global_loads_of_16_bytes"] > 0


@pytest.mark.slow
def test_tiles_that_are_not_whole_are_refuted():
    tiles = GemmTiles(odd())
    whole = tiles.a.whole
    assert whole is not None
    row, k = whole.window.origin
    moved = replace(whole.window, origin=(row, k + TILE_K))
    tiles.__dict__["a"] = replace(tiles.a, whole=replace(whole, window=moved))
    assert {"of whole tiles"} <= refuted(claims_of(tiles))


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("more", [-1, 1])
def test_another_count_of_the_tiles_of_a_part_is_refuted(more):
    """One less leaves a tile out, one more takes one that is no whole tile, or of the next part."""
    tiles = GemmTiles(odd(split_k=3))
    whole = tiles.a.whole
    assert whole is not None
    assert whole.begun is not None
    tiles.__dict__["a"] = replace(tiles.a, whole=replace(whole, begun=whole.begun + more))
    wanted = {"every tile"} if more < 0 else {"of whole tiles", "bound of the hardware"}
    assert refuted(claims_of(tiles)) == wanted


class ForgetsShortRows(GemmProblem):
    """Lets rows be shorter than a word."""

    def least(self, _):
        return 1


@pytest.mark.slow
def test_rows_shorter_than_a_word_are_refuted_and_planned_otherwise():
    config = odd("i8", layouts="rrr")
    assert GemmProblem(config).least(N) == 3
    assert GemmProblem(odd(layouts="rrr")).least(N) == 1
    tiles = GemmTiles(config)
    tiles.__dict__["problem"] = ForgetsShortRows(config)
    assert refuted(claims_of(tiles)) == {"bound of the hardware"}
    for n in (1, 2, 3):
        shape: dict[str, Any] = {"tile": (64, 64, 64), "waves": (2, 2), "instruction": (32, 32)}
        plan = planned({"M": 5, "N": n, "K": 7}, element="i8", layouts="rrr", **shape)
        assert plan.config.masks_every_tile == (n == 1)
    plan = planned({"M": 5, "N": 1, "K": 7}, element="i8", layouts="rrr", size_multiples=(1, 1, 1), **shape)
    assert plan.config.masks_every_tile


BROKEN_TEXT = {  # an edit of the text, by which the result is wrong
    "the end of K is not looked for": ("+ k_last < K", "+ k_last < K || true"),
    "the last tile is another": ("tile_k * (turns - 1)", "tile_k * turns"),
    "the first tile is skipped": ("int a_next = ", "int a_next = 32 + "),
    "a whole tile is left out": ("int left = turns - 1", "int left = turns - 2"),
}
BROKEN_PARTS = {  # the same of a split K
    "past a part the next one is loaded": ("left > 0 ?", "left > -1 ?"),
    "a tile of each part is left out": ("int left = whole", "int left = whole - 1"),
    "the last tile of a part is the first one": ("tile_k * whole", "tile_k * 0"),
    "a part that has no tile has one": ("(begun < 1 ? 1 :", "(begun < 1 ? begun :"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN_PARTS)
def test_a_broken_text_of_parts_is_caught(name):
    old, new = BROKEN_PARTS[name]

    def broken(text):
        assert old in text
        return text.replace(old, new)

    assert not launched(odd(split_k=5), sizes=(64, 64, 225), text=broken)[0].is_good


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "the first tile is skipped" else pytest.mark.slow)
        for name in BROKEN_TEXT
    ],
)
def test_a_broken_text_is_caught(name):
    old, new = BROKEN_TEXT[name]

    def broken(text):
        assert old in text
        return text.replace(old, new)

    assert not launched(odd(), sizes=(64, 64, 65), text=broken)[0].is_good


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("left", ["turns - 1", "turns"])
def test_compiled_addresses_are_those_of_whole_tiles(left):
    """Also that the loop stops before the last tile, which nothing executed tells: it is never multiplied."""
    config = configured("pipelined", target="gfx90a", element="f64", **(ODD | {"tile": (64, 64, 8)}))
    kernel = made(config)
    kernel = replace(kernel, text=kernel.text.replace("left = turns - 1", f"left = {left}"))
    compiled = compile_hip(kernel.text, Target.named("gfx90a"))
    assert bool(validated_kernel(kernel, compiled, prove)) == (left == "turns - 1")
