"""The CK wrapper's blockwise copy: tiles of a tensor through shared memory, by layouts of threads.

Reading order: ``tiles`` (who moves what), ``claims`` (what must hold), ``text`` (the source), ``builder``
(the kernel).
"""

from layoutalg.codegen.kernels.blockwise_copy.builder import block_kernel_of, blockwise_copy
from layoutalg.codegen.kernels.blockwise_copy.tiles import BlockTiles

__all__ = ["BlockTiles", "block_kernel_of", "blockwise_copy"]
