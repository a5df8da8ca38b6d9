"""How a layout is named, in every command alike.

>>> Source.of("tiles.layout.toml:a_lds")
Source(kind='layout file', place='tiles.layout.toml', name='a_lds')
>>> Source.of("policy.hpp::Policy::MakeLds{Problem.kM=64, arch=gfx950}").kind
'CK function'
>>> Source.of("row=128, col=64 -> row*64 + (col ^ row % 8 * 8)").kind
'offset'
>>> Source.of("(4,(2,4)):(2,(1,8))").kind
'nested layout'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from layoutalg.errors import LayoutError, of_kind, shortened
from layoutalg.reading.near_names import meant
from layoutalg.reading.text_file import require_file

__all__ = ["FORMS", "LAYOUT_FILES", "Kind", "Source"]

Kind = Literal[
    "layout file",
    "Python file",
    "Python module",
    "CK function",
    "encoding",
    "log",
    "offset",
    "nested layout",
    "corpus file",
]
ENCODING = "tile_distribution_encoding<"
LAYOUT_FILES = (".layout.toml", ".layout.py")  # what a folder is searched for
FORMS = (
    "FILE.toml[:NAME], FILE.py[:NAME], module:[NAME], FILE.hpp::Class::Function[{KEY=VALUE, ...}],"
    " tile_distribution_encoding<...>, SHAPE:STRIDE or AXIS=LENGTH, ... -> OFFSET"
)
_FILE = re.compile(r"(?P<place>.+\.(?:toml|py))(?::(?P<name>\w*))?")
_MODULE = re.compile(r"(?P<place>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>\w*)")
_NESTED = re.compile(r"[\d(),_:\s-]*:[\d(),_\s-]*")
LONGEST = 60


def _meant(text: str) -> str:
    """The form that a text nearly has, as a question."""
    place, dot, name = text.rpartition(".")
    if dot and _MODULE.fullmatch(f"{place}:{name}"):
        return f"did you mean {place}:{name}?"
    head, bracket, _ = text.partition("<")
    return meant(head.strip(), [ENCODING[:-1]]) if bracket else ""


@dataclass(frozen=True)
class Source:
    """A text that names layouts: of what kind it is, where they stand, and which one is meant (all if "")."""

    kind: Kind
    place: str
    name: str = ""

    @classmethod
    def of(cls, text: str) -> Source:
        """The source that a text is, by its form; refused where it has none of them.

        A file need not be there: who opens it says so. C++ text and offsets are sources themselves; any
        other file is a log, whose encodings are meant.
        """
        of_kind(text, str, "a source", "a text")
        if ENCODING in re.sub(r"\s", "", text):
            return cls("encoding", text)
        if ".hpp::" in text:
            return cls("CK function", text)
        if "->" in text:
            return cls("offset", text)
        if found := _FILE.fullmatch(text):
            kind: Kind = "layout file" if found["place"].endswith(".toml") else "Python file"
            return cls(kind, found["place"], found["name"] or "")
        if text.endswith(".json"):
            return cls("corpus file", text)
        if Path(text).is_file():
            return cls("log", text)
        if _NESTED.fullmatch(text):
            return cls("nested layout", text)
        if found := _MODULE.fullmatch(text):
            return cls("Python module", found["place"], found["name"])
        beside = f"there is no file or folder {shortened(text, LONGEST)}"
        hint = " ".join(filter(None, (_meant(text), f"wanted {FORMS}")))
        raise LayoutError(f"{beside}, and it names no layout", hint=hint)

    @property
    def is_python(self) -> bool:
        """Whether naming it runs code."""
        return self.kind in ("Python file", "Python module")

    @property
    def is_file(self) -> bool:
        """Whether it is read from a file."""
        return self.kind in ("layout file", "Python file", "corpus file", "log")

    def require(self) -> None:
        """Refuse a file that is not there, with the name of one beside it that is meant."""
        if self.is_file:
            require_file(Path(self.place))

    def __str__(self) -> str:
        return f"{self.place}:{self.name}" if self.name else self.place
