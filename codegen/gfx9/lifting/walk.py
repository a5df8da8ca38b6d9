"""A kernel executed on formulas, block by block, loop by loop; what it accesses comes out.

Ways that part meet again by cases. A loop is executed as a whole where its header stands (``loop_passes``).
"""

from __future__ import annotations

from collections.abc import Iterable

from layoutalg.codegen.gfx9.lifting.all_lanes import places_with_all_lanes
from layoutalg.codegen.gfx9.lifting.execute import Executor
from layoutalg.codegen.gfx9.lifting.formula_registers import Registers
from layoutalg.codegen.gfx9.lifting.kernel_start import KernelStart
from layoutalg.codegen.gfx9.lifting.loop_passes import KernelLoop, LoopPasses, Visit
from layoutalg.codegen.gfx9.lifting.loops_of_flow import ControlFlow, Loop
from layoutalg.codegen.gfx9.lifting.needed import Needed
from layoutalg.codegen.gfx9.lifting.register_uses import EXEC_MASK, require_followed, uses_of
from layoutalg.codegen.gfx9.lifting.ways import Ways
from layoutalg.codegen.gfx9.registers import VCC

__all__ = ["Walk"]


class Walk:
    """The whole kernel, once; ``around``: the loops that are being executed, outermost first.

    ``counted``: the letters of loops that are left after their last turn and at no other time.
    """

    def __init__(self, start: KernelStart) -> None:
        self.start = start
        self.words = start.words
        assembly = start.assembly
        require_followed(assembly)
        self.flow = ControlFlow.of(assembly)
        self.uses = [uses_of(instruction, assembly) for instruction in assembly.instructions]
        whole = places_with_all_lanes(self.flow, assembly.instructions, self.uses)
        self.needed = Needed(self.flow, self.uses, whole)
        self.executor = Executor(start, self.uses)
        self.visits: list[Visit] = []
        self.around: list[KernelLoop] = []
        self.counted: set[int] = set()

    def run(self) -> list[Visit]:
        """Execute from the entry; gives every access."""
        ways = Ways()
        ways.add(0, self.start.registers())
        self.region(range(len(self.flow.blocks)), ways, None)
        return self.visits

    def region(
        self, blocks: Iterable[int], ways: Ways, loop: Loop | None
    ) -> tuple[Registers | None, list[tuple[int, Registers]]]:
        """Execute blocks in order; gives what comes back to the loop's header, and the states that leave."""
        inside = sorted(blocks)
        inner = {
            number: other
            for other in self.flow.loops.values()
            if other is not loop and (loop is None or other.blocks < loop.blocks)
            for number in other.blocks
        }
        back = Ways()
        leaving: list[tuple[int, Registers]] = []
        for number in inside:
            if number in inner and number not in self.flow.loops:
                continue
            state = ways.take(number)
            if state is None:
                continue
            is_inner = number in inner
            after = LoopPasses(self, inner[number], state).run() if is_inner else self._block(number, state)
            for follower, found in after:
                if loop is not None and follower == loop.header:
                    back.add(follower, found)
                elif follower in inside:
                    ways.add(follower, found)
                else:
                    leaving.append((follower, found))
        return None if loop is None else back.take(loop.header), leaving

    def _block(self, number: int, state: Registers) -> list[tuple[int, Registers]]:
        """Execute a block; gives a state for each block that may follow."""
        block = self.flow.blocks[number]
        state = state.copy(state.path)
        for place in range(block.first, block.last + 1):
            if place not in self.needed.places:
                continue
            access = self.executor.run(place, state)
            if access is not None:
                self.visits.append(Visit(access, tuple(self.around)))
        if len(block.followers) < 2:
            return [(follower, state) for follower in block.followers]
        guards, taken = self.words.guards, self._condition(block.last, state)
        ways = (guards.without(state.path, taken), guards.both(state.path, taken))
        return [
            (follower, state.copy(path))
            for follower, path in zip(block.followers, ways, strict=True)
            if not guards.is_empty(path)
        ]

    def _condition(self, place: int, state: Registers) -> int:
        """Whether a branch is taken."""
        name = self.executor.instructions[place].mnemonic.removeprefix("s_cbranch_")
        guards = self.words.guards
        self.words.inside, self.words.place = state.path, place
        if name.startswith("scc"):
            found = state.condition()
            return found if name == "scc1" else guards.opposite(found)
        pair = EXEC_MASK if name.startswith("exec") else (("s", VCC), ("s", VCC + 1))
        found = self.executor.masks.any_of(state.mask(*pair), state)
        return found if name.endswith("nz") else guards.opposite(found)
