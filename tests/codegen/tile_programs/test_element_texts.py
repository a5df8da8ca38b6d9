"""Expressions of elements, of any types: compiled code computes what NumPy does."""

from __future__ import annotations

import random

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.tile_programs import kernel_of_program
from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.tile import (
    block_tile_reduce,
    block_tile_reduce_sync,
    cast_tile,
    equal,
    exp,
    exp2,
    get_block_id,
    load_tile,
    log,
    make_naive_tensor_view_packed,
    make_static_distributed_tensor,
    make_tile_window,
    maximum,
    minimum,
    not_equal,
    pointer,
    rsqrt,
    scalar,
    select,
    sqrt,
    store_tile,
    tanh,
    tile_elementwise_in,
    tile_program,
)
from layoutalg.tile.elements import Element

LANES, PLACES = 64, 8
TILE = Encoding((), ((64,), (8,)), ((1,),), ((0,),), (2,), (0,))
KINDS = ("f32", "f16", "bf16", "i32", "i8")
NUMBERS = (1, 2, 3, 0.5, -3, 4.0, 1.5)


class Expressions:
    """Random trees over leaves of many types; of numbers so small that all of it is exact in f16."""

    def __init__(self, seed: int, leaves: list[Element]) -> None:
        self.choose = random.Random(seed)
        self.leaves = leaves

    def condition(self, depth: int) -> Element:
        left, right = self.of(depth), self.of(depth)
        found = self.choose.choice(
            [lambda: left < right, lambda: left <= right, lambda: equal(left, right)]
        )()
        if depth and self.choose.random() < 0.3:
            other = self.condition(depth - 1)
            found = self.choose.choice([lambda: found & other, lambda: found | other, lambda: ~found])()
        return found

    def of(self, depth: int) -> Element:
        if depth == 0 or self.choose.random() < 0.1:
            return self.choose.choice(self.leaves)
        left = self.of(depth - 1)
        right = self.of(depth - 1) if self.choose.random() < 0.7 else self.choose.choice(NUMBERS)
        pair = [left, right] if self.choose.random() < 0.5 else [right, left]
        operations = [
            lambda a, b: a + b,
            lambda a, b: a - b,
            lambda a, b: a * b,
            minimum,
            maximum,
            lambda a, b: select(self.condition(depth - 1), a, b),
            lambda a, b: a - (b - a) * 2,
            lambda a, b: select(not_equal(a, b), a, abs(b)),
        ]
        return self.choose.choice(operations)(*pair)


def program_of(seed: int):
    @tile_program(block_size=64)
    def computed(x: pointer("i32"), y: pointer("f32", is_output=True), s: scalar("f32"), n: scalar("i32")):
        views = [make_naive_tensor_view_packed(one, (LANES, PLACES), PLACES) for one in (x, y)]
        given = load_tile(make_tile_window(views[0], (LANES, PLACES), (0, 0), TILE))
        tiles = [cast_tile(given, kind) for kind in KINDS]
        result = make_static_distributed_tensor("f32", TILE)
        for place in range(PLACES):
            leaves = [*(tile[place] for tile in tiles), given[place] % 3, s, n]
            result[place] = Expressions(PLACES * seed + place, leaves).of(3)
        store_tile(make_tile_window(views[1], (LANES, PLACES), (0, get_block_id() * 0)), result)

    return computed


def samples():
    return [pytest.param(seed, marks=[] if seed < 4 else pytest.mark.slow) for seed in range(60)]


@pytest.mark.sample(4, slow=6)
@pytest.mark.parametrize("seed", samples())
def test_compiled_code_computes_what_numpy_does(seed):
    program = program_of(seed)
    given = np.random.default_rng(seed).integers(-3, 4, (LANES, PLACES)).astype(np.int32)
    empty = np.zeros((LANES, PLACES), np.float32)
    wanted = program.run(x=given, y=empty, s=1.5, n=-2)["y"]
    kernel = kernel_of_program(program, "gfx942")
    code = compile_source(kernel.text, "gfx942").code_object
    arguments = [given, Output(empty, is_initialised=True), np.float32(1.5), np.int32(-2)]
    (found,) = run_code_object(code, (1,), kernel.block, arguments).outputs.values()
    assert np.array_equal(found.reshape(wanted.shape), wanted)


