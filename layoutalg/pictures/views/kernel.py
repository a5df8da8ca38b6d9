"""Kernels: how they are launched, what is claimed of them, their source."""

from __future__ import annotations

from layoutalg.codegen.kernel import Kernel, ScalarArgument
from layoutalg.pictures.view import Lines, Source, View, view_of

__all__ = ["kernel_view"]


@view_of.register
def kernel_view(kernel: Kernel) -> View:
    """Summary, arguments, launch, claims by name with how many, and the source."""
    counts: dict[str, int] = {}
    for claim in kernel.claims:
        counts[claim.name] = counts.get(claim.name, 0) + 1
    arguments = [
        a.declaration
        if isinstance(a, ScalarArgument)
        else f"{a.declaration} [{', '.join(map(str, a.lengths))}]"
        for a in kernel.arguments
    ]
    grid, block = (", ".join(map(str, sizes)) for sizes in (kernel.grid, kernel.block))
    claims = ", ".join(name if n == 1 else f"{name} ({n})" for name, n in counts.items())
    lines = (
        kernel.summary,
        *arguments,
        f"for all {str(kernel.domain).removeprefix('Domain: ')}",
        f"{grid} workgroups of {block} threads",
        f"{len(kernel.claims)} claims: {claims}",
    )
    return View(kernel.name, (Lines(lines), Source(kernel.text, "c++")))
