"""Tensors of CK's wrapper: layouts over memory and registers, their tiles and partitions, copies.

Reading order: ``memory_type``, ``dim_slice``, ``tensor``, ``local_tile``, ``local_partition``, ``copy``,
``blockwise_gemm``.
"""

from layoutalg.tensor.blockwise_gemm import (
    GemmTraits,
    make_blockwise_gemm_xdl_c_local_partition,
    make_blockwise_gemm_xdl_c_vgpr,
)
from layoutalg.tensor.copy import access_order, copy
from layoutalg.tensor.dim_slice import DimSlice, slice_
from layoutalg.tensor.local_partition import make_local_partition
from layoutalg.tensor.local_tile import block_to_tile, make_local_tile
from layoutalg.tensor.memory_type import MemoryType
from layoutalg.tensor.tensor import Tensor, clear, layout, make_register_tensor, make_tensor

__all__ = [
    "DimSlice",
    "GemmTraits",
    "MemoryType",
    "Tensor",
    "access_order",
    "block_to_tile",
    "clear",
    "copy",
    "layout",
    "make_blockwise_gemm_xdl_c_local_partition",
    "make_blockwise_gemm_xdl_c_vgpr",
    "make_local_partition",
    "make_local_tile",
    "make_register_tensor",
    "make_tensor",
    "slice_",
]
