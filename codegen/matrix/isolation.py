"""Kernels examined in a process of their own: a fault of a GPU ends the process that asked, not the report.

The process lives on from kernel to kernel; only after one that ended it there is a new one.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING

from layoutalg.codegen.executors.by_name import executor_on
from layoutalg.codegen.matrix.report_entry import Course, Entry, examine, head_of

if TYPE_CHECKING:
    from layoutalg.claim import Claim
    from layoutalg.codegen.executors import Executor
    from layoutalg.codegen.matrix.kernel_matrix import Choice
    from layoutalg.verdict import Verdict

__all__ = ["examine_apart"]

Runs = tuple[tuple[str, bool], ...]


def examine_apart(
    chosen: Iterable[Choice], on: str, prove: Callable[[Claim], Verdict], runs: Runs, seed: int
) -> Iterator[Entry]:
    """The entry of each kernel; one that ends its process has failed in its execution."""
    pool = _pool()
    try:
        for choice in chosen:
            try:
                yield pool.submit(_examine, choice, on, prove, runs, seed).result()
            except BrokenProcessPool:
                pool.shutdown()
                pool = _pool()
                message = "the process ended, as it does after a fault on the device"
                end = {"status": "failed", "failed_at": "execution", "message": message, "seconds": 0.0}
                yield head_of(choice) | end
    finally:
        pool.shutdown()


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("spawn"))


def _examine(choice: Choice, on: str, prove: Callable[[Claim], Verdict], runs: Runs, seed: int) -> Entry:
    return examine(choice, Course(_executor(on), prove, runs, has_time=on != "cpu", seed=seed))


@cache
def _executor(on: str) -> Executor:
    return executor_on(on)
