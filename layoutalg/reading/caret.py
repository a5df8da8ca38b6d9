r"""A place in a text, shown as compilers do: its line with a caret below, cut on both sides where it is long.

>>> print(caret_block("sizes\nrow // * 3", 13))
  row // * 3
         ^
>>> shown, caret = caret_block("x + " * 50 + "@" + " + x" * 50, 200).splitlines()
>>> len(shown), shown[:9], shown[caret.index("^")]
(108, '  ...x + ', '@')
"""

from __future__ import annotations

__all__ = ["caret_block"]

BEFORE, AFTER = 60, 40  # characters shown on each side of the place
CUT = "..."


def caret_block(text: str, position: int) -> str:
    """Two lines, indented by two: the line of the text that a position stands on, and the caret under it."""
    begin = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    left, right = max(begin, position - BEFORE), min(end, position + AFTER)
    line = "".join(c if c.isprintable() else " " for c in text[left:right])
    head = CUT if left > begin else ""
    tail = CUT if right < end else ""
    return f"  {head}{line}{tail}\n  {' ' * (len(head) + position - left)}^"
