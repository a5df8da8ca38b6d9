"""The bindings that are shipped for a target."""

from __future__ import annotations

import re
from typing import Any

from layoutalg.ck.bindings import default_bindings
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import Target, found_builder

__all__ = ["shipped_bindings"]


def shipped_bindings(target: str, index: Index) -> dict[str, Any]:
    """The shipped bindings of a target."""
    parsed = Target.of(target)
    if parsed.has_arguments:
        return default_bindings(index.file(parsed.file).name, re.sub(r"<.*?>+", "", parsed.name))
    builder, ordinal = found_builder(index, parsed)
    return default_bindings(builder.file, builder.name, ordinal)
