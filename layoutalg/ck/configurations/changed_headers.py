"""Headers of CK as a source: the functions that a change of them may affect, with the shipped bindings.

These are the functions of the header and of every header that includes it, whatever stands between.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from layoutalg.ck.builders import builders
from layoutalg.ck.configurations.configuration import Configuration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import ordinals

__all__ = ["affected_functions", "is_header_of"]

NAME = "shipped bindings"


def is_header_of(path: Path, index: Index) -> bool:
    """Whether a file is one of the headers that the index has read."""
    return _name(path, index) in index.sources


def affected_functions(path: Path, index: Index) -> Iterator[Configuration]:
    """One configuration for each function whose file is the header, or includes it."""
    changed = _name(path, index)
    for builder, ordinal in ordinals(builders(index)).items():
        if changed in index.includes.seen_from(builder.file):
            target = f"{builder.file}::{builder.name}#{ordinal}"
            yield Configuration(NAME, file=builder.file, line=builder.line, targets=(target,))


def _name(path: Path, index: Index) -> str:
    """The path as the index names it: below its root."""
    full = path.resolve()
    known = index.root is not None and full.is_relative_to(index.root)
    return str(full.relative_to(index.root)) if known and index.root is not None else ""
