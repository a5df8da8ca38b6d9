"""What becomes of C: expressions against Python's own, kernels against NumPy, wrong texts are caught."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.approximate import Approximate
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, FUNCTIONS, NAMES, Epilogue
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.matrix.comparison import compare
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_run import run_kernel
from layoutalg.data_type import DataType, to_numbers
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import refuted
from tests.refusals import refused

UNIT = 2.0**-24


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


PLAIN: dict[str, Any] = {  # by NumPy's words, of any precision
    "relu": lambda x: np.maximum(x, x.dtype.type(0)),
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "exp": np.exp,
    "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x),
    "tanh": np.tanh,
    "gelu": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))),
}
STEPS = st.sampled_from([*"+-*/", *FUNCTIONS])


@st.composite
def expressions(draw, depth=3):
    """Sums, quotients and functions of each other, with signs and brackets where they fall."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from([*NAMES, "2", "0.5", "1e-3"]))
    step = draw(STEPS)
    parts = [draw(expressions(depth - 1)) for _ in range(FUNCTIONS[step][0] if step in FUNCTIONS else 2)]
    if step in FUNCTIONS:
        return f"{step}({', '.join(parts)})"
    sign = draw(st.sampled_from(["", "", "-"]))
    return f"{sign}({parts[0]} {step} ({parts[1]}))"


@given(expressions(), st.integers(0, 2**32 - 1))
def test_text_and_numbers_are_those_of_the_expression(expression, seed):
    """In 64 bits the same; in 32 bits no farther away than is told; the text means what it is made from."""
    made = Epilogue(f"c + {expression}")
    random = np.random.default_rng(seed)
    values = {name: random.uniform(-4, 4, 16).astype(np.float32) for name in NAMES}
    with np.errstate(all="ignore"):
        wide = {name: value.astype(np.float64) for name, value in values.items()}
        wanted = eval(made.expression, {}, PLAIN | wide)  # noqa: S307  by this test's own grammar
        again = eval(made.text({name: name for name in NAMES}), {}, PLAIN | wide)  # noqa: S307
        narrow = eval(made.expression, {}, PLAIN | values)  # noqa: S307
        found = made.of({name: Approximate(value, np.zeros(16), UNIT) for name, value in wide.items()})
    there = np.isfinite(wanted) & (np.abs(wanted) < 2.0**100)
    assert np.allclose(again, wanted, rtol=1e-12, atol=1e-300, equal_nan=True)
    assert np.allclose(found.number[there], wanted[there], rtol=1e-9, atol=1e-12)
    assert (np.abs(narrow.astype(np.float64) - wanted)[there] <= found.error[there] + 1e-30).all()


def test_numbers_are_no_whole_numbers_to_c():
    assert Epilogue("c * (1 / 2) - 3").text({"c": "c"}, "f") == "c * (1.0f / 2.0f) - 3.0f"


def test_a_quotient_of_what_may_be_0_is_never_called_right():
    c, d = (Approximate(np.array(numbers), np.full(2, 0.125), UNIT) for numbers in ([1.0, 1.0], [0.0, 2.0]))
    found = Epilogue("c / d").of({"c": c, "d": d})
    given = np.array([7, 0.5], np.float32)
    assert compare(given, found.number, found.error, DataType.named("f32")).wrong == 1


def test_an_infinity_is_right_where_the_number_is_too_large_for_the_type():
    given = np.array([np.inf, np.inf, -np.inf, np.inf, 7], np.float32)
    wanted = np.array([np.inf, 7, np.inf, np.inf, np.inf])
    allowed = np.array([1e40, 1e40, 1e40, np.inf, 1e40])  # of an infinite one nothing can be said
    found = [compare(*one, DataType.named("f32")) for one in zip(given, wanted, allowed, strict=True)]
    assert [one.wrong for one in found] == [0, 1, 1, 1, 1]


def along_a_column(epilogue, numbers):
    """What becomes of numbers as f32, and whether our own reference agrees."""
    config = configured("naive", element="f32", tile=(64, 64, 16), waves=(2, 2), epilogue=epilogue)
    kernel = gemm(config)
    a, b = np.zeros((64, 16), np.float32), np.zeros((64, 16), np.float32)
    a[:, 0], b[:, 0] = numbers, 1
    task = Launch(kernel, compile_hip(kernel.text, Target.named("gfx942")), SIZES, {"a": a, "b": b})
    run = run_kernel(task, CpuExecutor(), kernel.reference(task.given))
    return run.result.outputs["c"][:, 0].astype(float), run.is_good


SIZES = {"M": 64, "N": 64, "K": 16}


