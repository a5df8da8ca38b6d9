"""How the compiler is told to spread memory instructions between matrix instructions.

Loads, stores and reads of a turn are issued one by one, each followed by as many products as there are to go
around, so that the matrix cores never wait. Source: LLVM, User Guide for AMDGPU Backend,
``llvm.amdgcn.sched.group.barrier``; CK, ``blkgemmpipe_scheduler.hpp``.

>>> list(interleaving(stores=1, loads=0, reads=2, products=9))[1:5]
['for (int i = 0; i < 1; ++i) {', '    __builtin_amdgcn_sched_group_barrier(0x200, 1, 0);  // a store to LDS',
'    __builtin_amdgcn_sched_group_barrier(0x008, 2, 0);  // products', '}']
"""

from __future__ import annotations

from collections.abc import Iterator

from layoutalg.codegen.source import INDENT, unrolled

__all__ = ["interleaving"]

PRODUCT, LOAD, READ, STORE = 0x008, 0x020, 0x100, 0x200


def interleaving(*, stores: int, loads: int, reads: int, products: int) -> Iterator[str]:
    """Statements that order one turn; the products that are left over come last, while reads arrive."""
    each = max(1, products // (stores + loads + reads + 1))
    for count, mask, what in (
        (stores, STORE, "a store to LDS"),
        (loads, LOAD, "a load"),
        (reads, READ, "a read"),
    ):
        if count:
            yield from unrolled("i", count, opens=True)
            yield f"{INDENT}{_group(mask, 1)}  // {what}"
            yield f"{INDENT}{_group(PRODUCT, each)}  // products"
            yield "}"
    left = products - each * (stores + loads + reads)
    if left > 0:
        yield _group(PRODUCT, left)


def _group(mask: int, count: int) -> str:
    return f"__builtin_amdgcn_sched_group_barrier(0x{mask:03x}, {count}, 0);"
