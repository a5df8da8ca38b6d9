"""Library functions that make descriptors, adaptors, transforms, encodings and distributions."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from layoutalg import transforms as make_transform
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import Integer
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Array, Native, Sequence, Tuple
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.library.library_functions import sequence_values
from layoutalg.descriptor import make_adaptor, make_descriptor
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_embed_tile_distribution_encoding,
    make_reduce_tile_distribution_encoding,
    make_static_tile_distribution,
)
from layoutalg.errors import LayoutError

__all__ = ["LAYOUT_FUNCTIONS", "number"]

Explicit = tuple[Any, ...]
OF_LENGTHS = frozenset(("make_unmerge_transform", "make_merge_transform"))


def number(value: Any) -> Any:
    """A C++ number without its type, out of ``number<...>`` too; sizes left open are themselves."""
    inner = constant(value)
    return int(inner) if isinstance(inner, Integer) else inner


def _lengths(value: Any) -> tuple[Any, ...]:
    return tuple(number(v) for v in sequence_values(value))


def _sizes(interp: Interpreter, value: Any) -> tuple[Any, ...]:
    """Lengths of dimensions; where only a type is asked for, a length that is none counts as 1."""
    found = _lengths(value)
    if not interp.types_only:
        return found
    return tuple(max(v, 1) if isinstance(v, int) else v for v in found)


def _idss(value: Any) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, Tuple):
        raise NotUnderstoodError("dimension ids that are no tuple of sequences")
    return tuple(tuple(map(int, sequence_values(i))) for i in value.items)


def _naive(interp: Interpreter, __: Explicit, given: list[Any]) -> Any:
    hints = [int(number(v)) for v in given[2:]] + [-1, -1]
    return make_descriptor.make_naive_tensor_descriptor(
        _sizes(interp, given[0]),
        _lengths(given[1]),
        guaranteed_vector_length=hints[0],
        guaranteed_vector_stride=hints[1],
    )


def _with_offset(_: Interpreter, __: Explicit, given: list[Any]) -> Any:
    hints = [int(number(v)) for v in given[3:]] + [-1, -1]
    return make_descriptor.make_naive_tensor_descriptor_with_offset(
        _lengths(given[0]),
        _lengths(given[1]),
        number(given[2]),
        guaranteed_vector_length=hints[0],
        guaranteed_vector_stride=hints[1],
    )


def _packed(interp: Interpreter, __: Explicit, given: list[Any]) -> Any:
    hint = int(number(given[1])) if len(given) > 1 else -1
    return make_descriptor.make_naive_tensor_descriptor_packed(
        _sizes(interp, given[0]), guaranteed_vector_length=hint
    )


def _aligned(interp: Interpreter, __: Explicit, given: list[Any]) -> Any:
    return make_descriptor.make_naive_tensor_descriptor_aligned(_sizes(interp, given[0]), number(given[1]))


def _stage(interp: Interpreter, build: Callable[..., Any], given: list[Any], *, is_on_top: bool) -> Any:
    """Apply transforms; lengths that do not match, which CK does not check, are noted in the log."""
    base = given[:1] if is_on_top else []
    transforms = list(given[len(base)].items)
    ids = [_idss(v) for v in given[len(base) + 1 :]]
    if not is_on_top:
        return build(transforms, *ids)
    try:
        return build(*base, transforms, *ids)
    except LayoutError as error:
        found = build(*base, transforms, *ids, check_lengths=False)
        if not interp.types_only:
            interp.log.mismatched[interp.calls[-1] if interp.calls else ""] = error.message
        return found


def _transform(interp: Interpreter, _: Explicit, given: list[Any]) -> Any:
    """Dimensions behind those that are transformed are held at 0: CK asks that the others are the first."""
    used = {i for ids in _idss(given[2]) for i in ids}
    rank = getattr(given[0], "rank", 0)
    left = range(len(used), rank) if used == set(range(len(used))) else ()
    if left:
        held = tuple(make_transform.make_freeze_transform(0) for _ in left)
        below = tuple(Sequence((i,)) for i in left)
        added = (held, below, tuple(Sequence(()) for _ in left))
        given = [given[0], *(Tuple((*row.items, *more)) for row, more in zip(given[1:], added, strict=True))]
    return _stage(interp, make_descriptor.transform_tensor_descriptor, given, is_on_top=True)


def _transform_adaptor(interp: Interpreter, _: Explicit, given: list[Any]) -> Any:
    return _stage(interp, make_adaptor.transform_tensor_adaptor, given, is_on_top=True)


def _single_stage(interp: Interpreter, _: Explicit, given: list[Any]) -> Any:
    return _stage(interp, make_adaptor.make_single_stage_tensor_adaptor, given, is_on_top=False)


def _chain(_: Interpreter, __: Explicit, given: list[Any]) -> Any:
    return make_adaptor.chain_tensor_adaptors(*given, check_lengths=False)


def _cluster(_: Interpreter, __: Explicit, given: list[Any]) -> Any:
    return make_adaptor.make_cluster_descriptor(*(_lengths(v) for v in given))


def _made(build: Callable[..., Any]) -> Callable[..., Any]:
    """A library function that makes a transform from lengths (tuples, sequences, arrays) and numbers."""

    def applied(interp: Interpreter, __: Explicit, given: list[Any]) -> Any:
        sizes = _sizes if build.__name__ in OF_LENGTHS else (lambda _, value: _lengths(value))
        values = [sizes(interp, v) if isinstance(v, Tuple | Sequence | Array) else number(v) for v in given]
        try:
            signature(build).bind(*values)
        except TypeError:
            raise RejectedError(f"no {build.__name__} takes {len(values)} arguments") from None
        try:
            return build(*values)
        except LayoutError:
            if not interp.types_only:
                raise
            return build(*(max(v, 1) if type(v) is int else v for v in values))

    return applied


def _distribution(_: Interpreter, __: Explicit, given: list[Any]) -> TileDistribution:
    if not isinstance(given[0], TileDistributionEncoding):
        raise NotUnderstoodError("make_static_tile_distribution of something else than an encoding")
    return make_static_tile_distribution(given[0])


def _embed(_: Interpreter, __: Explicit, given: list[Any]) -> Any:
    return make_embed_tile_distribution_encoding(given[0], given[1])


def _reduced(_: Interpreter, __: Explicit, given: list[Any]) -> Any:
    return make_reduce_tile_distribution_encoding(given[0], tuple(map(int, sequence_values(given[1]))))


_TRANSFORMS = {name: _made(getattr(make_transform, name)) for name in make_transform.__all__}
LAYOUT_FUNCTIONS: dict[str, Any] = {
    name: Native(name, row)
    for name, row in {
        **_TRANSFORMS,
        "make_naive_tensor_descriptor": _naive,
        "make_naive_tensor_descriptor_with_offset": _with_offset,
        "make_naive_tensor_descriptor_packed": _packed,
        "make_naive_tensor_descriptor_aligned": _aligned,
        "transform_tensor_descriptor": _transform,
        "transform_tensor_adaptor": _transform_adaptor,
        "make_single_stage_tensor_adaptor": _single_stage,
        "chain_tensor_adaptors": _chain,
        "make_cluster_descriptor": _cluster,
        "make_static_tile_distribution": _distribution,
        "make_tile_distribution": _distribution,
        "make_embed_tile_distribution_encoding": _embed,
        "make_reduce_tile_distribution_encoding": _reduced,
    }.items()
}
