"""What every layout must hold to be safe: the claims it gets where nobody names others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from layoutalg.claim import AllOf, Claim
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError, shown
from layoutalg.layout import Layout
from layoutalg.length import Length
from layoutalg.properties.fits_integer import fits_24bit_unmerge, fits_index_type, fits_magic_division
from layoutalg.properties.in_bounds import logical_bounds, memory_bounds
from layoutalg.properties.one_to_one import one_to_one
from layoutalg.properties.owned import owned, tile_bounds
from layoutalg.properties.xor_permutes import xor_permutes

__all__ = ["default_claims"]


def default_claims(
    layout: TensorAdaptor | TileDistribution | Layout,
    subject: str = "layout",
    threads: Sequence[Length] | None = None,
) -> Claim:
    """The claims a layout gets without being asked, by its kind.

    - a descriptor or a nested layout: in bounds of memory, in bounds of every dimension on the way,
      one-to-one, and those of an adaptor;
    - an adaptor: in bounds of every dimension on the way, xors permute, magic divisions and 24-bit products
      stay where they are exact, and, where every size has a largest value, all fits ``int32``;
    - a tile distribution: in bounds of the tile, every element held, once in each copy.

    A layout that overlaps on purpose, such as an image seen by a convolution, names the claims it wants.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> [claim.name for claim in default_claims(make_naive_tensor_descriptor((4, 8), (7, 1)))]
    ['in memory bounds', 'one-to-one', 'fits int32']
    """
    if isinstance(layout, TileDistribution):
        claims: Iterator[Claim] = iter(
            (tile_bounds(layout, subject, threads), owned(layout, subject, threads))
        )
    elif isinstance(layout, Layout):
        claims = _of_chain(layout.as_descriptor(), subject)
    elif isinstance(layout, TensorAdaptor):
        claims = _of_chain(layout, subject)
    else:
        wanted = "a descriptor, an adaptor, a distribution or a layout"
        raise LayoutError(f"default claims: wanted {wanted}, got {shown(layout)}")
    return AllOf("default claims", subject, claims)


def _of_chain(chain: TensorAdaptor, subject: str) -> Iterator[Claim]:
    if isinstance(chain, TensorDescriptor):
        yield memory_bounds(chain, subject)
    within = logical_bounds(chain, subject)
    if within.then:
        yield within
    if isinstance(chain, TensorDescriptor):
        yield one_to_one(chain, subject)
    yield xor_permutes(chain, subject)
    yield fits_magic_division(chain, subject)
    yield fits_24bit_unmerge(chain, subject)
    if all(parameter.upper is not None for parameter in chain.domain.parameters):
        yield fits_index_type(chain, subject=subject)
