"""Projects as a user has them: written, built by a stand-in for hipcc, run on a device without a GPU."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.codegen.project import KernelProject, write_project

__all__ = ["built", "made", "ran"]

HIPCC = f"{sys.executable} -m tests.codegen.hip_runtime.hipcc"
ROOT = Path(__file__).parents[3]


def made(folder: Path, choice: Choice) -> KernelProject:
    """The project of a kernel, with the sizes of a quick check, written into a folder."""
    kernel = choice.kernel()
    found = KernelProject(kernel, choice.family, choice.target, choice.sizes_for(kernel, is_large=False))
    write_project(found, folder)
    return found


def built(folder: Path, goal: str = "test") -> str:
    """What its own Makefile says when it builds; without make the test is left out, as without gcc."""
    make = shutil.which("make")
    if make is None:
        assert os.environ.get("LAYOUTALG_GCC") != "required", "wanted make: apt-get install make"
        pytest.skip("no make here: apt-get install make")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [make, "-C", str(folder), goal, f"HIPCC={HIPCC}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def ran(folder: Path, device, *sizes: int, code: int = 0) -> str:
    """What the test of a project prints on a device."""
    done = subprocess.run(
        [str(folder / "test"), *map(str, sizes)],
        env=device.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr
