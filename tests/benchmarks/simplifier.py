"""The simplifier measured: price, wrong results, compiled instructions and time, all in one run.

    python -m tests.benchmarks.simplifier [CORPUS.json ...]

A corpus has the schema of ``tests/corpus/index_exprs.json``. Peers are measured beside it by any tool
that takes ``tests.benchmarks.adapter:simplify_text``.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from layoutalg import simplify_all
from layoutalg.term.cost import Pricing
from layoutalg.term.parse import parse_term
from tests.benchmarks.adapter import simplify_text
from tests.benchmarks.instructions import instructions
from tests.corpus import layout_cases, points, python_value, wave_cases, wave_domain

WARM_UP = {"vars": [{"name": "a", "lo": 0, "hi": 64}], "params": []}


def layouts(cases: Sequence[Mapping[str, Any]]) -> Table:
    """One row a case, and the sums."""
    table = Table(
        "case", "given", "best", "ours", "gfx942 given", "best", "ours", "ms", "form", title="Layouts"
    )
    simplify_text("a // 4 * 4 + (a ^ 1) % 4", WARM_UP)
    sums, times, wrong, at_best, dearer = [0] * 6, [], 0, 0, 0
    forms = []
    for case in cases:
        start = time.perf_counter()
        forms.append(simplify_text(case["raw"], case))
        times.append(1e3 * (time.perf_counter() - start))
    for case, form, spent in zip(cases, forms, times, strict=True):
        pricing = Pricing([row["name"] for row in case["params"]])
        texts = (case["raw"], case["best"], form)
        prices = [pricing.total(parse_term(text)) for text in texts]
        counts = [instructions(case, text) for text in texts]
        wrong += any(python_value(form, p) != python_value(case["raw"], p) for p in points(case, 300))
        at_best += prices[2] <= prices[1]
        dearer += prices[2] > prices[0]
        sums = [total + found for total, found in zip(sums, [*prices, *counts], strict=True)]
        table.add_row(case["id"], *map(str, [*prices, *counts]), f"{spent:.1f}", form)
    table.add_section()
    table.add_row("sum", *map(str, sums), f"{statistics.median(times):.2f}/{max(times):.1f}", "median/max ms")
    table.caption = (
        f"{wrong} wrong, {at_best} of {len(times)} at best, {dearer} dearer than given; "
        f"instructions {sums[5] / sums[4]:.3f} x best's"
    )
    return table


def compiler() -> Table:
    """The 615 expressions of the kernel compiler: price beside ixsimpl's forms, and time without parsing."""
    domain = wave_domain()
    pricing = Pricing([parameter.name for parameter in domain.parameters])
    terms = [parse_term(case.text, syntax="sympy") for case in wave_cases()]
    theirs = sum(pricing.total(parse_term(case.ixsimpl, syntax="sympy")) for case in wave_cases())
    table = Table(
        "615 expressions", "given", "ixsimpl", "ours", "seconds", title="A kernel compiler's expressions"
    )
    start = time.perf_counter()
    found = simplify_all(terms, domain, assume_defined=True)
    seconds = time.perf_counter() - start
    costs = sum(f.cost_before for f in found), theirs, sum(f.cost for f in found)
    table.add_row("prices, time without parsing", *map(str, costs), f"{seconds:.2f}")
    return table


def main(paths: list[str]) -> None:
    cases = [c for path in paths for c in json.loads(Path(path).read_text(encoding="utf-8"))["cases"]]
    console = Console(width=220)
    console.print(layouts(cases or layout_cases()))
    console.print(compiler())


if __name__ == "__main__":
    main(sys.argv[1:])
