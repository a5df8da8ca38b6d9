r"""Long lines broken as one breaks them by hand: before the operator that binds least.

>>> print(*broken("return a * (b + c) + (d * e + f);", 24), sep="\n")
return a * (b + c)
    + (d * e + f);
"""

from __future__ import annotations

import re
import textwrap

__all__ = ["LINE", "broken", "comment"]

LINE = 100
INDENT = "    "
# After a comma, or before an operator, the one that binds least first.
_OPERATORS = (r"\? |: ", r"\|\| |or ", r"&& |and ", r"[|^&] ", r"[+-] ", r"[*/%] ")
BREAKS = (r"(?<=,) ", *(f" (?={operator})" for operator in _OPERATORS))


def broken(line: str, width: int = LINE) -> list[str]:
    """The line in pieces of at most ``width`` characters where spaces allow it; later ones are indented."""
    start = len(line) - len(line.lstrip())
    found, rest, indent = [], line, line[:start] + INDENT
    while len(rest) > width and (place := _place(rest, width)) is not None:
        found.append(rest[:place])
        rest = indent + rest[place + 1 :]
    return [*found, rest]


def _place(line: str, width: int) -> int | None:
    """The last space within the width, at the least depth of parentheses, before the weakest operator."""
    start = len(line) - len(line.lstrip())
    depths, depth = [], 0
    for character in line:
        depth += (character in "([") - (character in ")]")
        depths.append(depth)
    choices = [(pattern, level) for level in sorted(set(depths)) for pattern in BREAKS]
    for pattern, level in (*choices, *((" ", level) for level in sorted(set(depths)))):
        places = [match.start() for match in re.finditer(pattern, line)]
        found = [at for at in places if start + len(INDENT) < at <= width and depths[at] == level]
        if found:
            return found[-1]
    return None


def comment(text: str, sign: str = "// ") -> str:
    """The text as a comment in lines of at most :data:`LINE` characters, each of which begins with the sign.

    >>> comment("rows: 0 <= i < 8")
    '// rows: 0 <= i < 8'
    """
    kept = re.sub(r" (?=[<>=+*/%-])|(?<=[<>=+*/%-]) ", "\0", text)  # formulas stay whole, where they fit
    if max(map(len, kept.split(" "))) > LINE - len(sign):
        kept = text
    lines = textwrap.wrap(kept, LINE - len(sign), break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"{sign}{line}" for line in lines).replace("\0", " ")
