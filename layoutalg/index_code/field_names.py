"""Names for values of sizes that read as the values: ``K*M + 8`` is ``K_times_M_plus_8``.

>>> from layoutalg.term.parse import parse_term
>>> names = FieldNames(taken={"i", "K"})
>>> names.field(parse_term("K + 8")), names.field(parse_term("(K + 127) // 128"))
('K_plus_8', 'K_plus_127_over_128')
>>> names.field(parse_term("4096 // K")), names.divisor(parse_term("K"), 32)
('s0', 'by_K')
"""

from __future__ import annotations

import re
from collections.abc import Collection

from layoutalg.term import Term

__all__ = ["FieldNames", "free_name"]

LONGEST = 24  # characters of a name that is read as a formula
WORDS = {"+": "plus", "*": "times", "//": "over", "exact": "over", "%": "mod", "min": "min", "max": "max"}


def free_name(wanted: str, taken: Collection[str]) -> str:
    """The wanted name, with as many ``_`` as make it none of ``taken``."""
    while wanted in taken:
        wanted += "_"
    return wanted


class FieldNames:
    """Names given so far, by what they stand for; none of them is one of ``taken``."""

    def __init__(self, taken: Collection[str]) -> None:
        self.taken = set(taken)
        self.fields: dict[str, Term] = {}
        self.divisors: dict[str, tuple[Term, int]] = {}

    def field(self, term: Term) -> str:
        """The name of a value; a size keeps its own."""
        if term.op == "symbol":
            return str(term.args[0])
        known = {value: name for name, value in self.fields.items()}
        if term not in known:
            known[term] = self._free(_words(term), "s")
            self.fields[known[term]] = term
        return known[term]

    def divisor(self, term: Term, word: int) -> str:
        """The name of a prepared divisor of so many bits."""
        known = {value: name for name, value in self.divisors.items()}
        if (term, word) not in known:
            suffix = "" if word == 32 else f"_{word}"
            known[term, word] = self._free(f"by_{_words(term)}{suffix}", "by_s")
            self.divisors[known[term, word]] = (term, word)
        return known[term, word]

    def _free(self, wanted: str, short: str) -> str:
        """The wanted name, or a short one where that is none, is too long or stands for something else."""
        is_name = re.fullmatch(r"[A-Za-z]\w*", wanted) and "__" not in wanted
        if not is_name or len(wanted) > LONGEST or wanted in self.taken:
            wanted = next(f"{short}{n}" for n in range(10**6) if f"{short}{n}" not in self.taken)
        self.taken.add(wanted)
        return wanted


def _words(term: Term) -> str:
    """A value in words, number last; empty where it has none or begins with a minus."""
    if not term.parts:
        return str(term.args[0])
    parts = sorted(term.args, key=lambda part: part.op == "integer") if term.op == "*" else list(term.args)
    if term.op == "+":
        parts.sort(key=lambda part: part.sign_and_size[0] < 0)
    if term.op not in WORDS or term.sign_and_size[0] < 0 or parts[0].sign_and_size[0] < 0:
        return ""
    text = _words(parts[0])
    for part in parts[1:]:
        sign, size = part.sign_and_size
        text += f"_{'minus' if sign < 0 else WORDS[term.op]}_{_words(size)}"
    return text
