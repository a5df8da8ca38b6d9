"""What is wrong with a file: one message with the file, the line and the key."""

from __future__ import annotations

from layoutalg.errors import LayoutError, shortened

__all__ = ["FileError"]


class FileError(LayoutError):
    r"""A layout file that cannot be used; ``details`` are further lines, such as the text and a caret.

    >>> error = FileError("a.layout.toml", 3, "layout.a", "wanted ')', found the end\n  (x\n    ^")
    >>> str(error), error.details
    ("a.layout.toml:3: layout.a: wanted ')', found the end", ('  (x', '    ^'))
    """

    def __init__(self, file: str, line: int, key: str, what: str, *, hint: str = "") -> None:
        self.file = file
        self.line = line
        self.key = key
        what, *details = what.split("\n")
        self.what = shortened(f"{key}: {what}" if key else what)
        self.details = tuple(details)
        super().__init__(f"{file}:{line}: {self.what}", hint=hint)

    @property
    def layout(self) -> str:
        """The layout it is about; "" where it is about the whole file."""
        head, _, rest = self.key.partition(".")
        return rest.partition(".")[0] if head == "layout" else ""
