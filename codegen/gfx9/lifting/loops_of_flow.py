"""The blocks of a kernel, in an order in which each comes after what leads to it, and its loops.

Natural loops of a reducible flow: a loop is the blocks from which its header is come back to, and is entered
at its header alone. Other flow is refused.

>>> from layoutalg.codegen.gfx9.assembly import Assembly, parse_instruction
>>> code = tuple(parse_instruction(line, 1) for line in ("s_nop 0", "s_cbranch_scc1 loop", "s_endpgm"))
>>> flow = ControlFlow.of(Assembly("kernel", "gfx942", code, {"loop": 0}, {}))
>>> [(block.first, block.last, block.followers) for block in flow.blocks], flow.loops[0].blocks
([(0, 1, (1, 0)), (2, 2, ())], frozenset({0}))
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.hazards.control_flow import JUMPS, followers_of, predecessors_of
from layoutalg.errors import LayoutError

__all__ = ["Block", "ControlFlow", "Loop"]


@dataclass(frozen=True)
class Block:
    """Instructions from ``first`` to ``last``, and the blocks that may follow: the next one first."""

    first: int
    last: int
    followers: tuple[int, ...]


@dataclass(frozen=True)
class Loop:
    """The blocks of a loop, among them its header, and the number of loops around it."""

    header: int
    blocks: frozenset[int]
    depth: int


@dataclass(frozen=True)
class ControlFlow:
    """``blocks`` in reverse post-order; ``loops`` by the number of their header."""

    blocks: tuple[Block, ...]
    loops: dict[int, Loop]

    @classmethod
    def of(cls, assembly: Assembly) -> ControlFlow:
        """The flow of a kernel; refused where a loop is entered at two places."""
        reached = predecessors_of(assembly)
        instructions = assembly.instructions
        starts = {0} | {
            follower
            for place in reached
            if instructions[place].mnemonic.startswith(JUMPS) or len(followers_of(assembly, place)) != 1
            for follower in followers_of(assembly, place)
        }
        starts |= {place for place in reached if place - 1 not in reached[place] and place}
        spans: dict[int, tuple[int, list[int]]] = {}
        for first in sorted(starts & reached.keys()):
            last = first
            while followers_of(assembly, last) == [last + 1] and last + 1 not in starts:
                last += 1
            spans[first] = last, followers_of(assembly, last)
        order = _reverse_postorder({first: followers for first, (_, followers) in spans.items()})
        numbers = {first: number for number, first in enumerate(order)}
        blocks = tuple(
            Block(first, spans[first][0], tuple(numbers[f] for f in spans[first][1])) for first in order
        )
        return cls(blocks, _loops(blocks, assembly.name))


def _reverse_postorder(followers: dict[int, list[int]]) -> list[int]:
    done: list[int] = []
    seen = {0}
    stack = [(0, iter(followers[0]))]
    while stack:
        node, rest = stack[-1]
        for follower in rest:
            if follower not in seen:
                seen.add(follower)
                stack.append((follower, iter(followers[follower])))
                break
        else:
            done.append(node)
            stack.pop()
    return done[::-1]


def _loops(blocks: tuple[Block, ...], name: str) -> dict[int, Loop]:
    before: dict[int, list[int]] = {number: [] for number in range(len(blocks))}
    for number, block in enumerate(blocks):
        for follower in block.followers:
            before[follower].append(number)
    dominators = _dominators(before)
    inside: dict[int, set[int]] = {}
    for number, block in enumerate(blocks):
        for header in block.followers:
            if header > number:
                continue
            if header not in dominators[number]:
                msg = f"{name}: a loop is entered at two places (instruction {blocks[header].first})"
                raise LayoutError(msg, hint="such flow is not lifted")
            found = inside.setdefault(header, {header})
            waiting = [number]
            while waiting:
                node = waiting.pop()
                if node not in found:
                    found.add(node)
                    waiting += before[node]
    return {
        header: Loop(header, frozenset(found), sum(header in other for other in inside.values()) - 1)
        for header, found in inside.items()
    }


def _dominators(before: dict[int, list[int]]) -> list[set[int]]:
    every = set(before)
    found = [{0}] + [every.copy() for _ in range(len(before) - 1)]
    changed = True
    while changed:
        changed = False
        for number in range(1, len(before)):
            new = set.intersection(*(found[p] for p in before[number])) | {number}
            if new != found[number]:
                found[number], changed = new, True
    return found
