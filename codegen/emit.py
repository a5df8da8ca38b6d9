"""Emission: a kernel's text is handed out only after all its claims are proved.

The prover is an argument: this package never imports one.
"""

from __future__ import annotations

from collections.abc import Callable

from layoutalg.claim import Claim
from layoutalg.codegen.kernel import Kernel
from layoutalg.errors import LayoutError
from layoutalg.verdict import Proved, Verdict

__all__ = ["UnprovedKernelError", "emit", "verdicts"]


class UnprovedKernelError(LayoutError):
    """A kernel with a claim that is refuted or unknown: its text is not handed out."""

    def __init__(self, kernel: Kernel, claim: Claim, verdict: Verdict) -> None:
        self.claim = claim
        self.verdict = verdict
        super().__init__(f"{kernel.name}: {claim.name} ({claim.subject}) is {verdict!r}")


def verdicts(kernel: Kernel, prove: Callable[[Claim], Verdict]) -> tuple[tuple[Claim, Verdict], ...]:
    """Each claim of the kernel with its verdict."""
    return tuple((claim, prove(claim)) for claim in kernel.claims)


def emit(kernel: Kernel, prove: Callable[[Claim], Verdict]) -> str:
    """The HIP source of a kernel, once every claim is proved; else :class:`UnprovedKernelError`."""
    for claim, verdict in verdicts(kernel, prove):
        if not isinstance(verdict, Proved):
            raise UnprovedKernelError(kernel, claim, verdict)
    return kernel.text
