"""What is wrong with a file: one message with the file, the line and the key."""

from __future__ import annotations

from layoutalg.errors import LayoutError, shortened

__all__ = ["FileError"]


class FileError(LayoutError):
    """A layout file that cannot be used.

    >>> str(FileError("a.layout.toml", 3, "layout.a", "wanted a base"))
    'a.layout.toml:3: layout.a: wanted a base'
    """

    def __init__(self, file: str, line: int, key: str, what: str, *, hint: str = "") -> None:
        self.file = file
        self.line = line
        what = f"{key}: {what}" if key else what
        self.what = shortened(what)
        super().__init__(f"{file}:{line}: {self.what}", hint=hint)
