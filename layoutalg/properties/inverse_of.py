"""Inverse of: one map after the other leads back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison
from layoutalg.descriptor.make_adaptor import chain_tensor_adaptors
from layoutalg.errors import LengthError
from layoutalg.properties.arguments import adaptor_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["inverse_of"]


def inverse_of(
    below: TensorAdaptor | Layout, above: TensorAdaptor | Layout, subject: str = "two maps"
) -> Claim:
    """Every top index of ``above``, sent down through both, is itself again.

    >>> from layoutalg.descriptor.make_adaptor import make_single_stage_tensor_adaptor
    >>> from layoutalg.transforms import Merge, Unmerge
    >>> merge = make_single_stage_tensor_adaptor([Merge((2, 3))], [(0, 1)], [(0,)])
    >>> unmerge = make_single_stage_tensor_adaptor([Unmerge((2, 3))], [(0,)], [(0, 1)])
    >>> print(inverse_of(unmerge, merge))
    inverse of: two maps: for all 0 <= i0 < 6: 3*(i0 // 3) + i0 % 3 == i0
    """
    below, above = adaptor_of(below, "inverse of"), adaptor_of(above, "inverse of")
    both = chain_tensor_adaptors(below, above)
    found = both.index_map()
    if len(found.outputs) != both.rank:
        msg = f"inverse of: {both.rank} dimensions above, {len(found.outputs)} below: there is no way back"
        raise LengthError(msg)
    then = tuple(Comparison(low, "==", top) for low, top in zip(found.outputs, both.index, strict=True))
    return Claim("inverse of", subject, found.domain, then, found.when, map=found)
