"""The bindings that are shipped for CK's own functions: ``default_bindings.toml``.

>>> default_bindings("ops/reduce/pipeline/reduce2d_default_policy.hpp", "Reduce2dDefaultPolicy")["kBlockM"]
128
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import Target, found_builder

__all__ = ["default_bindings", "shipped_bindings"]

DEFAULTS = Path(__file__).with_name("default_bindings.toml")


@cache
def _defaults() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(DEFAULTS.read_text(encoding="utf-8"))["for"]
    return found


def default_bindings(file: str, function: str, ordinal: int = 1) -> dict[str, Any]:
    """The shipped bindings for a function of a file; later entries of the table win."""
    found: dict[str, Any] = {}
    last = function.rpartition("::")[2]
    names = {function, f"{function}#{ordinal}", last, f"{last}#{ordinal}", function.partition("::")[0]}
    for entry in _defaults():
        if entry.get("path", "") in file and entry.get("function", function) in names:
            found |= flattened(entry["bind"])
    return found


def shipped_bindings(target: str, index: Index) -> dict[str, Any]:
    """The shipped bindings of a target."""
    parsed = Target.of(target)
    if parsed.has_arguments:
        return default_bindings(index.file(parsed.file).name, re.sub(r"<.*?>+", "", parsed.name))
    builder, ordinal = found_builder(index, parsed)
    return default_bindings(builder.file, builder.name, ordinal)
