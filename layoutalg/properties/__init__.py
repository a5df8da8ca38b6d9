"""What one may ask of a layout: each property builds a claim, and decides nothing."""

from layoutalg.properties.covers import covers, covers_adaptor, covers_map
from layoutalg.properties.fits_integer import fits_integer
from layoutalg.properties.in_bounds import logical_bounds, memory_bounds
from layoutalg.properties.one_to_one import one_to_one, one_to_one_map
from layoutalg.properties.same_map import same_map
from layoutalg.properties.vector_access import vector_access

__all__ = [
    "covers",
    "covers_adaptor",
    "covers_map",
    "fits_integer",
    "logical_bounds",
    "memory_bounds",
    "one_to_one",
    "one_to_one_map",
    "same_map",
    "vector_access",
]
