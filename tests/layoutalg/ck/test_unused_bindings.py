"""A binding that is stated and that nothing reads is an error with the near names, wherever it is stated."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from layoutalg.ck import attempt, import_layout
from layoutalg.ck.cpp.cpp_errors import UnusedBindingError
from layoutalg.ck.open_sizes.open_size import symbol
from layoutalg.ck.required_bindings import required_bindings
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.ck.symbolic_imports import import_symbolic
from layoutalg.cli.main import app
from tests.golden.ck_import import has_headers, headers
from tests.layoutalg.ck.headers import index_of
from tests.refusals import refused

HEADER = """
struct Policy {
    template <typename Problem> static constexpr auto Make() {
        constexpr index_t kM = Problem::kTileM;
        constexpr index_t kN = Problem::Shape::kTileN;
        return make_naive_tensor_descriptor_packed(make_tuple(number<kM>{}, number<kN>{}));
    }
    template <index_t kRows> static constexpr auto Rows() {
        return make_naive_tensor_descriptor_packed(make_tuple(number<kRows>{}));
    }
    struct Args { index_t N; index_t C; };
    static auto Given(const Args& args) {
        return make_naive_tensor_descriptor_packed(make_tuple(args.N, args.C));
    }
};
struct Object {
    index_t N_;
    auto Own() const { return make_naive_tensor_descriptor_packed(make_tuple(N_, 4)); }
};
"""
GOOD = {
    "Make": {"Problem.kTileM": 8, "Problem.Shape.kTileN": 4},
    "Rows": {"kRows": 8},
    "Given": {"args.N": 3, "args.C": 5},
    "Own": {"self.N_": 3},
}
CASES = [  # a function, what is mistyped, and the name that must be told
    ("Make", "Problem.kTilem", "Problem.kTileM"),
    ("Make", "Problem.TileM", "Problem.kTileM"),
    ("Make", "problem.kTileM", "Problem.kTileM"),
    ("Make", "Problem.Shape.kTilesN", "Problem.Shape.kTileN"),
    ("Make", "kTileM", "Problem.kTileM"),
    ("Make", "Problem.kBlockSize", "Problem.kTileM"),
    ("Make", "self.kTileM", "Problem.kTileM"),
    ("Rows", "kRow", "kRows"),
    ("Rows", "krows", "kRows"),
    ("Given", "arg.N", "args.N"),
    ("Given", "args.n", "args.N"),
    ("Own", "self.N", "self.N_"),
    ("Own", "N_", "self.N_"),
]


def target(function):
    return f"a.hpp::{'Object' if function == 'Own' else 'Policy'}::{function}"


@pytest.mark.parametrize("function", GOOD)
def test_what_is_read_is_accepted(function):
    found = import_layout(target(function), GOOD[function], index=index_of(HEADER))
    assert set(GOOD[function]) <= set(found.read)


@pytest.mark.parametrize(("function", "wrong", "near"), CASES)
def test_a_binding_too_many_is_refused_with_the_near_names(function, wrong, near):
    stated = GOOD[function] | {wrong: 64}
    with pytest.raises(UnusedBindingError) as caught:
        import_layout(target(function), stated, index=index_of(HEADER))
    assert wrong in caught.value.message
    assert near in caught.value.hint
    assert "\n" not in str(caught.value)
    assert attempt(target(function), stated, index=index_of(HEADER)).verdict == "unused binding"
    with pytest.raises(UnusedBindingError):
        required_bindings(target(function), stated, index=index_of(HEADER))
    spare = import_layout(target(function), stated, index=index_of(HEADER), spare=[wrong])
    assert wrong not in spare.read


@pytest.mark.parametrize(("function", "wrong", "near"), [case for case in CASES if case[0] == "Make"])
def test_open_sizes_are_no_way_around(function, wrong, near):
    stated = GOOD[function] | {"Problem.kTileM": symbol(), wrong: 64}
    with pytest.raises(UnusedBindingError) as caught:
        import_symbolic(target(function), stated, index=index_of(HEADER))
    assert near in caught.value.hint


def test_what_is_missing_tells_of_what_was_mistyped():
    said = attempt(target("Make"), {"Problem.kTilem": 8, "Problem.Shape.kTileN": 4}, index=index_of(HEADER))
    assert said.verdict == "needs bindings"
    assert "Problem.kTilem is bound, but not read" in said.message


@pytest.fixture
def run(tmp_path, monkeypatch):
    folder = tmp_path / "tree" / "include" / "ck_tile"
    folder.mkdir(parents=True)
    (folder / "a.hpp").write_text(f"namespace ck_tile {{ {HEADER} }}")
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path / "tree"))

    def command(*arguments):
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        return result.exit_code, result.output + str(result.exception or "")

    return command


@pytest.mark.sample(30)
@pytest.mark.parametrize("command", ["import", "show", "check", "needs"])
@pytest.mark.parametrize("by_file", [False, True])
@pytest.mark.parametrize(("function", "wrong", "near"), CASES)
def test_every_command_refuses_it(run, tmp_path, command, by_file, function, wrong, near):
    file = tmp_path / "bind.toml"
    file.write_text("\n".join(f'"{k}" = {v}' for k, v in (GOOD[function] | {wrong: 64}).items()))
    bound = [part for k, v in GOOD[function].items() for part in ("--bind", f"{k}={v}")]
    given = ["--bind-file", file] if by_file else [*bound, "--bind", f"{wrong}=64"]
    code, said = run("ck", command, target(function), *given)
    assert code != 0
    assert wrong in said
    assert near in said
    assert run("ck", command, target(function), *bound)[0] == 0


@pytest.mark.parametrize(("function", "wrong", "near"), CASES)
def test_a_layout_file_refuses_it(run, tmp_path, function, wrong, near):
    rows = ", ".join(f'"{k}" = {v}' for k, v in (GOOD[function] | {wrong: 64}).items())
    file = tmp_path / "a.layout.toml"
    file.write_text(f'[layout.a]\nfrom_ck = {{ target = "{target(function)}", bind = {{ {rows} }} }}\n')
    code, said = run("check", file)
    assert code != 0
    assert wrong in said
    assert near in said


def test_what_is_emitted_is_read_again(run, tmp_path):
    bound = [part for k, v in GOOD["Make"].items() for part in ("--bind", f"{k}={v}")]
    code, text = run("ck", "import", target("Make"), *bound, "--emit", "toml")
    assert code == 0
    file = tmp_path / "b.layout.toml"
    file.write_text(text)
    assert run("check", file)[0] == 0


@pytest.mark.slow
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
def test_shipped_bindings_may_go_unused_and_others_may_not():
    where = "include/ck_tile/ops/gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp"
    name = "UniversalGemmBasePolicy::MakeALdsBlockDescriptor"
    index = headers("gfx942")
    shipped = default_bindings(where, name, index=index)
    assert import_layout(f"{where}::{name}", shipped, index=index).verdict == "imported"
    for wrong in ("Problem.ADatatype", "Problem.kMPerBlock"):
        with refused(UnusedBindingError, wrong):
            import_layout(f"{where}::{name}", shipped | {wrong: 64}, index=index)
