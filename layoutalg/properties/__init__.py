"""What one may ask of a layout: each property builds claims, and decides nothing."""

from layoutalg.properties.agree import agree
from layoutalg.properties.bijective import bijective
from layoutalg.properties.conflict_free import conflict_free
from layoutalg.properties.covers import covers, covers_adaptor, covers_map
from layoutalg.properties.default_claims import default_claims
from layoutalg.properties.distribution_forms import distribution_equals, same_distribution
from layoutalg.properties.divides import divides
from layoutalg.properties.fits_integer import (
    INTEGER_RANGES,
    fits_24bit_unmerge,
    fits_buffer,
    fits_index_type,
    fits_integer,
    fits_magic_division,
)
from layoutalg.properties.in_bounds import logical_bounds, memory_bounds, memory_bounds_map, within
from layoutalg.properties.inverse_of import inverse_of
from layoutalg.properties.monotone import monotone, monotone_map
from layoutalg.properties.one_to_one import determines, one_to_one, one_to_one_map, one_writer
from layoutalg.properties.owned import owned, tile_bounds
from layoutalg.properties.same_map import same_map, same_validity
from layoutalg.properties.together import covers_together, disjoint
from layoutalg.properties.vector_access import vector_access, vector_access_map
from layoutalg.properties.xor_permutes import xor_permutes

__all__ = [
    "INTEGER_RANGES",
    "agree",
    "bijective",
    "conflict_free",
    "covers",
    "covers_adaptor",
    "covers_map",
    "covers_together",
    "default_claims",
    "determines",
    "disjoint",
    "distribution_equals",
    "divides",
    "fits_24bit_unmerge",
    "fits_buffer",
    "fits_index_type",
    "fits_integer",
    "fits_magic_division",
    "inverse_of",
    "logical_bounds",
    "memory_bounds",
    "memory_bounds_map",
    "monotone",
    "monotone_map",
    "one_to_one",
    "one_to_one_map",
    "one_writer",
    "owned",
    "same_distribution",
    "same_map",
    "same_validity",
    "tile_bounds",
    "vector_access",
    "vector_access_map",
    "within",
    "xor_permutes",
]
