"""The parameters of a kernel as C declares them; those that its statements never name are marked.

All kernels of a family take the same arguments, so that one launch serves them all: a size that one of them
does not need stays in the list, and the mark keeps compilers from warning of it.

>>> from layoutalg.codegen.kernel import ScalarArgument
>>> parameters([ScalarArgument("M"), ScalarArgument("K")], ["const int turns = K / 32;  // not M"])
['[[maybe_unused]] int M', 'int K']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from layoutalg.codegen.kernel import ArrayArgument, ScalarArgument

__all__ = ["parameters"]

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def parameters(arguments: Sequence[ArrayArgument | ScalarArgument], statements: Iterable[str]) -> list[str]:
    """A declaration for each argument, in their order."""
    code = (line.partition("//")[0] for line in statements)
    named = {word for line in code for word in IDENTIFIER.findall(line)}
    return [
        argument.declaration if argument.name in named else f"[[maybe_unused]] {argument.declaration}"
        for argument in arguments
    ]
