"""Kernel builders: each makes a :class:`~layoutalg.codegen.kernel.Kernel` from descriptors."""

from layoutalg.codegen.kernels.copy import blockwise_copy, copy, image_to_column
from layoutalg.codegen.kernels.transpose import permute, transpose

__all__ = ["blockwise_copy", "copy", "image_to_column", "permute", "transpose"]
