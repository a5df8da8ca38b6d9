"""What ``--select`` and ``--ignore`` came to, said where they left nothing to judge.

>>> chosen = Selection(("LA2", "LA7"), ("LA702",))
>>> chosen.said({"LA201"})
'--select LA7 matches LA701, LA702 (LA702 is ignored); no layout here makes such a claim'
>>> Selection().said(set())
''
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from layoutalg.check.codes import CODES, OWN_CLAIM, is_selected

__all__ = ["EVERYTHING", "Selection"]

EVERYTHING = ("LA",)
NOTES = "LA0"  # the family of files, which makes no claims


@dataclass(frozen=True)
class Selection:
    """Rules and families that were asked for, and those left out."""

    select: tuple[str, ...] = EVERYTHING
    ignore: tuple[str, ...] = ()

    def said(self, judged: Collection[str]) -> str:
        """A sentence about what judged nothing, given the codes of which claims were judged; else empty."""
        parts = [*self._selected(judged), *(self._ignored() if not judged else ())]
        return "; ".join(parts)

    def _selected(self, judged: Collection[str]) -> Iterator[str]:
        for name in self.select:
            if self.select == EVERYTHING or any(code.startswith(name) for code in judged):
                continue
            matched = _matching(name)
            ignored = [code for code in matched if not is_selected(code, self.select, self.ignore)]
            verb = "is" if len(ignored) == 1 else "are"
            rest = f" ({', '.join(ignored)} {verb} ignored)" if ignored else ""
            why = "nothing is left of it" if matched == ignored else "no layout here makes such a claim"
            yield f"--select {name} matches {', '.join(matched) or 'no claim'}{rest}; {why}"

    def _ignored(self) -> Iterator[str]:
        if self.ignore:
            yield f"--ignore {', '.join(self.ignore)} leaves out what the layouts here claim, if anything"


def _matching(name: str) -> list[str]:
    codes = sorted(code.id for code in (*CODES, OWN_CLAIM))
    return [code for code in codes if code.startswith(name) and not code.startswith(NOTES)]
