"""Composable Kernel's functions that build transforms, under their own names.

The merge of CK Tile divides by magic numbers unless told otherwise, so ``make_merge_transform`` is
its ``v2``; old CK's default is ``v1``. The meaning is the same.

>>> make_merge_transform((4, 8)) == make_merge_transform_v2_magic_division((4, 8))
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympy import Expr, Symbol

from layoutalg.transforms import (
    Embed,
    Freeze,
    Indexing,
    Insert,
    LeftPad,
    Merge,
    MergeVariant,
    Modulo,
    Offset,
    Pad,
    PassThrough,
    Replicate,
    RightPad,
    Slice,
    Unmerge,
    Vectorize,
    Xor,
)

if TYPE_CHECKING:
    from layoutalg.length import Length

__all__ = [
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


def make_pass_through_transform(low_length: Length) -> PassThrough:
    """The identity on one dimension."""
    return PassThrough(low_length)


def make_pad_transform(
    low_length: Length,
    left_pad: Length,
    right_pad: Length,
    skip_is_valid_check: bool = False,
) -> Pad:
    """Elements before and after one dimension."""
    return Pad(low_length, left_pad, right_pad, skip_is_valid_check)


def make_left_pad_transform(
    low_length: Length,
    left_pad: Length,
    skip_is_valid_check: bool = False,
) -> LeftPad:
    """Elements before one dimension."""
    return LeftPad(low_length, left_pad, skip_is_valid_check)


def make_right_pad_transform(
    low_length: Length,
    right_pad: Length,
    skip_is_valid_check: bool = False,
) -> RightPad:
    """Elements after one dimension."""
    return RightPad(low_length, right_pad, skip_is_valid_check)


def make_embed_transform(up_lengths: Any, coefficients: Any) -> Embed:
    """Strides: one lower dimension from several upper ones."""
    return Embed(up_lengths, coefficients)


def make_merge_transform(low_lengths: Any) -> Merge:
    """Several lower dimensions as one, the last one fastest."""
    return Merge(low_lengths, MergeVariant.V2_MAGIC_DIVISION)


def make_merge_transform_v1_carry_check(low_lengths: Any) -> Merge:
    """The merge that moves by carrying from digit to digit (old CK)."""
    return Merge(low_lengths, MergeVariant.V1_CARRY_CHECK)


def make_merge_transform_v2_magic_division(low_lengths: Any) -> Merge:
    """The merge that divides by magic numbers, for upper indices of 31 bits."""
    return Merge(low_lengths, MergeVariant.V2_MAGIC_DIVISION)


def make_merge_transform_v2r2_magic_division(low_lengths: Any) -> Merge:
    """The merge that divides by magic numbers of scanned lengths (old CK)."""
    return Merge(low_lengths, MergeVariant.V2R2_MAGIC_DIVISION)


def make_merge_transform_v3_division_mod(low_lengths: Any) -> Merge:
    """The merge that uses the processor's division."""
    return Merge(low_lengths, MergeVariant.V3_DIVISION_MOD)


def make_merge_transform_v4_no_carry(low_lengths: Any) -> Merge:
    """The merge of the CK blog: division and remainder by scanned lengths, moved like v3."""
    return Merge(low_lengths, MergeVariant.V4_NO_CARRY)


def make_unmerge_transform(
    up_lengths: Any,
    use_24bit: bool = False,
) -> Unmerge:
    """One lower dimension as several, the last one fastest."""
    return Unmerge(up_lengths, use_24bit)


def make_freeze_transform(low_idx: Length) -> Freeze:
    """One lower dimension held at an index."""
    return Freeze(low_idx)


def make_insert_transform(up_length: Length) -> Insert:
    """An upper dimension that leads nowhere."""
    return Insert(up_length)


def make_replicate_transform(up_lengths: Any) -> Replicate:
    """Several upper dimensions that lead nowhere: a broadcast."""
    return Replicate(up_lengths)


def make_slice_transform(low_length: Length, slice_begin: Length, slice_end: Length) -> Slice:
    """The indices ``slice_begin`` to ``slice_end - 1`` of one dimension."""
    return Slice(low_length, slice_begin, slice_end)


def make_modulo_transform(modulus: Length, up_length: Length) -> Modulo:
    """One dimension read round and round."""
    return Modulo(modulus, up_length)


def make_xor_transform(low_lengths: Any) -> Xor:
    """CK Tile's swizzle: the column xor the row modulo the number of columns."""
    return Xor(low_lengths, with_modulo=True)


def make_xor_with_modulo_transform(low_lengths: Any) -> Xor:
    """Old CK's name for CK Tile's xor."""
    return Xor(low_lengths, with_modulo=True)


def make_offset_transform(low_length: Length, offset_length: Length) -> Offset:
    """One dimension that starts somewhere else."""
    return Offset(low_length, offset_length)


def make_vectorize_transform(vector_size: Length, up_length: Length) -> Vectorize:
    """One dimension counted in vectors (old CK)."""
    return Vectorize(vector_size, up_length)


def make_indexing_transform(up_length: Length, entries: Any) -> Indexing:
    """One dimension looked up in a table, or computed: ``entries`` is a sequence or a formula in ``i``.

    >>> from sympy import Symbol
    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> i = Symbol("i", integer=True, nonnegative=True)
    >>> make_indexing_transform(8, 7 - i).lower((2,), C_INTEGERS)
    (5,)
    """
    if isinstance(entries, Expr):
        symbols = entries.free_symbols
        named = [symbol for symbol in symbols if symbol.name == "i"]
        upper = named[0] if named else Symbol("i", integer=True, nonnegative=True)
        return Indexing(up_length, upper, entries)
    made = Indexing.table(entries)
    return Indexing(up_length, made.upper_symbol, made.low_index)
