"""Kernel builders: each makes a :class:`~layoutalg.codegen.kernel.Kernel`; a folder holds one family of them.

Families share what stands beside their folders and :mod:`layoutalg.codegen.text`, and know nothing of each
other.
"""

from layoutalg.codegen.kernels.blockwise_copy import blockwise_copy
from layoutalg.codegen.kernels.copy import copy, image_to_column
from layoutalg.codegen.kernels.transpose import permute, transpose

__all__ = ["blockwise_copy", "copy", "image_to_column", "permute", "transpose"]
