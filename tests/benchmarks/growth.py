"""How work grows with the input, and what the second look before "proved" costs.

python -m tests.benchmarks.growth
"""

from __future__ import annotations

import statistics
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from layoutalg import (
    Domain,
    Proved,
    make_naive_tensor_descriptor_packed,
    simplify,
    transform_tensor_descriptor,
)
from layoutalg.domain.probes import probes, small_probes
from layoutalg.proofs import prove
from layoutalg.proofs.second_look import counterexample
from layoutalg.properties import logical_bounds, memory_bounds, one_to_one
from layoutalg.transforms import Merge, Pad
from tests.benchmarks.prover import claims_of
from tests.corpus import layout_cases

REPEATS = 5


def simplified(text: str, axes: dict[str, int]) -> str:
    return str(simplify(text, Domain.of(axes)))


def bit_terms(count: int) -> str:
    text = " + ".join(f"((x >> {i % 20}) & 1)*{3 * i + 1}" for i in range(count))
    return simplified(text, {"x": 1 << 20})


def digits_of_one(count: int) -> str:
    text = " + ".join(f"(x // {i + 2} % 7)*{5 * i + 1}" for i in range(count))
    return simplified(text, {"x": 1 << 20})


def digits_of_many(count: int) -> str:
    axes = [f"x{i}" for i in range(20)]
    text = " + ".join(f"({axes[i % 20]} // {i + 2} % 7)*{5 * i + 1}" for i in range(count))
    return simplified(text, dict.fromkeys(axes, 1 << 20))


def rounds(count: int) -> Any:
    layout = make_naive_tensor_descriptor_packed((64,))
    for number in range(count):
        low = (2, 4, 8)[number % 3]
        layout = layout.unmerge(0, (64 // low, low)).merge(0, 1)
    return prove(one_to_one(layout))


def padded(dimensions: int) -> list[Any]:
    lengths = [4 + i for i in range(dimensions)]
    packed = make_naive_tensor_descriptor_packed(tuple(lengths))
    each = [(i,) for i in range(dimensions)]
    wide = transform_tensor_descriptor(packed, [Pad(n, 1, 2) for n in lengths], each, each)
    merged = transform_tensor_descriptor(
        wide, [Merge(tuple(n + 3 for n in lengths))], [tuple(range(dimensions))], [(0,)]
    )
    return [prove(build(merged)) for build in (memory_bounds, logical_bounds, one_to_one)]


CASES = {
    "300 terms of bits": (lambda: bit_terms(300), 1),
    "1,000 digits of one axis": (lambda: digits_of_one(1000), 1),
    "1,000 digits of 20 axes": (lambda: digits_of_many(1000), 1),
    "16 rounds of merge and unmerge, one-to-one": (lambda: rounds(16), 1),
    "8 dimensions padded and merged: bounds, one-to-one": (lambda: padded(8), 2),
}


def growth() -> Table:
    """Seconds of the process for inputs that grew badly once, beside what is asked."""
    table = Table("input", "seconds", "asked", "answer", title="Growth")
    for name, (work, asked) in CASES.items():
        start = time.process_time()
        answer = str(work())
        table.add_row(name, f"{time.process_time() - start:.2f}", str(asked), answer[:60])
    return table


def second_look() -> Table:
    """Milliseconds of the second look at the corpus's proofs, with points found anew and found before."""
    claims = [claim for case in layout_cases() for claim in claims_of(case).values()]
    claims = [claim for claim in claims if isinstance(prove(claim), Proved)]
    table = Table("points", "claims", "median ms", "95 % ms", "max ms", title="Second look")
    for kind in ("found anew", "found before"):
        times = []
        for claim in claims:
            spent = []
            for _ in range(REPEATS):
                if kind == "found anew":
                    probes.cache_clear()
                    small_probes.cache_clear()
                start = time.perf_counter()
                counterexample(claim)
                spent.append(1e3 * (time.perf_counter() - start))
            times.append(statistics.median(spent))
        worst = statistics.quantiles(times, n=20)[-1]
        row = (f"{value:.2f}" for value in (statistics.median(times), worst, max(times)))
        table.add_row(kind, str(len(claims)), *row)
    return table


def main() -> None:
    console = Console(width=160, highlight=False)
    console.print(growth())
    console.print(second_look())


if __name__ == "__main__":
    main()
