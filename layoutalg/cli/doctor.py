"""What this machine has: compilers, GPUs, optional packages."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from layoutalg.codegen.compile.toolchain import toolchains
from layoutalg.errors import ToolError
from layoutalg.extras import install_command

__all__ = ["Finding", "examine"]


@dataclass(frozen=True)
class Finding:
    """One thing looked for: what it is needed to do, and how to get it."""

    name: str
    is_found: bool
    detail: str
    needed_to: str
    mend: str


EXTRAS = (
    ("hip", "hip-python", "run kernels on an AMD GPU, and layoutalg validate --on hip", "hip"),
    ("cupy", "cupy-cuda13x", "run kernels without AMD-only instructions on an NVIDIA GPU", "cuda"),
    ("cvc5", "cvc5", "check certificates with a second solver", "recheck"),
    ("distributed", "distributed", "spread checks over a cluster", "cluster"),
    ("nbclient", "nbclient", "execute the notebooks", "notebook"),
)


def examine() -> Iterator[Finding]:
    """Everything worth knowing, one finding at a time."""
    yield from _compilers()
    yield _amd_gpu()
    yield _nvidia_gpu()
    for module, package, needed_to, extra in EXTRAS:
        found = importlib.util.find_spec(module) is not None
        detail = f"{package} {version(package)}" if found else f"the package {package}"
        yield Finding(package, found, detail, needed_to, install_command(extra))
    yield _pytorch()


def _compilers() -> Iterator[Finding]:
    try:
        found = toolchains()
    except ToolError as error:
        yield Finding(
            "compiler", is_found=False, detail=error.message, needed_to="compile kernels", mend=error.hint
        )
        return
    for tools in found:
        try:
            detail = tools.version
        except ToolError as error:
            yield Finding(tools.name, False, error.message, "compile kernels", "reinstall it")  # noqa: FBT003
            continue
        yield Finding(tools.name, True, detail, "", "")  # noqa: FBT003
    if not found:
        yield Finding(
            "compiler",
            is_found=False,
            detail="neither ROCm's clang nor the ziglang wheel",
            needed_to="compile kernels",
            mend=install_command("compile"),
        )


def _pytorch() -> Finding:
    found = importlib.util.find_spec("torch") is not None
    return Finding(
        "PyTorch",
        found,
        f"PyTorch {version('torch')}" if found else "the package torch",
        "time rocBLAS and hipBLASLt beside ours in layoutalg validate",
        "install PyTorch for your GPU (pytorch.org); everything else works without",
    )


def _amd_gpu() -> Finding:
    driver = Path("/dev/kfd")
    return Finding(
        "AMD GPU",
        driver.exists(),
        f"{driver} is there" if driver.exists() else f"no {driver}: the amdgpu driver is not loaded",
        "run kernels on an AMD GPU",
        "without one the CPU executes the compiled code",
    )


def _nvidia_gpu() -> Finding:
    driver = Path("/dev/nvidia0")
    return Finding(
        "NVIDIA GPU",
        driver.exists(),
        f"{driver} is there" if driver.exists() else f"no {driver}",
        "run kernels without AMD-only instructions on an NVIDIA GPU",
        "nothing else needs one",
    )
