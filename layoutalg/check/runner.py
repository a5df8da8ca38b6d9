"""Deciding many things: one after the other, in processes, or on a Dask cluster.

A task is the unit of work, such as a file. Its result replaces whatever an earlier attempt may have left, so
a worker that dies loses nothing and counts nothing twice.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeVar

from layoutalg.check.decide import Options, failed, findings_of
from layoutalg.errors import ToolError
from layoutalg.extras import install_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from layoutalg.check.finding import Finding

__all__ = ["findings", "judged"]

T = TypeVar("T")
if TYPE_CHECKING:
    Judge = Callable[[T], list[Finding]]
    Lost = Callable[[T, Exception], Finding]
CHUNK = 8  # tasks sent to a process at a time
RETRIES = 3  # of a task whose worker died


def findings(
    sources: Sequence[str], options: Options, *, jobs: int = 1, scheduler: str = ""
) -> Iterator[tuple[str, list[Finding]]]:
    """Each source with its findings, as they come in."""
    return judged(sources, partial(findings_of, options=options), failed, jobs=jobs, scheduler=scheduler)


def judged(
    tasks: Sequence[T], judge: Judge[T], lost: Lost[T], *, jobs: int = 1, scheduler: str = ""
) -> Iterator[tuple[T, list[Finding]]]:
    """Each task with what ``judge`` finds, as they come in; ``lost`` is for one whose worker died."""
    if scheduler:
        yield from _on_cluster(tasks, judge, lost, scheduler)
    elif jobs > 1 and len(tasks) > 1:
        yield from _in_processes(tasks, judge, lost, jobs)
    else:
        for task in tasks:
            yield task, judge(task)


def decided(tasks: Sequence[T], judge: Judge[T]) -> list[tuple[T, list[Finding]]]:
    """Several tasks in one go: what a process or a worker does."""
    return [(task, judge(task)) for task in tasks]


def _in_processes(
    tasks: Sequence[T], judge: Judge[T], lost: Lost[T], jobs: int
) -> Iterator[tuple[T, list[Finding]]]:
    size = max(1, min(CHUNK, len(tasks) // (4 * jobs)))
    chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    gone: list[T] = []
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=get_context("spawn")) as pool:
        asked = {pool.submit(decided, chunk, judge): chunk for chunk in chunks}
        for done in as_completed(asked):
            try:
                found = done.result()
            except BrokenProcessPool:
                gone += asked[done]
                continue
            yield from found
    for task in gone:
        yield task, _alone(task, judge, lost)


def _alone(task: T, judge: Judge[T], lost: Lost[T]) -> list[Finding]:
    """One task in a process of its own, where its death costs no other's result."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(judge, task).result()
        except BrokenProcessPool as error:
            return [lost(task, error)]


def _on_cluster(
    tasks: Sequence[T], judge: Judge[T], lost: Lost[T], scheduler: str
) -> Iterator[tuple[T, list[Finding]]]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        msg = "--scheduler: the package distributed is not installed"
        raise ToolError(msg, hint=install_command("cluster")) from None
    try:
        client = distributed.Client(scheduler, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        msg = f"--scheduler {scheduler}: no cluster answers: {error}"
        raise ToolError(msg, hint="wanted an address such as tcp://host:8786") from None
    with client:
        futures = client.map(judge, tasks, pure=False, retries=RETRIES)
        named = {future.key: task for future, task in zip(futures, tasks, strict=True)}
        for future in distributed.as_completed(futures):
            try:
                result = future.result()
            except Exception as error:  # noqa: BLE001  a worker that died costs its task, not the others
                result = [lost(named[future.key], error)]
            yield named[future.key], result
