"""Registers that a loop carries and loaded values decide: named so, since no formula of theirs is missing.

A cursor that stops where a loaded length says so, a block's number read from a table a turn ahead: these are
not understood because they hang on data, and that is what a reader is to be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from layoutalg.codegen.gfx9.lifting.loop_turns import Carried
from layoutalg.codegen.gfx9.lifting.word_formulas import Words

__all__ = ["LOADED", "name_by_loads"]

LOADED = "loaded at "


def name_by_loads(words: Words, carried: Mapping[int, Carried]) -> None:
    """Name each letter of what is carried by the first load that decides it, if one does."""
    for letter in carried:
        places = sorted(_loads_behind(words, carried, letter))
        if places:
            name = f"{words.opaque[letter].name.split(' by ')[0]} by {LOADED}{places[0]}"
            words.opaque[letter] = replace(words.opaque[letter], name=name)


def _loads_behind(words: Words, carried: Mapping[int, Carried], letter: int) -> set[int]:
    """The instructions whose loaded values a letter is made of, or the cases of what it becomes."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting = [letter]
    while waiting:
        now = waiting.pop()
        if now in seen:
            continue
        seen.add(now)
        known = words.opaque.get(now)
        if known is not None and LOADED in known.name and now not in carried:
            found.add(int(known.name.rpartition(LOADED)[2]))
        for holds, polynomial in carried[now].after if now in carried else ():
            waiting += words.bases(polynomial) | words.bases_of_guard(holds)
    return found
