"""Bank conflicts of the accesses that a policy of CK makes to its layouts of shared memory.

Rows of 128 bytes: 8 lanes write one row, 16 bytes each, and fill all banks.

>>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor(
...     (32, 64), (64, 1), guaranteed_vector_length=8, guaranteed_vector_stride=1
... )
>>> tile = make_static_tile_distribution(read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<2, 2, 8>, sequence<8, 8>>,"
...     " tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<0>, sequence<2, 0>>,"
...     " sequence<1, 2>, sequence<1, 1>>"
... ))
>>> judge(rows, tile, "write", "f16", "gfx942").is_proved
True
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from layoutalg.check.judged_threads import judge_threads
from layoutalg.ck import Imported, ImportFailedError, Index, import_layout
from layoutalg.ck.block_accesses import NotKnown, block_accesses, is_block_layout
from layoutalg.ck.cpp.cpp_errors import MissingMemberError
from layoutalg.ck.import_target import Target
from layoutalg.ck.lds_pairs import LdsPartner, lds_partners, lds_ways, operand_of
from layoutalg.ck.open_sizes.open_size import has_open_sizes
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.claim import Claim
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.memory import WaveAccess, bank_conflicts
from layoutalg.memory.bank_conflicts import BankConflicts
from layoutalg.proofs import prove
from layoutalg.properties import conflict_free
from layoutalg.verdict import Proved, Verdict

__all__ = ["JudgedAccess", "NotJudged", "element_of", "judge", "judged_accesses", "moving_window"]

CK_NAMES = {"bf16_t": "bf16", "fp16_t": "f16", "fp8_t": "f8", "bf8_t": "bf8", "fp32_t": "f32"}
MEMBERS = {  # of the problem, where the operand's name alone does not say which
    "": ("ODataType",),
    "LSED": ("LSEDataType", "DDataType"),
    "LSEacc": ("LSEDataType",),
    "SGrad": ("GemmDataType",),
}


@dataclass(frozen=True)
class JudgedAccess:
    """One access of a pair: what it costs and what is proved of it."""

    window: TileWindow | None  # None for the threads of old CK, whose access is no window of a tile
    report: BankConflicts
    claims: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]
    descriptor: str = "layout"
    partner: str = "distribution"
    asserts_layout: bool = False  # a static_assert of the partner holds that names a layout in global memory
    read: frozenset[str] = frozenset()  # the bindings that were read for it

    @property
    def is_proved(self) -> bool:
        """Whether every claim is proved: aligned, and free of conflicts."""
        return all(isinstance(verdict, Proved) for verdict in self.verdicts)

    @property
    def name(self) -> str:
        """Which pair this is."""
        return f"{self.descriptor} {self.report.access.direction} with {self.partner}"

    def __str__(self) -> str:
        window = self.window
        lines = [f"{self.name}: {self.report}", f"  {self.report.access}"]
        if window is not None and any(not isinstance(begin, int) for begin in window.origin):
            lengths, origins = "x".join(map(str, window.lengths)), ", ".join(map(str, window.origin))
            lines.append(f"  windows of {lengths} at ({origins}), all of them")
        if window is not None and self.report.access.bits < 32:
            lines.append("  the layout promises no vectors: single elements, unless a compiler joins them")
        if window is None and self.report.access.bits < 32:
            lines.append("  single elements, as the class writes it, unless a compiler joins them")
        lines += [f"  {c.name}: {v}" for c, v in zip(self.claims, self.verdicts, strict=True)]
        if not self.report.is_free:
            lost = f"  {self.report.conflicts} cycles lost in each execution"
            lines += [f"  worst: {self.report.worst}", lost]
        source = self.report.phases.source
        return "\n".join([*lines, f"  model: {source.title} ({source.kind})"])


@dataclass(frozen=True)
class NotJudged:
    """A pair that is not judged, and why; without a partner, a direction that no name speaks of."""

    descriptor: str
    direction: str
    partner: str
    reason: str
    read: frozenset[str] = frozenset()

    def __str__(self) -> str:
        pair = f"{self.descriptor} {self.direction}" + (f" with {self.partner}" if self.partner else "")
        return f"{pair}: not judged: {self.reason}"


def moving_window(descriptor: TensorDescriptor, tile: TileDistribution) -> TileWindow:
    """The window of a tile, at every multiple of the tile's lengths; refused where tiles do not fit."""
    have, want = descriptor.lengths, tile.lengths
    if not all(isinstance(length, int) for length in (*have, *want)):
        raise LayoutError("sizes left open: conflicts are counted for numbers", hint="bind numbers")
    fits = len(have) == len(want) and all(h % w == 0 for h, w in zip(have, want, strict=True))
    if not fits:
        shown = ["x".join(map(str, lengths)) for lengths in (want, have)]
        raise LayoutError(f"a tile of {shown[0]} does not fit a layout of {shown[1]}")
    counts = {f"window{i}": h // w for i, (h, w) in enumerate(zip(have, want, strict=True)) if h != w}
    places = Domain.of(counts)
    origin = [w * places[f"window{i}"] if f"window{i}" in counts else 0 for i, w in enumerate(want)]
    return make_tile_window(descriptor, want, tuple(map(as_expression, origin)), tile, places)


def judge(
    descriptor: Any, tile: Any, direction: Any, element: str, target: str, width: int | None = None
) -> JudgedAccess:
    """Count the conflicts of a distribution's access to a layout, and decide the claims on it."""
    return _judged(descriptor, tile, direction, element, target, width)


@lru_cache(maxsize=4096)  # configurations of a kernel share their layouts
def _judged(
    descriptor: Any, tile: Any, direction: Any, element: str, target: str, width: int | None
) -> JudgedAccess:
    if isinstance(tile, TileDistributionEncoding):
        tile = make_static_tile_distribution(tile)
    if not isinstance(descriptor, TensorDescriptor) or not isinstance(tile, TileDistribution):
        found = f"a {type(descriptor).__name__} and a {type(tile).__name__}"
        raise LayoutError(f"wanted a layout of memory and a tile distribution, got {found}")
    window = moving_window(descriptor, tile)
    access = WaveAccess.of_window(window, element, direction, width)
    report = bank_conflicts(access, target)
    claims = conflict_free(access, report.phases, direction).parts
    return JudgedAccess(window, report, claims, tuple(prove(claim) for claim in claims))


def _keys_of_element(name: str) -> tuple[str, ...]:
    operand = (operand_of(name) or "").rpartition("_")[2]
    members = MEMBERS.get(operand, (f"{operand}DataType", f"{operand.removesuffix('T')}DataType"))
    return tuple(dict.fromkeys(f"Problem.{m}" for m in members))


def element_of(name: str, bindings: Mapping[str, Any]) -> str:
    """The element type of a descriptor's operand, from the types that the problem binds.

    >>> element_of("MakeKTLdsReadBlockDescriptor", {"Problem.KDataType": "half_t"})
    'f16'
    """
    keys = _keys_of_element(name)
    bound = {str(bindings[key]) for key in keys if key in bindings}
    if len(bound) != 1:
        tried = " or ".join(keys)
        raise LayoutError(f"its element type is not known: {tried} is not bound", hint="give --element")
    (kind,) = bound
    kind = kind.removeprefix("ck_tile::")
    if kind.startswith("pk_"):
        raise LayoutError(f"its element type {kind} is packed", hint="give --element")
    return DataType.named(CK_NAMES.get(kind, kind)).name


def judged_accesses(
    target: str,
    bindings: Mapping[str, Any],
    *,
    index: Index,
    partners: list[LdsPartner] | None = None,
    element: str | None = None,
    width: int | None = None,
    defaults: bool = False,
) -> list[JudgedAccess | NotJudged]:
    """Every access that is named, or that CK's names propose, judged or with the reason why not.

    ``defaults``: a partner gets its own shipped bindings too, for names that the layout's do not bind.
    """
    if partners is None and is_block_layout(target):
        return _of_old_ck(target, bindings, index, element, width)
    name = Target.of(target).name
    proposed = lds_partners(target, bindings, index=index) if partners is None else partners
    if has_open_sizes(bindings):
        return [NotJudged(name, p.direction, p.name, "sizes left open") for p in proposed]
    try:
        layout = import_layout(target, bindings, index=index, spare=bindings).layout
    except ImportFailedError as error:
        return [NotJudged(name, "access", "", f"{error.verdict}: {error.message}", error.read)]
    found: list[JudgedAccess | NotJudged] = []
    for partner in proposed:
        read: frozenset[str] = frozenset()
        try:
            if partner.reason:
                raise LayoutError(partner.reason)  # noqa: TRY301  told as all other reasons are
            own = shipped_bindings(partner.target, index) | dict(bindings) if defaults else bindings
            last = name.rpartition("::")[2].partition("#")[0]
            read = frozenset() if element else frozenset(_keys_of_element(last))
            kind = element or element_of(last, bindings)
            tile = _imported(partner, own, index)
            read |= frozenset(tile.read)
            judged = judge(layout, tile.layout, partner.direction, kind, index.arch, width)
            judged = replace(judged, descriptor=name, partner=partner.name, read=read)
            found.append(replace(judged, asserts_layout=partner.asserts_layout))
        except LayoutError as error:
            word = f"{error.verdict}: " if isinstance(error, ImportFailedError) else ""
            read |= error.read if isinstance(error, ImportFailedError) else frozenset()
            reason = f"{word}{error.message}"
            found.append(NotJudged(name, partner.direction, partner.name, reason, read))
    return found if partners is not None else [*_unambiguous(found), *_silent(target, proposed, index)]


def _of_old_ck(
    target: str, bindings: Mapping[str, Any], index: Index, element: str | None, width: int | None
) -> list[JudgedAccess | NotJudged]:
    """The accesses that the class of a kernel makes itself."""
    name = Target.of(target).name
    if has_open_sizes(bindings):
        return [NotJudged(name, "access", "", "sizes left open")]
    known, read = block_accesses(target, bindings, index)
    found: list[JudgedAccess | NotJudged] = []
    for one in known:
        try:
            if isinstance(one, NotKnown):
                raise LayoutError(one.reason)  # noqa: TRY301  told as all other reasons are
            judged = judge_threads(one, index.arch, element, width)
            report = JudgedAccess(
                None, judged.report, judged.claims, judged.verdicts, name, one.name, read=read
            )
            found.append(report)
        except LayoutError as error:
            found.append(NotJudged(name, one.direction, one.name, error.message, read))
    return found


def _imported(partner: LdsPartner, bindings: Mapping[str, Any], index: Index) -> Imported:
    """A partner's distribution, as the first of its targets that the headers have gives it."""
    try:
        return import_layout(partner.target, bindings, index=index, spare=bindings)
    except MissingMemberError:
        for other in partner.otherwise:
            with suppress(MissingMemberError):
                return import_layout(other, bindings, index=index, spare=bindings)
        raise


def _silent(target: str, proposed: list[LdsPartner], index: Index) -> list[NotJudged]:
    """The ways that a layout serves, but with what no name tells."""
    name, ways = Target.of(target).name, lds_ways(target, index=index)
    if ways is None:
        return [NotJudged(name, "access", "", "its name has not the form of CK's names for LDS layouts")]
    if not ways:
        return [
            NotJudged(name, "access", "", "its class has layouts for stores and loads too; name a --writer")
        ]
    told = {partner.direction for partner in proposed}
    return [
        NotJudged(name, way, "", "no name of its class tells with what") for way in ways if way not in told
    ]


def _unambiguous(found: list[JudgedAccess | NotJudged]) -> list[JudgedAccess | NotJudged]:
    """Where two writers fit: the shuffled one if it asserts the layout it is for, otherwise neither."""
    writers = [a for a in found if isinstance(a, JudgedAccess) and a.report.access.direction == "write"]
    if len(writers) < 2:
        return found
    asked = [a for a in writers if a.asserts_layout and "Shuffled" in a.partner]
    kept = asked if len(asked) == 1 else []
    reason = f"{' and '.join(a.partner for a in writers)} fit, the pipeline chooses; name one as --writer"
    if kept:
        reason = f"{kept[0].partner} fits too, and asserts the layout in global memory that it is for"
    dropped = [a for a in writers if a not in kept]
    return [
        NotJudged(a.descriptor, "write", a.partner, reason, a.read) if any(a is d for d in dropped) else a
        for a in found
    ]
