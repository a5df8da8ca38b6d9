"""What a command line means to judge: sources, and folders searched for layout files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from layoutalg.check.claim_words import default_claims
from layoutalg.check.layout_file import asked_of
from layoutalg.check.layout_source import LAYOUT_FILES, Source
from layoutalg.check.named_layouts import layouts_named
from layoutalg.check.python_file import asked_in
from layoutalg.check.subject import Asked, Obligation, Subject, Unclaimed
from layoutalg.claim import Claim
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import near_hint

__all__ = ["asked", "sources_of"]


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


def asked(text: str, content: str = "") -> Asked:
    """The claims that a source makes, or gets where it makes none; ``content`` is that of a layout file."""
    source = Source.of(text)
    if source.is_python:
        return asked_in(source)
    if source.kind == "layout file":
        return _only(asked_of(content, source.place), source)
    obligations: list[Obligation] = []
    silent: list[Unclaimed] = []
    for name, layout in layouts_named(text).items():
        subject = Subject.of(name, layout.value)
        claims = _of_import(subject) if source.kind == "CK function" else default_claims(subject)
        own = [Obligation(claim, source.place, 1, name, subject.chain) for claim in claims]
        obligations += own
        silent += [] if own else [Unclaimed(source.place, 1, name)]
    return obligations, silent


def _of_import(subject: Subject) -> list[Claim]:
    """What a layout of CK must hold, vectors that its maker promises among them."""
    from layoutalg.check.from_ck import claims_of_import  # noqa: PLC0415  reads CK's headers

    return claims_of_import(subject)


def _only(found: Asked, source: Source) -> Asked:
    """What is asked of the layout that a source names; of all where it names none."""
    if not source.name:
        return found
    obligations, silent = found
    known = dict.fromkeys([*(o.layout for o in obligations), *(u.layout for u in silent)])
    if source.name not in known:
        msg = f"there is no layout {source.name} in {source.place}"
        raise LayoutError(msg, hint=near_hint(source.name, known))
    return [o for o in obligations if o.layout == source.name], [u for u in silent if u.layout == source.name]
