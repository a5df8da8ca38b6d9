"""Projects compile without a warning, launchers pass what kernels take, their tests find mistakes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES, Choice, choices
from layoutalg.codegen.project import KernelProject, write_project
from layoutalg.errors import LayoutError
from tests.codegen.hip_runtime.device import device_in
from tests.codegen.hip_runtime.projects import built, made, ran
from tests.codegen.small_kernel import small_kernel
from tests.refusals import refused

TARGET = "gfx942"
QUICK = [choice for choice in choices(TARGET, is_quick=True) if not choice.refusal]
PARTS = [  # of K: as many whole tiles each, the last ones fewer or none
    Choice("gemm", TARGET, "f16", {"rung": "pipelined", "split_k": 3} | tails)
    for tails in ({}, {"has_tails": True}, {"has_tails": True, "size_multiples": (1, 1, 1)})
]
BESIDE = [  # vectors and a matrix beside the product
    Choice("gemm", TARGET, "f16", {"rung": "pipelined", "epilogue": "relu(c + bias_m) + beta * d"} | tails)
    for tails in ({}, {"has_tails": True})
]
BATCHES = [
    Choice("gemm", TARGET, "f16", {"rung": "pipelined", "is_batched": True} | more)
    for more in (
        {"layouts": "crr"},
        {"has_leading_dimensions": True, "has_tails": True, "epilogue": "relu(c + bias_m) + beta * d"},
    )
]
EVERY = {str(choice): choice for choice in (*QUICK, *PARTS, *BESIDE, *BATCHES)}
LEADING = Choice("gemm", TARGET, "f16", {"rung": "pipelined", "has_leading_dimensions": True})
LEADING_SIZES = {"M": 256, "N": 128, "K": 64, "lda": 72, "ldb": 64, "ldc": 132}


def _project_of(choice):
    kernel = choice.kernel()
    return KernelProject(kernel, choice.family, choice.target, choice.sizes_for(kernel, is_large=False))


@pytest.fixture
def device(tmp_path):
    with device_in(tmp_path) as found:
        yield found


@pytest.mark.slow_sample(72)
@pytest.mark.parametrize("name", EVERY)
def test_each_kernel_equals_the_loops_of_the_host(name, tmp_path, device):
    choice, folder = EVERY[name], tmp_path / "project"
    project = made(folder, choice)
    built(folder)
    assert ": 0 of " in ran(folder, device)
    assert device.faults == []
    assert device.allocated == device.freed
    (launch,) = device.launches
    kernel, sizes = project.kernel, project.sizes
    assert launch.grid == (*kernel.grid_for(sizes), 1, 1)[:3]
    assert launch.block == (*kernel.block, 1, 1)[:3]
    assert launch.dynamic_lds == kernel.dynamic_lds
    passed = dict(zip((argument.name for argument in kernel.arguments), launch.numbers, strict=True))
    for scalar in kernel.scalars:
        assert passed[scalar.name] == scalar.bits(sizes[scalar.name])


def test_functions_that_no_loop_gives_exactly_are_refused(tmp_path):
    choice = Choice("gemm", TARGET, "f16", {"rung": "pipelined", "epilogue": "gelu(c)"})
    with refused(LayoutError):
        made(tmp_path / "project", choice)
    assert not (tmp_path / "project").exists()


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("lengths", [(130, 129, 177), (1, 1, 1)])
def test_parts_of_k_are_those_of_the_kernel(lengths, tmp_path, device):
    made(tmp_path / "project", PARTS[-1])
    built(tmp_path / "project")
    assert ": 0 of " in ran(tmp_path / "project", device, *lengths)


@pytest.mark.slow
def test_products_of_a_batch_may_share_a_matrix(tmp_path, device):
    made(tmp_path / "project", BATCHES[0])
    built(tmp_path / "project")
    sizes = (256, 128, 64, 0, 8192, 32768, 3)
    assert "c: 0 of 98304 elements are wrong" in ran(tmp_path / "project", device, *sizes)
    negative = (256, 128, 64, -8, 8192, 32768, 3)
    told = ran(tmp_path / "project", device, *negative, code=2)
    assert "sizes are positive integers (batch_stride_a, batch_stride_b also 0)" in told


@pytest.mark.parametrize(
    "step", [pytest.param(6, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.long)]
)
def test_every_shipped_kernel_has_a_project(step):
    """One in so many, and one of each family at least."""
    chosen = {choice.family: choice for choice in EVERY.values()}
    assert set(chosen) == set(FAMILIES)
    for choice in (*chosen.values(), *list(EVERY.values())[::step]):
        assert "compare(" in _project_of(choice).files()["main.cpp"]


@pytest.fixture(scope="module")
def gemm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gemm") / "project"
    made(folder, LEADING)
    built(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [
        {"M": 128},  # no whole tile
        {"N": 64},
        {"K": 40},
        {"lda": 68},  # no multiple of a vector
        {"lda": 56},  # rows that overlap
        {"ldc": 124},
        {"ldb": 2**24},  # offsets that leave 32 bits
        {"M": 2**30, "lda": 2**30},  # and a product that leaves 60
    ],
)
def test_the_launcher_refuses_what_the_claims_do_not_admit(gemm, wrong, tmp_path):
    """By the launcher alone: a program that has no memory for such sizes calls it."""
    calling = """
