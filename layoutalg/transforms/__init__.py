"""The coordinate transforms of Composable Kernel, one file each, with CK's functions that make them.

``TRANSFORMS`` has them all by CK's name of the kind. The merge of CK Tile divides by magic numbers unless
told otherwise, so ``make_merge_transform`` is its ``v2``; old CK's default is ``v1``. Both mean the same.

>>> make_merge_transform((4, 8)) == make_merge_transform_v2_magic_division((4, 8))
True

==================  =====================================================  =============
transform           lower index of the upper index ``u``                   file
==================  =====================================================  =============
``PassThrough``     ``u``                                                  pass_through
``Pad``             ``u - left_pad``, valid inside                         pad
``LeftPad``         ``u - left_pad``, valid above                          pad
``RightPad``        ``u``, valid below                                     pad
``Embed``           ``sum(u[i] * coefficients[i])``                        embed
``Merge``           mixed-radix digits of ``u``, last fastest              merge
``Unmerge``         ``u`` flattened, last fastest                          unmerge
``Freeze``          a constant                                             freeze
``Insert``          none (one upper dimension)                             insert
``Replicate``       none (several upper dimensions)                        insert
``Slice``           ``u + slice_begin``                                    slice
``Modulo``          ``u % modulus``                                        modulo
``Xor``             ``(u0, u1 ^ (u0 % low_lengths[1]))``                   xor
``Offset``          ``u + offset_length``                                  offset
``Vectorize``       ``u * vector_size``                                    vectorize
``Indexing``        any expression in ``u``                                indexing
==================  =====================================================  =============
"""

from layoutalg.transforms.embed import Embed, make_embed_transform
from layoutalg.transforms.freeze import Freeze, make_freeze_transform
from layoutalg.transforms.indexing import Indexing, make_indexing_transform
from layoutalg.transforms.insert import Insert, Replicate, make_insert_transform, make_replicate_transform
from layoutalg.transforms.merge import (
    Merge,
    MergeVariant,
    Unmerge,
    make_merge_transform,
    make_merge_transform_v1_carry_check,
    make_merge_transform_v2_magic_division,
    make_merge_transform_v2r2_magic_division,
    make_merge_transform_v3_division_mod,
    make_merge_transform_v4_no_carry,
    make_unmerge_transform,
)
from layoutalg.transforms.modulo import Modulo, make_modulo_transform
from layoutalg.transforms.offset import Offset, make_offset_transform
from layoutalg.transforms.pad import (
    LeftPad,
    Pad,
    RightPad,
    make_left_pad_transform,
    make_pad_transform,
    make_right_pad_transform,
)
from layoutalg.transforms.pass_through import PassThrough, make_pass_through_transform
from layoutalg.transforms.slice import Slice, make_slice_transform
from layoutalg.transforms.transform import UNKNOWN, Transform, VectorHint
from layoutalg.transforms.vectorize import Vectorize, make_vectorize_transform
from layoutalg.transforms.xor import Xor, make_xor_transform, make_xor_with_modulo_transform

TRANSFORMS: dict[str, type[Transform]] = {
    kind.kind: kind for kind in globals().copy().values() if isinstance(kind, type) and hasattr(kind, "kind")
}

__all__ = [
    "TRANSFORMS",
    "UNKNOWN",
    "Embed",
    "Freeze",
    "Indexing",
    "Insert",
    "LeftPad",
    "Merge",
    "MergeVariant",
    "Modulo",
    "Offset",
    "Pad",
    "PassThrough",
    "Replicate",
    "RightPad",
    "Slice",
    "Transform",
    "Unmerge",
    "VectorHint",
    "Vectorize",
    "Xor",
    "make_embed_transform",
    "make_freeze_transform",
    "make_indexing_transform",
    "make_insert_transform",
    "make_left_pad_transform",
    "make_merge_transform",
    "make_merge_transform_v1_carry_check",
    "make_merge_transform_v2_magic_division",
    "make_merge_transform_v2r2_magic_division",
    "make_merge_transform_v3_division_mod",
    "make_merge_transform_v4_no_carry",
    "make_modulo_transform",
    "make_offset_transform",
    "make_pad_transform",
    "make_pass_through_transform",
    "make_replicate_transform",
    "make_right_pad_transform",
    "make_slice_transform",
    "make_unmerge_transform",
    "make_vectorize_transform",
    "make_xor_transform",
    "make_xor_with_modulo_transform",
]
