"""Who writes and reads the layouts of shared memory of old CK's kernels, as their classes say it."""

from layoutalg.ck.block_accesses.block_accesses import block_accesses, is_block_layout
from layoutalg.ck.block_accesses.thread_access import LANE, NotKnown, ThreadAccess

__all__ = ["LANE", "NotKnown", "ThreadAccess", "block_accesses", "is_block_layout"]
