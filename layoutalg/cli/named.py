"""What a source names: ``FILE.py:NAME``, ``module:NAME``, ``FILE.layout.toml[:NAME]``, or C++ text itself."""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path
from typing import Any

from layoutalg.distribution import (
    TileDistributionEncoding,
    make_static_tile_distribution,
    read_encodings,
)
from layoutalg.errors import LayoutError

__all__ = ["members_of", "named_in", "one_named"]

WANTED = "wanted FILE.py:NAME, module:NAME, FILE.layout.toml:NAME or tile_distribution_encoding<...>"
ENCODING = "tile_distribution_encoding"
LAYOUT_FILE = ".layout.toml"


def named_in(source: str) -> dict[str, Any]:
    """Everything a source names, by name: descriptors, adaptors, nested layouts, distributions.

    C++ text, and files that hold it (a log of a compiler), give the distributions of their encodings.
    """
    if f"{ENCODING}<" in source.replace(" ", ""):
        return _encodings(source)
    place, _, name = source.rpartition(":")
    if LAYOUT_FILE in source:
        return _of_layout_file(source)
    if place.endswith(".py") or (place and not Path(source).is_file()):
        return {name: _value(place, name)}
    path = Path(source)
    if not path.is_file():
        raise LayoutError(f"{source}: {WANTED}")
    return _encodings(path.read_text(encoding="utf-8", errors="replace"))


def one_named(source: str) -> Any:
    """The one thing a source names."""
    found = named_in(source)
    if len(found) != 1:
        msg = f"{source}: wanted the name of one of {', '.join(found)}"
        raise LayoutError(msg, hint=f"for example {source}:{next(iter(found))}")
    return next(iter(found.values()))


def members_of(place: str) -> dict[str, Any]:
    """The names of a Python file or module."""
    if place.endswith(".py"):
        if not Path(place).is_file():
            msg = f"there is no file {place}"
            raise LayoutError(msg)
        return runpy.run_path(place)
    sys.path.insert(0, ".")
    try:
        return vars(importlib.import_module(place))
    except ImportError as error:
        msg = f"cannot import {place}: {error}"
        raise LayoutError(msg, hint=WANTED) from None
    finally:
        sys.path.remove(".")


def _encodings(text: str) -> dict[str, Any]:
    found = list(dict.fromkeys(read_encodings(text)))
    if not found:
        raise LayoutError(f"there is no {ENCODING}<...> in it", hint=WANTED)
    names = ["tile"] if len(found) == 1 else [f"tile{i}" for i in range(len(found))]
    return {name: make_static_tile_distribution(e) for name, e in zip(names, found, strict=True)}


def _of_layout_file(source: str) -> dict[str, Any]:
    from layoutalg.check.layout_file import subjects_of  # noqa: PLC0415  only layout files need it

    place, _, name = source.partition(f"{LAYOUT_FILE}:")
    path = Path(place if name == "" and place.endswith(LAYOUT_FILE) else f"{place}{LAYOUT_FILE}")
    try:
        subjects = subjects_of(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise LayoutError(f"cannot read {path}: {error.strerror}") from None
    found = {key: s.distribution or s.chain or s.map for key, s in subjects.items()}
    if name and name not in found:
        raise LayoutError(f"there is no layout {name!r} in {path}", hint=f"layouts: {', '.join(found)}")
    return {name: found[name]} if name else found


def _value(place: str, name: str) -> Any:
    members = members_of(place)
    if name not in members:
        known = ", ".join(key for key in members if not key.startswith("_")) or "nothing"
        raise LayoutError(f"{place} has no {name}: it has {known}")
    value = members[name]
    from layoutalg.layout import Layout  # noqa: PLC0415  a layout can be called, and is no function

    if callable(value) and not isinstance(value, Layout):
        value = value()
    if isinstance(value, TileDistributionEncoding):
        return make_static_tile_distribution(value)
    return value
