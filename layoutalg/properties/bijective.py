"""Bijective: one-to-one and onto, so that every element has exactly one index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import AllOf, Claim
from layoutalg.descriptor import TensorDescriptor
from layoutalg.properties.arguments import adaptor_of
from layoutalg.properties.covers import covers, covers_adaptor
from layoutalg.properties.one_to_one import one_to_one

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["bijective"]


def bijective(adaptor: TensorAdaptor | Layout, subject: str = "adaptor") -> Claim:
    """Both halves: one-to-one, and covers (all of memory for a descriptor, else the bottom lengths).

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> [claim.name for claim in bijective(make_naive_tensor_descriptor_packed((4, 8)))]
    ['one-to-one', 'covers']
    """
    adaptor = adaptor_of(adaptor, "bijective")
    onto = (
        covers(adaptor, subject)
        if isinstance(adaptor, TensorDescriptor)
        else covers_adaptor(adaptor, subject)
    )
    return AllOf("bijective", subject, (one_to_one(adaptor, subject), onto))
