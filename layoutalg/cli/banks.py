"""``layoutalg banks``: bank conflicts of accesses to shared memory, with proofs, and layouts without any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from layoutalg.cli.domain_options import domain_of
from layoutalg.cli.named import one_named
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution, make_tile_window
from layoutalg.errors import LayoutError
from layoutalg.layout import Layout
from layoutalg.machine.lds import Direction
from layoutalg.machine.target import Target
from layoutalg.memory import WaveAccess, bank_conflicts, free_layouts
from layoutalg.proofs import prove
from layoutalg.properties import conflict_free
from layoutalg.verdict import Proved

__all__ = ["BankQuestion", "banks_report"]


@dataclass(frozen=True)
class BankQuestion:
    """What is asked: a layout and who writes and reads it, or an offset in ``lane``."""

    layout: str
    writer: str | None
    reader: str | None
    element: str
    target: str
    width: int | None = None
    source: str | None = None
    variables: tuple[str, ...] = ()
    access: str = "read"


def banks_report(question: BankQuestion) -> tuple[str, bool]:
    """The text of the report, and whether every access is proved to be free of conflicts."""
    accesses = list(_accesses(question))
    lines: list[str] = []
    is_free = True
    for name, access in accesses:
        report = bank_conflicts(access, question.target, question.source)
        claims = conflict_free(access, report.phases, name)
        verdicts = [prove(claim) for claim in claims]
        is_free = is_free and all(isinstance(verdict, Proved) for verdict in verdicts)
        lines.append(f"{name}: {report}")
        lines.append(f"  {access}")
        lines += [f"  {c.name}: {v}" for c, v in zip(claims, verdicts, strict=True)]
        if not report.is_free:
            lines += [f"  worst: {report.worst}", f"  {report.conflicts} cycles lost in each execution"]
        lines.append(f"  model: {report.phases.source.title} ({report.phases.source.kind})")
    if not is_free and question.writer and question.reader:
        lines += ["", *_proposals(question)]
    return "\n".join(lines), is_free


def _accesses(ask: BankQuestion) -> Iterator[tuple[str, WaveAccess]]:
    if ask.writer is None and ask.reader is None:
        yield "access", _of_expression(ask)
        return
    layout = one_named(ask.layout)
    descriptor = layout.as_descriptor() if isinstance(layout, Layout) else layout
    if not isinstance(descriptor, TensorDescriptor):
        msg = f"{ask.layout}: wanted a layout of memory, got a {type(layout).__name__}"
        raise LayoutError(msg)
    for name, source, direction in (("writer", ask.writer, "write"), ("reader", ask.reader, "read")):
        if source is not None:
            tile = _distribution(source)
            window = make_tile_window(descriptor, tile.lengths, (0,) * len(tile.lengths), tile)
            yield name, WaveAccess.of_window(window, ask.element, _direction(direction), ask.width)


def _of_expression(ask: BankQuestion) -> WaveAccess:
    lanes = Target.named(ask.target).wave_size
    domain = domain_of([f"lane=0:{lanes}", *ask.variables], [])
    return WaveAccess.of_expression(ask.layout, domain, ask.element, ask.width or 1, _direction(ask.access))


def _proposals(ask: BankQuestion) -> Iterator[str]:
    tiles = [_distribution(str(source)) for source in (ask.writer, ask.reader)]
    found = free_layouts(tiles[0], tiles[1], DataType.named(ask.element), ask.target, source=ask.source)
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
    found = one_named(source)
    if not isinstance(found, TileDistribution):
        msg = f"{source}: wanted a tile distribution, got a {type(found).__name__}"
        raise LayoutError(msg)
    return found


def _direction(text: str) -> Any:
    if text not in get_args(Direction):
        msg = f"--access: wanted read or write, got {text!r}"
        raise LayoutError(msg)
    return text
