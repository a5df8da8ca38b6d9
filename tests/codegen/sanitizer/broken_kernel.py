"""A broken kernel: its source with the wrong lines marked, how it is launched, and what is to be found.

In a source (with ``//`` for HIP, ``;`` for assembly, ``#`` for Triton) a line that has to be reported ends
with ``// BROKEN: check``. The mended twin has the text of a comment ``//= text`` in place of the line before,
and that of ``//+ text`` besides; lines keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from layoutalg.codegen.executors import Output

__all__ = ["SOURCES", "BrokenKernel", "KernelLaunch", "at", "filled", "mended", "numbers", "output", "picked"]

SOURCES = Path(__file__).parent / "broken"
COMMENT = {".hip": "//", ".s": ";", ".py": "#"}
BEGIN = {".hip": r"__global__.*\b{}\(", ".s": r"^{}:", ".py": r"def {}\("}
NEXT = {".hip": r'^extern "C" __global__', ".s": r"^\.Lfunc_end", ".py": r"^@triton\.jit"}


@dataclass(frozen=True)
class KernelLaunch:
    """Workgroups and threads along x, y, z, the arguments in order, and options of the call by name."""

    grid: tuple[int, ...]
    block: tuple[int, ...] | None
    arguments: tuple[Any, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BrokenKernel:
    """What is wrong with a kernel and which check has to say so.

    ``form``: hip, assembly, triton, own (one of this package, its text edited) or ck_tile (its assembly
    edited); ``source``: the file in ``broken``, or what is edited; ``make``: gives the edited text;
    ``launch``: makes the arguments anew; ``is_mended``: whether the twin runs without a finding;
    ``has_place``: whether a line can be blamed (none wrote what was not written).
    """

    name: str
    check: str
    form: str
    source: str
    target: str
    what: str
    launch: Callable[[], KernelLaunch]
    is_mended: bool = True
    has_place: bool = True
    make: Callable[[], str] | None = None

    @property
    def suffix(self) -> str:
        """What a file with its text is called at the end."""
        return {"own": ".hip", "ck_tile": ".s"}.get(self.form) or Path(self.source).suffix

    @property
    def text(self) -> str:
        """The broken source."""
        return self.make() if self.make else (SOURCES / self.source).read_text(encoding="utf-8")

    @property
    def symbol(self) -> str:
        """What the kernel is called in the code object."""
        if self.make is None:
            return self.name
        said = re.search(r"^(_ZN\w*kentry\w*):|^(?:void )(\w+)\($", self.text, re.MULTILINE)
        assert said is not None, self.name
        return said[1] or said[2]

    @property
    def lines(self) -> frozenset[int]:
        """The numbers of the marked lines, from 1; of a file with several kernels those of this one."""
        lines = self.text.split("\n")
        begin, end = 0, len(lines)
        if self.make is None:
            begin = next(n for n, line in enumerate(lines) if _is(BEGIN, self, line))
            end = next((n for n in range(begin + 1, end) if _is(NEXT, self, lines[n])), end)
        mark = f"BROKEN: {self.check}"
        return frozenset(n + 1 for n in range(begin, end) if lines[n].rstrip().endswith(mark))


def _is(patterns: Mapping[str, str], kernel: BrokenKernel, line: str) -> bool:
    return re.search(patterns[kernel.suffix].format(kernel.name), line) is not None


def mended(text: str, suffix: str) -> str:
    """The text without its mistakes, line for line.

    >>> mended("a = x[1];\\n//= a = x[0];\\n//+ b = 2;", ".hip").split("\\n")
    ['a = x[0];', '', 'b = 2;']
    """
    found: list[str] = []
    for line in text.split("\n"):
        said = re.match(rf"^(\s*){re.escape(COMMENT[suffix])} ?([=+]) ?(.*)$", line)
        if said is None:
            found.append(line)
        elif said[2] == "=":
            found[-1] = said[1] + said[3]
            found.append("")
        else:
            found.append(said[1] + said[3])
    return "\n".join(found)


def at(grid: Any, block: Any, *arguments: Any, **options: Any) -> KernelLaunch:
    """A launch; a single number stands for one along x.

    >>> at(2, 64, 7).grid
    (2,)
    """
    whole = (grid,) if isinstance(grid, int) else tuple(grid)
    threads = (block,) if isinstance(block, int) else block
    return KernelLaunch(whole, threads, arguments, options)


def numbers(count: int, kind: Any = np.int32) -> Any:
    """0, 1, 2, ... as an input.

    >>> numbers(3).tolist()
    [0, 1, 2]
    """
    return np.arange(count).astype(kind)


def picked(count: int, below: int, kind: Any = np.int32) -> Any:
    """So many numbers below a bound, the same each time, as an input.

    >>> int(picked(100, 7).max())
    6
    """
    return np.random.default_rng(count).integers(0, below, count).astype(kind)


def output(count: int, kind: Any = np.int32) -> Output:
    """An array that a kernel writes, and may not read before.

    >>> output(3).is_initialised
    False
    """
    return Output(np.zeros(count, kind))


def filled(count: int, kind: Any = np.int32) -> Output:
    """An array of zeros that a kernel may read and write.

    >>> filled(3).is_initialised
    True
    """
    return Output(np.zeros(count, kind), is_initialised=True)
