"""Reader of ``magic_division.json``."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.transforms.magic_division import MagicDivision
from tests.golden.tally import Tally

__all__ = ["check"]

SEARCHED = 2**20


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    bits = 16 if "16" in case["name"] else 32
    for row in case["observed"]["rows"]:
        magic = MagicDivision.of(row["divisor"], bits)
        where = f"{case['name']}: divisor {row['divisor']}"
        tally.same(f"{where}: multiplier", row["multiplier"], magic.multiplier)
        tally.same(f"{where}: shift", row["shift"], magic.shift)
        for field in ("samples", "above_31_bit"):
            if row.get(field):
                samples = np.array(row[field])
                tally.same(f"{where}: {field}", samples[:, 1], magic.quotient(samples[:, 0]))
        if "first_wrong_dividend" in row:
            dividends = np.arange(SEARCHED)
            wrong = np.flatnonzero(magic.quotient(dividends) != dividends // row["divisor"])
            first = int(wrong[0]) if len(wrong) else 0
            tally.same(f"{where}: first wrong", row["first_wrong_dividend"], first)
