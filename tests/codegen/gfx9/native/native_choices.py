"""Which of our kernels run in compiled C: elements of four bits and block scales have no code there."""

from __future__ import annotations

from layoutalg.codegen.matrix.kernel_matrix import Choice

__all__ = ["is_native"]


def is_native(choice: Choice) -> bool:
    """Whether compiled C has code for the instructions of a kernel."""
    return choice.element != "f4x2" and not choice.options.get("has_block_scales")
