"""What is printed, emitted and claimed is the same in each run, though Python orders its sets by a seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from layoutalg import simplify
from layoutalg.codegen.matrix.kernel_matrix import Choice
from tests.layoutalg.index_code.table_cases import CASES
from tests.regressions.test_soundness import FAR, LARGE, swizzles

ROOT = Path(__file__).parents[2]
SEEDS = ("0", "1", "2", "77")


def simplified() -> Iterator[object]:
    yield from (simplify(text, LARGE) for text in FAR)
    yield from (simplify(text, domain) for text, domain in swizzles(12, 9))


def kernels() -> Iterator[object]:
    """Text, claims and accesses: guarded tiles, pieces of several rows, padded copies."""
    for family, element, options in (
        ("permute", "f64", {}),
        ("permute", "bf16", {"lengths": (5, 50, 72), "permutation": (2, 0, 1)}),
        ("copy", "f32", {"lengths": (5, 50, 71), "pads": (0, 1, 2)}),
    ):
        made = Choice(family, "gfx942", element, options).kernel()
        yield from (made.text, *made.claims, *made.accesses)
        yield from ((claim.domain, claim.then, claim.when) for claim in made.claims)


def guards() -> Iterator[object]:
    """Conditions that read a table where the others hold."""
    yield from (case.made.text(to) for case in CASES.values() for to in ("c", "python"))


PROGRAMS: dict[str, Callable[[], Iterator[object]]] = {
    program.__name__: program for program in (simplified, kernels, guards)
}


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_do_not_depend_on_it(name):
    program = (
        "from tests.regressions.test_hash_seed import PROGRAMS\n"
        f"for one in PROGRAMS[{name!r}](): print(one)\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in SEEDS
    }
    here = [f"{one}\n" for one in PROGRAMS[name]()]
    assert found == {"".join(here)}
    assert len(here) >= len(FAR) + 12
