r"""A kernel made from its parts: text, launch, claims, reference.

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
from layoutalg.codegen.claimed_access import ClaimedAccess
from layoutalg.codegen.kernel import ArrayArgument, Kernel, ScalarArgument
from layoutalg.codegen.text.kernel_name import digest, kernel_name
from layoutalg.codegen.text.parameters import parameters
from layoutalg.codegen.text.single_turns import without_single_turns
from layoutalg.codegen.text.source import function, translation_unit
from layoutalg.domain import Domain
from layoutalg.domain.variable import Variable
from layoutalg.machine import EVERY_GPU

__all__ = ["LaunchShape", "SourceText", "launch_words", "make_kernel"]

NO_SIZES = Domain()


@dataclass(frozen=True)
class LaunchShape:
    """How a kernel is launched: workgroups along x, y and z, threads along them, and the admissible sizes.

    ``waves_per_simd``: so many the compiler is to leave registers for, if that is said.
    """

    grid: tuple[Expr, ...]
    block: tuple[int, ...]
    domain: Domain = NO_SIZES
    waves_per_simd: int | None = None

    @property
    def threads(self) -> int:
        return math.prod(self.block)


@dataclass(frozen=True)
class SourceText:
    """The source of a kernel in parts: the comment above it, declarations, and statements."""

    prose: str
    declarations: Sequence[str]
    statements: Sequence[str]


def make_kernel(  # noqa: PLR0913  the fields of a kernel
    name: str,
    summary: str,
    arguments: Sequence[ArrayArgument | ScalarArgument],
    launch: LaunchShape,
    source: SourceText,
    *,
    claims: Iterable[Claim],
    accesses: Iterable[ClaimedAccess],
    reference: Callable[[Any], Any],
    adds_digest: bool = False,
    lds_alignment: int = EVERY_GPU.access_bytes,
) -> Kernel:
    """A kernel from its parts, with its whole text.

    ``adds_digest`` adds a digest of the text to the name, for builders whose name does not say all.
    """
    head = "\n".join([source.prose, "", *launch_words(launch.grid, launch.block, launch.domain)])
    declared = [argument.declaration for argument in arguments]
    statements = without_single_turns(source.statements)
    if adds_digest:
        name = kernel_name(name, digest([head, *declared, *source.declarations, *statements]))
    body = function(
        name,
        parameters(arguments, statements),
        launch.threads,
        statements,
        waves_per_simd=launch.waves_per_simd,
    )
    return Kernel(
        name=name,
        summary=summary,
        arguments=tuple(arguments),
        domain=launch.domain,
        grid=launch.grid,
        block=launch.block,
        claims=tuple(claims),
        text=translation_unit(head, source.declarations, body),
        reference=reference,
        accesses=tuple(accesses),
        lds_alignment=lds_alignment,
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
