r"""TOML read by the standard reader; what it refuses is told with the place and, where it is plain, the mend.

>>> read_toml("packed = [M, 128]")
Traceback (most recent call last):
    ...
layoutalg.reading.toml_text.TomlError: not TOML: invalid value
  packed = [M, 128]
            ^ (an expression stands in quotes: "M")
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from layoutalg.errors import LayoutError
from layoutalg.reading.caret import caret_block

__all__ = ["TomlError", "read_toml"]

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlError(LayoutError):
    """A text that is not TOML; ``text_line`` is the line that is wrong, from 0."""

    def __init__(self, what: str, *, line: int = 0, hint: str = "") -> None:
        super().__init__(f"not TOML: {what}", hint=hint)
        self.text_line = line


def read_toml(text: str) -> dict[str, Any]:
    """What a text in TOML holds."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        position = _position(text, _PLACE.search(str(error)))
        what = _plain(_PLACE.sub("", str(error)), text[:position].rpartition("\n")[2])
        hint, line = _mend(what, text, position), text.count("\n", 0, position)
        raise TomlError(f"{what}\n{caret_block(text, position)}", line=line, hint=hint) from None
    except (ValueError, RecursionError) as error:  # numbers and nesting beyond what Python reads
        raise TomlError(f"it cannot be read: {str(error)[:200]}") from None


def _position(text: str, place: re.Match[str] | None) -> int:
    """Where the reader stopped; at its end where it says no line."""
    if place is None or place[1] is None:
        return len(text.rstrip())
    lines = text.replace("\r\n", "\n").split("\n")
    before = sum(len(line) + 1 for line in lines[: int(place[1]) - 1])
    return min(before + int(place[2]) - 1, len(text))


def _plain(what: str, line: str) -> str:
    """The reader's words about a line, but what they say of Python."""
    if found := re.fullmatch(r"Cannot declare \((.*)\) twice", what):
        parts = re.findall("'(.*?)'", found[1])
        return f"[{'.'.join(parts)}] stands there twice"
    if what == "Cannot overwrite a value":
        return f"{line.partition('=')[0].strip()} stands there twice"
    if what.startswith("Illegal character '\\n'"):
        return "the text has no closing quote on this line"
    return what[:1].lower() + what[1:]


def _mend(what: str, text: str, position: int) -> str:
    """What is meant, where a slip is a usual one."""
    begin = text.rfind("\n", 0, position) + 1
    before, rest = text[begin:position], text[position:].split("\n", maxsplit=1)[0]
    if what == "invalid value" and (word := re.match(r"[A-Za-z_(][^,\]}]*", rest)):
        return f'an expression stands in quotes: "{word[0].strip()}"'
    if before.rstrip().endswith("{") and not rest.strip():
        return "a table in braces stands on one line"
    if what.startswith("expected '=' after a key") and rest.startswith(":"):
        return "a key and its value are parted by =, as in key = value"
    return ""
