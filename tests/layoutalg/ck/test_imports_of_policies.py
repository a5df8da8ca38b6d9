"""Imports: the layout, the verdict words, and what is said of assertions, divisions and missing bindings."""

from __future__ import annotations

import json

import pytest

from layoutalg.ck import attempt, bindings_of, import_layout, symbol
from layoutalg.ck.cpp.cpp_errors import NeedsBindingError, NotUnderstoodError, RejectedError
from layoutalg.ck.emit_import import emitted
from layoutalg.ck.importer import example_index
from layoutalg.ck.required_bindings import required_bindings
from layoutalg.ck.symbolic_imports import import_symbolic
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.errors import LayoutError
from tests.layoutalg.ck.headers import index_of, policy
from tests.refusals import refused

TARGET = "policy.hpp::Policy::MakeDesc"
NAIVE = "return make_naive_tensor_descriptor(make_tuple({a}, {b}), make_tuple({b}, number<1>{{}}));"


def test_the_layout_is_the_one_the_library_makes():
    found = policy("constexpr int k = Problem::k;" + NAIVE.format(a="number<k>{}", b="8"), {"Problem.k": 4})
    assert found.layout == make_naive_tensor_descriptor((4, 8), (8, 1))
    assert found.read == ("Problem.k",)


def test_the_four_words():
    index = example_index()
    assert attempt(TARGET, {"Problem.kM": 8}, index=index).verdict == "imported"
    assert attempt(TARGET, {}, index=index).verdict == "needs bindings"
    assert attempt(TARGET, {"Problem.kM": 9}, index=index).verdict == "rejected by CK"
    assert attempt(TARGET, {"Problem.kM": "half_t_of_nowhere"}, index=index).verdict == "not understood"


def test_a_missing_binding_says_where_and_how():
    with pytest.raises(NeedsBindingError) as caught:
        import_layout(TARGET, {}, index=example_index())
    text = caught.value.full_text()
    assert "Problem::kM is not bound (policy.hpp:8:41)" in text
    assert "in Policy::MakeDesc" in text
    assert "add `--bind Problem.kM=...`" in text


def test_a_false_assertion_carries_its_message():
    with refused(RejectedError, "kM", "8"):
        import_layout(TARGET, {"Problem.kM": 12}, index=example_index())


def test_an_assertion_that_cannot_be_evaluated_is_listed():
    found = policy("static_assert(no_such_thing(3)); " + NAIVE.format(a=2, b=2))
    assert list(found.not_checked.values()) == [
        "not understood: no_such_thing is declared nowhere in the headers"
    ]


def test_a_division_with_a_remainder_is_listed():
    found = policy("constexpr int n = 7 / 2; " + NAIVE.format(a="n", b=2))
    assert list(found.inexact.values()) == ["7 / 2 = 3, remainder 1"]
    assert not policy("constexpr int n = 8 / 2; " + NAIVE.format(a="n", b=2)).inexact


def test_a_length_of_zero_is_refused():
    with refused(NotUnderstoodError, "1", "0"):
        policy("constexpr int n = 1 / 2; " + NAIVE.format(a="n", b=2))


def test_a_wrong_number_of_arguments_is_rejected():
    with refused(RejectedError, "make_xor_transform", "2"):
        policy("return make_xor_transform(make_tuple(2, 2), 1);")


def test_lengths_that_do_not_fit_are_listed_as_ck_does_not_check_them():
    body = """return transform_tensor_descriptor(
        make_naive_tensor_descriptor_packed(make_tuple(4, 8)),
        make_tuple(make_merge_transform(make_tuple(4, 9))),
        make_tuple(sequence<0, 1>{}), make_tuple(sequence<0>{}));"""
    assert "made for a dimension of length 9" in next(iter(policy(body).mismatched.values()))


def test_what_is_no_layout_is_refused():
    with refused(NotUnderstoodError):
        policy("return 3;")


def test_nothing_outside_the_headers_is_known():
    for text in ("__import__", "open", "eval"):
        with refused(NotUnderstoodError):
            policy(f'return {text}("os");')


