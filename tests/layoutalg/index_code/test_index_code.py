"""Index functions as source: compiled C and executed Python against the plain evaluator."""

from __future__ import annotations

import ctypes
import json
import random
import sys
from typing import Any

import numpy as np
import pytest

from layoutalg import (
    Domain,
    LayoutError,
    MissingFactError,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    simplify,
)
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.compile.toolchain import run as run_tool
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.index_code import IndexFunction
from layoutalg.index_code.c_text import CText
from layoutalg.index_code.reciprocal import Reciprocal, ShortReciprocal
from layoutalg.index_code.subexpressions import named
from layoutalg.index_code.width import Widths
from layoutalg.machine.target import Target
from layoutalg.term import interpret_term
from layoutalg.term.parse import parse_term
from tests.corpus import layout_cases, points
from tests.refusals import refused


def padded_image():
    image = make_naive_tensor_descriptor((4, 14, 14, 8), (1568, 112, 8, 1))
    return image.pad(1, 1, 1).pad(2, 1, 1).merge(0, 1, 2)


def descriptors():
    rows = make_naive_tensor_descriptor((64, 28), (36, 1))
    return {
        "image": padded_image(),
        "rows": rows.unmerge(0, (4, 16)),
        "swizzled": make_naive_tensor_descriptor_packed((16, 8)).xor(0, 1),
        "merged": rows.merge(0, 1),
        "digits": make_naive_tensor_descriptor_packed((6, 5, 7)).permute(2, 0, 1).merge(0, 1, 2),
    }


def wrapper(name, what, arguments, names):
    """A function that a library exports, around one that is inline."""
    return f"int32_t get_{name}_{what}({arguments}) {{ return {name}_{what}({', '.join(names)}); }}"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """All descriptors in one C file, compiled once for this machine."""
    folder = tmp_path_factory.mktemp("index_code")
    texts, wrappers = [], []
    for name, descriptor in descriptors().items():
        step = {descriptor.rank - 1: 1} if name != "swizzled" else None
        try:
            text = descriptor.code("c", name=name, step=step)
        except LayoutError:
            text = descriptor.code("c", name=name)
        texts.append(text)
        names = [f"i{i}" for i in range(descriptor.rank)]
        arguments = ", ".join(f"int32_t {n}" for n in names)
        emitted = [what for what in ("offset", "valid", "advance") if f"{name}_{what}(" in text]
        wrappers += [wrapper(name, what, arguments, names) for what in emitted]
    source = folder / "index.c"
    source.write_text("\n".join([*texts, *wrappers]), encoding="utf-8")
    built = folder / "index.so"
    flags = [
        "-O2",
        "-shared",
        "-fPIC",
        "-Wall",
        "-Werror",
        "-fsanitize=undefined",
        "-fsanitize-trap=undefined",
    ]
    run_tool([sys.executable, "-m", "ziglang", "cc", *flags, "-o", str(built), str(source)])
    return ctypes.CDLL(str(built))


@pytest.mark.slow
@pytest.mark.sample(5)
@pytest.mark.parametrize("name", descriptors())
def test_compiled_c_computes_offset_and_validity(library, name):
    descriptor = descriptors()[name]
    offset, valid = (getattr(library, f"get_{name}_{what}") for what in ("offset", "valid"))
    for index in np.ndindex(*descriptor.lengths):
        assert bool(valid(*index)) == bool(descriptor.is_valid_index(index))
        assert offset(*index) == descriptor.calculate_offset(index)


@pytest.mark.parametrize("name", ["rows", "image"])
def test_compiled_c_advances(library, name):
    descriptor = descriptors()[name]
    for index in np.ndindex(*descriptor.lengths):
        moved = (*index[:-1], index[-1] + 1)
        if moved[-1] < descriptor.lengths[-1]:
            gap = descriptor.calculate_offset(moved) - descriptor.calculate_offset(index)
            assert getattr(library, f"get_{name}_advance")(*index) == gap


@pytest.mark.parametrize("name", descriptors())
def test_python_and_json_say_the_same(name):
    descriptor = descriptors()[name]
    functions: dict[str, Any] = {}
    exec(descriptor.code("python", name=name), functions)  # noqa: S102  our own text
    tree = json.loads(descriptor.code("json", name=name))
    assert [row["name"] for row in tree["inputs"]] == [f"i{i}" for i in range(descriptor.rank)]
    draw = random.Random(name)
    for _ in range(300):
        index = [draw.randrange(length) for length in descriptor.lengths]
        expected = descriptor.calculate_offset(index)
        assert functions[f"{name}_offset"](*index) == expected
        assert functions[f"{name}_valid"](*index) == bool(descriptor.is_valid_index(index))
        assert (
            computed(tree["offset"]["program"], dict(zip(tree_names(tree), index, strict=True))) == expected
        )


def tree_names(tree):
    return [row["name"] for row in tree["inputs"]]


def computed(node, values):
    """The JSON tree by its documentation: a number, a name, or an operation and its operands."""
    if isinstance(node, int):
        return node
    if isinstance(node, str):
        return values[node]
    operation, *operands = node
    parts = [computed(operand, values) for operand in operands]
    if operation in ("+", "*"):
        return sum(parts) if operation == "+" else int(np.prod(parts))
    left, right = parts
    return {
        "//": lambda: left // right,
        "%": lambda: left % right,
        "^": lambda: left ^ right,
        "&": lambda: left & right,
    }[operation]()


