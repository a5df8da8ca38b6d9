"""A text as a header file that may be included more than once.

>>> print(guarded("int f(void);", "F_H", ("#include <stdint.h>",)))
#ifndef F_H
#define F_H
<BLANKLINE>
#include <stdint.h>
<BLANKLINE>
int f(void);
<BLANKLINE>
#endif  // F_H
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from layoutalg.errors import LayoutError
from layoutalg.index_code.emitted_names import C_FAMILY

__all__ = ["guard_of", "guarded"]


def guarded(text: str, guard: str, includes: Sequence[str]) -> str:
    """The text between the lines of an include guard, which must be no word of the text."""
    if not re.fullmatch(r"[A-Za-z_]\w*", guard, re.ASCII):
        raise LayoutError(f"guard: wanted a name such as ROWS_H, got {guard!r}")
    if re.search(rf"\b{guard}\b", text):
        raise LayoutError(f"guard: {guard!r} is a name in the same text", hint="for instance ROWS_H")
    C_FAMILY.require((guard,))
    head = [f"#ifndef {guard}", f"#define {guard}", "", *includes]
    return "\n".join([*head, "", text.rstrip(), "", f"#endif  // {guard}", ""])


def guard_of(name: str) -> str:
    """The guard of a header whose functions have this name.

    >>> guard_of("rows")
    'ROWS_H'
    """
    return f"{name.upper().lstrip('_')}_H"
