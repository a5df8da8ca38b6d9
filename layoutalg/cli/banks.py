"""``layoutalg banks``: bank conflicts of accesses to shared memory, with proofs, and layouts without any."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from layoutalg.check.layout_source import Source
from layoutalg.check.named_layouts import NamedLayout, layout_named
from layoutalg.claim import IndexMap
from layoutalg.cli.domain_options import domain_of
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution, make_tile_window
from layoutalg.errors import LayoutError, shown
from layoutalg.layout import Layout
from layoutalg.machine.lds import Direction
from layoutalg.machine.target import Target
from layoutalg.memory import BankConflicts, WaveAccess, bank_conflicts, free_layouts
from layoutalg.pictures.view import View, view_of
from layoutalg.proofs import prove
from layoutalg.properties import conflict_free
from layoutalg.rules.from_text import parse
from layoutalg.verdict import Proved

__all__ = ["BankAnswer", "BankQuestion"]

USUAL_ELEMENT = "f16"


@dataclass(frozen=True)
class BankQuestion:
    """What is asked: a layout and who writes and reads it, or an offset in ``lane``.

    ``element`` and ``width`` are None where the layout is to say them.
    """

    layout: str
    writer: str | None
    reader: str | None
    element: str | None
    target: str
    width: int | None = None
    source: str | None = None
    variables: tuple[str, ...] = ()
    access: str = "read"


@dataclass(frozen=True)
class BankAnswer:
    """The accesses that a question is about, and what each costs."""

    question: BankQuestion

    @cached_property
    def reports(self) -> dict[str, BankConflicts]:
        """The conflicts of each access by its name: ``writer``, ``reader`` or ``access``."""
        ask = self.question
        return {name: bank_conflicts(access, ask.target, ask.source) for name, access in _accesses(ask)}

    @cached_property
    def told(self) -> tuple[str, bool]:
        """The text of the report, and whether every access is proved to be free of conflicts."""
        lines: list[str] = []
        is_free = True
        for name, report in self.reports.items():
            claims = conflict_free(report.access, report.phases, name)
            verdicts = [prove(claim) for claim in claims]
            is_free = is_free and all(isinstance(verdict, Proved) for verdict in verdicts)
            lines.append(f"{name}: {report}")
            lines.append(f"  {report.access}")
            lines += [f"  {c.name}: {v}" for c, v in zip(claims, verdicts, strict=True)]
            if not report.is_free:
                lines += [f"  worst: {report.worst}", f"  {report.conflicts} cycles lost in each execution"]
            lines.append(f"  model: {report.phases.source.title} ({report.phases.source.kind})")
        if not is_free and self.question.writer and self.question.reader:
            lines += ["", *_proposals(self.question)]
        return "\n".join(lines), is_free

    @property
    def view(self) -> View:
        """The picture: lanes by banks for each access."""
        parts = tuple(View(f"[{name}]", (view_of(report),)) for name, report in self.reports.items())
        return View(f"banks of {self.question.target}", parts)


def _accesses(ask: BankQuestion) -> Iterator[tuple[str, WaveAccess]]:
    if ask.writer is None and ask.reader is None:
        yield "access", _alone(ask)
        return
    layout = layout_named(ask.layout)
    for name, source, direction in (("writer", ask.writer, "write"), ("reader", ask.reader, "read")):
        if source is not None:
            yield name, _by_tile(layout, _distribution(source), _direction(direction), ask)


def _by_tile(
    layout: NamedLayout, tile: TileDistribution, direction: Direction, ask: BankQuestion
) -> WaveAccess:
    """The access of a tile's threads to a layout: a descriptor, a nested layout or a hand-written offset."""
    element = ask.element or layout.element or USUAL_ELEMENT
    value = layout.value.as_descriptor() if isinstance(layout.value, Layout) else layout.value
    if isinstance(value, TensorDescriptor):
        window = make_tile_window(value, tile.lengths, (0,) * len(tile.lengths), tile)
        known = any(hint.stride == 1 and hint.length >= 1 for hint in window.safe_vectors)
        made = window.scalars_per_vector if known else None
        width = ask.width or _claimed(layout, tile) or made or _asked(ask.layout)
        return WaveAccess.of_window(window, element, direction, width)
    if not isinstance(value, IndexMap) or len(value.outputs) != 1:
        msg = f"{ask.layout}: wanted a layout of memory, got {shown(value)}"
        raise LayoutError(msg)
    width = ask.width or _claimed(layout, tile) or _asked(ask.layout)
    return WaveAccess.of_tile(value, tile, element, direction, width)


def _alone(ask: BankQuestion) -> WaveAccess:
    """The access at an offset in ``lane``: text with --var, or a source whose index has a lane."""
    direction = _direction(ask.access)
    if ask.variables or not _is_source(ask.layout):
        lanes = Target.named(ask.target).wave_size
        domain = domain_of([f"lane=0:{lanes}", *ask.variables], [])
        found = NamedLayout("access", IndexMap(domain, (parse(ask.layout, domain),)))
    else:
        found = layout_named(ask.layout)
    value = found.value
    if not isinstance(value, IndexMap) or "lane" not in value.domain or len(value.outputs) != 1:
        msg = f"{ask.layout}: wanted --writer or --reader, or an offset in lane"
        raise LayoutError(msg, hint='for example "lane*32 + k*8" --var k=0:4 --width 8')
    element, width = ask.element or found.element or USUAL_ELEMENT, ask.width or _claimed(found)
    return WaveAccess(
        value, value.domain["lane"], DataType.named(element), width or _asked(ask.layout), direction
    )


def _is_source(text: str) -> bool:
    try:
        return bool(Source.of(text))
    except LayoutError:
        return False


def _claimed(layout: NamedLayout, tile: TileDistribution | None = None) -> int | None:
    """The width of vectors that the layout's own claims speak of, no longer than the runs of a tile."""
    widths = {width for _, width in layout.vectors}
    if len(widths) != 1:
        return None
    run = tile.y_lengths[-1] if tile is not None and tile.y_lengths else 0
    return math.gcd(widths.pop(), run if isinstance(run, int) else 0)


def _asked(layout: str) -> int:
    msg = f"{layout}: how many elements does a lane move at once? Neither its maker nor a vector claim says"
    raise LayoutError(msg, hint="add --width N; 1 for single elements")


def _proposals(ask: BankQuestion) -> Iterator[str]:
    tiles = [_distribution(str(source)) for source in (ask.writer, ask.reader)]
    element = DataType.named(ask.element or layout_named(ask.layout).element or USUAL_ELEMENT)
    found = free_layouts(tiles[0], tiles[1], element, ask.target, source=ask.source)
    yield "free of conflicts for both:" if found else "no swizzle or padding tried is free for both"
    for layout in found:
        claims = [
            claim
            for report in (layout.writer, layout.reader)
            for claim in conflict_free(report.access, report.phases)
        ]
        is_proved = all(isinstance(prove(claim), Proved) for claim in claims)
        yield f"  {layout}, {'proved' if is_proved else 'not proved'}"
        yield f"    offset = {layout.descriptor.offset}"


def _distribution(source: str) -> TileDistribution:
    found = layout_named(source).value
    if not isinstance(found, TileDistribution):
        msg = f"{source}: wanted a tile distribution, got {shown(found)}"
        raise LayoutError(msg)
    return found


def _direction(text: str) -> Any:
    if text not in get_args(Direction):
        msg = f"--access: wanted read or write, got {text!r}"
        raise LayoutError(msg)
    return text
