"""The layout of the tile in shared memory: plain, padded or swizzled, free of bank conflicts if possible.

A row in shared memory is a column of the source. The writer stores vectors of a square's column, the reader
loads vectors of a row of the target; both lie along one row here. Swizzles and paddings are tried from the
cheapest on; conflicts are counted phase by phase.

>>> from layoutalg.codegen.kernels.transpose.config import PermuteConfig
>>> shared_tile(PermuteConfig("f32", 64, 64, 256)).descriptor.element_space_size
4096
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from layoutalg.claim import IndexMap
from layoutalg.codegen.kernels.transpose.config import PermuteConfig
from layoutalg.codegen.kernels.transpose.spread import loaders, writers
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import TileDistribution, make_tile_window
from layoutalg.machine.lds import BYTES_PER_BANK
from layoutalg.memory import WaveAccess, bank_conflicts, row_major, xor_swizzled

__all__ = ["SharedTile", "lds_accesses", "shared_tile"]


@dataclass(frozen=True)
class SharedTile:
    """A layout of (row, column) of the tile, and whether writer and reader are free of bank conflicts."""

    descriptor: TensorDescriptor
    is_free: bool


@cache
def shared_tile(config: PermuteConfig) -> SharedTile:
    """The first layout of the kind wanted without conflicts; the first of all where there is none."""
    turned = (found.permute(1, 0) for found in _candidates(config))
    first = next(turned)
    if config.lds != "plain":
        for found in itertools.chain((first,), turned):
            if _is_free(found, config):
                return SharedTile(found, is_free=True)
    return SharedTile(first, is_free=False)


def _candidates(config: PermuteConfig) -> Iterator[TensorDescriptor]:
    """Rows here are the columns of the tile."""
    rows, columns = config.columns, config.rows
    unit = max(config.vector_out, BYTES_PER_BANK // config.kind.bytes)
    units = [unit << i for i in range(6) if unit << i < columns]
    steps = sorted({config.vector_in, 1, 2, 4, 8, 16}, key=lambda n: (n != config.vector_in, n))
    if config.lds == "padded":
        for step, padding in itertools.product(steps, units):
            if rows % step == 0:
                yield _padded(rows, columns, step, padding)
    if config.lds == "xor":
        for held, layers, step in itertools.product(units, (1, 2, 4), steps):
            if rows % (layers * step) == 0 and columns // held * layers > 1:
                yield xor_swizzled(rows, columns, held, layers=layers, rows_per_step=step)
    yield row_major(rows, columns, config.vector_out)


def _padded(rows: int, columns: int, step: int, padding: int) -> TensorDescriptor:
    """``padding`` elements after every ``step`` rows."""
    strides = (step * columns + padding, columns, 1)
    return make_naive_tensor_descriptor((rows // step, step, columns), strides).merge(0, 1)


def _is_free(descriptor: TensorDescriptor, config: PermuteConfig) -> bool:
    return all(bank_conflicts(access, config.target).is_free for access in lds_accesses(descriptor, config))


def lds_accesses(descriptor: TensorDescriptor, config: PermuteConfig) -> tuple[WaveAccess, WaveAccess]:
    """The stores and the reads of a wave, each of one vector along a row."""
    stored, read = _vectors(descriptor, loaders(config)), _vectors(descriptor, writers(config))
    width, lane = config.vector_out, writers(config).ps[-1]
    return (
        WaveAccess(stored, lane, config.kind, width, "write"),
        WaveAccess(read, lane, config.kind, width, "read"),
    )


def _vectors(descriptor: TensorDescriptor, who: TileDistribution) -> IndexMap:
    """Where each vector begins."""
    window = make_tile_window(descriptor, who.lengths, (0, 0), who)
    return window.index_map().bind({who.ys[2].name: 0})