@pytest.mark.slow
@pytest.mark.parametrize("sign", [1, -1])
def test_tanh_keeps_its_digits_near_0(sign):
    numbers = sign * np.logspace(-8, 1, 64, dtype=np.float32)
    found, is_good = along_a_column("tanh(c)", numbers)
    wanted = np.tanh(numbers.astype(float))
    assert is_good
    assert np.abs(found / wanted - 1).max() < 16 * UNIT


def test_an_exponential_beyond_the_type_is_infinite():
    found, is_good = along_a_column("exp(c)", np.linspace(60, 120, 64, dtype=np.float32))
    assert is_good
    assert np.isinf(found[-1])
    assert np.isfinite(found[0])


SMALL: dict[str, Any] = {"tile": (64, 64, 32), "waves": (2, 2), "instruction": (32, 32)}
RAGGED = SMALL | {"has_tails": True}
CASES: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "scales of rows and columns": (
        SMALL | {"epilogue": "gelu(scale_m * scale_n * c + bias_n)"},
        (128, 64, 64),
    ),
    "through shared memory": (
        SMALL | {"epilogue": "silu(c + bias_n) + bias_m", "stages_result": True},
        (64, 128, 64),
    ),
    "D, and rows that end": (RAGGED | {"epilogue": "relu(c + bias_m) + beta * d"}, (65, 72, 40)),
    "odd sizes": (
        RAGGED | {"epilogue": "max(c, -2) * scale_n - tanh(bias_m)", "size_multiples": (1, 1, 1)},
        (3, 67, 37),
    ),
    "ends through shared memory": (
        RAGGED | {"epilogue": "min(c, abs(d)) / (2 + sigmoid(bias_n))", "stages_result": True},
        (65, 72, 40),
    ),
    "registers as they are": (
        SMALL | {"epilogue": "relu(c - bias_n)", "is_c_transposed": False},
        (64, 64, 32),
    ),
    "bf16": (
        RAGGED | {"epilogue": "exp(0.0625 * c) + bias_n", "element": "bf16", "target": "gfx950"},
        (70, 64, 64),
    ),
    "f64": (
        {
            "epilogue": "max(c + bias_m, 0.5) * scale_n",
            "element": "f64",
            "tile": (64, 64, 8),
            "waves": (2, 2),
        },
        (64, 64, 16),
    ),
    "two outputs": (SMALL | {"epilogue": "gelu(c + bias_n); c + bias_n"}, (64, 64, 32)),
    "two outputs through shared memory": (
        RAGGED | {"epilogue": "relu(c) * scale_m; beta * d - c", "stages_result": True},
        (65, 72, 40),
    ),
    "8 bits with scales": (
        RAGGED | {"epilogue": "alpha * scale_m * scale_n * c", "element": "f8", "tile": (64, 64, 64)},
        (65, 68, 96),
    ),
}
made = cache(gemm)
FACTORS = {"alpha": 0.5, "beta": -2.0}


def config_of(name):
    return configured("pipelined", **CASES[name][0])


def ran(name, text=None):
    """What a kernel gives; the same of the exact product by NumPy's words; how far off it may be."""
    config, sizes = config_of(name), dict(zip("MNK", CASES[name][1], strict=True))
    kernel = made(config)
    if text is not None:
        kernel = replace(kernel, text=text(kernel.text))
    sizes |= {name: FACTORS[name] for name in config.becomes.scalars}
    task = Launch(
        kernel,
        compile_hip(kernel.text, Target.named(config.target)),
        sizes,
        inputs_of(kernel, sizes, "integers", 3),
    )
    numbers = {
        n: to_numbers(x, config.result if n in ARRAYS else config.kind)
        for n, x in task.inputs.items()
        if n in {"a", "b", *ARRAYS}
    }
    values = {n: x[:, None] if ARRAYS.get(n) == "m" else x for n, x in numbers.items()} | FACTORS
    values = {n: np.asarray(x, np.float64) for n, x in values.items()}
    values["c"] = numbers["a"].astype(np.float64) @ numbers["b"].astype(np.float64).T
    result = CpuExecutor().run(task)
    unit = {"f16": 2.0**-10, "bf16": 2.0**-7}.get(config.output, 2.0**-18)
    allowed = kernel.reference(dict(task.inputs) | {n: np.asarray(x) for n, x in FACTORS.items()})
    assert allowed.numbers.keys() == result.outputs.keys()
    are_right, are_within = [], []
    for output, expression in zip("ce", config.epilogue.split(";"), strict=False):
        wanted = eval(expression.strip(), {}, PLAIN | values)  # noqa: S307  as above
        found = to_numbers(result.outputs[output], config.result).astype(np.float64)
        are_right.append((np.abs(found - wanted) <= unit * np.abs(wanted) + unit / 8).all())
        are_within.append((np.abs(found - allowed.numbers[output]) <= allowed.allowed[output]).all())
    return all(are_right), all(are_within)


