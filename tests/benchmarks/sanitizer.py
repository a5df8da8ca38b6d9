"""What the sanitizer costs: the same launches in C without checks, with a run's own, with all of its own.

    python -m tests.benchmarks.sanitizer [--rounds 5]

All in one process, in turn; the shortest of several rounds counts. Without checks: no races, no waits; bounds
and what was set are always looked at. ``whole call``: with what comes before and after: the code read, its
hazards, source lines, what each line cost, findings in words.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.cpu import prepared_task
from layoutalg.codegen.gfx9.launch import CHECKS, PreparedLaunch
from layoutalg.codegen.gfx9.native.native_sanitizer import NativeSanitizer
from layoutalg.codegen.kernel_checks import GROUPS, chosen_checks
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.codegen.sanitizer import sanitize_launch
from layoutalg.codegen.sanitizer.judged import looked_for
from layoutalg.machine import Target

TARGET = "gfx942"
CASES: list[tuple[str, str, dict[str, Any], dict[str, int]]] = [
    ("gemm", "f16", {"rung": "pipelined"}, {"M": 512, "N": 512, "K": 512}),
    ("gemm", "f16", {"rung": "pipelined"}, {"M": 1024, "N": 1024, "K": 1024}),
    ("gemm", "f16", {"rung": "naive"}, {"M": 512, "N": 512, "K": 512}),
    ("transpose", "f16", {}, {"M": 2048, "K": 2048}),
    ("copy", "f32", {"lengths": (2048, 2048)}, {}),
]


def task_of(family: str, element: str, options: dict[str, Any], sizes: dict[str, int]) -> Launch:
    """A launch of one of our kernels."""
    choice = Choice(family, TARGET, element, options)
    kernel = choice.kernel()
    names = {parameter.name for parameter in kernel.domain.parameters}
    given = choice.sizes_for(kernel, is_large=True, given={n: s for n, s in sizes.items() if n in names})
    made = compile_hip(kernel.text, Target.named(TARGET))
    return Launch(kernel, made, given, inputs_of(kernel, given, "integers", 0))


def seconds(run: Callable[[PreparedLaunch], object], task: Launch) -> float:
    """The time of one launch; memory is made anew before."""
    made = prepared_task(task, task.memory())
    return timed(lambda: run(made))


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def without(made: PreparedLaunch) -> None:
    replace(made, dispatch=replace(made.dispatch, native=True, unchecked=CHECKS)).run()


def usual(made: PreparedLaunch) -> None:
    replace(made, dispatch=replace(made.dispatch, native=True)).run()


def sanitizing(select: tuple[str, ...]) -> Callable[[PreparedLaunch], object]:
    return lambda made: made.run(NativeSanitizer(looked_for(chosen_checks(select))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    groups = [group for group in GROUPS if any(looked_for(chosen_checks((group,))))]
    runs = {"without": without, "run's own": usual, "all": sanitizing(())}
    runs |= {group: sanitizing((group,)) for group in groups}
    print("seconds without checks, then times that", *list(runs)[1:], "whole call", sep=" | ")
    for case in CASES:
        task = task_of(*case)
        best = dict.fromkeys([*runs, "whole call"], float("inf"))
        for _ in range(rounds + 1):
            for name, run in runs.items():
                best[name] = min(best[name], seconds(run, task))
            best["whole call"] = min(best["whole call"], timed(partial(sanitize_launch, task)))
        told = [f"{time_ / best['without']:.2f}" for name, time_ in best.items() if name != "without"]
        print(case[0], *case[2].values(), task.sizes, f"{best['without']:.3f} s", *told, sep=" | ")


if __name__ == "__main__":
    main()
