"""Accesses of a wave to memory: banks of shared memory, lines of global memory, free layouts.

Reading order: ``wave_access`` (who goes where), ``bank_conflicts`` (counted),
``global_access`` (segments and coalescing), ``lds_layouts`` and ``lds_search`` (paddings and swizzles).
"""

from layoutalg.memory.bank_conflicts import BankConflicts, bank_conflicts
from layoutalg.memory.global_access import GlobalAccess, global_access
from layoutalg.memory.lds_layouts import RowSwizzle, k_first, padded_rows, row_major, xor_swizzled
from layoutalg.memory.lds_search import LdsLayout, free_layouts, least_conflicts, row_swizzles, swizzles
from layoutalg.memory.wave_access import WaveAccess, tile_map, vector_axis

__all__ = [
    "BankConflicts",
    "GlobalAccess",
    "LdsLayout",
    "RowSwizzle",
    "WaveAccess",
    "bank_conflicts",
    "free_layouts",
    "global_access",
    "k_first",
    "least_conflicts",
    "padded_rows",
    "row_major",
    "row_swizzles",
    "swizzles",
    "tile_map",
    "vector_axis",
    "xor_swizzled",
]
