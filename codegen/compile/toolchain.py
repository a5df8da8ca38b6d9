"""Compilers for AMD GPUs: a clang that the user names, ROCm's, or clang from the PyPI wheel ``ziglang``."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from layoutalg.errors import MissingToolError, ToolError
from layoutalg.extras import install_command

__all__ = ["Toolchain", "find_toolchain", "toolchains"]

STAND_IN = Path(__file__).parent / "hip_stand_in"
NAMED_BY = "LAYOUTALG_CLANG"  # environment variable: a clang with the AMDGPU target, of any distribution


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

    def knows(self, target: str) -> bool:
        """Whether the compiler has this GPU: older ones lack newer ones.

        >>> find_toolchain().knows("gfx942"), find_toolchain().knows("gfx9999")
        (True, False)
        """
        return target in _known_targets(self)


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
def _known_targets(tools: Toolchain) -> frozenset[str]:
    asked = [*tools.clang, "-target", "amdgcn-amd-amdhsa", "-nogpulib", "--print-supported-cpus"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    return frozenset((done.stdout + done.stderr).split())


@cache
def toolchains() -> tuple[Toolchain, ...]:
    """The toolchains on this machine, the preferred one first."""
    return tuple(found for found in (_named(), _rocm(), _ziglang()) if found is not None)


def find_toolchain() -> Toolchain:
    """The preferred toolchain; one error with the pip command if there is none."""
    found = toolchains()
    if not found:
        msg = "no compiler for AMD GPUs: neither ROCm's clang nor the ziglang wheel is installed"
        raise MissingToolError(msg, hint=install_command("compile"))
    return found[0]


def _named() -> Toolchain | None:
    """The clang that ``LAYOUTALG_CLANG`` names, with the linker that it names."""
    named = os.environ.get(NAMED_BY)
    if not named:
        return None
    clang = shutil.which(named)
    if clang is None:
        msg = f"{NAMED_BY}: wanted a clang that can be started, got {named!r}"
        raise ToolError(msg, hint=f"name the file, such as /usr/bin/clang-19, or unset {NAMED_BY}")
    if "amdgcn" not in run([clang, "--print-targets"]):
        msg = f"{NAMED_BY}: {named} does not compile for AMD GPUs (no target amdgcn)"
        raise ToolError(msg, hint="take a clang that was built with the AMDGPU target")
    linker = run([clang, "--print-prog-name=ld.lld"]).strip()
    if shutil.which(linker) is None:
        msg = f"{NAMED_BY}: no ld.lld beside {named}"
        raise ToolError(msg, hint="install the lld of the same version, such as lld-19")
    return Toolchain("clang", (clang,), (linker,), has_hip_headers=False)


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
