"""A file read as text; one that cannot be read is an error of one line with its name.

>>> read_text(Path("nowhere.hip"))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: there is no file nowhere.hip
"""

from __future__ import annotations

from pathlib import Path

from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import meant

__all__ = ["read_text", "require_file"]


def require_file(path: Path) -> None:
    """Refuse a file that is not there, with the name of one beside it that is meant."""
    if path.is_dir():
        raise LayoutError(f"{path} is a folder", hint="wanted a file")
    if not path.exists():
        beside = (p.name for p in path.parent.glob(f"*{path.suffix}")) if path.parent.is_dir() else ()
        raise LayoutError(f"there is no file {path}", hint=meant(path.name, beside))


def read_text(path: Path) -> str:
    """The text of a file in UTF-8."""
    require_file(path)
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise LayoutError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LayoutError(f"{path} is no text in UTF-8") from None
