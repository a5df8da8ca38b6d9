"""Kernels that are wrong: a proof refuses each, and executing it fails where proofs are off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

import pytest

from layoutalg import Refuted
from layoutalg.claim import Claim
from layoutalg.codegen.emit import UnprovedKernelError, emit
from layoutalg.codegen.kernel import ExecutionFaultError, Kernel
from layoutalg.codegen.kernels.gemm.text import GemmText
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.text.single_turns import without_single_turns
from layoutalg.proofs import prove


def refuted(claims: Iterable[Claim]) -> set[str]:
    """The names of the claims that do not hold."""
    return {claim.name for claim in claims if isinstance(prove(claim), Refuted)}


def require_refused(kernel: Kernel, claims: str) -> None:
    """One of these claims (with a ``|`` between) is refuted, and the text is not handed out."""
    assert refuted(kernel.claims) & set(claims.split("|"))
    with pytest.raises(UnprovedKernelError):
        emit(kernel, prove)


def require_caught(is_right: Callable[[], bool], fault: str | None = "") -> None:
    """A run faults with this message; None: its result is wrong; empty: either of the two."""
    if fault:
        with pytest.raises(ExecutionFaultError, match=fault):
            is_right()
    elif fault is None:
        assert not is_right()
    else:
        with suppress(ExecutionFaultError):
            assert not is_right()


def edited(kernel: Kernel, old: str, new: str) -> Kernel:
    """The kernel with another text, in which a pattern is replaced; its claims cannot see that."""
    text = re.sub(old, new, kernel.text)
    assert text != kernel.text
    return replace(kernel, text=text)


def replaced(old: str, new: str) -> Callable[[str], str]:
    """The edit of a text that has other words in place of some that are there."""

    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return edit


def with_statements_of(kernel: Kernel, right: GemmTiles, wrong: GemmTiles) -> Kernel:
    """The kernel of some tiles with the statements of others; its claims stay those of the first."""
    lines = [without_single_turns(GemmText(tiles).statements()) for tiles in (right, wrong)]
    old, new = ("\n".join(f"    {line}" if line else "" for line in found) for found in lines)
    return replace(kernel, text=replaced(old, new)(kernel.text))
