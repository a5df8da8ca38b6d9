"""What differs between versions of CK: arguments by name, alternatives that fit, names of HIP's own."""

from __future__ import annotations

import pytest

from layoutalg.ck import import_layout, shipped_bindings
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, UndeclaredError
from layoutalg.ck.named_arguments import positional
from layoutalg.ck.shipped_bindings import default_bindings
from tests.layoutalg.ck.headers import index_of, policy
from tests.refusals import refused

SHAPES = """
template <typename Tile_, typename Warps_, int kPad_ = 0, bool kLast_ = false> struct Shape;
template <typename Tile_, typename Warps_> struct Shape<Tile_, Warps_, 1, true> {};
using Plain = int;
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Shape<Warps=sequence<1>, Tile=sequence<2, 3>>", "Shape<sequence<2, 3>, sequence<1>>"),
        ("Shape<Tile_=a, Warps_=b, kPad=4>", "Shape<a, b, 4>"),
        ("tuple<Shape<Tile=a, Warps=Shape<Warps=x, Tile=y>>, int>", "tuple<Shape<a, Shape<y, x>>, int>"),
        ("Shape<sequence<1>, sequence<2>>", "Shape<sequence<1>, sequence<2>>"),
        ("kM < 4 && kN == 3", "kM < 4 && kN == 3"),
        ("kM<4", "kM<4"),
        ("Plain<>", "Plain<>"),
    ],
)
def test_arguments_go_where_the_headers_declare_them(text, wanted):
    assert positional(text, index_of(SHAPES)) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Shape<Tile=a>", "no argument Warps"),
        ("Shape<Tile=a, Warps=b, kPadd=1>", "no parameter kPadd .did you mean kPad"),
        ("Shape<Tile=a, Warps=b, kLast=true>", "kPad has a default"),
        ("Other<Tile=a>", "Other is declared nowhere"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(text, said):
    with pytest.raises(NotUnderstoodError) as caught:
        positional(text, index_of(SHAPES))
    shown = f"{caught.value.message} ({caught.value.hint})"
    assert all(part in shown for part in said.split(" .")), shown


def test_a_text_of_the_caller_may_name_arguments():
    before = "template <int kM_, int kN_> struct Shape { static constexpr int kM = kM_; };"
    body = """
        return make_naive_tensor_descriptor_packed(make_tuple(number<Problem::Shape::kM>{}, number<8>{}));
    """
    found = policy(body, {"Problem.Shape": "Shape<kN=2, kM=64>"}, before)
    assert found.layout.lengths == (64, 8)


def test_of_alternatives_the_first_is_taken_that_these_headers_have(monkeypatch):
    rows = [
        {
            "paths": ["a.hpp"],
            "functions": ["Policy"],
            "bind": {
                "Problem.Shape": ["Newer<Tile=x>", "Shape<Warps=w, Tile=t, kMore=1>", "Older<1>"],
                "Problem.Plain": "Plain<>",
                "Problem.kM": 4,
            },
        }
    ]
    monkeypatch.setattr(shipped_bindings, "_defaults", lambda: rows)
    assert default_bindings("a.hpp", "Policy::Make", index=index_of(SHAPES)) == {
        "Problem.Shape": "Shape<t, w>",
        "Problem.Plain": "Plain",
        "Problem.kM": 4,
    }
    assert default_bindings("a.hpp", "Other::Make", index=index_of(SHAPES)) == {}


ROWS = "return make_naive_tensor_descriptor_packed(make_tuple(number<{}>{{}}, number<8>{{}}));"


@pytest.mark.parametrize(("arch", "lanes"), [("gfx942", 64), ("gfx1100", 32)])
def test_the_wave_size_is_that_of_the_target(arch, lanes):

    text = f"struct Policy {{ static constexpr auto Make() {{ {ROWS.format('warpSize')} }} }};"
    found = import_layout("a.hpp::Policy::Make", {}, index=index_of(text, arch))
    assert found.layout.lengths == (lanes, 8)


def test_the_wave_size_may_be_bound_and_a_place_in_a_launch_must_be():
    assert policy(ROWS.format("warpSize"), {"warpSize": 16}).layout.lengths == (16, 8)
    assert policy(ROWS.format("blockDim.x"), {"blockDim.x": 128}).layout.lengths == (128, 8)
    with refused(UndeclaredError, "blockDim"):
        policy(ROWS.format("blockDim.x"))