def test_hip_text_compiles_for_every_target():
    text = padded_image().code("hip", name="image", step={1: 2})
    kernel = (
        "#include <hip/hip_runtime.h>\n#include <stdint.h>\n"
        + text
        + 'extern "C" __global__ void k(int* out, int i)\n'
        "{ out[threadIdx.x] = image_valid(i, threadIdx.x % 8) ? image_offset(i, threadIdx.x % 8) : -1; }\n"
    )
    for target in ("gfx90a", "gfx942", "gfx950"):
        assert compile_hip(kernel, Target.named(target)).code_object


@pytest.mark.parametrize("divisor", [3, 5, 7, 10, 28, 58, 641, 3364, 65537, 2**31 - 1])
@pytest.mark.parametrize("largest", [100, 2**16, 2**20, 2**31 - 1, 2**32 - 1])
def test_reciprocals_are_exact_up_to_their_largest_dividend(divisor, largest):
    found = Reciprocal.of(divisor, largest)
    if found is None:
        assert largest >= 2**31 - 1
        return
    assert found.multiplier < 2**32
    multiples = [k * divisor + d for k in range(200) for d in (-1, 0, 1)]
    multiples += [(largest // divisor - k) * divisor + d for k in range(200) for d in (-1, 0, 1)]
    for dividend in filter(lambda n: 0 <= n <= largest, [*multiples, largest]):
        assert found.quotient(dividend) == dividend // divisor


def test_a_reciprocal_too_small_for_its_range_would_be_wrong():
    """The bound is needed: the multiplier for 2**20 fails on words of 32 bits."""
    found = Reciprocal.of(28, 2**20)
    assert found is not None
    assert any(found.quotient(n) != n // 28 for n in range(2**32 - 2000, 2**32))


@pytest.mark.parametrize("divisor", [3, 5, 7, 11, 28, 31, 58, 641, 3364])
@pytest.mark.parametrize("largest", [1, 100, 4000, 32767, 65535])
def test_short_products_are_quotients_of_every_dividend(divisor, largest):
    found = ShortReciprocal.of(divisor, largest)
    if found is None:
        assert largest > 32767
        return
    dividends = np.arange(largest + 1, dtype=np.int64)
    products = dividends * found.multiplier
    assert products.max() < 2**31
    assert (products >> found.shift == dividends // divisor).all()
    term = parse_term(f"3*(n // {divisor}) + n % {divisor}")
    text = CText(Domain.of({"n": largest + 1}), has_short_products=True).text(term)
    assert "/" not in text
    assert "%" not in text
    shifted = eval(text, {"n": dividends})  # noqa: S307  the text's own formula
    assert (shifted == 3 * (dividends // divisor) + dividends % divisor).all()


def test_widths_count_every_value_on_the_way():
    domain = Domain.of({"x": 2**16, "y": 2**16})
    assert Widths(domain).of([parse_term("x*16 + y")]).bits == 32
    assert Widths(domain).of([parse_term("x*65536 + y - x*65536")]).bits == 64
    text = IndexFunction.of_expression("x*65536 + y", domain).text("c")
    assert "int64_t index_offset(int32_t x, int32_t y)" in text
    assert "return (int64_t)65536 * x + y;" in text
    with refused(MissingFactError):
        IndexFunction.of_expression("x*7", Domain.of({"x": None})).text("c")


def test_widths_count_branches_and_steps():
    domain = Domain.of({"x": 2**16, "y": 2**16})
    hidden = parse_term("x if y < 5 else (x*65536 + y) // 65536")
    assert Widths(domain).of([hidden]).bits == 64
    guarded = parse_term("x // K // 3 if 0 < K else 0")
    assert CText(Domain.of({"x": 64}, {"K": (0, 9)})).text(guarded) == "(0 < K) ? x / K / 3 : 0"
    stepped = IndexFunction.of_expression("x*32767", Domain.of({"x": 65537}), step={"x": -65536}).text("c")
    assert "between -2147418112 and" in stepped


@pytest.mark.parametrize("case", layout_cases(), ids=lambda case: case["id"])
def test_widths_hold_what_is_computed(case):
    domain = Domain.from_corpus(case)
    program = simplify(case["raw"], domain).program
    width = Widths(domain).of([program])
    for point in points(case, 100):
        for part in program.walk():
            if part.op not in ("<", "<=", "==", "!=", "and", "or", "not"):
                assert width.lowest <= interpret_term(part, C_INTEGERS, point.__getitem__) <= width.largest


def test_a_step_that_gains_nothing_is_refused():
    swizzled = make_naive_tensor_descriptor_packed((16, 8)).xor(0, 1)
    with refused(LayoutError):
        swizzled.code("c", step={0: 1})
    with refused(LayoutError):
        IndexFunction.of_expression("x*K", Domain.of({"x": 8}, {"K": (1, 9)}), step={"K": 1})


def test_wrong_requests_say_what_was_wanted():
    rows = make_naive_tensor_descriptor((4, 8), (8, 1))
    with refused(LayoutError, "c", "hip", "python", "json", "cuda"):
        rows.code("cuda")
    with refused(LayoutError):
        rows.code("c", name="9rows")


def test_what_only_a_branch_computes_is_not_computed_before_it():
    """x // K may be undefined where the branch is not taken."""
    values, (result,) = named([parse_term("(x // K + (x // K) % 3 if 0 < K else y) + y*y + y*y % 5")], {"x"})
    assert [str(value) for _, value in values] == ["y*y"]
    assert str(result) == "select(0 < K, x // K + x // K % 3, y) + t0 + t0 % 5"