#include "gemm_launcher.h"
#include <cstdlib>
int main(int, char** argv)
{
    void* place = nullptr;
    if (hipMalloc(&place, 1 << 22) != hipSuccess)
        return 99;
    char* const start = static_cast<char*>(place);
    const auto at = [&](long offset) { return reinterpret_cast<_Float16*>(start + offset); };
    const auto n = [&](int i) { return std::atoi(argv[i]); };
    return launch_gemm(at(n(1)), at(1 << 20), at(1 << 21), n(2), n(3), n(4), n(5), n(6), n(7), nullptr);
}
"""
    folder = gemm.parent / "calling"
    if not folder.exists():
        write_project(_project_of(LEADING), folder)
        (folder / "main.cpp").write_text(calling)
        built(folder)
    with device_in(tmp_path) as device:
        ran(folder, device, 0, *{**LEADING_SIZES, **wrong}.values(), code=1)  # hipErrorInvalidValue
        ran(folder, device, 8, *LEADING_SIZES.values(), code=1)  # not at a multiple of 16 bytes
        assert device.launches == []
        ran(folder, device, 16, *LEADING_SIZES.values())
        assert len(device.launches) == 1
        assert device.faults == []


@pytest.mark.slow
def test_the_test_of_a_project_takes_sizes_and_refuses_none(gemm, device):
    assert "c: 0 of 32768 elements are wrong" in ran(gemm, device, *LEADING_SIZES.values())
    assert "sizes are positive integers" in ran(gemm, device, 0, code=2)
    assert "launch_gemm: an error of the device" in ran(gemm, device, 100, code=2)


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(
    ("file", "right", "wrong", "code"),
    [
        ("gemm.hip", "block_n = blockIdx.x;", "block_n = 0;", 1),
        ("gemm_launcher.cpp", "(a, b, c, M, N, K, lda, ldb, ldc)", "(b, a, c, M, N, K, lda, ldb, ldc)", 2),
        (
            "gemm_launcher.cpp",
            "dim3 grid(static_cast<unsigned>(N / 128)",
            "dim3 grid(static_cast<unsigned>(1)",
            1,
        ),
    ],
)
def test_the_test_of_a_project_finds_mistakes(file, right, wrong, code, tmp_path, device):
    """Wrong numbers, or accesses outside the memory that was passed."""
    folder = tmp_path / "project"
    made(folder, LEADING)
    text = (folder / file).read_text()
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1))
    built(folder)
    sizes = LEADING_SIZES | {"N": 256, "ldc": 260}
    ran(folder, device, *sizes.values(), code=code)
    assert len(device.faults) == code - 1


def test_all_files_are_written_or_none(tmp_path, monkeypatch):
    project = _project_of(Choice("transpose", TARGET, "f32"))
    folder = write_project(project, tmp_path / "new" / "project")
    assert {path.name: path.read_text() for path in folder.iterdir()} == project.files()
    with pytest.raises(FileExistsError):
        write_project(project, folder)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert len(list(write_project(project, empty).iterdir())) == 6
    with pytest.raises(NotADirectoryError):
        write_project(project, folder / "main.cpp")

    def full(path, _):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("layoutalg.codegen.project.kernel_project.write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_project(project, tmp_path / "broken")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "new"]


def test_a_kernel_without_loops_is_refused(tmp_path):
    project = KernelProject(small_kernel(), "scale", TARGET, {"N": 64, "factor": 1.5})
    with refused(LayoutError, "scale"):
        write_project(project, tmp_path / "scale")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_command_writes_a_project(tmp_path):
    def invoked(*words):
        command = ["kernel", *words, "--project", str(tmp_path / "p")]
        return CliRunner().invoke(app, command, catch_exceptions=False)

    found = invoked("transpose", "--leading-dimensions")
    assert found.exit_code == 0, found.output
    assert "addresses of the compiled code: proved" in found.output
    assert "`make check` there builds and runs its test" in found.output
    assert "#include" not in found.output
    assert (tmp_path / "p" / "transpose.hip").exists()
    with pytest.raises(FileExistsError):
        invoked("transpose")
    with refused(LayoutError):
        invoked("transpose", "--target", "gfx90a;gfx942")


@pytest.mark.slow
def test_names_of_functions_follow_the_files():
    """Two projects may be linked into one program: nothing but launcher and kernel is seen outside."""
    texts = [_project_of(choice).files() for choice in (LEADING, Choice("transpose", TARGET, "f32"))]
    launchers = [text[next(name for name in text if name.endswith("launcher.cpp"))] for text in texts]
    for one, other in pairwise(launchers):
        outside = [
            line.partition("(")[0] for line in (one + other).splitlines() if line.startswith("hipError_t")
        ]
        assert sorted(outside) == ["hipError_t launch_gemm", "hipError_t launch_transpose"]
    assert all("namespace {" in text for text in launchers)
    assert replace(_project_of(LEADING), name="mine").files()["mine_launcher.h"].count("launch_mine(") == 1
