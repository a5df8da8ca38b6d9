"""How memory instructions and matrix products of a phase are mixed, so that neither waits for the other.

The text asks the compiler for it, and the model of a loop expects it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from layoutalg.codegen.gfx9.issue_timing import LATENCIES
from layoutalg.codegen.text.source import INDENT, unrolled
from layoutalg.mma.matrix_instruction import MatrixInstruction

__all__ = ["MASKS", "Move", "interleaving", "products_after_reads", "shares"]

Move = tuple[int, tuple[str, ...]]  # how often, and the kinds of instructions that come in turn
MASKS = {"products": 0x008, "loads": 0x020, "reads": 0x100, "stores": 0x200}  # of a group of instructions
SERVED = 32  # cycles in which the LDS serves what other waves read at the same time
MOST_AFTER = 3  # of so many products one may come after the reads, which else stand too close


def products_after_reads(row: MatrixInstruction, products: int) -> int:
    """Products that are to come last where a phase moves nothing but reads: until the last of them is there.

    >>> row = MatrixInstruction.named("v_mfma_f32_32x32x16_f16", "gfx950")
    >>> row.cycles, products_after_reads(row, 15), products_after_reads(row, 8)
    (32, 5, 2)

    None on RDNA, of which we have no model: compilers need more registers for it.
    """
    if row.name.startswith("v_wmma"):
        return 0
    return min(-(-(LATENCIES.lds + SERVED) // row.cycles), products // MOST_AFTER)


def shares(moves: int, products: int, last: int = 0) -> Iterator[tuple[int, int]]:
    """How many moves come before how many products, in turn; at least so many products come last.

    >>> list(shares(3, 9)), list(shares(5, 4)), list(shares(5, 4, 2))
    ([(1, 2), (1, 2), (1, 2), (0, 3)], [(1, 1), (1, 1), (1, 1), (2, 1)], [(2, 1), (3, 1), (0, 2)])

    Without products there is nothing between them.

    >>> list(shares(3, 0))
    [(3, 0)]
    """
    places = products - last
    if not products:
        yield moves, 0
        return
    if moves > places:
        for number in range(places):
            first, end = (moves * n // places for n in (number, number + 1))
            yield end - first, 1
        left = last
    else:
        each = max(1, min(products // (moves + 1), places // max(1, moves)))
        yield from [(1, each)] * moves
        left = products - each * moves
    if left:
        yield 0, left


def interleaving(moves: Sequence[Move], products: int, last: int = 0) -> Iterator[str]:
    """How the compiler is told to spread the memory instructions of a phase between its products.

    ``moves``: rounds of reads, stores and loads. They are issued one by one, each followed by as many
    products as there are to go around, so that the matrix cores never wait; products that are left over, at
    least ``last``, come last, while reads arrive. Source: LLVM, User Guide for AMDGPU Backend,
    ``llvm.amdgcn.sched.group.barrier``; CK, ``blkgemmpipe_scheduler.hpp``.

    >>> list(interleaving([(2, ("reads",)), (1, ("stores",))], 9))[1:5]
    ['for (int i = 0; i < 2; ++i) {', '    __builtin_amdgcn_sched_group_barrier(reads, 1, 0);',
    '    __builtin_amdgcn_sched_group_barrier(products, 2, 0);', '}']

    Where there are fewer products than memory instructions, some of these come before each product.

    >>> import re
    >>> lines = interleaving([(2, ("stores",)), (1, ("loads",))], 2)
    >>> [re.split(r"[(,]", line)[1] for line in lines]
    ['stores', 'products', 'stores', 'loads', 'products']
    """
    if not products:
        return
    names = [name for count, groups in moves for name in groups * count]
    spread = list(shares(len(names), products, last))
    if any(count > 1 for count, _ in spread):
        waiting = iter(names)
        for count, each in spread:
            for name, alike in itertools.groupby(itertools.islice(waiting, count)):
                yield _group(name, len(list(alike)))
            yield _group("products", each)
        return
    for count, groups in moves:
        if count:
            yield from unrolled("i", count, opens=True)
            for name in groups:
                yield INDENT + _group(name, 1)
                yield INDENT + _group("products", spread[0][1])
            yield "}"
    if len(spread) > len(names):
        yield _group("products", spread[-1][1])


def _group(name: str, count: int) -> str:
    return f"__builtin_amdgcn_sched_group_barrier({name}, {count}, 0);"
