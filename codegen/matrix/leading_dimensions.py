"""Leading dimensions for a run: rows with padding between them, of each array another amount.

>>> from layoutalg.codegen.kernels.gemm import configured, gemm
>>> kernel = gemm(configured("xor", has_leading_dimensions=True))
>>> with_leading_dimensions(kernel, {"M": 256, "N": 128, "K": 64})
{'M': 256, 'N': 128, 'K': 64, 'lda': 72, 'ldb': 80, 'ldc': 140}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from layoutalg.codegen.kernel import ArrayArgument, Kernel

__all__ = ["leading_names", "with_leading_dimensions"]


def leading_names(kernel: Kernel) -> tuple[str, ...]:
    """The sizes of a kernel that are leading dimensions."""
    leading = (a.leading for a in kernel.arguments if isinstance(a, ArrayArgument) and a.leading is not None)
    return tuple(dict.fromkeys(map(str, leading)))


def with_leading_dimensions(kernel: Kernel, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes, and each leading dimension without one: the row, then 1, 2, ... of what it is a multiple of.

    So they differ from each other even where rows are of one length, and one in the place of another shows.
    """
    found = dict(sizes)
    steps = {parameter.name: parameter.multiple_of for parameter in kernel.domain.parameters}
    for number, name in enumerate(leading_names(kernel), start=1):
        rows = [a for a in kernel.arguments if isinstance(a, ArrayArgument) and str(a.leading) == name]
        longest = max(kernel.shape_of(argument, sizes)[-1] for argument in rows)
        found.setdefault(name, (-(-longest // steps[name]) + number) * steps[name])
    return found