def test_which_function_is_meant_must_be_clear():
    index = index_of(
        "struct P { "
        + "template <typename T> static auto Make(T) { return make_cluster_descriptor(T{}); }" * 2
        + "};"
    )
    with refused(NotUnderstoodError, "2"):
        import_layout("a.hpp::P::Make", {}, index=index)
    with refused(NotUnderstoodError, "P::Other"):
        import_layout("a.hpp::P::Other", {}, index=index)
    with refused(NotUnderstoodError):
        import_layout("b.hpp::P::Make", {}, index=index)


def test_needs_lists_every_binding_in_one_run():
    body = "constexpr int n = Problem::kM * Problem::NumWarps; using T = typename Problem::ADataType; "
    body += NAIVE.format(a="n", b="sizeof(T)")
    text = f"struct P {{ template <typename Problem> static auto Make() {{ {body} }} }};"
    index = index_of("using half_t = _Float16;" + text)
    found = required_bindings("a.hpp::P::Make", {}, index=index)
    assert [w.name for w in found.bindings] == ["Problem.kM", "Problem.NumWarps", "Problem.ADataType"]
    assert found.stopped_by == ""


@pytest.mark.parametrize("text", ["Problem.k", "=3", "a=symbol(most=3)"])
def test_bindings_that_are_none_are_refused(text):
    with pytest.raises(LayoutError):
        bindings_of([text])


def test_python_text_builds_the_same_layout():
    found = import_layout(TARGET, {"Problem.kM": 64}, index=example_index())
    names: dict[str, object] = {}
    exec(emitted(found, "py", {}), names)  # noqa: S102
    assert names["make_desc"] == found.layout


def test_json_has_the_structure():
    found = import_layout(TARGET, {"Problem.kM": 64}, index=example_index())
    content = json.loads(emitted(found, "json", {"Problem.kM": 64}))
    assert content["lengths"] == [64, 8]
    assert content["structure"]["transforms"][0]["params"]["coefficients"] == [8, 1]


def test_a_size_left_open_gives_the_layouts_of_all_its_values():
    open_size = {"Problem.kM": symbol(min=8, multiple_of=8)}
    (path,) = import_symbolic(TARGET, open_size, index=example_index())
    assert path.conditions == ()
    assert path.found is not None
    for size in (8, 64, 800):
        bound = path.found.layout.bind({"kM_over_8": size // 8})
        assert bound == import_layout(TARGET, {"Problem.kM": size}, index=example_index()).layout


def test_an_assertion_on_an_open_size_is_assumed_and_listed():
    (path,) = import_symbolic(TARGET, {"Problem.kM": symbol()}, index=example_index())
    assert path.found is not None
    assert [str(c) for c in path.found.assumed.values()] == ["Eq(kM % 8, 0)"]


FORK = "constexpr int k = Problem::k; if constexpr(k > 16) {{ {yes} }} else {{ {no} }}".format(
    yes=NAIVE.format(a="k", b=4), no=NAIVE.format(a=4, b="k")
)


def test_an_open_branch_forks_and_each_path_holds_where_it_says():
    text = f"struct Policy {{ template <typename Problem> static auto Make() {{ {FORK} }} }};"
    index = index_of(text)
    paths = import_symbolic("a.hpp::Policy::Make", {"Problem.k": symbol()}, index=index)
    assert len(paths) == 2
    for size in (3, 16, 17, 40):
        (path,) = [
            p for p in paths if all(bool(c.subs(next(iter(c.free_symbols)), size)) for c in p.conditions)
        ]
        assert path.found is not None
        concrete = import_layout("a.hpp::Policy::Make", {"Problem.k": size}, index=index).layout
        assert path.found.layout.bind({"k": size}) == concrete
    (only,) = import_symbolic("a.hpp::Policy::Make", {"Problem.k": symbol(min=17)}, index=index)
    assert only.conditions == ()


@pytest.mark.parametrize(
    "condition", ["std::is_same_v<sequence<1, 2>, sequence<2>>", "1 == 2 && f(1, 2)"], ids=["types", "call"]
)
def test_a_false_assertion_without_a_message_is_told_whole(condition):
    with pytest.raises(RejectedError) as caught:
        policy(f"static_assert({condition}); {NAIVE.format(a=2, b=2)}")
    whole = condition.removeprefix("std::")
    assert caught.value.full_text().startswith(f"rejected by CK: static_assert fails: {whole} (")
