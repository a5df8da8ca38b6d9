"""The layouts a file or module names, as values: what a report draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from layoutalg.check.file_error import FileError
from layoutalg.check.layout_file import subjects_of
from layoutalg.check.python_file import is_python, public_values

__all__ = ["layouts_of"]


def layouts_of(source: str) -> dict[str, Any]:
    """Descriptors, adaptors, maps and distributions by name; refused where the source cannot be read."""
    if is_python(source):
        return public_values(source)
    try:
        text = Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(source, 1, "", f"cannot be read: {error}") from None
    subjects = subjects_of(text, source)
    return {name: subject.distribution or subject.chain or subject.map for name, subject in subjects.items()}
