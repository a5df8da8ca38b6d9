"""Nested layouts: shapes and strides inside tuples, as CK's wrapper and CuTe write them.

Reading order: ``nest`` (tuples in tuples), ``layout`` (a nested shape over a descriptor), ``hierarchy``
and ``transformed`` (CK wrapper's functions), then CuTe's algebra: ``coalesce``, ``composition``,
``complement``, ``divide``, ``product``, ``inverse``, ``swizzle``; ``of_descriptor`` leads back.
"""

from layoutalg.layout.coalesce import coalesce, concatenated
from layoutalg.layout.complement import complement
from layoutalg.layout.composition import composition
from layoutalg.layout.divide import flat_divide, logical_divide, tiled_divide, zipped_divide
from layoutalg.layout.hierarchy import depth, get, rank, shape, size
from layoutalg.layout.inverse import left_inverse, right_inverse
from layoutalg.layout.layout import Layout, make_layout
from layoutalg.layout.of_descriptor import of_descriptor
from layoutalg.layout.product import (
    blocked_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)
from layoutalg.layout.swizzle import Swizzle
from layoutalg.layout.transformed import pad, unmerge

__all__ = [
    "Layout",
    "Swizzle",
    "blocked_product",
    "coalesce",
    "complement",
    "composition",
    "concatenated",
    "depth",
    "flat_divide",
    "get",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_layout",
    "of_descriptor",
    "pad",
    "raked_product",
    "rank",
    "right_inverse",
    "shape",
    "size",
    "tiled_divide",
    "tiled_product",
    "unmerge",
    "zipped_divide",
    "zipped_product",
]
