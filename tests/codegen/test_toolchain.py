"""Which compiler is taken: the clang that ``LAYOUTALG_CLANG`` names, or it is refused with a reason."""

import sys

import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.compile.toolchain import NAMED_BY, toolchains
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.transpose import permute
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.errors import ToolError, UnfitCompilerError
from layoutalg.machine import Target
from tests.refusals import refused

ZIG = f'exec "{sys.executable}" -m ziglang'
LINKER = "#!/bin/sh\n" + ZIG + ' ld.lld "$@"\n'


@pytest.fixture(autouse=True)
def anew():
    """Compilers are looked for again, here and after."""
    toolchains.cache_clear()
    yield
    toolchains.cache_clear()


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def named_clang(folder, *, targets="amdgcn", linker=None):
    """A program that calls itself clang, and is the wheel's where it is to compile."""
    linker = script(folder / "ld.lld", LINKER) if linker is None else linker
    return script(
        folder / "clang",
        "#!/bin/sh\n"
        f'case "$1" in --print-targets) echo "  {targets} - AMD GCN GPUs"; exit;;\n'
        f'--print-prog-name=ld.lld) echo "{linker}"; exit;; esac\n' + ZIG + ' clang "$@"\n',
    )


def test_the_named_clang_compiles_what_runs(tmp_path, monkeypatch):
    monkeypatch.setenv(NAMED_BY, named_clang(tmp_path))
    kernel = permute((64, 96), (1, 0), "f16")
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    assert toolchains()[0].name == compiled.toolchain == "clang"
    task = Launch(kernel, compiled, {}, inputs_of(kernel, {}, "integers", 0))
    assert compare_outputs(task, CpuExecutor().run(task).outputs)["out"].is_good


def clang_without_gfx950(folder):
    """A clang that says that it knows another GPU in its place."""
    named = named_clang(folder)
    return script(
        folder / "old",
        f'#!/bin/sh\n"{named}" "$@" > "$0.said" 2>&1; code=$?\n'
        'sed "s/gfx950/gfx951/" "$0.said"; exit $code\n',
    )


def test_a_gpu_that_the_compiler_does_not_know_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv(NAMED_BY, clang_without_gfx950(tmp_path))
    text = permute((64, 96), (1, 0), "f16").text
    with pytest.raises(UnfitCompilerError, match="gfx950"):
        compile_hip(text, Target.named("gfx950"))
    compile_hip(text, Target.named("gfx942"))


@pytest.mark.long
def test_a_plan_for_a_gpu_that_the_compiler_does_not_know_is_handed_out(tmp_path, monkeypatch):
    monkeypatch.setenv(NAMED_BY, clang_without_gfx950(tmp_path))
    told = CliRunner().invoke(app, ["kernel", "gemm", "--target", "gfx950", "-o", str(tmp_path / "gemm.hip")])
    assert told.exit_code == 0
    assert "does not know gfx950" in told.output
    assert "claims proved" in told.output


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda folder: str(folder / "no such clang"), "wanted a clang that can be started"),
        (lambda folder: named_clang(folder, targets="x86-64"), "no target amdgcn"),
        (lambda folder: named_clang(folder, linker="no-such-ld.lld"), "no ld.lld beside"),
    ],
)
def test_a_clang_that_will_not_do_is_refused(tmp_path, monkeypatch, made, said):
    monkeypatch.setenv(NAMED_BY, made(tmp_path))
    with refused(ToolError, NAMED_BY):
        toolchains()
    told = " ".join(CliRunner().invoke(app, ["doctor"]).output.split())
    assert f"missing compiler {NAMED_BY}: " in told
    assert said in told


@pytest.mark.slow
def test_a_clang_that_leaves_out_bytes_of_block_scales_is_refused(tmp_path, monkeypatch):
    """As clang 20 does; what it makes without block scales is right, and taken."""
    named = named_clang(tmp_path)
    forgets = script(
        tmp_path / "forgets",
        f'#!/bin/sh\n"{named}" "$@" || exit\nfor last; do :; done\n'
        'if [ -f "$last" ]; then sed -i "s/op_sel:.1,1,0.//" "$last"; fi\n',
    )
    monkeypatch.setenv(NAMED_BY, forgets)
    scaled = {"has_block_scales": True, "tile": (64, 64, 128), "waves": (2, 2), "instruction": (32, 32)}
    kernel = gemm(configured("pipelined", target="gfx950", element="f8", **scaled))
    with pytest.raises(UnfitCompilerError, match=r"\b0\b"):
        compile_hip(kernel.text, Target.named("gfx950"))
    compile_hip(permute((64, 96), (1, 0), "f16").text, Target.named("gfx950"))
    monkeypatch.setenv(NAMED_BY, named)
    toolchains.cache_clear()
    compile_hip(kernel.text, Target.named("gfx950"))
