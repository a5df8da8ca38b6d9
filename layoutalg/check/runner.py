"""Deciding many files: one after the other, in processes, or on a Dask cluster.

A file is the unit of work. Its result replaces whatever an earlier attempt may have left, so a worker that
dies loses nothing and counts nothing twice.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from layoutalg.check.decide import Options, failed, findings_of
from layoutalg.errors import ToolError
from layoutalg.extras import install_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from layoutalg.check.finding import Finding

__all__ = ["findings"]

CHUNK = 8  # files sent to a process at a time
RETRIES = 3  # of a task whose worker died


def findings(
    sources: Sequence[str], options: Options, *, jobs: int = 1, scheduler: str = ""
) -> Iterator[tuple[str, list[Finding]]]:
    """Each source with its findings, as they come in."""
    if scheduler:
        yield from _on_cluster(sources, options, scheduler)
    elif jobs > 1 and len(sources) > 1:
        yield from _in_processes(sources, options, jobs)
    else:
        for source in sources:
            yield source, findings_of(source, options)


def decided(sources: Sequence[str], options: Options) -> list[tuple[str, list[Finding]]]:
    """Several sources in one go: what a process or a worker does."""
    return [(source, findings_of(source, options)) for source in sources]


def _in_processes(sources: Sequence[str], options: Options, jobs: int) -> Iterator[tuple[str, list[Finding]]]:
    size = max(1, min(CHUNK, len(sources) // (4 * jobs)))
    chunks = [sources[start : start + size] for start in range(0, len(sources), size)]
    lost: list[str] = []
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=get_context("spawn")) as pool:
        asked = {pool.submit(decided, chunk, options): chunk for chunk in chunks}
        for done in as_completed(asked):
            try:
                found = done.result()
            except BrokenProcessPool:
                lost += asked[done]
                continue
            yield from found
    for source in lost:
        yield source, _alone(source, options)


def _alone(source: str, options: Options) -> list[Finding]:
    """One source in a process of its own, where its death costs no other's result."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(findings_of, source, options).result()
        except BrokenProcessPool as error:
            return [failed(source, error)]


def _on_cluster(
    sources: Sequence[str], options: Options, scheduler: str
) -> Iterator[tuple[str, list[Finding]]]:
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
        futures = client.map(findings_of, sources, options=options, pure=False, retries=RETRIES)
        names = {future.key: source for future, source in zip(futures, sources, strict=True)}
        for future in distributed.as_completed(futures):
            try:
                result = future.result()
            except Exception as error:  # noqa: BLE001  a worker that died costs its file, not the others
                result = [failed(names[future.key], error)]
            yield names[future.key], result
