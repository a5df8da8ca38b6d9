"""Compilers for AMD GPUs: ROCm's where it is installed, else clang from the PyPI wheel ``ziglang``."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from layoutalg.errors import ToolError
from layoutalg.extras import install_command

__all__ = ["Toolchain", "find_toolchain", "toolchains"]

STAND_IN = Path(__file__).parent / "hip_stand_in"


@dataclass(frozen=True)
class Toolchain:
    """A clang with the AMDGPU target and its linker, as command prefixes."""

    name: str
    clang: tuple[str, ...]
    linker: tuple[str, ...]
    has_hip_headers: bool

    @property
    def source_flags(self) -> tuple[str, ...]:
        """Flags that make HIP's header available, ROCm's own or the stand-in."""
        if self.has_hip_headers:
            return ()
        return ("-nogpulib", "-nogpuinc", "-fms-extensions", "-isystem", str(STAND_IN))

    @property
    def version(self) -> str:
        """The first line the compiler prints of itself."""
        return run([*self.clang, "--version"]).splitlines()[0]


def run(command: list[str]) -> str:
    """Run a tool and return what it printed; a failure becomes one error with its last lines."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        msg = f"cannot start {command[0]}: {error.strerror}"
        raise ToolError(msg) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        msg = f"{Path(command[0]).name} failed with exit status {done.returncode}:\n{said}"
        raise ToolError(msg)
    return done.stdout


@cache
def toolchains() -> tuple[Toolchain, ...]:
    """The toolchains on this machine, the preferred one first."""
    return tuple(found for found in (_rocm(), _ziglang()) if found is not None)


def find_toolchain() -> Toolchain:
    """The preferred toolchain; one error with the pip command if there is none."""
    found = toolchains()
    if not found:
        msg = "no compiler for AMD GPUs: neither ROCm's clang nor the ziglang wheel is installed"
        raise ToolError(msg, hint=install_command("compile"))
    return found[0]


def _rocm() -> Toolchain | None:
    root = Path(os.environ.get("ROCM_PATH", "/opt/rocm"))
    clang = shutil.which("amdclang++") or shutil.which("clang++", path=str(root / "llvm/bin"))
    linker = shutil.which("ld.lld", path=str(root / "llvm/bin"))
    if clang is None or linker is None or not (root / "include/hip/hip_runtime.h").exists():
        return None
    return Toolchain("rocm", (clang,), (linker,), has_hip_headers=True)


def _ziglang() -> Toolchain | None:
    if importlib.util.find_spec("ziglang") is None:
        return None
    zig = (sys.executable, "-m", "ziglang")
    return Toolchain("ziglang", (*zig, "clang"), (*zig, "ld.lld"), has_hip_headers=False)
