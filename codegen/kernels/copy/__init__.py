"""Copies of tensors as kernels: the CK wrapper's copy and blockwise copy, and image to column.

Reading order: ``plan`` (who moves what), ``accesses`` (where it lies), ``claims`` (what must hold), ``text``
(the source), ``builder`` (the kernel), ``image_to_column`` (a convolution's input as a matrix);
``block_tiles``, ``block_claims``, ``block_text`` and ``blockwise`` (through shared memory).
"""

from layoutalg.codegen.kernels.copy.block_tiles import BlockTiles
from layoutalg.codegen.kernels.copy.blockwise import block_kernel_of, blockwise_copy
from layoutalg.codegen.kernels.copy.builder import copy, kernel_of
from layoutalg.codegen.kernels.copy.image_to_column import ConvolutionShape, image_to_column
from layoutalg.codegen.kernels.copy.plan import CopyPlan

__all__ = [
    "BlockTiles",
    "ConvolutionShape",
    "CopyPlan",
    "block_kernel_of",
    "blockwise_copy",
    "copy",
    "image_to_column",
    "kernel_of",
]
