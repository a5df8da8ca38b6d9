"""Inverse of: one map after the other leads back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.descriptor.make_adaptor import chain_tensor_adaptors
from layoutalg.errors import LengthError
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties.in_bounds import validity_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["inverse_of"]


def inverse_of(below: TensorAdaptor, above: TensorAdaptor, subject: str = "two maps") -> Claim:
    """Every top index of ``above``, sent down through both, is itself again.

    >>> from layoutalg.descriptor.make_adaptor import make_single_stage_tensor_adaptor
    >>> from layoutalg.transforms import Merge, Unmerge
    >>> merge = make_single_stage_tensor_adaptor([Merge((2, 3))], [(0, 1)], [(0,)])
    >>> unmerge = make_single_stage_tensor_adaptor([Unmerge((2, 3))], [(0,)], [(0, 1)])
    >>> print(inverse_of(unmerge, merge))
    inverse of: two maps: for all 0 <= i0 < 6: 3*(i0 // 3) + i0 % 3 == i0
    """
    both = chain_tensor_adaptors(below, above)
    hidden = both.hidden_index(both.index, SYMBOLIC)
    bottom = [hidden[i] for i in both.bottom_dimension_hidden_ids]
    if len(bottom) != both.rank:
        msg = f"inverse of: {both.rank} dimensions above, {len(bottom)} below: there is no way back"
        raise LengthError(msg)
    then = tuple(Comparison(low, "==", top) for low, top in zip(bottom, both.index, strict=True))
    when = validity_of(both)
    return Claim(
        "inverse of", subject, both.domain, then, when, map=IndexMap(both.domain, tuple(bottom), when)
    )
