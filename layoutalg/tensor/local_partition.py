"""Local partitions: the part of a tensor that one thread works on.

>>> import numpy as np
>>> from layoutalg.layout import make_layout
>>> from layoutalg.tensor.tensor import make_tensor
>>> tensor = make_tensor("Lds", np.arange(64), make_layout((8, 8), (8, 1)))
>>> threads = make_layout((4, 2), (2, 1))
>>> part = make_local_partition(tensor, threads, 3)
>>> part.layout.shape, part[0, 0], part[1, 3]
((2, 4), 20, 31)

Source: CK, ``include/ck/wrapper/utils/tensor_partition.hpp``.
"""

from __future__ import annotations

from typing import Any

from layoutalg.errors import LengthError
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.layout import Layout
from layoutalg.layout.layout import as_layout
from layoutalg.layout.nest import flatten, nest_text
from layoutalg.length import Length, is_at_most, quotient, sequence, stride
from layoutalg.tensor.local_tile import KEEP, projected
from layoutalg.tensor.tensor import Tensor
from layoutalg.transforms import Slice

__all__ = ["make_local_partition"]

WHERE = "make_local_partition"


def make_local_partition(
    tensor: Tensor, thread_layout: Layout, thread_id: Any, projection: Any = None
) -> Tensor:
    """The part of thread ``thread_id`` (a number or a symbol): neighbouring elements stay together.

    ``thread_layout``: how many threads there are along each dimension, not nested; its strides say how
    thread ids count. ``projection``: for each dimension 1 to keep it, or ``slice_(X)`` to leave it out.
    """
    tensor.require_memory(f"{WHERE}: registers have no parts")
    thread_layout = as_layout(thread_layout, WHERE)
    threads = flatten(thread_layout.shape)
    if thread_layout.depth > 1:
        msg = f"{WHERE}: wanted threads that are not nested, got {nest_text(thread_layout.shape)}"
        raise LengthError(msg)
    keep = (KEEP,) * len(threads) if projection is None else tuple(sequence(projection, WHERE))
    if len(keep) != len(threads):
        msg = f"{WHERE}: wanted a projection for each of {len(threads)} dimensions, got {len(keep)}"
        raise LengthError(msg)
    places = _places(thread_layout, stride(thread_id, f"{WHERE}: thread_id"))
    base = tensor.layout.unrolled_descriptor
    counts, indices = projected(threads, keep), projected(places, keep)
    if base.rank != len(counts):
        msg = f"{WHERE}: the tensor has {base.rank} dimensions, the threads {len(counts)} after projection"
        raise LengthError(msg)
    lengths = [_share(n, count) for n, count in zip(base.lengths, counts, strict=True)]
    origins = [index * length for index, length in zip(indices, lengths, strict=True)]
    parts = zip(base.lengths, origins, lengths, strict=True)
    ids = [(i,) for i in range(base.rank)]
    cut = base.transform([Slice(n, begin, begin + length) for n, begin, length in parts], ids, ids)
    return Tensor(tensor.memory_type, tensor.data, Layout(tuple(lengths), cut))


def _places(threads: Layout, thread_id: Length) -> list[Any]:
    """Where a thread stands along each dimension."""
    if isinstance(thread_id, int) and thread_id < 0:
        msg = f"{WHERE}: thread_id: wanted a number >= 0, got {thread_id}"
        raise LengthError(msg)
    pairs = list(zip(flatten(threads.shape), flatten(threads.stride), strict=True))
    for count, step in pairs:
        if count != 1 and is_at_most(1, step) is not True:
            msg = f"{WHERE}: threads {threads}: wanted strides >= 1, got {step}"
            raise LengthError(msg)
    known = all(isinstance(value, int) for pair in pairs for value in (thread_id, *pair))
    on: Any = C_INTEGERS if known else SYMBOLIC
    number = on.lift(thread_id)
    return [
        on.remainder(on.quotient(number, on.lift(step)), on.lift(count)) if count != 1 else 0
        for count, step in pairs
    ]


def _share(length: Length, threads: Length) -> Length:
    found = quotient(length, threads)
    if found is None:
        msg = f"{WHERE}: {threads} threads do not divide length {length}"
        raise LengthError(msg, hint="CK rounds up and reads past the end; pad(...) the layout first")
    return found
