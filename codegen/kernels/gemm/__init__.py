"""GEMM on the matrix cores.

Reading order: ``config`` (what a kernel is to be) and ``ladder`` (those there are), ``gemm_problem`` (sizes,
blocks, tensors), ``tiles`` (who moves what, C through shared memory), ``builtins`` (matrix instructions in
clang), ``text`` with ``operand_text`` and ``result_text`` (the HIP source), ``claims`` with
``fragment_claims`` (what must hold), ``reference`` (what C must be), ``builder`` (the kernel), ``parts_sum``
(the second kernel of a split K), ``traits`` (the GEMMs of CK's wrapper), ``family`` (what is shipped).
"""

from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.ladder import ELEMENTS, RUNGS, configured
from layoutalg.codegen.kernels.gemm.parts_sum import parts_sum

__all__ = ["ELEMENTS", "RUNGS", "GemmConfig", "configured", "gemm", "parts_sum"]
