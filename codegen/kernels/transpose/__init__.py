"""Transposes and all other permutations of dimensions, moved exactly.

``transpose`` turns a matrix in registers; ``permute`` moves any permutation of up to five dimensions.

Reading order: ``permutation`` (what lies where), ``config`` (what a kernel is to be), ``planner`` (which for
which sizes), ``spread`` (who moves what), ``shared_tile`` (the layout in shared memory), ``tiles``
(accesses), ``claims`` (what must hold), ``text`` (the source), ``builder`` (the kernel); ``interleaving``,
``interleaved_text`` and ``interleaved_kernel`` (a short dimension beside a long one), ``chosen_path`` (by
tiles, interleaved, or in boxes); ``tile_move``, ``tile_move_text`` and ``in_registers`` (the transpose of the
CK blog), ``family`` (what is shipped).
"""

from layoutalg.codegen.kernels.transpose.builder import kernel_of, permute, vectors_of
from layoutalg.codegen.kernels.transpose.config import PermuteConfig
from layoutalg.codegen.kernels.transpose.in_registers import transpose
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.kernels.transpose.planner import planned
from layoutalg.codegen.kernels.transpose.tiles import PermuteTiles

__all__ = [
    "Permutation",
    "PermuteConfig",
    "PermuteTiles",
    "kernel_of",
    "permute",
    "planned",
    "transpose",
    "vectors_of",
]
