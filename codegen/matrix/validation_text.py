"""A validation report as Markdown, for people.

>>> print(row(("a", 1, None)))
| a | 1 |  |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["row", "validation_text"]

KERNELS = (
    "kernel",
    "verdict",
    "claims",
    "VGPRs",
    "AGPRs",
    "spills",
    "LDS bytes",
    "waves/SIMD",
    "largest error",
)
SPEEDS = ("kernel", "sizes", "microseconds", "GB/s", "TFLOP/s", "beside it", "GB/s", "TFLOP/s")


def validation_text(report: Mapping[str, Any]) -> str:
    """The report with a table of kernels, one of speeds where there are any, and what failed."""
    counts = report["counts"]
    lines = [
        "# Validation of the kernels of layoutalg",
        "",
        f"{counts['passed']} passed, {counts['failed']} failed, {counts['left out']} left out.",
        "",
        f"- device: {report['device']}",
        f"- driver: {report['driver']}",
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


def row(cells: Iterable[Any]) -> str:
    """One line of a table; None is an empty cell."""
    return f"| {' | '.join('' if cell is None else str(cell) for cell in cells)} |"


def _table(head: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> list[str]:
    return [row(head), row("---" for _ in head), *map(row, rows), ""]


def _kernel(entry: Mapping[str, Any]) -> Iterator[Any]:
    claims, needs = entry.get("claims"), entry.get("resources", {})
    runs = [found for run in entry.get("runs", ()) for found in run["agreement"].values()]
    errors = [found["largest_error"] for found in runs if found["largest_error"] is not None]
    yield entry["label"]
    yield entry["status"]
    yield claims and f"{claims['proved']} proved" + (
        f", {len(claims['not_proved'])} not" * bool(claims["not_proved"])
    )
    yield from (needs.get(key) for key in ("vgprs", "agprs", "spills", "lds_bytes", "waves_per_simd"))
    yield f"{max(errors):.3g}" if errors else "not run" if not runs else "not a number"


def _speeds(entry: Mapping[str, Any]) -> Iterator[Iterable[Any]]:
    for run in entry.get("runs", ()):
        if "seconds" in run:
            sizes = ", ".join(f"{name}={size}" for name, size in run["sizes"].items())
            beside = run.get("beside", {})
            yield (
                *(entry["label"], sizes, f"{1e6 * run['seconds']:.1f}"),
                *(run["gigabytes_per_second"], run.get("teraflops")),
                *(beside.get(key) for key in ("name", "gigabytes_per_second", "teraflops")),
            )


def _where(entry: Mapping[str, Any]) -> str:
    return f"{entry['failed_at']}: " if "failed_at" in entry else ""
