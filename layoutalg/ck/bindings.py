"""Bindings: what the caller says of classes, template parameters, arguments and data members.

Keys are ``Problem.kBlockSize`` (members of a class that is a template parameter), ``MPerBlock`` (a template
parameter or an argument by its name), ``self.N_`` (a data member). Values are integers, booleans, lists of
integers, or text in CK's own spelling; a text may be any expression or type of the headers.

>>> bindings_of(["kargs.input_left_pads=[1, 1]", "kargs.lengths=[symbol(min=2, max=9), 3]"])
{'kargs.input_left_pads': (1, 1), 'kargs.lengths': (Symbol(minimum=2, multiple_of=1, maximum=9), 3)}
>>> bindings_of(["Problem.kBlockSize=256", "Problem.TransposeC=false", "Problem.ADataType=half_t"])
{'Problem.kBlockSize': 256, 'Problem.TransposeC': False, 'Problem.ADataType': 'half_t'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from layoutalg.ck.open_sizes.open_size import Symbol, symbol_of
from layoutalg.errors import LayoutError
from layoutalg.reading.spelled_integer import spelled_integer
from layoutalg.reading.text_file import read_text
from layoutalg.reading.toml_text import TomlError, read_toml

ENTRY = re.compile(r"[^,()]+(?:\([^()]*\))?")  # of a list: a number, or symbol(...)

__all__ = ["bindings_of", "flattened", "read_bindings"]


def bindings_of(texts: Iterable[str]) -> dict[str, Any]:
    """Bindings from ``KEY=VALUE`` texts; ``LayoutError`` for another form, and for a key given twice."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name.strip() and equals):
            raise LayoutError(f"binding: wanted KEY=VALUE, got {text!r}", hint="such as Problem.kM=64")
        key = normal_key(name.strip())
        if key in found:
            raise LayoutError(f"binding {key} is given twice", hint="give each key once")
        found[key] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    if text in {"true", "false"}:
        return text == "true"
    if text.startswith("symbol("):
        return symbol_of(text)
    if text.startswith("[") and "symbol(" in text:
        return tuple(_entry(part) for part in ENTRY.findall(text[1:-1]))
    try:
        if text.startswith("[") and text.endswith("]"):
            return tuple(int(part, 0) for part in filter(None, text[1:-1].split(",")))
        return int(text, 0)
    except ValueError:
        return text


def _entry(text: str) -> int | Symbol:
    """An integer or an open size; ``LayoutError`` for another text."""
    if text.strip().startswith("symbol("):
        return symbol_of(text.strip())
    found = spelled_integer(text, "binding", may_be_hexadecimal=True)
    if found is None:
        raise LayoutError(f"binding: wanted integers and symbol(...) in a list, got {text.strip()!r}")
    return found


def normal_key(name: str) -> str:
    """The canonical spelling of a key: ``Problem.X`` for ``Problem::X`` and ``Problem_.X``."""
    head, dot, rest = name.replace("::", ".").partition(".")
    return f"{head.rstrip('_') if dot else head}{dot}{rest}"


def _is_entry(value: Any) -> bool:
    return isinstance(value, int | Symbol) or (isinstance(value, str) and value.startswith("symbol("))


def flattened(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A nested table as one table with dotted keys; ``LayoutError`` for values of other types."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        full = f"{prefix}{name}"
        if isinstance(value, Mapping):
            found |= flattened(value, f"{full}.")
        elif isinstance(value, bool | int | Symbol):
            found[normal_key(full)] = value
        elif isinstance(value, list | tuple) and all(_is_entry(each) for each in value):
            found[normal_key(full)] = tuple(_entry(v) if isinstance(v, str) else v for v in value)
        elif isinstance(value, str):
            found[normal_key(full)] = symbol_of(value) if value.startswith("symbol(") else value
        else:
            raise LayoutError(f"binding {full}: wanted a number, a truth value or text, got {value!r}")
    return found


def read_bindings(path: Path) -> dict[str, Any]:
    """Bindings from a TOML file; ``LayoutError`` if it cannot be read."""
    try:
        return flattened(read_toml(read_text(path)))
    except TomlError as error:
        raise LayoutError(f"{path}:{error.text_line + 1}: {error.message}", hint=error.hint) from None
