r"""A kernel assembled from its parts: text, launch, claims, reference.

The comment above the source states grid and sizes; every builder comes through here, so that it says of a
launch what the fields of the kernel say.

>>> from layoutalg.index import FloorDiv
>>> from layoutalg.length import sizes
>>> M, N = sizes("M N")
>>> domain = Domain.of({}, {M: (64, None, 64), N: (1, None)}, [sympy.Le(M * N, 100)])
>>> print("\n".join(launch_words((FloorDiv.unchecked(M, 64), N), (256,), domain)))
Launch with grid (M // 64, N), block 256.
Proved for M a multiple of 64, N at least 1, where M*N <= 100.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr

from layoutalg.claim import Claim
from layoutalg.codegen.kernel import ArrayArgument, Kernel, ScalarArgument
from layoutalg.codegen.text.kernel_name import digest, kernel_name
from layoutalg.codegen.text.source import function, translation_unit
from layoutalg.domain import Domain
from layoutalg.domain.variable import Variable

__all__ = ["Launched", "Written", "assembled", "launch_words"]

NO_SIZES = Domain()


@dataclass(frozen=True)
class Launched:
    """How a kernel is launched: workgroups along x, y, z, threads, and for which sizes."""

    grid: tuple[Expr, ...]
    block: tuple[int, ...]
    domain: Domain = NO_SIZES

    @property
    def threads(self) -> int:
        return math.prod(self.block)


@dataclass(frozen=True)
class Written:
    """The parts of a kernel's text: what is said above it, declarations, and statements."""

    prose: str
    declarations: Sequence[str]
    statements: Sequence[str]


def assembled(  # noqa: PLR0913  the fields of a kernel
    name: str,
    summary: str,
    arguments: Sequence[ArrayArgument | ScalarArgument],
    launched: Launched,
    written: Written,
    *,
    claims: Iterable[Claim],
    reference: Callable[[Any], Any],
    adds_digest: bool = False,
) -> Kernel:
    """The kernel with its whole text.

    ``adds_digest`` adds a digest of the text to the name, for builders whose name does not say all.
    """
    head = "\n".join([written.prose, "", *launch_words(launched.grid, launched.block, launched.domain)])
    declared = [argument.declaration for argument in arguments]
    if adds_digest:
        name = kernel_name(name, digest([head, *declared, *written.declarations, *written.statements]))
    body = function(name, declared, launched.threads, written.statements)
    return Kernel(
        name=name,
        summary=summary,
        arguments=tuple(arguments),
        domain=launched.domain,
        grid=launched.grid,
        block=launched.block,
        claims=tuple(claims),
        text=translation_unit(head, written.declarations, body),
        reference=reference,
    )


def launch_words(grid: Sequence[Expr], block: Sequence[int], domain: Domain) -> list[str]:
    """The launch of a kernel, and what it was proved for, one sentence a line."""
    extents = ", ".join(map(str, grid))
    threads = str(block[0]) if len(block) == 1 else f"({', '.join(map(str, block))})"
    lines = [f"Launch with grid ({extents}), block {threads}."]
    sizes = ", ".join(_admitted(parameter) for parameter in domain.parameters)
    facts = ", ".join(map(str, domain.facts))
    if sizes:
        lines.append(f"Proved for {sizes}{f', where {facts}' if facts else ''}.")
    return lines


def _admitted(parameter: Variable) -> str:
    """The values of one size."""
    step, low, high = parameter.multiple_of, parameter.lower, parameter.upper
    words = [f"a multiple of {step}"] if step > 1 else []
    if low is not None and (step == 1 or low != step):
        words.append(f"at least {low}")
    if high is not None:
        words.append(f"at most {sympy.expand(high - 1)}")
    return f"{parameter.name} {' and '.join(words) or 'any integer'}"
