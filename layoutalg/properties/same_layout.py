"""Whether two layouts of any kind are one: descriptors and offsets as maps, tile distributions by register.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> packed = make_naive_tensor_descriptor_packed((4, 8))
>>> [claim.name for claim in same_layout(packed, packed)]
['same map', 'same validity']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.distribution import TileDistribution
from layoutalg.properties.distribution_forms import same_distribution
from layoutalg.properties.same_map import same_map, same_validity

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["same_layout"]


def same_layout(one: Any, other: Any) -> list[Claim]:
    """What must hold for two layouts to be one; refused where they cannot be compared."""
    if isinstance(one, TileDistribution) and isinstance(other, TileDistribution):
        return [same_distribution(one, other)]
    return [same_map(one, other), same_validity(one, other)]
