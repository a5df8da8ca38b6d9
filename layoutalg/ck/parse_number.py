"""Numbers of C++: bases, digit separators, suffixes.

>>> number("0b1100'1111"), number("1UL"), number("2.5f")
(('int', 207), ('unsigned', 1), ('float', 2.5))
"""

from __future__ import annotations

__all__ = ["number"]


def number(token: str) -> tuple[str, int | float]:
    """The kind and value of a literal."""
    text = token.replace("'", "").lower()
    kind = "unsigned" if "u" in text else "int"
    if text.startswith(("0x", "0b")):
        return kind, int(text.rstrip("ulz"), 0)
    if any(c in text for c in ".e") or text.endswith("f"):
        return "float", float(text.rstrip("fl"))
    digits = text.rstrip("ulz")
    return kind, int(digits, 8) if len(digits) > 1 and digits.startswith("0") else int(digits)
