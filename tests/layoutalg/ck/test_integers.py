"""C++'s integers: types of literals, promotion, wraparound, conversions; a C++ compiler is the oracle."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.ck.cpp import integer_types as integers
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NotUnderstoodError, RejectedError, nested_code
from layoutalg.ck.cpp.integer_types import TYPES, Integer, fits, integer, kind_of
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.interpreter.cpp_values import Enumerator
from layoutalg.ck.open_sizes.open_size import symbol
from layoutalg.ck.symbolic_imports import import_symbolic
from tests.layoutalg.ck.clang import needs_compiler
from tests.layoutalg.ck.headers import index_of, policy, value
from tests.layoutalg.ck.integer_cases import CASES
from tests.layoutalg.ck.integer_programs import SHARED, Program, answers, programs
from tests.refusals import refused


def read(program: Program):
    """The value modulo 2**64 and the type that the reader finds; None where it refuses, with a place."""
    interp = interpreter(index_of(SHARED + program.text))
    try:
        with nested_code():
            found = interp.evaluate(read_expression(program.question), interp.space("ck_tile"))
    except ImportFailedError as error:
        return None if error.place else (error.message, "without a place")
    number = found.value if isinstance(found, Enumerator) else found
    return int(number) % 2**64, kind_of(found) if isinstance(found, int) else ""


def compare(rows: list[Program], said: list[tuple[int, str] | None]) -> tuple[int, int, int, list[str]]:
    """How many agree, are refused by both, are refused here alone, and what differs."""
    agree = both = here = 0
    differ = []
    for row, wanted in zip(rows, said, strict=True):
        got = read(row)
        both += got is None and wanted is None
        here += got is None and wanted is not None
        agree += got is not None and got == wanted
        if got is not None and got != wanted:
            differ.append(f"{row.text} {row.question}: a compiler says {wanted}, the reader {got}")
    return agree, both, here, differ


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(("seed", "count"), [(1, 300), pytest.param(2, 3000, marks=pytest.mark.slow)])
def test_a_compiler_works_out_the_same(seed, count, tmp_path):
    """What it refuses, the reader refuses too; and hardly anything else."""
    rows = programs(seed, count)
    agree, both, here, differ = compare(rows, answers(rows, str(tmp_path)))
    assert differ == []
    assert here <= agree // 200, "honest, but too often"
    assert 0.1 * agree < both < 0.5 * agree


FEW = CASES + programs(3, 60)


@pytest.fixture(scope="module")
def said_of_few(tmp_path_factory):
    return answers(FEW, str(tmp_path_factory.mktemp("few")))


@needs_compiler
def test_a_compiler_works_out_the_same_of_cases_by_hand(said_of_few):
    _, both, here, differ = compare(CASES, said_of_few[: len(CASES)])
    assert (differ, here) == ([], 0)
    assert both >= 50


@needs_compiler
@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(
            {"unsigned char": dataclasses.replace(TYPES["unsigned char"], bits=16)},
            marks=pytest.mark.slow,
        ),
        {"unsigned int": dataclasses.replace(TYPES["unsigned int"], bits=64)},
        {"short": dataclasses.replace(TYPES["short"], rank=4)},
        {"char": dataclasses.replace(TYPES["char"], is_signed=False)},
        {"long": dataclasses.replace(TYPES["long"], bits=32)},
    ],
)
def test_a_wrong_model_is_caught(wrong, said_of_few, monkeypatch):
    integers.common.cache_clear()
    for name, kind in wrong.items():
        monkeypatch.setitem(TYPES, name, kind)
    try:
        assert compare(FEW, said_of_few)[-1] != []
    finally:
        integers.common.cache_clear()


@given(st.sampled_from([k for k in TYPES if k != "bool"]), st.integers(-(2**70), 2**70))
def test_a_number_wraps_at_the_width_of_its_type(kind, number):
    found = integer(kind, number)
    assert kind_of(found) == kind
    assert fits(kind, found)
    assert (int(found) - number) % 2 ** TYPES[kind].bits == 0


@pytest.mark.parametrize(
    ("body", "length"),
    [
        ("constexpr unsigned x = 0u - 1u; constexpr index_t y = x % 7;", 3),
        ("constexpr index_t y = static_cast<int8_t>(300);", 44),
        ("constexpr uint8_t y = 260;", 4),
        ("constexpr index_t y = ~0u >> 28;", 15),
        ("constexpr index_t y = static_cast<index_t>(4294967303LL);", 7),
        ("constexpr auto y = sizeof(float) * 2;", 8),
    ],
)
def test_a_layout_has_the_length_that_a_compiler_gives_it(body, length):
    found = policy(f"{body} return make_naive_tensor_descriptor_packed(make_tuple(number<y>{{}}));").layout
    assert found.lengths == (length,)
    assert type(found.lengths[0]) is int


@pytest.mark.parametrize(
    ("body", "error", "column"),
    [
        ("constexpr index_t x = 2147483647; constexpr index_t y = x + 1;", RejectedError, "overflow"),
        ("constexpr index_t y = 1 << 32;", RejectedError, "int has 32 bits"),
        ("constexpr int8_t y{300};", RejectedError, "does not fit signed char"),
        ("constexpr auto y = number<(1 << 4) >> 1>{};", NotUnderstoodError, "wanted an operand"),
    ],
)
def test_what_no_compiler_accepts_is_refused_with_its_place(body, error, column):
    with pytest.raises(error) as caught:
        policy(f"{body} return make_naive_tensor_descriptor_packed(make_tuple(number<y>{{}}));")
    assert caught.value.place.startswith("a.hpp:3:")
    assert column in caught.value.message or "does not fit int" in caught.value.message


def test_bits_are_cast_between_integers_of_one_width_only():
    assert value("bit_cast<uint32_t>(-1)") == 2**32 - 1
    for text in ("bit_cast<uint32_t>(1.0f)", "bit_cast<uint64_t>(-1)", "bit_cast<float>(1)"):
        with refused(NotUnderstoodError, "bit_cast"):
            value(text)


def test_a_choice_whose_other_branch_does_not_tell_its_type_is_refused():
    text = "struct A {}; auto g(A) { return 2u; } auto f(bool c) { return c ? 1 : g(nothing); }"
    with refused(NotUnderstoodError):
        value("f(true)", text)


def test_numbers_that_are_bound_have_the_types_of_literals():
    text = "make_naive_tensor_descriptor_packed(make_tuple(number<Problem::kM / 1048576>{}))"
    assert policy(f"return {text};", {"Problem.kM": 2**32}).layout.lengths == (4096,)
    with refused(RejectedError, "int"):
        policy(f"return {text.replace('/ 1048576', '* 2')};", {"Problem.kM": 2**30})


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("static_cast<index_t>(kM) / 4", "2*kM_over_8"),
        ("static_cast<size_t>(kM) * 2u", "16*kM_over_8"),
        ("(kM > 0 ? kM : 7)", "8*kM_over_8"),
        ("(kM > 0 ? 3 : kM)", "3"),
        ("(!kM ? 3u : kM + 1)", "8*kM_over_8 + 1"),
    ],
)
def test_open_sizes_keep_their_place_among_numbers(expression, text):
    body = "constexpr index_t kM = Problem::kM; return make_naive_tensor_descriptor_packed(make_tuple("
    head = "template <typename Problem> static constexpr auto Make()"
    index = index_of(f"struct Policy {{ {head} {{ {body}{expression})); }} }};")
    given = {"Problem.kM": symbol(min=8, multiple_of=8)}
    (path,) = import_symbolic("a.hpp::Policy::Make", given, index=index)
    assert path.found is not None, path.failure
    assert str(path.found.layout.lengths[0]) == text


def test_an_open_size_is_not_cut():
    head = "template <typename Problem> static constexpr auto Make()"
    body = "return make_naive_tensor_descriptor_packed(make_tuple(static_cast<int8_t>(Problem::kM)));"
    index = index_of(f"struct Policy {{ {head} {{ {body} }} }};")
    (path,) = import_symbolic("a.hpp::Policy::Make", {"Problem.kM": symbol(min=8)}, index=index)
    assert "a size not known, as signed char" in path.failure


def test_numbers_of_other_types_are_no_part_of_layouts():
    found = value("make_tuple(3u, sequence<sizeof(int)>{}, number<4u>{})")
    assert isinstance(found.items[0], Integer)
    assert [type(v) for v in (*found.items[1].values, found.items[2].value)] == [int, int]
