"""Layouts imported from CK's source: as subjects of claims, and the claims that each kind gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from layoutalg.check.claim_words import claims_of, default_claims
from layoutalg.check.lds_access import element_of
from layoutalg.check.subject import Subject
from layoutalg.ck import Index, import_layout
from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.ck_library import library_of
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from layoutalg.ck.open_sizes.open_size import has_open_sizes, sizes_of
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.ck.symbolic_imports import import_symbolic
from layoutalg.claim import Claim
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.machine import known_target

__all__ = ["claims_of_import", "named_import", "subject_from_ck"]

USUAL_ARCH = "gfx942"
MOST = 1 << 22  # elements of a layout whose points are compared pair by pair


def subject_from_ck(name: str, table: Mapping[str, Any]) -> Subject:
    """The layout of a ``from_ck`` table: ``target``, or ``file`` and ``function``; ``arch``; ``bind``."""
    arch = known_target(table.get("arch", USUAL_ARCH), where="from_ck: arch")
    target = table.get("target") or f"{table.get('file', '')}::{table.get('function', '')}"
    bindings = flattened(table.get("bind", {}))
    index = headers(find_root(), arch, library_of(target))
    made = Subject.of(name, _layout(target, bindings, index))
    return replace(made, element_type=_element(target, bindings))


def _layout(target: str, bindings: Mapping[str, Any], index: Index) -> Any:
    """The layout that a function makes; of sizes left open the one that all of them give."""
    if not has_open_sizes(bindings):
        return import_layout(target, bindings, index=index).layout
    paths = import_symbolic(target, bindings, index=index)
    made = [path.found.layout for path in paths if path.found is not None]
    if len(paths) == len(made) == 1:
        return made[0].assuming(_ranges(bindings)) if isinstance(made[0], TensorAdaptor) else made[0]
    if len(paths) == 1:
        raise LayoutError(f"from_ck: {paths[0].failure}")
    told = "; ".join(
        f"where {' and '.join(map(str, path.conditions))}: {path.failure.splitlines()[0]}"
        if path.found is None
        else f"a layout where {' and '.join(map(str, path.conditions))}"
        for path in paths
    )
    raise LayoutError(
        f"from_ck: these open sizes do not give one layout: {told}",
        hint="give them min, max or multiple_of, so that the conditions are decided",
    )


def _ranges(bindings: Mapping[str, Any]) -> Domain:
    """What is stated of the sizes left open: their ends."""
    ranges = sizes_of(bindings)[1]
    return Domain.of({}, {size.name: (low, ranges.high[size]) for size, low in ranges.low.items()})


def named_import(target: str, bindings: Mapping[str, Any]) -> tuple[Any, str, tuple[str, int]]:
    """The layout that a function makes with the shipped bindings, and these before them.

    With it the type of its elements and where the function stands. The binding ``arch`` is the GPU.
    """
    stated = dict(bindings)
    arch = known_target(str(stated.pop("arch", USUAL_ARCH)), where="arch")
    index = headers(find_root(), arch, library_of(target))
    shipped = shipped_bindings(target, index)
    given = shipped | stated
    if has_open_sizes(given):
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
