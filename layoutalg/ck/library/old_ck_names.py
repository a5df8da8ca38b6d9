"""The names of old CK's namespace that Python implements: those of CK Tile, as old CK spells them.

What old CK writes in its own headers in terms of these is read from there.
"""

from __future__ import annotations

from typing import Any

from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Builtin, Native, NativeTemplate, Tuple
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.library.layout_functions import LAYOUT_FUNCTIONS
from layoutalg.ck.library.library_functions import CK_FUNCTIONS, STANDARD_FUNCTIONS, sequence_values
from layoutalg.ck.library.library_templates import CK_TYPES
from layoutalg.ck.library.standard_templates import STANDARD_TYPES

__all__ = ["OLD_MATH", "OLD_NAMES", "old_spelling"]

_SPELLINGS = {
    "number": "Number",
    "long_number": "LongNumber",
    "sequence": "Sequence",
    "tuple": "Tuple",
    "array": "Array",
}
_TYPES = [
    "constant",
    "integral_constant",
    "bool_constant",
    "remove_cvref_t",
    "remove_reference_t",
    "remove_cv_t",
    "make_index_sequence",
    "arithmetic_sequence_gen",
    "uniform_sequence_gen",
    "sequence_merge",
    "sequence_gen",
    "static_for",
    "index_t",
    "long_index_t",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "size_t",
]
_FUNCTIONS = [
    "make_tuple",
    "tie",
    "generate_tuple",
    "generate_sequence_v2",
    "container_concat",
    "concat_tuple",
    "merge_sequences",
    "container_reorder_given_new2old",
    "container_reorder_given_old2new",
    "container_reduce",
    "container_reverse_exclusive_scan",
    "unpack",
    "assert",
]
_OF_STD = [  # old CK takes these into its namespace
    "declval",
    "forward",
    "enable_if",
    "enable_if_t",
    "is_base_of",
    "is_class",
    "is_class_v",
    "is_pointer",
    "is_same",
    "is_same_v",
    "is_integral",
    "is_floating_point",
    "remove_const_t",
    "remove_cv",
    "remove_reference",
    "conditional",
    "conditional_t",
    "tuple_element",
    "tuple_element_t",
    "void_t",
    "true_type",
    "false_type",
]


def old_spelling(name: str) -> str:
    """How old CK spells a template of CK Tile.

    >>> old_spelling("sequence"), old_spelling("static_for")
    ('Sequence', 'static_for')
    """
    return _SPELLINGS.get(name, name)


def _multi_index(_: Interpreter, __: Any, arguments: list[Any]) -> Tuple:
    """Of the two headers that define it the one that ``CK_EXPERIMENTAL_USE_...`` chooses: a tuple."""
    return Tuple(tuple(constant(each) for each in arguments))


def _to_multi_index(_: Interpreter, __: Any, arguments: list[Any]) -> Tuple:
    return Tuple(tuple(sequence_values(arguments[0])))


def _zero_multi_index(_: Interpreter, explicit: tuple[Any, ...], __: list[Any]) -> Tuple:
    return Tuple((0,) * int(constant(explicit[0])))


def _multi_index_type(_: Interpreter, arguments: tuple[Any, ...], __: Any) -> Tuple:
    return Tuple((Builtin("int"),) * int(constant(arguments[0])))


_MULTI_INDEX = {
    "make_multi_index": _multi_index,
    "to_multi_index": _to_multi_index,
    "make_zero_multi_index": _zero_multi_index,
}
_STD = STANDARD_TYPES | STANDARD_FUNCTIONS
_RENAMED: dict[str, Any] = {spelled: CK_TYPES[name] for name, spelled in _SPELLINGS.items()}
OLD_NAMES: dict[str, Any] = {
    **{name: CK_TYPES[name] for name in _TYPES if name in CK_TYPES},
    **_RENAMED,
    **{name: CK_FUNCTIONS[name] for name in _FUNCTIONS if name in CK_FUNCTIONS},
    **{name: _STD[name] for name in _OF_STD if name in _STD},
    **{n: f for n, f in LAYOUT_FUNCTIONS.items() if "distribution" not in n},
    **{name: Native(name, made) for name, made in _MULTI_INDEX.items()},
    "MultiIndex": NativeTemplate("MultiIndex", _multi_index_type),
    "TensorDescriptor": CK_TYPES["tensor_descriptor"],
    "ushort": Builtin("unsigned short"),
}
OLD_MATH: dict[str, Any] = {
    name: CK_FUNCTIONS[name] for name in ("min", "max", "gcd", "lcm", "integer_divide_ceil")
}
assert all(isinstance(OLD_NAMES[name], NativeTemplate) for name in _RENAMED)
