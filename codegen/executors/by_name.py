"""Executors by the name of the device; each is imported when it is asked for.

>>> executor_on("cpu").device
'CPU, executing the compiled gfx9 code'
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from layoutalg.codegen.executors.cpu import CpuExecutor
from layoutalg.codegen.executors.executor import Executor
from layoutalg.errors import LayoutError, ToolError
from layoutalg.extras import install_command
from layoutalg.reading.near_names import not_one_of

__all__ = ["EXECUTORS", "compiler_of", "driver_of", "executor_on", "target_of"]

EXECUTORS = {
    "cpu": ("layoutalg.codegen.executors.cpu", "CpuExecutor"),
    "hip": ("layoutalg.codegen.executors.hip", "HipExecutor"),
    "cuda": ("layoutalg.codegen.executors.cuda", "CudaExecutor"),
}


def executor_on(name: str, workgroups: Sequence[int] | None = None) -> Executor:
    """The executor on ``cpu``, ``hip`` or ``cuda``; only the first can run some workgroups of a launch."""
    if name not in EXECUTORS:
        raise not_one_of("an executor", name, EXECUTORS)
    if workgroups is not None:
        if name != "cpu":
            msg = f"{name} runs all workgroups of a launch"
            raise LayoutError(msg, hint="a sample of them runs on the CPU")
        return CpuExecutor(workgroups)
    module, executor = EXECUTORS[name]
    try:
        made: Any = getattr(importlib.import_module(module), executor)
    except ModuleNotFoundError as error:
        msg = f"running on {name} needs the module {error.name}"
        raise ToolError(msg, hint=install_command(name)) from None
    found: Executor = made()
    return found


def target_of(executor: Executor) -> str | None:
    """The AMD GPU an executor runs on, if it is one: code must be made for just that."""
    found = str(getattr(executor, "target", ""))
    return found if found.startswith("gfx") else None


def compiler_of(executor: Executor | None) -> str:
    """The compiler that an executor has of its own, with its version; empty where it runs AMD's code."""
    return str(getattr(executor, "compiler", ""))


def driver_of(executor: Executor) -> str:
    """The driver of an executor's device with its version, or "not told"."""
    return str(getattr(executor, "driver", "")) or "not told"
