"""What ``explain-encoding`` says of an encoding is what it does: every number, on CK's own cases."""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from layoutalg import (
    LengthError,
    TileDistributionEncoding,
    make_static_tile_distribution,
    read_encoding,
)
from layoutalg.pictures.encoding_words import encoding_words, thread_of
from layoutalg.pictures.worked_lane import vector
from tests.distribution_strategies import encodings
from tests.golden.tile_distributions import encoding as of_golden
from tests.refusals import refused

DATA = Path(__file__).parents[2] / "golden" / "data"
FILES = ("tile_distributions", "tile_distribution_ops", "mfma_register_layouts")
GOLDEN = {
    f"{file}-{case['name']}": of_golden(case["encoding"])
    for file in FILES
    for case in json.loads((DATA / f"{file}.json").read_text())["cases"]
}
TUTORIAL = {  # CK Tile's three tutorials on distributions; the last with C transposed, their default
    "a_dram_256x32": "gemm_a_dram_256x32_fp16",
    "b_dram_128x32": "gemm_b_dram_128x32_fp16",
    "c_registers_32x32": "warp_mfma_f16_32x32x8_C",
    "c_registers_32x32_transposed": "warp_mfma_f16_32x32x8_ct_C",
}


def tutorial(name):
    return make_static_tile_distribution(GOLDEN[f"tile_distributions-{TUTORIAL[name]}"])


def numbers(text):
    return tuple(map(int, re.findall(r"\d+", text)))


def told(pattern, text):
    """What the text says in the place of the pattern's group."""
    found = re.search(pattern, text)
    assert found is not None, pattern
    return found[1]


def held(made):
    """The element by thread and register, both counted with the last index fastest."""
    p_lengths, y_lengths = (tuple(map(int, lengths)) for lengths in (made.p_lengths, made.y_lengths))
    ps = np.indices(p_lengths).reshape(len(p_lengths), math.prod(p_lengths))[:, :, np.newaxis]
    ys = np.indices(y_lengths).reshape(len(y_lengths), math.prod(y_lengths))[:, np.newaxis]
    shape = (math.prod(p_lengths), math.prod(y_lengths))
    columns = made.element(tuple(ps), tuple(ys))
    return np.stack([np.broadcast_to(x, shape) for x in columns], axis=-1)


def hidden(made, ps, ys=None):
    """What the transforms themselves compute for each factor, by its name in the text."""
    index = (*ps, *(ys or (0,) * made.encoding.num_y))
    found = made.ps_ys_to_xs.calculate_hidden_index(index)
    named = {}
    for (major, minor), place in made.hidden_ids.items():
        named[f"H{major - 1}[{minor}]" if major else f"R[{minor}]"] = found[place]
    return named


def check_arguments(made, text):
    """The six arguments as they are told make the encoding again."""
    part = text[text.index("The six arguments") : text.index("Who indexes what")]
    rows = [line.split(":")[0] for line in part.splitlines() if line.startswith(" " * 9)]
    r, *hs_and_ps, y = [[numbers(row) for row in re.findall("sequence<(.*?)>", line)] for line in rows]
    hs, ps = hs_and_ps[: made.encoding.num_x], hs_and_ps[made.encoding.num_x :]
    again = (
        *r,
        tuple(h for (h,) in hs),
        tuple(major for major, _ in ps),
        tuple(minor for _, minor in ps),
        *y,
    )
    assert TileDistributionEncoding(*again) == made.encoding == read_encoding(text)
    assert f"A tile of {' x '.join(map(str, made.lengths))} elements" in text
    for x, row in enumerate(made.encoding.hs_lengthss):
        product = " * ".join(f"H{x}[{i}]" for i in range(len(row)))
        assert f": X{x} = {made.lengths[x]} = {product}\n" in part
    for p, factors in zip(made.ps, made.encoding.ps_factors, strict=True):
        counted = ", ".join(f"H{major - 1}[{i}]" if major else f"R[{i}]" for major, i in factors)
        assert f": {p} counts {counted}" in part


