"""The C++ that headers are written in: what a compiler makes of it, case by case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.ck.cpp.cpp_errors import AmbiguousError, NotUnderstoodError, RejectedError
from layoutalg.ck.interpreter.cpp_values import Builtin, Constant, Sequence, Tuple
from tests.layoutalg.ck.headers import value
from tests.refusals import refused

NUMBERS = st.integers(-1000, 1000)


@given(NUMBERS, NUMBERS.filter(bool))
def test_division_truncates_as_in_cpp(a, b):
    quotient = int(a / b)  # exact for numbers this small
    assert value(f"({a}) / ({b})") == quotient
    assert value(f"({a}) % ({b})") == a - quotient * b


@given(NUMBERS, NUMBERS, NUMBERS)
def test_operators_bind_as_in_python(a, b, c):
    """For these operators both languages agree."""
    for text in ("{a} + {b} * {c}", "{a} - {b} - {c}", "({a} ^ {b}) | {c} & {a}", "{a} * ({b} + {c})"):
        written = text.format(a=f"({a})", b=f"({b})", c=f"({c})")
        assert value(written) == eval(written)  # noqa: S307


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("sizeof(float) - 8", 2**64 - 4),  # unsigned arithmetic wraps
        ("sizeof(half_t)", 2),
        ("-1 < sizeof(float)", False),
        ("1 << 4 >> 2", 4),
        ("true ? 1 : 2", 1),
        ("number<4>{} * number<3>{}", Constant(12)),
        ("number<7>{} / 2", 3),
        ("sequence<1, 2, 3>::size()", 3),
        ("sequence<4, 5>{}.at(number<1>{})", Constant(5)),
        ("std::is_same_v<sequence<1>, sequence<1>>", True),
        ("std::is_same_v<constant<true>, constant<1>>", False),
        ("std::conditional_t<(2 > 1), float, int>", Builtin("float")),
        ("make_tuple(1, number<2>{})", Tuple((1, Constant(2)))),
        ("merge_sequences(sequence<1>{}, sequence<2, 3>{})", Sequence((1, 2, 3))),
    ],
)
def test_expressions(expression, expected):
    found = value(expression, "using half_t = _Float16;")
    assert found == expected
    assert type(found) is type(expected) or isinstance(found, int)


def test_the_most_special_specialisation_is_chosen():
    text = """
    template <typename T, int N> struct S { static constexpr int v = 0; };
    template <typename T> struct S<T, 1> { static constexpr int v = 1; };
    template <int... Is> struct S<sequence<Is...>, 1> { static constexpr int v = 2; };
    template <> struct S<sequence<5>, 1> { static constexpr int v = 3; };
    """
    found = [value(f"S<{a}>::v", text) for a in ("float, 2", "float, 1", "sequence<4>, 1", "sequence<5>, 1")]
    assert found == [0, 1, 2, 3]


def test_two_specialisations_that_fit_equally_are_refused():
    text = """
    template <typename A, typename B> struct S { static constexpr int v = 0; };
    template <typename A> struct S<A, int> { static constexpr int v = 1; };
    template <typename B> struct S<int, B> { static constexpr int v = 2; };
    """
    assert value("S<int, float>::v", text) == 2
    with refused(AmbiguousError):
        value("S<int, int>::v", text)


TAGS = """
struct old_t {}; struct new_t {};
static constexpr auto banks(old_t) { return 32; }
static constexpr auto banks(new_t) { return 64; }
"""


def test_an_unnamed_parameter_of_class_type_chooses_the_overload():
    """The mistake that gave 32 banks for 64 on gfx950."""
    assert [value(f"banks({tag}{{}})", TAGS) for tag in ("old_t", "new_t")] == [32, 64]


def test_no_overload_and_two_overloads_are_refused():
    with refused(RejectedError, "banks"):
        value("banks(3)", TAGS)
    text = "template <typename T> auto f(T, int) { return 1; }"
    text += "template <typename T> auto f(int, T) { return 2; }"
    with refused(AmbiguousError, "2", "f"):
        value("f(1, 1)", text)


def test_a_failing_substitution_removes_a_candidate():
    text = """
    template <typename T, std::enable_if_t<sizeof(T) == 2, bool> = false> auto f(T) { return 2; }
    template <typename T, std::enable_if_t<sizeof(T) == 4, bool> = false> auto f(T) { return 4; }
    """
    assert value("f(1.0f)", text) == 4
    assert value("f(1)", text) == 4


def test_a_default_argument_must_have_the_type_that_was_asked_for():
    text = "template <typename T> auto f(int x, T y = number<1>{}) { return x; }"
    assert value("f<number<1>>(3)", text) == 3
    with refused(RejectedError):
        value("f<number<2>>(3)", text)


def test_a_template_compared_with_something_is_refused():
    with refused(NotUnderstoodError):
        value("S < 3", "template <int N> struct S {};")


def test_class_assertions_run_when_the_class_is_used():
    text = 'template <int N> struct S { static_assert(N % 2 == 0, "odd"); static constexpr int v = N; };'
    assert value("S<4>::v", text) == 4
    with refused(RejectedError):
        value("S<3>::v", text)


def test_packs_folds_and_lambdas():
    text = """
    template <int... Is> auto total(sequence<Is...>) { return (Is + ... + 0); }
    template <int... Is> auto doubled(sequence<Is...>) { return sequence<(2 * Is)...>{}; }
    """
    assert value("total(sequence<1, 2, 3>{})", text) == 6
    assert value("doubled(sequence<1, 2>{})", text) == Sequence((2, 4))
    assert value("[](auto i) { return i + 1; }(number<4>{})") == 5


def test_loops_and_arrays():
    text = """
    static constexpr auto f() {
        array<int, 4> a{-1};
        for(int i = 0; i < 2; i++) { a(i) = i * i; }
        static_for<2, 4, 1>{}([&](auto i) { a(i) += 10; });
        return a;
    }
    """
    assert value("f()", text).items == [0, 1, 9, 9]


def test_endless_code_is_stopped():
    with pytest.raises(NotUnderstoodError):
        value("f(1)", "auto f(int i) { return f(i); }")
    with pytest.raises(NotUnderstoodError):
        value("g()", "auto g() { while(true) { } return 1; }")


def test_an_unknown_name_is_an_error_with_its_place():
    with refused(NotUnderstoodError) as caught:
        value("f()", "auto f()\n{\n    return nothing_like_it;\n}")
    assert caught.value.place == "a.hpp:4:12"
    assert "in f (a.hpp:2:6)" in caught.value.full_text()


@pytest.mark.parametrize("text", ["using Odd = unsigned other;", "using Odd = int[4] int;"])
def test_an_alias_whose_type_is_not_read_to_its_end_is_no_type(text):
    with refused(NotUnderstoodError, "Odd"):
        value("sizeof(Odd)", text)
