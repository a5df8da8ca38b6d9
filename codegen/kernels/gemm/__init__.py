"""GEMM on the matrix cores.

Reading order: ``config`` (what a kernel is to be) and ``ladder`` (those there are), ``schedule`` (the order
of work), ``problem`` (sizes, blocks, tensors), ``moves`` and ``tiles`` (who moves what), ``staging`` (C
through shared memory), ``places`` and ``accesses`` (addresses and constants), ``builtins``, ``text`` with
``operand_text``, ``result_text`` and ``interleaving`` (the HIP source), ``fragments`` and ``claims`` (what
must hold), ``builder`` (the kernel), ``parts_sum`` (the second kernel of a split K).
"""

from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.ladder import ELEMENTS, RUNGS, configured
from layoutalg.codegen.kernels.gemm.parts_sum import parts_sum

__all__ = ["ELEMENTS", "RUNGS", "GemmConfig", "configured", "gemm", "parts_sum"]
