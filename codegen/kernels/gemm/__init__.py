"""GEMM on the matrix cores.

Reading order: ``config`` (what a kernel is to be) and ``ladder`` (those there are), ``gemm_problem``
(sizes, tensors) with ``block_order`` (which workgroup makes which block), ``tiles`` (who moves what) with
``copy_distributions``, ``buffer_access`` (ends that the hardware looks after) and ``result_stage`` (C
through shared memory), ``builtins`` (matrix instructions in clang), ``text`` with ``operand_text`` and
``result_text`` (the HIP source), ``turned_bytes`` and ``transposed_reads`` (operands that lie the other
way), ``claims`` with ``fragment_claims`` (what must hold), ``accesses`` (what compiled code is held to),
``reference`` (what C must be), ``builder`` (the kernel), ``parts_sum`` (the second kernel of a split K),
``planner`` with ``expected_loop`` (the configuration for given sizes), ``traits`` (the GEMMs of CK's
wrapper), ``family`` (what is shipped).
"""

from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.ladder import ELEMENTS, RUNGS, configured
from layoutalg.codegen.kernels.gemm.parts_sum import parts_sum

__all__ = ["ELEMENTS", "RUNGS", "GemmConfig", "configured", "gemm", "parts_sum"]
