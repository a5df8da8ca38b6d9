"""Kernel builders: each makes a :class:`~layoutalg.codegen.kernel.Kernel` from descriptors."""

from layoutalg.codegen.kernels.transpose import permute, transpose

__all__ = ["permute", "transpose"]
