"""The CK wrapper's blockwise copy: tiles of a tensor through shared memory, by layouts of threads.

Reading order: ``tiles`` (who moves what), ``claims`` (what must hold), ``text`` (the source), ``builder``
(the kernel).
"""

from layoutalg.codegen.kernels.blockwise_copy.builder import blockwise_copy, kernel_of
from layoutalg.codegen.kernels.blockwise_copy.tiles import BlockTiles

__all__ = ["BlockTiles", "blockwise_copy", "kernel_of"]
