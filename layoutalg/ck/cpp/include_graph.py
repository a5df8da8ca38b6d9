"""Which headers a header includes: two of one name are told apart by what the file at hand can see.

>>> graph = IncludeGraph()
>>> graph.add("include/ck/a.hpp", '#include "ck/b/b.hpp"')
>>> graph.add("include/ck/b/b.hpp", '#include "c.hpp"')
>>> graph.add("include/ck/b/c.hpp", "")
>>> sorted(graph.seen_from("include/ck/a.hpp"))
['include/ck/a.hpp', 'include/ck/b/b.hpp', 'include/ck/b/c.hpp']
"""

from __future__ import annotations

import re
from posixpath import dirname, normpath

__all__ = ["IncludeGraph"]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
ROOTS = ("include", "library/include")


class IncludeGraph:
    """The lines that include others, by file; conditions around them do not count."""

    def __init__(self) -> None:
        self.written: dict[str, list[str]] = {}
        self.known: dict[str, frozenset[str]] = {}

    def add(self, name: str, text: str) -> None:
        """Note what a file includes."""
        self.written[name] = INCLUDE.findall(text)
        self.known.clear()

    def copy(self) -> IncludeGraph:
        """A graph to which more files can be added."""
        made = IncludeGraph()
        made.written = dict(self.written)
        return made

    def seen_from(self, name: str) -> frozenset[str]:
        """A file and all files that it includes, and those that these include."""
        if name not in self.known:
            found, waiting = {name}, [name]
            while waiting:
                here = waiting.pop()
                new = {one for text in self.written.get(here, ()) if (one := self._file(here, text))} - found
                found |= new
                waiting += new
            self.known[name] = frozenset(found)
        return self.known[name]

    def _file(self, here: str, text: str) -> str:
        places = (normpath(f"{root}/{text}") for root in (dirname(here), *ROOTS))
        return next((place for place in places if place in self.written), "")
