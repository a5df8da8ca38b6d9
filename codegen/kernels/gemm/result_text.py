"""The text that stores C: each lane what the instruction left it, neighbours of a row together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.kernels.gemm.accesses import GemmAccesses
from layoutalg.codegen.kernels.gemm.strided_text import StridedText
from layoutalg.codegen.source import INDENT, indented, typedef, unrolled
from layoutalg.codegen.speller import Speller

__all__ = ["ResultText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class ResultText:
    """Statements after the loop."""

    accesses: GemmAccesses
    spell: Speller

    @property
    def kind(self) -> str:
        return self.accesses.tiles.config.result.hip

    @cached_property
    def stores(self) -> StridedText:
        return StridedText("c_first", self.accesses.results, self.spell)

    def types(self) -> Lines:
        if self.accesses.stored_at_once > 1:
            yield typedef(self.kind, self.accesses.stored_at_once, "stored")

    def store(self) -> Lines:
        """From accumulators to global memory."""
        found, at_once = self.stores.found, self.accesses.stored_at_once
        yield f"{self.kind}* c_first = c + ({self.spell(found.bases[0])});"
        names = ["i", "j", "g", "r"] if len(found.lengths) > 3 else ["i", "j", "r"]
        size, group = found.lengths[-1], f"{found.lengths[-1]} * g + " if len(found.lengths) > 3 else ""
        if at_once > 1:
            names.pop()
        for depth, (name, length) in enumerate(zip(names, found.lengths, strict=False)):
            yield from indented(unrolled(name, length), depth)
        place = f"c_first{self.stores.plus(names)}"
        if at_once == 1:
            yield f"{INDENT * len(names)}*({place}) = ({self.kind})acc[i][j][{group}r];"
            return
        parts = ", ".join(f"({self.kind})acc[i][j][{group}{r}]" for r in range(size))
        yield f"{INDENT * len(names)}*reinterpret_cast<stored*>({place}) = stored{{{parts}}};"
