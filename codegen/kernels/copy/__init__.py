"""Copies of tensors as kernels: the CK wrapper's copy, and image to column.

Reading order: ``fitting`` (forms that fit 32 bits), ``plan`` (who moves what, and where it lies), ``claims``
(what must hold), ``text`` (the source), ``builder`` (the kernel), ``boxed`` (a copy moved in boxes),
``image_to_column`` (a convolution's input as a matrix).
"""

from layoutalg.codegen.kernels.copy.builder import copy, kernel_of, planned_copy
from layoutalg.codegen.kernels.copy.image_to_column import ConvolutionShape, image_to_column
from layoutalg.codegen.kernels.copy.plan import CopyPlan

__all__ = ["ConvolutionShape", "CopyPlan", "copy", "image_to_column", "kernel_of", "planned_copy"]
