"""GEMM on the matrix cores.

Reading order: ``config`` (what a kernel is to be) and ``ladder`` (those there are), ``schedule`` (the order
of work), ``tiles`` (who moves what), ``places`` and ``accesses`` (addresses and constants), ``builtins``,
``text`` (the HIP source), ``fragments`` and ``claims`` (what must hold), ``builder`` (the kernel).
"""

from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.ladder import ELEMENTS, RUNGS, configured

__all__ = ["ELEMENTS", "RUNGS", "GemmConfig", "configured", "gemm"]
