"""What can be asked of a GEMM kernel: the fields of its configuration.

>>> GemmOptions(tile=(128, 128, 64)).layouts
'rcr'
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GemmOptions"]


@dataclass(frozen=True)
class GemmOptions:
    """A kernel for C[m, n] = sum over k of A[m, k] * B[k, n]; each workgroup computes a tile of C.

    ``layouts``: A, B, C in memory, row-major (r) or column-major (c), as CK names them;
    ``tile``: M, N and K of a workgroup; ``waves``: along M and N; ``instruction``: M and N of the matrix
    instruction; ``lds``: how the tiles lie in shared memory; ``k1``: neighbours along K that stay together
    there, 16 bytes of them if left out; ``reads_whole_vectors``: a lane reads those at once, which feed
    several instructions; ``is_c_transposed``: operands change places, so that a
    lane stores neighbours of a row of C; ``order``: the name of a :class:`Schedule`.

    ``group_m``: blocks along M that are launched one after the other; ``xcds``: dies to which workgroups are
    dealt in turn, of which each is to have neighbouring blocks; ``split_k``: workgroups that share K, each of
    which leaves a part of C; ``adds_atomically``: each adds what it has to what C held before, in no order
    that is sure, where else it would be stored (CK's ``atomic_add``); ``has_tails``: sizes need not be whole
    tiles; ``has_scale``: C is ``alpha`` times the product plus ``beta`` times D; ``epilogue``: what becomes
    of each element instead, an expression such as ``relu(c + bias_n)``, or two, see :class:`Epilogue`;
    ``stages_result``: C goes through shared memory, so that lanes store 16 bytes each, side by side;
    ``has_leading_dimensions``: rows in memory may begin farther apart than they are long;
    ``waves_per_simd``: so many the compiler leaves registers for;
    ``size_multiples``: with tails, what M, N and K are multiples of, if not of whole vectors;
    ``masks_every_tile``: with tails, the end of K is looked for in each tile, even where the last tile could
    come first and alone be looked at; ``has_block_scales``: each 32 neighbours along K of a row of A and of a
    column of B have a scale, a power of two (MX); ``is_batched``: so many products in one launch as the
    argument ``batch_count`` says, whose matrices begin batch strides apart (0: all read one matrix).
    """

    target: str = "gfx942"
    element: str = "f16"
    output: str = "f16"
    layouts: str = "rcr"
    tile: tuple[int, int, int] = (256, 128, 32)
    waves: tuple[int, int] = (4, 1)
    instruction: tuple[int, int] = (32, 32)
    lds: str = "row-major"
    k1: int | None = None
    reads_whole_vectors: bool = False
    is_c_transposed: bool = True
    order: str = "simple"
    group_m: int = 1
    xcds: int = 1
    split_k: int = 1
    adds_atomically: bool = False
    has_tails: bool = False
    has_scale: bool = False
    epilogue: str = ""
    stages_result: bool = False
    has_leading_dimensions: bool = False
    waves_per_simd: int | None = None
    size_multiples: tuple[int, int, int] | None = None
    masks_every_tile: bool = False
    has_block_scales: bool = False
    is_batched: bool = False
