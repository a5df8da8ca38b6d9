"""``layoutalg run FILE --launch launch.toml``: what it prints, what it exits with, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.codegen.compile import compile_hip, compile_source
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.run_file import save_launch
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from tests.codegen.small_kernel import TEXT, small_kernel
from tests.layoutalg.cli.test_kernel_commands import printed

LAUNCH = """
grid = [2]
block = [64]
[[arguments]]
type = "f32"
shape = [128]
fill = "arange"
[[arguments]]
type = "f32"
shape = [128]
is_output = true
expected = "wanted.npy"
absolute = 1e-6
[[arguments]]
type = "i32"
value = 128
[[arguments]]
type = "f32"
value = 1.5
"""


@pytest.fixture
def folder(tmp_path):
    made = compile_source(TEXT, "gfx942")
    (tmp_path / "scale.co").write_bytes(made.code_object)
    (tmp_path / "scale.s").write_text(made.assembly)
    (tmp_path / "scale.hip").write_text(TEXT)
    (tmp_path / "launch.toml").write_text(LAUNCH)
    np.save(tmp_path / "wanted.npy", 1.5 * np.arange(128, dtype=np.float32))
    return tmp_path


def refused(*arguments):
    """What the command raises; the program prints it as one line and exits with status 2."""
    return CliRunner().invoke(app, list(map(str, arguments))).exception


@pytest.mark.parametrize("name", ["scale.co", "scale.s", "scale.hip"])
def test_a_file_is_run_as_the_launch_file_says(folder, name):
    target = ("--target", "gfx942") if name.endswith(".hip") else ()
    launch = ("--launch", folder / "launch.toml", "--outputs", folder / "out.npz")
    text = printed("run", folder / name, *launch, *target)
    assert "scale for gfx942" in text
    assert "2 workgroups of 64" in text
    assert "128 elements compared: agree; largest error 0" in text
    assert "float32 [128]: 0 to 190.5, sha256 " in text
    with np.load(folder / "out.npz") as stored:
        assert np.array_equal(stored[stored.files[0]], np.load(folder / "wanted.npy"))


IN_A_STRUCT = """#include <hip/hip_runtime.h>
struct Arguments { const float* in; float* out; int n; float factor; };
extern "C" __global__ __launch_bounds__(64) void scale(Arguments given)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    if (i < given.n) given.out[i] = given.factor * given.in[i];
}
"""


def test_members_of_a_struct_stand_where_the_launch_file_says(folder):
    (folder / "scale.hip").write_text(IN_A_STRUCT)
    parts = LAUNCH.split("[[arguments]]")
    members = [
        f"[[arguments]]\nstruct = 0\noffset = {at}" + part
        for at, part in zip((0, 8, 16, 20), parts[1:], strict=True)
    ]
    (folder / "launch.toml").write_text(parts[0] + "".join(members))
    text = printed("run", folder / "scale.hip", "--launch", folder / "launch.toml", "--target", "gfx942")
    assert "128 elements compared: agree; largest error 0" in text
    (folder / "launch.toml").write_text(parts[0] + "".join(members).replace("offset = 20", "offset = 30"))
    error = refused("run", folder / "scale.hip", "--launch", folder / "launch.toml", "--target", "gfx942")
    assert "4 bytes do not fit" in error.message


def test_a_wrong_output_is_status_1(folder):
    np.save(folder / "wanted.npy", np.zeros(128, np.float32))
    text = printed("run", folder / "scale.co", "--launch", folder / "launch.toml", code=1)
    assert "127 are WRONG" in text


def test_a_faulty_kernel_is_status_1(folder):
    (folder / "launch.toml").write_text(LAUNCH.replace("grid = [2]", "grid = [3]"))
    printed("run", folder / "scale.co", "--launch", folder / "launch.toml", code=1)


WRONG = {
    "grid = []": ("grid = [2]", "grid"),
    "rows = 3": ("block = [64]", "block"),
    'shape = [3.5]\nfill = "arange"': ('shape = [128]\nfill = "arange"', "arguments.0.shape.0"),
    'shape = [128]\nfill = "nothing"': ('shape = [128]\nfill = "arange"', "cannot read nothing"),
    'type = "f33"\nvalue = 1.5': ('type = "f32"\nvalue = 1.5', "f33"),
    "grid = [": ("grid = [2]", "not TOML"),
}


@pytest.mark.parametrize("given", WRONG)
def test_a_wrong_launch_file_is_one_error_with_its_place(folder, given):
    right, place = WRONG[given]
    (folder / "launch.toml").write_text(LAUNCH.replace(right, given))
    error = refused("run", folder / "scale.co", "--launch", folder / "launch.toml")
    assert isinstance(error, LayoutError)
    assert place in error.message


def test_options_that_do_not_go_together_are_refused(folder):
    launch = ("--launch", folder / "launch.toml")
    assert "--check" in refused("run", folder / "scale.co", *launch, "--check").message
    assert "--on" in refused("run", folder / "scale.co", *launch, "--on", "hip").message
    assert "wanted --launch" in refused("run", folder / "scale.co").message
    assert "wanted --launch" in refused("run", "transpose", "--outputs", "o.npz").message
    assert "wanted the kernel no" in refused("run", folder / "scale.co", *launch, "--kernel", "no").message
    assert "cannot read" in refused("run", folder / "scale.co", "--launch", folder / "none.toml").message


def test_a_saved_run_whose_text_is_not_its_codes_is_refused(tmp_path):
    kernel, sizes = small_kernel(), {"N": 128, "factor": 1.5}
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", seed=2))
    save_launch(tmp_path, task, kernel.reference(task.given))
    assert "agree" in printed("run", tmp_path)
    text = tmp_path / "scale.gfx942.s"
    text.write_text(text.read_text().replace("v_mul_f32_e32", "v_add_f32_e32"))
    error = refused("run", tmp_path)
    assert isinstance(error, LayoutError)
    assert "the assembly is not the code object's: scale differs at address 0x" in error.message
