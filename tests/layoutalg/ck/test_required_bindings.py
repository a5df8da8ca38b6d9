"""What ``ck needs`` prints can be pasted back: the import then lacks nothing, and reads all of it."""

from __future__ import annotations

import shlex
from collections import Counter

import pytest

from layoutalg.ck import bindings_of, builders, import_layout, read_bindings
from layoutalg.ck.cpp.cpp_errors import (
    ImportFailedError,
    NeedsBindingError,
    UndeclaredError,
    UnusedBindingError,
)
from layoutalg.ck.import_report import required_text
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.required_bindings import required_bindings
from tests.golden.ck_import import has_headers, headers
from tests.layoutalg.ck.headers import index_of

PARTS = 24
OWN = """
using half_t = _Float16;
template <index_t... Is> struct Dims {};
template <typename D> struct Tile;
template <index_t kM, index_t kN> struct Tile<Dims<kM, kN>> {
    static constexpr index_t M = kM; static constexpr index_t N = kN; };
struct Policy {
    template <typename Problem> static auto Values() {
        return make_naive_tensor_descriptor_packed(make_tuple(Problem::kM, Problem::NumWarps));
    }
    template <typename Problem> static auto Nested() {
        using S = typename Problem::Shape;
        return make_naive_tensor_descriptor_packed(make_tuple(S::kTileM, S::kTileN));
    }
    template <typename Problem> static auto Flags() {
        constexpr index_t n = Problem::kPadM ? 4 : 8;
        using T = typename Problem::ADataType;
        return make_naive_tensor_descriptor_packed(make_tuple(number<n>{}, number<sizeof(T)>{}));
    }
    template <index_t kRows, typename Kind, index_t kSpare = 3> static auto Parameters() {
        return make_naive_tensor_descriptor_packed(make_tuple(number<kRows>{}, number<sizeof(Kind)>{}));
    }
    template <typename Problem> static auto Refused() {
        static_assert(Problem::kM == 7, "seven");
        return make_naive_tensor_descriptor_packed(make_tuple(Problem::kM, Problem::kN));
    }
};
struct Object {
    index_t N_, C_;
    index_t H_ = 3;
    auto Own() const { return make_naive_tensor_descriptor_packed(make_tuple(N_, C_)); }
};
"""


def pasted(target, index, folder):
    """The bindings that the two forms of the report give when they are read back: the same ones."""
    found = required_bindings(target, {}, index=index)
    words = [w for line in required_text(found).splitlines() for w in shlex.split(line, comments=True)]
    assert words[::2] == ["--bind"] * len(found.bindings)
    file = folder / "problem.toml"
    file.write_text(required_text(found, "toml"), encoding="utf-8")
    given = bindings_of(words[1::2])
    assert read_bindings(file) == given == {one.name: one.value for one in found.bindings}
    return found, given


def require_the_law(target, index, folder):
    """An import with what is listed lacks nothing, has nothing to spare, and ends as the dry run did."""
    found, given = pasted(target, index, folder)
    error: ImportFailedError | None = None
    try:
        import_layout(target, given, index=index, spare=())
    except ImportFailedError as failed:
        error = failed
    assert not isinstance(error, NeedsBindingError | UnusedBindingError | UndeclaredError), (target, error)
    assert found.stopped_by == (error.full_text() if error else "")
    return found


@pytest.mark.parametrize(
    ("function", "names"),
    [
        ("Policy::Values", ["Problem.kM", "Problem.NumWarps"]),
        ("Policy::Nested", ["Problem.Shape.kTileM", "Problem.Shape.kTileN"]),
        ("Policy::Flags", ["Problem.kPadM", "Problem.ADataType"]),
        ("Policy::Parameters", ["kRows", "Kind"]),
        ("Policy::Refused", ["Problem.kM"]),
        ("Object::Own", ["self.N_", "self.C_"]),
    ],
)
def test_every_binding_is_listed(function, names, tmp_path):
    found = require_the_law(f"a.hpp::{function}", index_of(OWN), tmp_path)
    assert [one.name for one in found.bindings] == names
    assert bool(found.stopped_by) == (function == "Policy::Refused")


def test_names_in_the_text_of_a_shipped_binding_are_listed_too(monkeypatch, tmp_path):
    body = "return make_naive_tensor_descriptor_packed(make_tuple(Problem::Shape::M, Problem::Shape::N));"
    text = f"{OWN} struct P {{ template <typename Problem> static auto Make() {{ {body} }} }};"
    shipped = {"Problem.Shape": "Tile<Dims<kTileM, 8>>", "kTileM": 16, "kTileN": 4, "Problem.kM": 3}
    monkeypatch.setattr("layoutalg.ck.required_bindings.shipped_bindings", lambda *_: shipped)
    found = require_the_law("a.hpp::P::Make", index_of(text), tmp_path)
    told = [(one.name, one.value, one.named_by) for one in found.bindings]
    assert told == [("Problem.Shape", "Tile<Dims<kTileM, 8>>", ""), ("kTileM", 16, "Problem.Shape")]
    assert "--bind kTileM=16  # shipped default, named by Problem.Shape" in required_text(found)


def test_a_text_that_names_what_is_not_bound_says_so():
    with pytest.raises(UndeclaredError) as refused:
        import_layout("a.hpp::Policy::Values", {"Problem.kM": "kWidth * 2"}, index=index_of(OWN))
    assert refused.value.hint == "the binding Problem.kM names it: add `--bind kWidth=...`"


def test_a_mistyped_type_is_answered_by_the_near_one():
    given = {"Problem.kPadM": True, "Problem.ADataType": "hafl_t"}
    with pytest.raises(UndeclaredError) as refused:
        import_layout("a.hpp::Policy::Flags", given, index=index_of(OWN))
    assert refused.value.hint.startswith("did you mean half_t? ")


def test_what_stopped_the_dry_run_is_a_comment(tmp_path):
    found, _ = pasted("a.hpp::Policy::Refused", index_of(OWN), tmp_path)
    *_, stopped, where = required_text(found).splitlines()
    assert stopped.startswith("# stopped: rejected by CK: static_assert fails")
    assert where.startswith("#   in Policy::Refused")


@pytest.mark.parametrize(
    ("text", "value"), [("[1, 2]", (1, 2)), ("[]", ()), ("[ -1 ,0x8]", (-1, 8)), ("[a, b]", "[a, b]")]
)
def test_lists_can_be_bound_on_the_command_line(text, value):
    assert bindings_of([f"kargs.pads={text}"]) == {"kargs.pads": value}


@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT")
@pytest.mark.sample(16)
@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_listed_for_ck_functions_can_be_pasted_back(part, tmp_path):
    index = headers("gfx942")
    numbered = ordinals(builders(index))
    counts = Counter((b.file, b.name) for b in numbered)
    several = {b: f"#{n}" if counts[b.file, b.name] > 1 else "" for b, n in numbered.items()}
    targets = sorted(f"{b.file}::{b.name}{number}" for b, number in several.items())
    verdicts = Counter(not require_the_law(t, index, tmp_path).stopped_by for t in targets[part::PARTS])
    assert verdicts[True] >= 9 * verdicts[False]  # shipped defaults give a layout nearly everywhere
