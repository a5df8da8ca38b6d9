"""Layouts imported from CK's source: as subjects of claims, and the claims that each kind gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.check.claim_words import claims_of, default_claims
from layoutalg.check.lds_access import element_of
from layoutalg.check.subject import Subject
from layoutalg.ck import Index, Symbol, import_layout, load
from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.ck_library import CK_TILE, CkLibrary, library_of
from layoutalg.ck.fetch import find_root
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.claim import Claim
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.machine import known_target

__all__ = ["claims_of_import", "headers", "named_import", "subject_from_ck"]

USUAL_ARCH = "gfx942"
MOST = 1 << 22  # elements of a layout whose points are compared pair by pair


@cache
def headers(root: Path, arch: str, library: CkLibrary = CK_TILE) -> Index:
    """The headers of a library of CK for a target, read once."""
    return load(root, arch, library)


def subject_from_ck(name: str, table: Mapping[str, Any]) -> Subject:
    """The layout of a ``from_ck`` table: ``target``, or ``file`` and ``function``; ``arch``; ``bind``."""
    arch = known_target(table.get("arch", USUAL_ARCH), where="from_ck: arch")
    target = table.get("target") or f"{table.get('file', '')}::{table.get('function', '')}"
    bindings = flattened(table.get("bind", {}))
    if any(isinstance(value, Symbol) for value in bindings.values()):
        raise LayoutError("from_ck: sizes left open are not read here", hint="bind numbers")
    index = headers(find_root(), arch, library_of(target))
    made = Subject.of(name, import_layout(target, bindings, index=index).layout)
    return replace(made, element_type=_element(target, bindings))


def named_import(target: str, bindings: Mapping[str, Any]) -> tuple[Any, str, tuple[str, int]]:
    """The layout that a function makes with the shipped bindings, and these before them.

    With it the type of its elements and where the function stands. The binding ``arch`` is the GPU.
    """
    stated = dict(bindings)
    arch = known_target(str(stated.pop("arch", USUAL_ARCH)), where="arch")
    index = headers(find_root(), arch, library_of(target))
    shipped = shipped_bindings(target, index)
    given = shipped | stated
    if any(isinstance(value, Symbol) for value in given.values()):
        raise LayoutError(
            f"{target}: sizes left open give several layouts", hint="layoutalg ck show draws them"
        )
    found = import_layout(target, given, index=index, spare=set(shipped) - set(stated))
    layout = found.layout
    made = make_static_tile_distribution(layout) if isinstance(layout, TileDistributionEncoding) else layout
    return made, _element(target, given), _place(found.place)


def _place(text: str) -> tuple[str, int]:
    """File and line of ``FILE:LINE:COLUMN`` below the headers' root, as seen from here."""
    file, line, _ = text.rsplit(":", 2)
    path, here = (find_root() / file).resolve(), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path), int(line)


def _element(target: str, bindings: Mapping[str, Any]) -> str:
    """The type of the elements, "" where nothing says it: not every layout is one of an operand."""
    try:
        return element_of(target.rpartition("::")[2].partition("#")[0], bindings)
    except LayoutError:
        return ""


def claims_of_import(subject: Subject) -> list[Claim]:
    """What an imported layout must hold: bounds, one element a place, its promised vectors, 32 bits."""
    found = default_claims(subject)
    chain = subject.chain
    if not isinstance(chain, TensorDescriptor):
        return found
    for dimension, vector in enumerate(chain.safe_vectors):
        if vector.length > 1 and vector.stride == 1:
            wanted = {"dimension": dimension, "width": vector.length}
            found += claims_of("vector access", wanted, subject, {})
    return found
