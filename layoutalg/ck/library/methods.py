"""Members that are called, and those of descriptors, adaptors, encodings and distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Constant, Native, Sequence, Tuple
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["ADAPTOR", "DESCRIPTOR", "DISTRIBUTION", "ENCODING", "Member", "always", "method"]

Member = Callable[[Interpreter, Any], Any]


def method(function: Callable[..., Any]) -> Member:
    """A member that is called: with the value, template arguments and arguments."""

    def bound(interp: Interpreter, value: Any) -> Native:
        return Native(
            function.__name__.strip("_"), lambda _, explicit, given: function(interp, value, explicit, given)
        )

    return bound


def always(_: Interpreter, *__: Any) -> bool:
    """What is known when code is compiled."""
    return True


def _static(values: Any) -> Tuple:
    return Tuple(tuple(Constant(v) for v in values))


def _length(_: Interpreter, value: Any, explicit: tuple[Any, ...], given: list[Any]) -> Constant:
    return Constant(value.lengths[constant(explicit[0] if explicit else given[0])])


ADAPTOR: dict[str, Member] = {
    "get_num_of_top_dimension": method(lambda _, v, *__: v.rank),
    "get_num_of_bottom_dimension": method(lambda _, v, *__: len(v.bottom_dimension_hidden_ids)),
    "get_transforms": method(lambda _, v, *__: Tuple(tuple(v.transforms))),
    "get_element_size": method(lambda _, v, *__: v.element_size),
    "is_static": method(always),
}
DESCRIPTOR: dict[str, Member] = {
    **ADAPTOR,
    "get_num_of_dimension": method(lambda _, v, *__: v.rank),
    "get_length": method(_length),
    "get_lengths": method(lambda _, v, *__: _static(v.lengths)),
    "get_element_space_size": method(lambda _, v, *__: v.element_space_size),
}
_FIELDS = (
    "rs_lengths",
    "hs_lengthss",
    "ps_to_rhss_major",
    "ps_to_rhss_minor",
    "ys_to_rhs_major",
    "ys_to_rhs_minor",
)
_TYPES = ("RsLengths", "HsLengthss", "Ps2RHssMajor", "Ps2RHssMinor", "Ys2RHsMajor", "Ys2RHsMinor")


def _field(name: str) -> Member:
    def found(_: Interpreter, value: Any) -> Any:
        rows = getattr(value, name)
        nested = name.endswith("lengthss") or name.startswith("ps_")
        return Tuple(tuple(map(Sequence, rows))) if nested else Sequence(rows)

    return found


ENCODING: dict[str, Member] = {
    **{f"{name}_": _field(name) for name in _FIELDS},
    **{cpp: _field(name) for cpp, name in zip(_TYPES, _FIELDS, strict=True)},
    **{f"NDim{x.upper()}": (lambda _, v, x=x: getattr(v, f"num_{x}")) for x in "xpyr"},  # type: ignore[misc]
}
DISTRIBUTION: dict[str, Member] = {
    "DstrEncode": lambda _, v: v.encoding,
    **{f"NDim{x.upper()}": (lambda _, v, x=x: getattr(v.encoding, f"num_{x}")) for x in "xpyr"},  # type: ignore[misc]
    **{
        f"get_num_of_dimension_{x}": method(lambda _, v, *__, x=x: getattr(v.encoding, f"num_{x}"))
        for x in "xpyr"
    },
    "get_lengths": method(lambda _, v, *__: _static(v.lengths)),
    "get_static_tile_distribution_encoding": method(lambda _, v, *__: v.encoding),
    "get_ys_to_d_descriptor": method(lambda _, v, *__: v.ys_to_d),
    "get_ps_ys_to_xs_adaptor": method(lambda _, v, *__: v.ps_ys_to_xs),
    "is_static": method(always),
}
