"""A mistyped target is an error that names the near ones, wherever one is taken."""

from __future__ import annotations

import inspect

import pytest
import typer

from layoutalg.check.from_ck import subject_from_ck
from layoutalg.check.layout_file import obligations_of
from layoutalg.ck import Index, load
from layoutalg.ck.cpp.preprocessor import target_macros
from layoutalg.ck.importer import EXAMPLE
from layoutalg.cli.main import app
from layoutalg.codegen.compile import compile_hip, compile_source
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.machine.lds import LdsPhases
from layoutalg.machine.occupancy import ComputeUnit, occupancy
from layoutalg.machine.target import PRODUCTS, TARGET_NAMES, TARGETS, Target, known_target
from layoutalg.mma import MatrixInstruction
from layoutalg.pictures.views.mma import instruction_named
from layoutalg.term.cost import PRICES
from tests.refusals import refused

WRONG = {  # as typed, and what the message must name
    "mi350x": "gfx950",
    "MI300X": "gfx942",
    "GFX950": "gfx950",
    "gfx95O": "gfx950",
    "gfx9999": "gfx9",
    "gfx-950": "gfx950",
    " gfx942": "gfx942",
    "gfx942:sramecc+": "gfx942",
    "": "gfx942",
}
MFMA = "v_mfma_f32_32x32x8_f16"
LAYOUT_FILE = """
[layout.threads]
base = {{ packed = [32, 64] }}
[layout.memory]
base = {{ packed = [32, 64] }}
claims = [{{ claim = "conflict-free", by = "threads", access = "read", element = "f16", target = {target} }}]
"""
ENTRIES = {
    "Target.named": Target.named,
    "ComputeUnit.of": ComputeUnit.of,
    "occupancy": lambda t: occupancy(t, vgprs=1, sgprs=1, lds_bytes=0, threads=64),
    "GlobalMemory.of": GlobalMemory.of,
    "LdsPhases.of": lambda t: LdsPhases.of(t, "read", 32),
    "MatrixInstruction.of_target": MatrixInstruction.of_target,
    "MatrixInstruction.named": lambda t: MatrixInstruction.named(MFMA, t),
    "instruction_named": lambda t: instruction_named(MFMA, t),
    "DataType.on": lambda t: DataType.named("f16").on(t),
    "DataType.on, of several meanings": lambda t: DataType.named("f8").on(t),
    "target_macros": target_macros,
    "Index": lambda t: Index(t, {}),
    "compile_source": lambda t: compile_source("", t),
    "compile_hip": lambda t: compile_hip("", t),
    "from_ck": lambda t: subject_from_ck("a", {"target": "a.hpp::f", "arch": t}),
    "layout file": lambda t: obligations_of(LAYOUT_FILE.format(target=repr(t)), "a.layout.toml"),
    "kernel choice": lambda t: _refused(Choice("gemm", t, "f16", {})),
}


def _refused(choice):
    if choice.refusal:
        raise LayoutError(choice.refusal)


@pytest.mark.sample(4)
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_mistyped_target_is_refused_and_the_near_ones_named(entry, wrong):
    with pytest.raises(LayoutError) as caught:
        ENTRIES[entry](wrong)
    assert WRONG[wrong] in str(caught.value)
    assert "\n" not in str(caught.value)


NO_NAMES = [
    (entry, wrong)
    for entry in ENTRIES
    if not entry.startswith(("compile", "layout"))
    for wrong in (942, None, ["gfx942"])
    if wrong is not None or entry not in {"MatrixInstruction.named", "instruction_named"}  # left out: any
]


@pytest.mark.parametrize(("entry", "wrong"), NO_NAMES)
def test_what_is_no_name_is_refused_too(entry, wrong):
    with pytest.raises(LayoutError):
        ENTRIES[entry](wrong)


def test_headers_are_not_read_for_a_target_that_is_not_there(tmp_path):
    (tmp_path / "include" / "ck_tile").mkdir(parents=True)
    with refused(LayoutError, hint="gfx950"):
        load(tmp_path, "GFX950")


def options_of_targets():
    """Every command's option that takes a target, found by its name; a new one is found too."""

    def walk(command, path):
        if hasattr(command, "commands"):
            for name, inner in command.commands.items():
                yield from walk(inner, (*path, name))
        else:
            for parameter in command.params:
                if {"--target", "--arch", "--gpu", "--targets"} & set(parameter.opts):
                    yield (*path, parameter.opts[0]), command

    yield from walk(typer.main.get_command(app), ())


OPTIONS = dict(options_of_targets())
ARGUMENTS = {
    "TARGET": "ops/policy.hpp::Policy::MakeDesc",
    "EXPRESSION": "x",
    "INSTRUCTION": MFMA,
    "LAYOUT": "lane",
    "FAMILY": "copy",
    "SOURCE": "f.hip",
    "SOURCES": "f.hip",
    "WHAT": "copy",
    "FILE": "f.hip",
    "OLD": ".",
    "NEW": ".",
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("wrong", ["mi350x", "GFX950", "gfx9999", "gfx95O"])
@pytest.mark.parametrize("option", OPTIONS, ids=" ".join)
def test_every_option_of_a_command_refuses_it(option, wrong, tmp_path, monkeypatch):
    folder = tmp_path / "include" / "ck_tile" / "ops"
    folder.mkdir(parents=True)
    (folder / "policy.hpp").write_text(EXAMPLE)
    (tmp_path / "f.hip").write_text("")
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    *path, name = option
    needed = [p for p in OPTIONS[option].params if p.param_type_name == "argument" and p.required]
    given = [ARGUMENTS[p.name.upper()] for p in needed]
    with pytest.raises(LayoutError) as caught:
        typer.main.get_command(app)([*path, *given, name, wrong], standalone_mode=False)
    assert {"mi350x": "gfx950", "gfx9999": "gfx9"}.get(wrong, "gfx950") in str(caught.value)


def test_the_options_are_those_that_are_known():
    assert {" ".join(option) for option in OPTIONS} == {
        *(f"ck {name} --arch" for name in ("list", "needs", "import", "show", "check", "diff", "sweep")),
        *(
            f"{name} --target"
            for name in (
                "demo",
                "simplify",
                "show",
                "mma",
                "banks",
                "kernel",
                "compile",
                "run",
                "sanitize",
                "lift",
                "validate",
            )
        ),
    }


def test_the_names_are_those_of_the_table():
    assert tuple(TARGETS) == TARGET_NAMES
    assert set(PRODUCTS) == set(TARGET_NAMES)
    assert all(known_target(name) == name for name in TARGET_NAMES)
    with refused(LayoutError, "gfx1100"):
        known_target("gfx1100", ("gfx942",))


def test_price_lists_and_machine_tables_name_no_other_target():
    assert set(PRICES) - {"gfx9", "cuda", "x86-64", "operations"} <= set(TARGET_NAMES)
    signature = inspect.signature(known_target)
    assert list(signature.parameters) == ["name", "known", "where"]
