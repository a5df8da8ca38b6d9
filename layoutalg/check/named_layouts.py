"""The layouts that a source names, as values: for every command that shows, judges or emits them.

>>> layout_named("row=4, col=8 -> row*8 + (col ^ row)").value.outputs
(8*row + (col ^ row),)
>>> layout_named("(4,(2,4)):(2,(1,8))").value.size
32
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from layoutalg.check.layout_source import Source
from layoutalg.check.python_file import public_values
from layoutalg.check.subject import Subject
from layoutalg.claim import IndexMap
from layoutalg.distribution import (
    TileDistributionEncoding,
    make_static_tile_distribution,
    read_encodings,
)
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.layout import make_layout
from layoutalg.layout.nest import Nest
from layoutalg.reading.input_limits import FILE
from layoutalg.reading.near_names import near_hint
from layoutalg.reading.text_file import read_text
from layoutalg.rules.from_text import parse

__all__ = ["NamedLayout", "layout_named", "layouts_named"]


@dataclass(frozen=True)
class NamedLayout:
    """A layout with its name: a descriptor, adaptor, nested layout, distribution or index map.

    ``element`` is the type of its elements, ``file`` and ``line`` where it is defined and ``vectors`` the
    widths claimed of vectors by axis, as far as the source says so.
    """

    name: str
    value: Any
    element: str = ""
    file: str = ""
    line: int = 1
    vectors: tuple[tuple[str, int], ...] = ()


def layouts_named(text: str) -> dict[str, NamedLayout]:
    """Every layout that a source names; refused where there is none, or where it cannot be read."""
    source = Source.of(text)
    source.require()
    found = {each.name: each for each in _READERS[source.kind](source)}
    if not found:
        raise LayoutError(f"{text}: there are no layouts in it")
    return found


def layout_named(text: str) -> NamedLayout:
    """The one layout that a source names; refused where it names several."""
    found = layouts_named(text)
    if len(found) != 1:
        msg = f"{text}: wanted the name of one of {', '.join(found)}"
        raise LayoutError(msg, hint=f"for example {text}:{next(iter(found))}")
    return next(iter(found.values()))


def _of_layout_file(source: Source) -> Iterator[NamedLayout]:
    from layoutalg.check.layout_file import subjects_of  # noqa: PLC0415  reads the schema

    subjects = subjects_of(read_text(Path(source.place)), source.place, source.name)
    if source.name and source.name not in subjects:
        msg = f"there is no layout {source.name} in {source.place}"
        raise LayoutError(msg, hint=near_hint(source.name, subjects))
    for name, subject in subjects.items():
        if source.name in ("", name):
            yield _of_subject(subject)


def _of_subject(subject: Subject) -> NamedLayout:
    value = subject.distribution or subject.chain or subject.map
    return NamedLayout(subject.name, value, subject.element_type, vectors=subject.vectors)


def _of_python(source: Source) -> Iterator[NamedLayout]:
    for name, value in public_values(source).items():
        is_encoding = isinstance(value, TileDistributionEncoding)
        yield NamedLayout(name, make_static_tile_distribution(value) if is_encoding else value)


def _of_ck(source: Source) -> Iterator[NamedLayout]:
    from layoutalg.check.from_ck import named_import  # noqa: PLC0415  reads CK's headers

    target, bindings = _with_bindings(source.place)
    name = re.split(r"::|<|\(", target.partition(".hpp::")[2])[-1] or "layout"
    value, element, (file, line) = named_import(target, bindings)
    yield NamedLayout(name, value, element, file, line)


def _with_bindings(text: str) -> tuple[str, dict[str, Any]]:
    """``TARGET{KEY=VALUE, ...}`` taken apart."""
    from layoutalg.ck import bindings_of  # noqa: PLC0415

    target, brace, rest = text.partition("{")
    if not brace:
        return text, {}
    if not rest.rstrip().endswith("}"):
        msg = f"{text}: wanted a closing brace behind the bindings"
        raise LayoutError(msg, hint="TARGET{KEY=VALUE, ...}")
    rows = [row for row in re.split(r",(?![^<(]*[>)])", rest.rstrip()[:-1]) if row.strip()]
    return target.strip(), bindings_of(rows)


def _of_encodings(source: Source) -> Iterator[NamedLayout]:
    text = _log(source.place) if source.kind == "log" else source.place
    found = list(dict.fromkeys(read_encodings(text)))
    if not found:
        raise LayoutError(f"{source}: there is no tile_distribution_encoding<...> in it")
    for number, encoding in enumerate(found):
        name = "tile" if len(found) == 1 else f"tile{number}"
        yield NamedLayout(name, make_static_tile_distribution(encoding))


def _of_offset(source: Source) -> Iterator[NamedLayout]:
    ends, _, offset = source.place.partition("->")
    axes: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in ends.split(","))):
        name, sign, given = (word.strip() for word in part.partition("="))
        if not sign or not name.isidentifier() or not given:
            raise LayoutError(f"{part}: wanted AXIS=LENGTH or AXIS=LOW:HIGH before ->")
        low, colon, high = given.partition(":")
        axes[name] = (low, high) if colon else given
    domain = Domain.of(axes)
    yield NamedLayout("offset", IndexMap(domain, (parse(offset.strip(), domain),)))


def _of_nested(source: Source) -> Iterator[NamedLayout]:
    shape, _, stride = source.place.partition(":")
    yield NamedLayout("layout", make_layout(_nest(shape), _nest(stride)))


def _nest(text: str) -> Nest:
    """A nest of numbers as CuTe (``(_4,(_2,4))``) and as Python (``(4, (2,))``) write it."""
    try:
        return ast.literal_eval(re.sub(r"[\s_]", "", text))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise LayoutError(f"{text}: wanted numbers in parentheses, such as (4,(2,4))") from None


def _of_corpus(source: Source) -> Iterator[NamedLayout]:
    try:
        content = json.loads(read_text(Path(source.place)))
    except ValueError as error:
        raise LayoutError(f"{source.place} is no JSON: {error}") from None
    missing = [key for key in ("vars", "params") if not isinstance(content, dict) or key not in content]
    expression = None if missing else content.get("expression", content.get("raw"))
    if missing or not isinstance(expression, str):
        msg = f"{source.place}: wanted an object with vars, params and expression"
        raise LayoutError(msg, hint="see tests/corpus/README.md for the fields")
    domain = Domain.from_corpus(content)
    yield NamedLayout("index", IndexMap(domain, (parse(expression, domain),)))


def _log(place: str) -> str:
    """What a compiler wrote, whatever else stands between."""
    FILE.check(Path(place).stat().st_size, place)
    return Path(place).read_text(encoding="utf-8", errors="replace")


_READERS = {
    "layout file": _of_layout_file,
    "Python file": _of_python,
    "Python module": _of_python,
    "CK function": _of_ck,
    "encoding": _of_encodings,
    "log": _of_encodings,
    "offset": _of_offset,
    "nested layout": _of_nested,
    "corpus file": _of_corpus,
}
