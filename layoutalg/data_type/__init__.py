"""Element types of tensors and their vectors."""

from layoutalg.data_type.data_type import DATA_TYPES, DataType, register_custom_type
from layoutalg.data_type.numbers_of import from_numbers, to_numbers
from layoutalg.data_type.small_float import SmallFloat
from layoutalg.data_type.vector_type import VectorType, vector_type

__all__ = [
    "DATA_TYPES",
    "DataType",
    "SmallFloat",
    "VectorType",
    "from_numbers",
    "register_custom_type",
    "to_numbers",
    "vector_type",
]
