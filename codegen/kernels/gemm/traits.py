"""The CK wrapper's GEMM traits and its two GEMMs as configurations of the GEMM here.

>>> name = "BlockwisGemmXdlTraits_32x32Xdl_4x2XdlPerWave_8K1"
>>> config = wrapper_config(name)
>>> config.waves, config.instruction_row.name, config.lds, config.order
((2, 2), 'v_mfma_f32_32x32x8_f16', 'row-major', 'simple')
>>> wrapper_config(name, is_optimized=True).lds
'padded'

Source: CK, ``include/ck/wrapper/traits/blockwise_gemm_xdl_traits.hpp``; ``client_example/25_wrapper``, the
basic and the optimized GEMM.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.builtins import accumulator
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.data_type import DataType
from layoutalg.distribution import make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.layout import make_layout
from layoutalg.reading.near_names import not_one_of
from layoutalg.tensor import GemmTraits, make_blockwise_gemm_xdl_c_local_partition, make_tensor

__all__ = [
    "TRAITS",
    "partition_claim",
    "traits_of",
    "wrapper_config",
    "wrapper_gemm",
    "wrapper_kernel",
]

TILE = (256, 128)  # of both tutorials, and 32 along K
ROW_BYTES = 64
ROUNDS = ((4, 2), (2, 4), (2, 2))
TRAITS: dict[str, GemmTraits] = {
    f"BlockwisGemmXdlTraits_32x32Xdl_{m}x{n}XdlPerWave_{k1}K1": GemmTraits(32, 32, m, n, k1)
    for k1 in (4, 8, 16)
    for m, n in ROUNDS
}
# CK's names of tiles in shared memory, (M, K) and (K0, M, K1), beside ours.
TILES = {"mk": "row-major", "k0mk1": "k0mk1"}


def wrapper_config(
    traits: GemmTraits | str,
    *,
    lds: str | None = None,
    is_optimized: bool = False,
    tile: tuple[int, int, int] | None = None,
    element: str = "f16",
    **fields: Any,
) -> GemmConfig:
    """The configuration of traits, by name or as they are, for a workgroup's tile, usually CK's.

    ``lds``: ``mk`` for tiles (M, K), ``k0mk1`` for (K0, M, K1), or any layout of :class:`GemmConfig`; the
    basic GEMM has the first if nothing is said, the optimized one the second with a padding of one row.
    ``is_optimized``: tiles are loaded ahead of the products of the ones before.
    """
    chosen = _traits(traits)
    tile = tile or (*TILE, max(32, ROW_BYTES // DataType.named(element).bytes))
    shares = (chosen.m_per_xdl * chosen.m_xdl_per_wave, chosen.n_per_xdl * chosen.n_xdl_per_wave)
    if tile[0] % shares[0] or tile[1] % shares[1]:
        msg = f"wrapper_gemm: wanted a tile of whole waves, {shares[0]} x {shares[1]} of C each,"
        raise LayoutError(f"{msg} got {tile[0]} x {tile[1]}")
    usual = "padded" if is_optimized else "mk"
    made: dict[str, Any] = {
        "element": element,
        "output": element if element in {"f16", "bf16"} else accumulator(element),
        "tile": tile,
        "waves": (tile[0] // shares[0], tile[1] // shares[1]),
        "instruction": (chosen.m_per_xdl, chosen.n_per_xdl),
        "lds": TILES.get(lds or usual, lds or usual),
        "k1": chosen.k1,
        "reads_whole_vectors": True,
        "is_c_transposed": False,
        "order": "prefetch" if is_optimized else "simple",
    }
    return GemmConfig(**{**made, **fields})


def wrapper_gemm(
    traits: GemmTraits | str, *, lds: str | None = None, is_optimized: bool = False, **fields: Any
) -> Kernel:
    """The wrapper's basic or optimized GEMM with these traits; arguments as of :func:`wrapper_config`."""
    return wrapper_kernel(wrapper_config(traits, lds=lds, is_optimized=is_optimized, **fields))


def wrapper_kernel(config: GemmConfig) -> Kernel:
    """The kernel of a configuration; where C is not transposed, with the claim that it lies as CK has it."""
    made = gemm(config)
    if config.is_c_transposed:
        return made
    return replace(made, claims=(*made.claims, partition_claim(config, traits_of(config))))


def traits_of(config: GemmConfig) -> GemmTraits:
    """The traits of a configuration, whether or not CK has a name for them.

    >>> traits_of(GemmConfig(k1=8))
    GemmTraits(m_per_xdl=32, n_per_xdl=32, m_xdl_per_wave=2, n_xdl_per_wave=4, k1=8)
    """
    return GemmTraits(*config.instruction, *config.block.rounds, config.pack)


def partition_claim(config: GemmConfig, traits: GemmTraits) -> Claim:
    """Every register of C is the element that it is in the wrapper's partition of 8 dimensions."""
    held = make_static_tile_distribution(config.block.c)
    tile = config.tile[:2]
    whole = make_tensor("Global", np.empty(tile[0] * tile[1]), make_layout(tile, (tile[1], 1)))
    warp, lane = held.ps
    partition = make_blockwise_gemm_xdl_c_local_partition(
        whole, config.element, traits, config.threads, config.lanes * warp + lane
    )
    m, n, group, register = held.ys
    index = (m, n, 0, 0, group, 0, register, 0)
    place = partition.layout.unrolled_descriptor.hidden_expressions(index)[0]
    row, column = held.index_map().outputs
    same = (Comparison(tile[1] * row + column, "==", place),)
    return Claim("same partition as CK's", "C", held.domain, same)


def _traits(traits: GemmTraits | str) -> GemmTraits:
    if isinstance(traits, GemmTraits):
        return traits
    if traits not in TRAITS:
        raise not_one_of("traits", traits, TRAITS, where="wrapper_gemm")
    return TRAITS[traits]
