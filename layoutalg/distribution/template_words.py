"""Words of C++ template arguments, one after the other; an error points at the place and says what was due.

>>> words = TemplateWords("ck_tile::sequence<4, 8>", 0)
>>> words.take("sequence"), words.take("tuple"), words.word.text
(True, False, '<')
>>> words.fail("'('")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: wanted '(', found '<'
  ck_tile::sequence<4, 8>
                   ^
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from layoutalg.errors import LayoutError
from layoutalg.reading.caret import caret_block

__all__ = ["TemplateWord", "TemplateWords"]

_SPACE = re.compile(r"\s*")
_WORD = re.compile(
    r"(?:::\s*)?(?:[A-Za-z_]\w*\s*::\s*)*(?P<name>[A-Za-z_]\w*)|(?P<number>-?\s*\d[\w.']*)|(?P<mark>\S)"
)


@dataclass(frozen=True, slots=True)
class TemplateWord:
    """One word: ``kind`` is name (without its namespaces), number, mark or end."""

    kind: str
    text: str
    position: int
    end: int

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else "the end of the text"


class TemplateWords:
    """The word at a place of a text: looking, stepping on, refusing."""

    def __init__(self, text: str, position: int, what: str = "") -> None:
        self.text = text
        self.what = f"{what}: " if what else ""
        self.word = self._word_from(position)

    def take(self, *texts: str) -> bool:
        """Step over the word if it is one of these."""
        if self.word.kind == "end" or self.word.text not in texts:
            return False
        self.step()
        return True

    def step(self) -> TemplateWord:
        """The word, which is then the next one."""
        found = self.word
        self.word = self._word_from(found.end)
        return found

    def fail(self, wanted: str, *, hint: str = "") -> NoReturn:
        """Refuse the word, saying what was wanted in its place."""
        self.refuse(f"wanted {wanted}, found {self.word}", self.word.position, hint)

    def refuse(self, problem: str, position: int, hint: str = "") -> NoReturn:
        """Refuse a place of the text."""
        error = LayoutError(f"{self.what}{problem}\n{caret_block(self.text, position)}", hint=hint)
        error.text_line = self.text.count("\n", 0, position)
        raise error from None

    def _word_from(self, position: int) -> TemplateWord:
        space = _SPACE.match(self.text, position)
        match = _WORD.match(self.text, space.end() if space else position)
        if match is None:
            end = len(self.text.rstrip())
            return TemplateWord("end", "", end, end)
        kind = str(match.lastgroup)
        return TemplateWord(kind, match[kind], match.start(), match.end())
