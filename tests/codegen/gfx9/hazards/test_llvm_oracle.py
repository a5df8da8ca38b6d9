"""Pairs of instructions, and how many wait states LLVM itself puts between them: the same as the rules say.

Recorded from LLVM 22.1.8, llc -run-pass=post-RA-hazard-rec without XNACK, on machine code of random pairs.
A row: target, first instruction, second one, wait states that were there, wait states that LLVM added.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.codegen.gfx9.hazards.wait_states import hazards_at_last

ROWS = [line.split("|") for line in (Path(__file__).parent / "llvm_nops.txt").read_text().splitlines()]


@pytest.mark.parametrize("target", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_llvm_adds_what_the_rules_want(target):
    differing = []
    for _, first, second, there, added in (row for row in ROWS if row[0] == target):
        hazards = hazards_at_last((first, second), int(there), target)
        wanted = max((hazard.wanted - hazard.found for hazard in hazards), default=0)
        if wanted != int(added):
            differing.append((first, second, there, added, wanted))
    assert differing == []


def test_each_target_has_rows_that_want_something():
    wanting = Counter(row[0] for row in ROWS if int(row[4]))
    assert min(wanting[target] for target in ("gfx908", "gfx90a", "gfx942", "gfx950")) >= 50
