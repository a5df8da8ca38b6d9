"""The whole kernel matrix examined on one executor, as one report.

A report holds an entry for every kernel, failed ones with the stage at which they did; its format is
published as ``validation_schema.json`` beside this file.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutalg.codegen.compile.toolchain import find_toolchain
from layoutalg.codegen.executors.by_name import driver_of, executor_on
from layoutalg.codegen.matrix.isolation import Runs, examine_apart
from layoutalg.codegen.matrix.kernel_matrix import Choice, KernelFamily, choices
from layoutalg.codegen.matrix.report_entry import Course, Entry, examine

if TYPE_CHECKING:
    from layoutalg.claim import Claim
    from layoutalg.codegen.executors import Executor
    from layoutalg.verdict import Verdict

    Prove = Callable[[Claim], Verdict]

__all__ = ["RUNS", "SCHEMA_FILE", "matrix", "validate", "validation_schema"]

SCHEMA_FILE = Path(__file__).parent / "validation_schema.json"
EXECUTED_ON_CPU = ("gfx90a", "gfx942", "gfx950")
PORTABLE_TARGET = "gfx942"  # whose text stands for all where only portable kernels run
RUNS: dict[tuple[bool, bool], Runs] = {  # (quick, with times): style of inputs, whether at the default sizes
    (True, False): (("integers", False),),
    (False, False): (("integers", False), ("random", False)),
    (True, True): (("integers", False),),
    (False, True): (("integers", False), ("random", False), ("random", True)),
}


def validation_schema() -> dict[str, Any]:
    """The JSON Schema of a report."""
    found: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return found


def matrix(on: str, targets: Iterable[str], *, is_quick: bool) -> list[Choice]:
    """The kernels to examine: of these targets, or of those that the executor runs if none are named."""
    named = tuple(targets) or (EXECUTED_ON_CPU if on == "cpu" else (PORTABLE_TARGET,))
    found = [choice for target in named for choice in choices(target, is_quick=is_quick)]
    return [c for c in found if on != "cuda" or KernelFamily.named(c.family).is_portable]


def validate(
    chosen: Sequence[Choice],
    on: str,
    prove: Prove,
    *,
    is_quick: bool = False,
    seed: int = 0,
    told: Callable[[Entry], None] = lambda _: None,
) -> dict[str, Any]:
    """Examine kernels one by one and report; ``told`` hears of each as it is done.

    Code for GPUs that the CPU does not execute is proved and compiled only. On a GPU the kernels run in a
    process of their own.
    """
    executor, tools, entries = executor_on(on), find_toolchain(), []
    for entry in _examined(chosen, on, executor, prove, RUNS[is_quick, on != "cpu"], seed):
        entries.append(entry)
        told(entry)
    counts = Counter(entry["status"] for entry in entries)
    return {
        "schema": "layoutalg-validation-1",
        "layoutalg": version("layoutalg"),
        "python": platform.python_version(),
        "on": on,
        "device": executor.device,
        "driver": driver_of(executor),
        "toolchain": f"{tools.name}: {tools.version}",
        "counts": {status: counts[status] for status in ("passed", "failed", "left out")},
        "kernels": entries,
    }


def _examined(
    chosen: Sequence[Choice], on: str, executor: Executor, prove: Prove, runs: Runs, seed: int
) -> Iterator[Entry]:
    if on != "cpu":
        yield from examine_apart(chosen, on, prove, runs, seed)
        return
    for choice in chosen:
        is_run = choice.target in EXECUTED_ON_CPU
        yield examine(choice, Course(executor if is_run else None, prove, runs, seed=seed))
