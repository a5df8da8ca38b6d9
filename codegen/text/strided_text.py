"""Text of addresses that lie constant distances apart: their declaration, and one of them by its indices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import Strided

__all__ = ["StridedText"]


@dataclass(frozen=True)
class StridedText:
    """Accesses named ``name``; an index is a C expression, or empty for one that is not there."""

    name: str
    found: Strided
    spell: Speller

    @property
    def count(self) -> int:
        """How many accesses there are."""
        return math.prod(self.found.lengths)

    def declaration(self) -> Iterator[str]:
        """The addresses, and tables of the distances that do not grow evenly."""
        bases = [self.spell(base) for base in self.found.bases]
        if len(bases) == 1:
            yield f"const int {self.name} = {bases[0]};"
        else:
            yield f"const int {self.name}[{len(bases)}] = {{{', '.join(bases)}}};"
        yield from self.tables()

    def tables(self) -> Iterator[str]:
        """Distances that do not grow evenly."""
        for axis, (gaps, stride) in enumerate(zip(self.found.gaps, self.found.strides, strict=True)):
            if stride is None:
                row = ", ".join(map(self.spell, gaps))
                yield f"constexpr int {self.name}_at{axis}[{len(gaps)}] = {{{row}}};"

    def place(self, indices: Sequence[str]) -> str:
        """One address."""
        chosen = ""
        for axis in self.found.choosers:
            index, length = indices[axis], self.found.lengths[axis]
            chosen = f"({chosen}) * {length} + {index}" if chosen else index
        return self.name + (f"[{chosen}]" if chosen else "") + self.plus(indices)

    def plus(self, indices: Sequence[str]) -> str:
        """What the indices add to an address."""
        terms = ""
        for axis, (stride, index) in enumerate(zip(self.found.strides, indices, strict=False)):
            if stride is None:
                terms += f" + {self.name}_at{axis}[{index}]"
            elif stride != 0:
                text = self.spell(stride)
                factor = text if stride.is_Symbol or stride.is_Integer else f"({text})"
                terms += f" + {index}" if stride == 1 else f" + {index} * {factor}"
        return terms
