"""What a command line means to judge: sources, and folders searched for layout files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from layoutalg.check.asked import Asked, Obligation, Unclaimed
from layoutalg.check.claim_words import default_claims
from layoutalg.check.file_error import FileError
from layoutalg.check.layout_file import asked_of
from layoutalg.check.layout_source import LAYOUT_FILES, Source
from layoutalg.check.named_layouts import NamedLayout, layouts_named
from layoutalg.check.python_file import asked_in as asked_in_python
from layoutalg.check.subject import Subject
from layoutalg.claim import Claim
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import near_hint

__all__ = ["asked_in", "sources_of"]


def sources_of(paths: list[str]) -> list[str]:
    """Sources in the order given, folders searched for layout files; each once.

    Folders are searched for ``*.layout.toml`` and ``*.layout.py`` and not for other Python files, which
    would be executed. Refused: a file that is not there, and a text that names no layout.
    """
    found: dict[str, None] = {}
    for path in paths:
        if Path(path).is_dir():
            found |= dict.fromkeys(_in_folder(Path(path)))
        else:
            Source.of(path).require()
            found[path] = None
    return list(found)


def _in_folder(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.layout.*")):
        hidden = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(folder).parts)
        if path.name.endswith(LAYOUT_FILES) and not hidden:
            yield str(path)


def asked_in(text: str, content: str = "") -> Asked:
    """The claims that a source makes, or gets where it makes none; ``content`` is that of a layout file."""
    source = Source.of(text)
    try:
        if source.is_python:
            return asked_in_python(source)
        if source.kind == "layout file":
            return _meant(asked_of(content, source.place), source)
        return _of_values(source, layouts_named(text))
    except FileError as error:
        return Asked(errors=(error,))
    except LayoutError as error:
        return Asked(errors=(FileError(source.place, 1, source.name, error.message, hint=error.hint),))


def _of_values(source: Source, layouts: Mapping[str, NamedLayout]) -> Asked:
    obligations: list[Obligation] = []
    silent: list[Unclaimed] = []
    for name, layout in layouts.items():
        subject = Subject.of(name, layout.value)
        claims = _of_import(subject) if source.kind == "CK function" else default_claims(subject)
        place = (layout.file or source.place, layout.line, name)
        obligations += [Obligation(claim, *place, subject.chain) for claim in claims]
        silent += [] if claims else [Unclaimed(*place)]
    return Asked(tuple(obligations), tuple(silent))


def _of_import(subject: Subject) -> list[Claim]:
    """What a layout of CK must hold, vectors that its maker promises among them."""
    from layoutalg.check.from_ck import claims_of_import  # noqa: PLC0415  reads CK's headers

    return claims_of_import(subject)


def _meant(found: Asked, source: Source) -> Asked:
    """What is asked of the layout that a source names; of all where it names none."""
    if source.name and source.name not in found.layouts:
        msg = f"there is no layout {source.name} in {source.place}"
        raise LayoutError(msg, hint=near_hint(source.name, found.layouts))
    return found.of(source.name) if source.name else found