def check_short(made, text):
    """The summary against counting."""
    elements = held(made)
    threads, registers, _ = elements.shape
    assert f"{threads} threads" in text or f"{threads} lane" in text or "one thread" in text
    assert f"holds {registers} element" in text
    formula = told(r"numbered (.+)\.", text) if registers > 1 else "0"
    for ys in itertools.islice(itertools.product(*map(range, made.y_lengths)), 64):
        values = {f"Y{y}": value for y, value in enumerate(ys)}
        assert eval(formula, values) == made.buffer_offset(ys)  # noqa: S307  the text's own formula
    flat = np.ravel_multi_index(tuple(np.moveaxis(elements, -1, 0)), made.lengths).ravel()
    found, counts = np.unique(flat, return_counts=True)
    (copies,) = numbers(told(r"is held by (\d+) thread", text))
    assert set(counts) == {copies}
    zero = re.findall(r"(H\d+\[\d+\]) = 0", told(r"(Every element.*)", text))
    rows = {f"H{x}[{i}]": n for x, row in enumerate(made.encoding.hs_lengthss) for i, n in enumerate(row)}
    assert len(found) * math.prod(rows[name] for name in zero) == math.prod(made.lengths)
    assert ("All others" in text) == bool(zero)


def check_vector(made, text):
    """The vector against trying every width."""
    elements = held(made)
    registers = elements.shape[1]
    widest = (1, -1)
    for width in (n for n in range(2, registers + 1) if registers % n == 0):
        groups = elements.reshape(len(elements), registers // width, width, -1)
        steps = groups - groups[:, :, :1]
        for x in range(elements.shape[2]):
            others = np.delete(steps, x, axis=-1)
            if (steps[..., x] == np.arange(width)).all() and not others.any():
                widest = (width, x)
    if widest[0] > 1:
        width, x = widest
        assert f"Registers 0 to {width - 1}, and every next {width}, hold neighbours along X{x}:" in text
        assert f"they move as one vector of {width}." in text
    elif registers > 1:
        step, x = numbers(told(r"Registers 0 and 1 hold elements (\d+ apart along X\d+)", text))
        away = elements[:, 1] - elements[:, 0]
        assert (away[:, x] == step).all()
        assert not np.delete(away, x, axis=1).any()
    else:
        assert "With one register" in text


def check_owners(made, text):
    """Who indexes a factor, for all threads at once."""
    p_lengths = tuple(map(int, made.p_lengths))
    ps = tuple(np.indices(p_lengths).reshape(len(p_lengths), math.prod(p_lengths)))
    digits = hidden(made, ps)
    lines = re.findall(r"    (\S+), (\d+) long(?: in steps of (\d+))?: (.+)", text)
    assert [line[0] for line in lines] == list(digits)
    for name, _, _, owner in lines:
        if owner.startswith("register index Y"):
            y = int(owner.removeprefix("register index Y"))
            ys = tuple(int(i == y and made.y_lengths[y] > 1) for i in range(made.encoding.num_y))
            assert hidden(made, (0,) * len(ps), ys)[name] == ys[y]
        elif owner == "nobody, always 0":
            assert not np.any(digits[name])
        else:
            values = dict(zip(map(str, made.ps), ps, strict=True))
            assert (eval(owner, values) == digits[name]).all()  # noqa: S307


def check_example(made, ps, text):
    """The worked thread, line by line."""
    example = text[text.index("Worked example") :]
    digits = {name: int(value) for name, value in re.findall(r"so (\S+) = (\d+)$", example, re.MULTILINE)}
    computed = hidden(made, ps)
    assert digits.items() <= computed.items()
    assert not any(value for name, value in computed.items() if name not in digits)
    for whole, parts in re.findall(r"^    (\d+) = (\d+ \* \d+ \+ \d+),", example, re.MULTILINE):
        assert int(whole) == eval(parts)  # noqa: S307
    sums = re.findall(r"^  x(\d+) = (.+) = (\d+)$", example, re.MULTILINE)
    first = tuple(map(int, made.calculate_index(ps)))
    assert [int(x) for x, _, _ in sums] == list(range(len(first)))
    assert tuple(eval(terms) for _, terms, _ in sums) == first  # noqa: S307
    assert tuple(int(value) for _, _, value in sums) == first
    assert f"  Register 0 holds element {first}.".replace(",)", ")") in example
    steps = re.findall(
        r"^  Y(\d+) = 1, .* adds (\d+) to x(\d+): register (\d+) holds element (.+)\.$", example, re.MULTILINE
    )
    assert {int(step[0]) for step in steps} == {y for y, n in enumerate(made.y_lengths) if n > 1}
    for y, adds, x, register, element in steps:
        ys = tuple(int(i == int(y)) for i in range(made.encoding.num_y))
        assert numbers(element) == tuple(map(int, made.element(ps, ys)))
        assert numbers(element)[int(x)] == first[int(x)] + int(adds)
        assert int(register) == made.buffer_offset(ys)


def check_twins(made, ps, text):
    """The other holders against looking at all threads."""
    elements = held(made)
    mine = np.ravel_multi_index(ps, tuple(map(int, made.p_lengths))) if ps else 0
    same = (elements == elements[mine]).all(axis=(1, 2))
    others = {tuple(map(int, np.unravel_index(t, made.p_lengths))) for t in np.flatnonzero(same) if t != mine}
    named = told(r"the same is held by (.+)\.\n", text).split("; ") if others else []
    assert ("the same is held" in text) == bool(others)
    more = int(told(r"and (\d+) more", named.pop())) if named and "more" in named[-1] else 0
    found = {tuple(int(word.split()[1]) for word in part.split(", ")) for part in named}
    assert found <= others
    assert len(found) + more == len(others)


def check(made, wave, lane):
    text = encoding_words(made, wave=wave, lane=lane)
    ps = thread_of(made, wave=wave, lane=lane)
    check_arguments(made, text)
    check_short(made, text)
    check_vector(made, text)
    check_owners(made, text)
    check_example(made, ps, text)
    check_twins(made, ps, text)
    for x, form in enumerate(made.x):
        assert f"  X{x} = {made.lengths[x]}, and x{x} = {form}\n" in text


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", GOLDEN)
def test_every_number_is_the_encoding_s_own(name):
    made = make_static_tile_distribution(GOLDEN[name])
    check(made, None, None)


@settings(max_examples=60)
@given(encodings())
def test_any_encoding_is_explained(encoding):
    made = make_static_tile_distribution(encoding)
    last = int(made.p_lengths[-1]) - 1 if made.p_lengths else None
    check(made, None, last)


@pytest.mark.parametrize("name", TUTORIAL)
def test_the_tutorials_are_explained(name, snapshot):
    snapshot.check(f"explained_{name}.txt", encoding_words(tutorial(name)) + "\n")


@pytest.mark.parametrize(
    ("name", "first", "steps"),
    [  # worked out by hand from the tutorial's factors
        ("a_dram_256x32", (25, 8), ["1 holds element (25, 9)", "8 holds element (89, 8)"]),
        ("b_dram_128x32", (25, 8), ["1 holds element (25, 9)", "8 holds element (89, 8)"]),
        ("c_registers_32x32", (4, 5), ["1 holds element (5, 5)", "4 holds element (12, 5)"]),
        ("c_registers_32x32_transposed", (5, 4), ["1 holds element (5, 5)", "4 holds element (5, 12)"]),
    ],
)
def test_lane_37_of_the_tutorials(name, first, steps):
    text = encoding_words(tutorial(name))
    assert f"Register 0 holds element {first}." in text
    assert all(f"register {step}." in text for step in steps)


def test_the_usual_thread_is_wave_1_lane_37_where_they_exist():
    assert thread_of(tutorial("a_dram_256x32")) == (1, 37)
    assert thread_of(tutorial("c_registers_32x32")) == (37,)
    assert thread_of(tutorial("a_dram_256x32"), wave=3, lane=0) == (3, 0)
    small = read_encoding(
        "tile_distribution_encoding<sequence<>, tuple<sequence<1, 16>>, tuple<sequence<1>, sequence<1>>,"
        " tuple<sequence<0>, sequence<1>>, sequence<>, sequence<>>"
    )
    assert thread_of(make_static_tile_distribution(small)) == (0, 5)


@pytest.mark.parametrize(
    ("name", "asked", "facts"),
    [
        ("a_dram_256x32", {"lane": 64}, "lane 0 63 64"),
        ("a_dram_256x32", {"wave": -1}, "wave 0 3 -1"),
        ("c_registers_32x32", {"wave": 1}, "wave P lane"),
    ],
)
def test_threads_that_do_not_exist_are_refused(name, asked, facts):
    with refused(LengthError, *facts.split()):
        encoding_words(tutorial(name), **asked)


def test_symbolic_lengths_are_explained_without_a_lane():
    made = make_static_tile_distribution(
        read_encoding(
            "tile_distribution_encoding<sequence<>, tuple<sequence<M0, 16>, sequence<4, V>>,"
            " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 2>, sequence<0, 1>>"
        )
    )
    text = encoding_words(made)
    assert "A tile of 16*M0 x 4*V elements is divided among 64 lanes." in text
    assert "Each thread holds M0*V elements, in registers numbered Y0 * V + Y1." in text
    assert "Where every symbol is above 1: registers 0 to V - 1, and every next V, hold neighbours" in text
    assert "Worked example" not in text
    with refused(LengthError):
        encoding_words(made, lane=3)
    assert "Worked example: lane 37" in encoding_words(made.bind({"M0": 2, "V": 8}))
    assert vector(made.bind({"M0": 2, "V": 8}).encoding)[0] == 8
