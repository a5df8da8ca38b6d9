"""Writing files so that none is ever found half-written, and the folder for what is kept between runs."""

from __future__ import annotations

import json
import os
import tempfile
from errno import EISDIR, ENOTDIR
from pathlib import Path
from typing import Any

__all__ = ["user_cache", "write_bytes", "write_json", "write_text"]


def user_cache() -> Path:
    """The folder of this user for what is kept between runs: ``XDG_CACHE_HOME`` or ``~/.cache`` names it."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "layoutalg"


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file as a whole or not at all; folders are made as needed.

    Into a device or a pipe, such as ``/dev/null``, the content goes as it is: a file must not take its place.
    """
    if path.is_dir():
        raise IsADirectoryError(EISDIR, "is a folder; wanted the name of a file", str(path))
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(ENOTDIR, "is a file; wanted a folder", error.filename) from None
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return path


def write_text(path: Path, content: str) -> Path:
    """Write text in UTF-8."""
    return write_bytes(path, content.encode())


def write_json(path: Path, content: Any) -> Path:
    """Write a JSON value, indented, with a newline at the end."""
    return write_text(path, json.dumps(content, indent=2) + "\n")
