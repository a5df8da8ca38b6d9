"""Which files and modules a command line means, and the layouts they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from layoutalg.check.file_error import FileError
from layoutalg.check.layout_file import SUFFIX, subjects_of
from layoutalg.check.python_file import PYTHON_SUFFIX, is_python, public_values
from layoutalg.errors import LayoutError

__all__ = ["layouts_of", "sources_of"]


def sources_of(paths: list[str]) -> list[str]:
    """Files and modules in the order given, folders searched for layout files; each once.

    Folders are searched for ``*.layout.toml`` and ``*.layout.py`` and not for other Python files, which
    would be executed. Refused: a path that does not exist, or a file of another kind.
    """
    found: dict[str, None] = {}
    for path in paths:
        if is_python(path):
            found[path] = None
        elif Path(path).is_dir():
            files = (p for p in Path(path).rglob("*.layout.*") if not _is_hidden(p.relative_to(path)))
            found |= dict.fromkeys(str(p) for p in sorted(files) if p.name.endswith((SUFFIX, PYTHON_SUFFIX)))
        elif not Path(path).exists():
            msg = f"there is no file or folder {path}"
            raise LayoutError(msg, hint="modules are given as module:name or module:")
        elif path.endswith(".toml"):
            found[path] = None
        else:
            msg = f"{path}: wanted a *{SUFFIX} file, a Python file or module:name, or a folder of them"
            raise LayoutError(msg)
    return list(found)


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


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)