QUARTERS = Encoding((), ((16, 4), (16,)), ((1, 2),), ((1, 0),), (1,), (0,))


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", ["f64", "f32", "f16", "i32"])
def test_lanes_take_all_bits_from_one_another(kind):
    @tile_program(block_size=64)
    def summed(x: pointer(kind), y: pointer(kind, is_output=True)):
        source = make_naive_tensor_view_packed(x, (64, 16))
        tile = load_tile(make_tile_window(source, (64, 16), (0, 0), QUARTERS))
        sums = block_tile_reduce(tile, (1,), lambda a, b: a + b, 0)
        block_tile_reduce_sync(sums, lambda a, b: a + b)
        store_tile(make_tile_window(make_naive_tensor_view_packed(y, (64,)), (64,), (0,)), sums)

    given = (np.random.default_rng(3).standard_normal((64, 16)) * 9).astype(DataType.named(kind).numpy)
    empty = np.zeros(64, given.dtype)
    wanted = summed.run(x=given, y=empty)["y"]
    kernel = kernel_of_program(summed, "gfx942")
    code = compile_source(kernel.text, "gfx942").code_object
    arguments = [given, Output(empty, is_initialised=True)]
    (found,) = run_code_object(code, (1,), kernel.block, arguments).outputs.values()
    assert np.array_equal(found, wanted)


NAN, INFINITE = float("nan"), float("inf")
FUNCTIONS = {
    "exp": (exp, [-90, -1, 0, 1.5, 80]),
    "exp2": (exp2, [-100, -0.5, 0, 3, 120]),
    "log": (log, [1e-30, 0.5, 1, 7, 1e30]),
    "sqrt": (sqrt, [0, 1e-20, 2, 4, 1e30]),
    "rsqrt": (rsqrt, [1e-20, 0.25, 1, 3, 1e30]),
    "tanh": (tanh, [-50, -1, 0.25, 1, 50]),
}
EXACT = {
    "the larger": (lambda a: maximum(a, 1.0), [NAN, -INFINITE, INFINITE, 0, 1, 2]),
    "the larger, turned": (lambda a: maximum(1.0, a), [NAN, -INFINITE, INFINITE, 0, 1, 2]),
    "the smaller": (lambda a: minimum(a, 1.0), [NAN, -INFINITE, INFINITE, 0, 1, 2]),
    "the smaller, turned": (lambda a: minimum(1.0, a), [NAN, -INFINITE, INFINITE, 0, 1, 2]),
    "a quotient": (lambda a: a / 2.0, [NAN, -INFINITE, INFINITE, 0, 3]),
}


def both_of(function, values):
    """What NumPy gives for these numbers, and what compiled code gives."""

    @tile_program(block_size=64)
    def applied(x: pointer("f32"), y: pointer("f32", is_output=True)):
        views = [make_naive_tensor_view_packed(one, (LANES, PLACES), PLACES) for one in (x, y)]
        tile = load_tile(make_tile_window(views[0], (LANES, PLACES), (0, 0), TILE))
        store_tile(make_tile_window(views[1], (LANES, PLACES), (0, 0)), tile_elementwise_in(function, tile))

    given = np.resize(np.array(values, np.float32), (LANES, PLACES))
    wanted = applied.run(x=given, y=np.zeros_like(given))["y"]
    kernel = kernel_of_program(applied, "gfx942")
    code = compile_source(kernel.text, "gfx942").code_object
    arguments = [given, Output(np.zeros_like(given), is_initialised=True)]
    (found,) = run_code_object(code, (1,), kernel.block, arguments).outputs.values()
    return given, wanted, found.reshape(wanted.shape)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_floats_are_near_those_of_the_names(name):
    function, values = FUNCTIONS[name]
    given, wanted, found = both_of(function, values)
    exact = (1 / np.sqrt(given.astype(float))) if name == "rsqrt" else getattr(np, name)(given.astype(float))
    np.testing.assert_allclose(wanted, exact, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-6)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", EXACT)
def test_infinities_and_what_is_no_number_are_as_compiled(name):
    _, wanted, found = both_of(*EXACT[name])
    np.testing.assert_array_equal(found, wanted)
