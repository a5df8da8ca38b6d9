r"""Layout files: ``*.layout.toml``, read, validated and turned into claims with their lines.

>>> text = '[layout.rows]\nbase = { packed = [4, 8] }\nclaims = ["one-to-one"]\n'
>>> [(o.line, str(o.claim.name)) for o in obligations_of(text, "rows.layout.toml")]
[(3, 'one-to-one')]
"""

from __future__ import annotations

from typing import Any

from layoutalg.check.asked import Asked, Obligation, Unclaimed
from layoutalg.check.file_error import FileError
from layoutalg.check.file_layouts import FileLayouts
from layoutalg.check.subject import Subject
from layoutalg.check.toml_lines import extents_of, line_of, lines_of
from layoutalg.errors import LimitError
from layoutalg.reading.input_limits import DIGITS, FILE, NESTING
from layoutalg.reading.toml_text import TomlError, read_toml

__all__ = ["asked_of", "obligations_of", "subjects_of"]


def asked_of(text: str, file: str) -> Asked:
    """Every claim of a layout file, and every error; an error costs only what stands on it."""
    try:
        content = _read(text, file)
    except FileError as error:
        return Asked(errors=(error,))
    lines = lines_of(text)
    found = FileLayouts(content, lines, file)
    unclaimed = [Unclaimed(file, line_of(lines, ("layout", name)), name) for name in found.silent]
    return Asked(tuple(found.obligations), tuple(unclaimed), tuple(found.errors), tuple(found.passed))


def obligations_of(text: str, file: str) -> list[Obligation]:
    """Every claim of a layout file; refused with file, line and key where the file is not what it must be."""
    found = asked_of(text, file)
    if found.errors:
        raise min(found.errors, key=lambda error: error.line)
    return list(found.obligations)


def subjects_of(text: str, file: str, name: str = "") -> dict[str, Subject]:
    """The layouts of a file by name; refused where one that is meant, or the file, is in error.

    ``name``: the one that is meant; all if left out. Errors of others do not concern it.
    """
    found = FileLayouts(_read(text, file), lines_of(text), file)
    errors = [error for error in found.errors if not name or error.layout in ("", name)]
    errors += [
        FileError(file, p.line, p.layout, f"not looked at: {p.why}") for p in found.passed if p.layout == name
    ]
    if errors:
        raise min(errors, key=lambda error: error.line)
    return found.subjects


def _read(text: str, file: str) -> dict[str, Any]:
    _require_readable(text, file)
    try:
        return read_toml(text)
    except TomlError as error:
        raise FileError(file, error.text_line + 1, "", error.message, hint=error.hint) from None


def _require_readable(text: str, file: str) -> None:
    """Refuse what is too long, too deep or has numbers too long, before any of it is read."""
    line = 1
    try:
        FILE.check(len(text))
        for line, depth, digits in extents_of(text):  # noqa: B007  where it stopped
            NESTING.check(depth)
            DIGITS.check(digits)
    except LimitError as error:
        raise FileError(file, line, "", error.message) from None
