"""Reader of ``mma_layouts.json``: a list of records, as AMD's instruction calculator printed them."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.mma import MatrixInstruction
from tests.golden.tally import Tally

__all__ = ["check", "name_of"]

FIELDS = {"m": "M", "n": "N", "k": "K", "blocks": "blocks", "cycles": "cycles", "wave_size": "wave_size"}


def name_of(record: dict[str, Any]) -> str:
    """What tells a record apart."""
    return f"{record['gfx']} {record['instruction']} wave{record['wave_size']}"


def check(tally: Tally, record: dict[str, Any]) -> None:
    """Compare one record: the shape, and which element each slot of each lane holds."""
    name = name_of(record)
    row = MatrixInstruction.named(record["instruction"], record["gfx"], record["wave_size"])
    for ours, theirs in FIELDS.items():
        tally.same(f"{name}: {theirs}", record[theirs], getattr(row, ours))
    for operand, rows in record["layouts"].items():
        slots = np.array(rows)
        if operand == "B":  # the calculator has K before N
            slots[..., [0, 1]] = slots[..., [1, 0]]
        lanes, elements = np.indices((row.wave_size, row.elements(operand)))
        held = np.stack([np.broadcast_to(x, lanes.shape) for x in row.element(operand, lanes, elements)], -1)
        if slots.shape[-1] > held.shape[-1]:  # a block that is always 0
            tally.same(f"{name}: blocks of {operand}", np.zeros_like(slots[..., 2]), slots[..., 2])
            slots = slots[..., :2]
        tally.same(f"{name}: {operand}", slots, held)
