"""The prover measured: the corpus, growing sizes, second opinions, a folder of a thousand files.

python -m tests.benchmarks.prover [--files 1000] [--recheck] [CORPUS.json ...]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from layoutalg import Claim, Comparison, Domain, IndexMap, make_naive_tensor_descriptor_packed, parse, sizes
from layoutalg.check.decide import Options
from layoutalg.check.runner import findings
from layoutalg.proofs import certificate, prove, recheck
from layoutalg.properties import covers, memory_bounds, one_to_one, one_to_one_map
from layoutalg.verdict import Proved
from tests.corpus import layout_cases

FILE = """facts = ["M*K < 2**31"]
[symbols]
M = {{ min = {rows}, max = 65536, multiple_of = {rows} }}
K = {{ min = {columns}, max = 32768, multiple_of = {columns} }}

[layout.dram]
base = {{ lengths = ["M", "K"], strides = ["K", 1] }}
stages = [
  [
    {{ transform = "unmerge", up_lengths = ["M // {rows}", {rows}], lower = [0], upper = [0, 1] }},
    {{ transform = "unmerge", up_lengths = ["K // {vector}", {vector}], lower = [1], upper = [2, 3] }},
  ],
]
claims = [
  "in bounds", "bijective", "fits int32", {{ claim = "vector access", dimension = 3, width = {vector} }},
]

[layout.lds]
index = {{ row = {rows}, col = {columns} }}
offset = "row*{columns} + (col ^ (row % {groups}) * {vector})"
size = {space}
claims = ["in bounds", "bijective", {{ claim = "vector access", dimension = "col", width = {vector} }}]
"""


def claims_of(case: dict[str, Any]) -> dict[str, Claim]:
    """What a case of the corpus says of itself."""
    domain = Domain.from_corpus(case)
    raw, best = parse(case["raw"], domain), parse(case["best"], domain)
    found = {"equal": Claim("equals", case["id"], domain, (Comparison(raw, "==", best),))}
    if case["size"]:
        ends = (Comparison(0, "<=", raw), Comparison(raw, "<", parse(case["size"], domain)))
        found["bounds"] = Claim("in memory bounds", case["id"], domain, ends)
    if case["injective"] is not None:
        found["one-to-one"] = one_to_one_map(IndexMap(domain, (raw,)), case["id"])
    return found


def corpus(cases: list[dict[str, Any]], *, again: bool) -> Table:
    """One row a claim: verdict, member, milliseconds, and what the second solvers say."""
    table = Table("case", "claim", "verdict", "by", "ms", "z3", "cvc5", title="Corpus")
    counts: Counter[tuple[str, str]] = Counter()
    times, members, confirmed = [], Counter[str](), Counter[str]()
    for case in cases:
        for name, claim in claims_of(case).items():
            start = time.perf_counter()
            verdict = prove(claim)
            times.append(1e3 * (time.perf_counter() - start))
            kind = type(verdict).__name__.lower()
            counts[name, kind] += 1
            by = getattr(verdict, "by", "")
            members[by] += 1
            answers = recheck(certificate(claim, verdict)).answers if again else {}
            for solver, answer in answers.items():
                confirmed[solver] += answer.startswith(("confirmed", "fails"))
            said = [answers.get(solver, "") for solver in ("z3", "cvc5")]
            table.add_row(case["id"], name, kind, by, f"{times[-1]:.2f}", *said)
    table.caption = (
        f"{dict(counts)}; median {statistics.median(times):.2f} ms, max {max(times):.0f} ms; "
        f"by {dict(members)}; confirmed again by {dict(confirmed)}"
    )
    return table


def curve() -> Table:
    """Milliseconds for the same claims while the tensor grows from 2**10 elements to any number."""
    table = Table("elements", "bounds", "one-to-one", "covers", title="Padded, tiled, swizzled rows")
    rows, columns = sizes("R C")
    for bits in (10, 16, 22, 28, 34, 40, None):
        height, width = (1 << bits // 2 - 3, 1 << (bits + 1) // 2 - 3) if bits else (rows, columns)
        base = make_naive_tensor_descriptor_packed((8 * height, 8 * width))
        layout = base.unmerge(0, (height, 8)).unmerge(2, (width, 8)).xor(1, 3).merge(0, 1)
        spent = [_median(build(layout)) for build in (memory_bounds, one_to_one, covers)]
        table.add_row(f"2**{bits}" if bits else "any", *spent)
    return table


def _median(claim: Claim) -> str:
    """Median milliseconds of five proofs, or the verdict if it is none."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        verdict = prove(claim)
        times.append(1e3 * (time.perf_counter() - start))
        if not isinstance(verdict, Proved):
            return repr(verdict)
    return f"{statistics.median(times):.1f}"


def folder(count: int) -> Table:
    """Seconds for a folder of layout files in two processes: decided anew, and from the cache."""
    table = Table("files", "claims", "cold s", "cached s", title="Folder")
    with tempfile.TemporaryDirectory() as place:
        sources = []
        for number in range(count):
            rows, columns, vector = (
                (64, 128, 256)[number % 3],
                (32, 64, 128)[number // 3 % 3],
                (4, 8)[number % 2],
            )
            path = Path(place) / f"{number}.layout.toml"
            numbers = {"rows": rows, "columns": columns, "vector": vector}
            path.write_text(FILE.format(**numbers, groups=columns // vector, space=rows * columns), "utf-8")
            sources.append(str(path))
        options = Options(cache=str(Path(place) / "cache.sqlite3"))
        spent = []
        for _ in range(2):
            start = time.perf_counter()
            results = [finding for _, part in findings(sources, options, jobs=2) for finding in part]
            spent.append(f"{time.perf_counter() - start:.1f}")
    claims = Counter(finding.status for finding in results)
    table.add_row(str(count), str(dict(claims)), *spent)
    return table


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="*", type=Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--recheck", action="store_true")
    given = parser.parse_args()
    cases = [case for path in given.corpora for case in json.loads(path.read_text("utf-8"))["cases"]]
    console = Console(width=160, highlight=False)
    console.print(corpus(cases or layout_cases(), again=given.recheck))
    console.print(curve())
    if given.files:
        console.print(folder(given.files))


if __name__ == "__main__":
    main()
