"""Report entries made in a process of their own: a fault of a GPU ends that process, not the report.

One process serves all kernels; after a kernel that ended it, a new one is started.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache

from layoutalg.codegen.executors import Executor
from layoutalg.codegen.executors.by_name import executor_on
from layoutalg.codegen.gfx9.lifting.prover_questions import Prove
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.codegen.matrix.report_entry import Entry, EntrySettings, head_of, report_entry

__all__ = ["isolated_entries"]

Runs = tuple[tuple[str, bool], ...]


def isolated_entries(
    chosen: Iterable[Choice], on: str, prove: Prove, runs: Runs, seed: int
) -> Iterator[Entry]:
    """The entry of each kernel; a kernel that ends the process has failed in its execution."""
    pool = _pool()
    try:
        for choice in chosen:
            try:
                yield pool.submit(_entry, choice, on, prove, runs, seed).result()
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


def _entry(choice: Choice, on: str, prove: Prove, runs: Runs, seed: int) -> Entry:
    return report_entry(choice, EntrySettings(_executor(on), prove, runs, has_time=on != "cpu", seed=seed))


@cache
def _executor(on: str) -> Executor:
    return executor_on(on)