@pytest.mark.slow
@pytest.mark.sample(12, slow=6)
@pytest.mark.parametrize("name", CASES)
def test_claims_are_proved_and_c_is_what_numpy_says(name):
    kernel = made(config_of(name))
    assert emit(kernel, prove) == kernel.text
    assert ran(name) == (True, True)


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize(
    "name",
    ["through shared memory", "D, and rows that end", "two outputs", "two outputs through shared memory"],
)
def test_compiled_addresses_are_those_claimed(name):
    kernel = made(config_of(name))
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named("gfx942")), prove)


BROKEN = {
    "another row's": ("scales of rows and columns", "scale_m + (held_m", "scale_m + (held_m / 2"),
    "the other vector": ("scales of rows and columns", "(float)of_bias_n", "(float)of_scale_n"),
    "what the other gets": ("two outputs", "(_Float16)(acc", "(_Float16)(1 + acc"),
    "a sign": ("D, and rows that end", "x > 0 ? x : 0", "x < 0 ? x : 0"),
    "a vector that ends early": ("D, and rows that end", "bias_m), 0, 2u * (M)", "bias_m), 0, 2u * (M - 9)"),
}


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_text_is_caught(name):
    case, old, new = BROKEN[name]

    def broken(text):
        assert old in text
        return text.replace(old, new)

    assert ran(case, broken) == (False, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "old", "new"),
    [
        ("two outputs through shared memory", "e_memory, e_first", "c_memory, e_first"),
        ("two outputs", "e_first = e + (", "e_first = c + ("),
    ],
)
def test_a_second_output_that_goes_elsewhere_is_caught(case, old, new):
    with refused(ExecutionFaultError, "e"):
        ran(case, lambda text: text.replace(old, new))


@pytest.mark.slow
def test_a_vector_read_at_other_places_is_refuted():
    tiles = GemmTiles(config_of("scales of rows and columns"))
    assert not refuted(claims_of(tiles))
    held = tiles.held
    tiles.__dict__["held"] = replace(held, origin=(held.origin[0] + 1, held.origin[1]))
    assert refuted(claims_of(tiles)) == {"in memory bounds"}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no expression": ({"epilogue": "relu(c"}, "relu(c"),
    "without c": ({"epilogue": "bias_n + 1"}, ""),
    "E without c": ({"epilogue": "c; d"}, "'d'"),
    "a remark": ({"epilogue": "c # x; c"}, ""),
    "a number too small": ({"epilogue": "c + 1e-46"}, "1.2e-38 1e-46"),
    "no argument": ({"epilogue": "relu()"}, "1 0"),
    "an unknown name": ({"epilogue": "c + bais_n"}, "bias_n"),
    "an unknown function": ({"epilogue": "rely(c)"}, ""),
    "arguments": ({"epilogue": "min(c)"}, "2 1"),
    "code": ({"epilogue": "c.__class__"}, ""),
    "no number": ({"epilogue": "c + True"}, ""),
    "a number too large": ({"epilogue": f"c + {10**400}"}, ""),
    "infinity": ({"epilogue": "c + 1e999"}, ""),
    "too deep": ({"epilogue": "+".join(["c"] * 9000)}, ""),
    "brackets": ({"epilogue": "(" * 400 + "c" + ")" * 400}, ""),
    "whole sums": ({"epilogue": "relu(c)", "element": "i8"}, ""),
    "parts": ({"epilogue": "relu(c)", "split_k": 2}, ""),
    "three outputs": ({"epilogue": "c; -c; c + 1"}, "C E 3"),
    "nothing for E": ({"epilogue": "c;"}, ""),
    "two ways": ({"epilogue": "relu(c)", "has_scale": True}, ""),
    "64 bits": ({"epilogue": "exp(c)", "element": "f64"}, "64"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_epilogue_is_refused(name):
    fields, facts = REFUSED[name]
    with refused(LayoutError, *facts.split()):
        configured("pipelined", **fields)


@pytest.mark.slow
def test_each_expression_has_a_name_of_its_own():
    names = {
        made(configured(epilogue=text)).name for text in ("c + alpha", "c - alpha", "c*alpha", "c * alpha")
    }
    assert len(names) == 3
