"""Composable Kernel's functions that build tensor adaptors, under their own names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.stage import Ids, Stage
from layoutalg.errors import LengthError, shown
from layoutalg.length import Length, differ, lengths, sequence
from layoutalg.reading.signature_note import noted
from layoutalg.transforms import Merge, PassThrough
from layoutalg.transforms.transform import UNCHECKED, Transform

__all__ = [
    "chain_tensor_adaptors",
    "make_cluster_descriptor",
    "make_identity_tensor_adaptor",
    "make_single_stage_tensor_adaptor",
    "transform_tensor_adaptor",
]

MOST_DIMENSIONS = 1_000


@noted
def make_single_stage_tensor_adaptor(
    transforms: Sequence[Transform], lower_dimension_idss: Sequence[Sequence[int]], upper_dimension_idss: Any
) -> TensorAdaptor:
    """Transforms side by side: ids of bottom dimensions below, of top dimensions above.

    >>> from layoutalg.transforms import Unmerge
    >>> make_single_stage_tensor_adaptor([Unmerge((4, 64))], [(0,)], [(0, 1)]).calculate_bottom_index((1, 3))
    (67,)
    """
    where = "make_single_stage_tensor_adaptor"
    count = _count(lower_dimension_idss)
    stage = Stage.of(
        transforms,
        lower_dimension_idss,
        upper_dimension_idss,
        old_lengths=(None,) * count,
        where=where,
    )
    above = tuple(tuple(count + i for i in ids) for ids in stage.upper_ids)
    tops = tuple(count + i for i in range(sum(map(len, stage.upper_ids))))
    bottoms = tuple(range(count))
    return TensorAdaptor(stage.transforms, stage.lower_ids, above, bottoms, tops)


def _count(idss: Any) -> int:
    try:
        return sum(1 if isinstance(ids, int) else len(ids) for ids in idss)
    except TypeError:
        return 0


@noted
def make_identity_tensor_adaptor(dimensions: int | Sequence[Length]) -> TensorAdaptor:
    """The identity: on a number of dimensions of unknown length (as in CK), or on given lengths.

    >>> make_identity_tensor_adaptor((4, 5)).calculate_bottom_index((3, 2))
    (3, 2)
    """
    if isinstance(dimensions, int) and not isinstance(dimensions, bool):
        if not 0 <= dimensions <= MOST_DIMENSIONS:
            wanted = f"a number of dimensions up to {MOST_DIMENSIONS}"
            raise LengthError(f"make_identity_tensor_adaptor: wanted {wanted}, got {shown(dimensions)}")
        ids = tuple(range(dimensions))
        return TensorAdaptor((), (), (), ids, ids)
    found = lengths(dimensions, "make_identity_tensor_adaptor: lengths")
    idss = [(i,) for i in range(len(found))]
    return make_single_stage_tensor_adaptor([PassThrough(length) for length in found], idss, idss)


@noted
def make_cluster_descriptor(
    cluster_lengths: Sequence[Length], arrange_order: Sequence[int] | None = None
) -> TensorAdaptor:
    """A thread id spread over a cluster; ``arrange_order`` lists dimensions, the last one fastest.

    >>> make_cluster_descriptor((4, 16, 4), (1, 0, 2)).calculate_bottom_index((21,))
    (1, 1, 1)
    """
    where = "make_cluster_descriptor"
    found = lengths(cluster_lengths, f"{where}: lengths")
    order = tuple(range(len(found))) if arrange_order is None else _order(arrange_order, len(found))
    merge = Merge(tuple(found[dimension] for dimension in order))
    return make_single_stage_tensor_adaptor([merge], [order], [(0,)])


def _order(arrange_order: Sequence[int], count: int) -> Ids:
    order = tuple(sequence(arrange_order, "make_cluster_descriptor: arrange_order"))
    if sorted(order) != list(range(count)):
        msg = f"make_cluster_descriptor: arrange_order: wanted 0 to {count - 1} in some order"
        raise LengthError(f"{msg}, got {order}")
    return order


@noted
def transform_tensor_adaptor(
    adaptor: TensorAdaptor,
    transforms: Sequence[Transform],
    lower_dimension_idss: Sequence[Sequence[int]],
    upper_dimension_idss: Sequence[Sequence[int]],
    *,
    check_lengths: bool = True,
) -> TensorAdaptor:
    """The adaptor with transforms on top of its top dimensions.

    >>> from layoutalg.transforms import Merge
    >>> identity = make_identity_tensor_adaptor((4, 8))
    >>> transform_tensor_adaptor(identity, [Merge((4, 8))], [(0, 1)], [(0,)]).bottom
    (i0 // 8, i0 % 8)
    """
    if not isinstance(adaptor, TensorAdaptor):
        msg = f"transform_tensor_adaptor: wanted an adaptor, got a {type(adaptor).__name__}"
        raise LengthError(msg)
    hidden = adaptor.hidden_lengths
    stage = Stage.of(
        transforms,
        lower_dimension_idss,
        upper_dimension_idss,
        old_lengths=[hidden[i] for i in adaptor.top_dimension_hidden_ids],
        where="transform_tensor_adaptor",
        check_lengths=check_lengths,
    )
    return adaptor.extended(stage)


@noted
def chain_tensor_adaptors(*adaptors: TensorAdaptor, check_lengths: bool = True) -> TensorAdaptor:
    """Adaptors one on top of the other, the first nearest to the bottom.

    >>> from layoutalg.transforms import Merge, Unmerge
    >>> merge = make_single_stage_tensor_adaptor([Merge((2, 3))], [(0, 1)], [(0,)])
    >>> unmerge = make_single_stage_tensor_adaptor([Unmerge((2, 3))], [(0,)], [(0, 1)])
    >>> chain_tensor_adaptors(merge, unmerge).bottom
    (i0, i1)
    """
    if not adaptors:
        msg = "chain_tensor_adaptors: wanted one adaptor or more, got none"
        raise LengthError(msg)
    for position, adaptor in enumerate(adaptors):
        if not isinstance(adaptor, TensorAdaptor):
            msg = f"chain_tensor_adaptors: adaptor {position}: wanted an adaptor,"
            msg += f" got a {type(adaptor).__name__}"
            raise LengthError(msg)
    chained = adaptors[0]
    for above in adaptors[1:]:
        chained = _chained(chained, above, check_lengths=check_lengths)
    return chained


def _chained(below: TensorAdaptor, above: TensorAdaptor, *, check_lengths: bool) -> TensorAdaptor:
    where = "chain_tensor_adaptors"
    tops, bottoms = below.top_dimension_hidden_ids, above.bottom_dimension_hidden_ids
    if len(tops) != len(bottoms):
        msg = f"{where}: the lower adaptor has {len(tops)} top dimensions,"
        raise LengthError(f"{msg} the upper one {len(bottoms)} bottom dimensions")
    hidden = below.hidden_lengths
    for position, wanted in enumerate(above.bottom_lengths if check_lengths else ()):
        given = hidden[tops[position]]
        if wanted is not None and given is not None and differ(wanted, given):
            msg = f"{where}: dimension {position} has length {given} below, {wanted} above"
            raise LengthError(msg, hint=UNCHECKED)
    shift = below.num_hidden_dimensions - len(bottoms)
    renamed = dict(zip(bottoms, tops, strict=True))

    def rename(ids: Ids) -> Ids:
        return tuple(renamed.get(i, i + shift) for i in ids)

    return replace(
        below,
        transforms=below.transforms + above.transforms,
        lower_dimension_hidden_idss=below.lower_dimension_hidden_idss
        + tuple(map(rename, above.lower_dimension_hidden_idss)),
        upper_dimension_hidden_idss=below.upper_dimension_hidden_idss
        + tuple(map(rename, above.upper_dimension_hidden_idss)),
        top_dimension_hidden_ids=rename(above.top_dimension_hidden_ids),
        facts=below.facts.joined(above.facts),
    )
