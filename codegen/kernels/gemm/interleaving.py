"""How the compiler is told to spread memory instructions between matrix instructions.

Stores, loads and reads of a turn are issued one by one, each followed by as many products as there are to go
around, so that the matrix cores never wait. A load comes right after the stores that free its registers: it
has a whole turn to arrive. Source: LLVM, User Guide for AMDGPU Backend, ``llvm.amdgcn.sched.group.barrier``;
CK, ``blkgemmpipe_scheduler.hpp``.

>>> list(interleaving(stores=1, loads=0, reads=2, products=9))[1:5]
['for (int i = 0; i < 1; ++i) {', '    __builtin_amdgcn_sched_group_barrier(0x200, 1, 0);  // store',
'    __builtin_amdgcn_sched_group_barrier(0x008, 2, 0);  // products', '}']
"""

from __future__ import annotations

from collections.abc import Iterator

from layoutalg.codegen.text.source import INDENT, unrolled

__all__ = ["interleaving"]

PRODUCTS, LOAD, READ, STORE = 0x008, 0x020, 0x100, 0x200
NAMES = {PRODUCTS: "products", LOAD: "load", READ: "read", STORE: "store"}


def interleaving(*, stores: int, loads: int, reads: int, products: int) -> Iterator[str]:
    """Statements that order one turn; the products that are left over come last, while reads arrive."""
    each = max(1, products // (stores + loads + reads + 1))
    rounds = max(1, min(stores, loads))
    moves = [STORE] * (stores // rounds) + [LOAD] * (loads // rounds)
    rest = [STORE] * (stores % rounds) + [LOAD] * (loads % rounds)
    for count, masks in ((rounds, moves), (1, rest), (reads, [READ])):
        if count and masks:
            yield from unrolled("i", count, opens=True)
            for mask in masks:
                yield INDENT + _group(mask, 1)
                yield INDENT + _group(PRODUCTS, each)
            yield "}"
    left = products - each * (stores + loads + reads)
    if left > 0:
        yield _group(PRODUCTS, left)


def _group(mask: int, count: int) -> str:
    return f"__builtin_amdgcn_sched_group_barrier(0x{mask:03x}, {count}, 0);  // {NAMES[mask]}"
