"""Tile programs as kernels: ``kernel_of_program(program, target)`` writes HIP and claims.

Reading order: ``program_kernel`` (the kernel), ``statement_text`` (each statement), ``window_places``
(windows as loops and offsets), ``element_text`` (arithmetic), ``matrix_calls`` (``warp_gemm``).
"""

from layoutalg.codegen.tile_programs.program_kernel import kernel_of_program

__all__ = ["kernel_of_program"]
