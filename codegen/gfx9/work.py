"""What kind of work instructions are, and how long they keep the matrix cores busy.

>>> class_of("v_mfma_f32_16x16x16_f16"), class_of("ds_read_b128"), class_of("s_cbranch_scc1")
('mfma', 'lds', 'branch')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from layoutalg.mma import MatrixInstruction

__all__ = ["CLASSES", "class_of", "work_of"]

CLASSES = {  # what a mnemonic begins with; the first that fits
    "v_mfma_": "mfma",
    "v_": "valu",
    "global_": "vmem",
    "buffer_": "vmem",
    "ds_": "lds",
    "s_branch": "branch",
    "s_cbranch": "branch",
    "s_load": "smem",
    "s_buffer_load": "smem",
    "s_waitcnt": "other",
    "s_barrier": "other",
    "s_nop": "other",
    "s_endpgm": "other",
    "s_setprio": "other",
    "s_sleep": "other",
    "s_": "salu",
}


def class_of(mnemonic: str) -> str:
    """mfma, valu, salu, vmem, smem, lds, branch or other."""
    return next((kind for start, kind in CLASSES.items() if mnemonic.startswith(start)), "other")


def work_of(executed: Mapping[str, int], target: str) -> Counter[str]:
    """Instructions of each class (counted once a wave), and the cycles of all matrix instructions."""
    found = Counter({f"{kind}_instructions": 0 for kind in CLASSES.values()})
    found["mfma_cycles"] = 0
    for mnemonic, count in executed.items():
        kind = class_of(mnemonic)
        found[f"{kind}_instructions"] += count
        if kind == "mfma":
            row = MatrixInstruction.named(mnemonic.removesuffix("_e64"), target)
            found["mfma_cycles"] += count * row.cycles
    return found
