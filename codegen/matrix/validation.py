"""The validation report: an entry for every kernel of the matrix on one executor, as data and as Markdown.

The entry of a failed kernel names the stage at which it failed. The format is published as
``validation_schema.json`` beside this file.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from layoutalg.codegen.compile.toolchain import find_toolchain
from layoutalg.codegen.executors import Executor
from layoutalg.codegen.executors.by_name import compiler_of, driver_of, executor_on
from layoutalg.codegen.gfx9.lifting.prover_questions import Prove
from layoutalg.codegen.matrix.isolation import Runs, isolated_entries
from layoutalg.codegen.matrix.kernel_matrix import Choice, choices, family_named
from layoutalg.codegen.matrix.peak import peak_of
from layoutalg.codegen.matrix.report_entry import Entry, EntrySettings, report_entry

__all__ = ["RUNS", "SCHEMA_FILE", "matrix", "validate", "validation_schema", "validation_text"]

SCHEMA_FILE = Path(__file__).parent / "validation_schema.json"
EXECUTED_ON_CPU = ("gfx90a", "gfx942", "gfx950")
PORTABLE_TARGET = "gfx942"  # whose text stands for all where only portable kernels run
RUNS: dict[tuple[bool, bool], Runs] = {  # (quick, with times): style of inputs, whether at the default sizes
    (True, False): (("integers", False),),
    (False, False): (("integers", False), ("random", False)),
    (True, True): (("integers", False),),
    (False, True): (("integers", False), ("random", False), ("random", True)),
}
KERNELS = (
    "kernel",
    "verdict",
    "claims",
    "addresses",
    "VGPRs",
    "AGPRs",
    "spills",
    "LDS bytes",
    "waves/SIMD",
    "largest error",
)
SPEEDS = ("kernel", "sizes", "microseconds", "GB/s", "TFLOP/s", "of peak", "beside it", "GB/s", "TFLOP/s")


def validation_schema() -> dict[str, Any]:
    """The JSON Schema of a report."""
    found: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return found


def matrix(on: str, targets: Iterable[str], *, is_quick: bool) -> list[Choice]:
    """The kernels to report on: of these targets, or of those that the executor runs if none are named."""
    named = tuple(targets) or (EXECUTED_ON_CPU if on == "cpu" else (PORTABLE_TARGET,))
    found = [choice for target in named for choice in choices(target, is_quick=is_quick)]
    return [c for c in found if on != "cuda" or family_named(c.family).is_portable]


def validate(
    chosen: Sequence[Choice],
    on: str,
    prove: Prove,
    *,
    is_quick: bool = False,
    seed: int = 0,
    told: Callable[[Entry], None] = lambda _: None,
) -> dict[str, Any]:
    """Prove, compile, run and compare kernels one by one; ``told`` hears of each as it is done.

    Code for GPUs that the CPU does not execute is proved and compiled only; on an NVIDIA GPU no compiler for
    AMD's is needed. On a GPU the kernels run in a
    process of their own.
    """
    executor, entries = executor_on(on), []
    compiler = compiler_of(executor) or _toolchain()
    for entry in _entries(chosen, on, executor, prove, RUNS[is_quick, on != "cpu"], seed):
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
        "peak": str(peak_of(executor) or "not told"),
        "toolchain": compiler,
        "counts": {status: counts[status] for status in ("passed", "failed", "left out")},
        "kernels": entries,
    }


def _toolchain() -> str:
    tools = find_toolchain()
    return f"{tools.name}: {tools.version}"


def _entries(
    chosen: Sequence[Choice], on: str, executor: Executor, prove: Prove, runs: Runs, seed: int
) -> Iterator[Entry]:
    if on != "cpu":
        yield from isolated_entries(chosen, on, prove, runs, seed)
        return
    for choice in chosen:
        is_run = choice.target in EXECUTED_ON_CPU
        yield report_entry(choice, EntrySettings(executor if is_run else None, prove, runs, seed=seed))


def validation_text(report: Mapping[str, Any]) -> str:
    """A report as Markdown: a table of kernels, one of speeds where there are any, and what failed."""
    counts = report["counts"]
    lines = [
        "# Validation of the kernels of layoutalg",
        "",
        f"{counts['passed']} passed, {counts['failed']} failed, {counts['left out']} left out.",
        "",
        f"- device: {report['device']}",
        f"- driver: {report['driver']}",
        f"- peak: {report['peak']}",
        f"- compiler: {report['toolchain']}",
        f"- layoutalg {report['layoutalg']}, Python {report['python']}",
        "",
    ]
    entries = report["kernels"]
    lines += _table(KERNELS, (_kernel(entry) for entry in entries if entry["status"] != "left out"))
    speeds = [line for entry in entries for line in _speeds(entry)]
    if speeds:
        lines += ["## Speed", "", *_table(SPEEDS, speeds)]
    elif report["on"] == "cpu":
        lines += ["Executed on the CPU, instruction by instruction: it says nothing about speed.", ""]
    for title, status in (("Failed", "failed"), ("Left out", "left out")):
        told = [f"- {e['label']}: {_where(e)}{e['message']}" for e in entries if e["status"] == status]
        lines += [f"## {title}", "", *told, ""] if told else []
    return "\n".join(lines)


def _row(cells: Iterable[Any]) -> str:
    """One line of a table; None is an empty cell.

    >>> print(_row(("a", 1, None)))
    | a | 1 |  |
    """
    return f"| {' | '.join('' if cell is None else str(cell) for cell in cells)} |"


def _table(head: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> list[str]:
    return [_row(head), _row("---" for _ in head), *map(_row, rows), ""]


def _kernel(entry: Mapping[str, Any]) -> Iterator[Any]:
    claims, needs = entry.get("claims"), entry.get("resources", {})
    runs = [found for run in entry.get("runs", ()) for found in run["agreement"].values()]
    errors = [found["largest_error"] for found in runs if found["largest_error"] is not None]
    yield entry["label"]
    yield entry["status"]
    yield claims and f"{claims['proved']} proved" + (
        f", {len(claims['not_proved'])} not" * bool(claims["not_proved"])
    )
    code = entry.get("addresses")
    yield code and ("proved" if code["proved"] else "not proved")
    yield from (needs.get(key) for key in ("vgprs", "agprs", "spills", "lds_bytes", "waves_per_simd"))
    yield f"{max(errors):.3g}" if errors else "not run" if not runs else "not a number"


def _speeds(entry: Mapping[str, Any]) -> Iterator[Iterable[Any]]:
    for run in entry.get("runs", ()):
        if "seconds" in run:
            sizes = ", ".join(f"{name}={size}" for name, size in run["sizes"].items())
            beside = run.get("beside", {})
            yield (
                *(entry["label"], sizes, f"{1e6 * run['seconds']:.1f}"),
                *(run["gigabytes_per_second"], run.get("teraflops"), _percent(run.get("share_of_peak"))),
                *(beside.get(key) for key in ("name", "gigabytes_per_second", "teraflops")),
            )


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.1f} %"


def _where(entry: Mapping[str, Any]) -> str:
    return f"{entry['failed_at']}: " if "failed_at" in entry else ""
