"""Bank conflicts: what each phase costs by bank, and each phase with its lanes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from layoutalg.memory.bank_conflicts import BankConflicts
from layoutalg.pictures.view import Cell, Colouring, Grid, Lines, Steps, View, view_of

__all__ = ["banks_view"]

MARKS = "lanes of this phase want different rows of this bank"


@view_of.register
def banks_view(report: BankConflicts) -> View:
    """Phases by banks: the rows each bank has to give, one a cycle; then each phase, lanes by banks.

    Framed is what costs more than one cycle. A cell of a phase is the row of the bank (the dword's number
    over the number of banks).
    """
    lines = [str(report.access)]
    if not report.is_free:
        lines += [f"worst: {report.worst}", f"{report.conflicts} cycles lost in each execution"]
    lines.append(f"model: {report.phases.source.title} ({report.phases.source.kind})")
    served = _Served(report)
    return View(str(report), (Lines(tuple(lines)), served.overview, served.steps))


@dataclass(frozen=True)
class _Served:
    """The worst point of an access: who wants what of which bank."""

    report: BankConflicts

    @property
    def phases(self) -> tuple[tuple[int, ...], ...]:
        """The lanes of each phase."""
        return self.report.phases.phases

    @property
    def banks(self) -> int:
        return self.report.phases.banks

    @cached_property
    def rows(self) -> dict[tuple[int, int], list[int]]:
        """The rows that a lane wants, by lane and bank."""
        found: dict[tuple[int, int], list[int]] = {}
        for lane, dwords in enumerate(self.report.dwords[self.report.worst_point].tolist()):
            for dword in dwords:
                if dword >= 0:
                    found.setdefault((lane, dword % self.banks), []).append(dword // self.banks)
        return found

    def wanted(self, phase: int, bank: int) -> set[int]:
        """The different rows that the lanes of a phase want of a bank: its cycles."""
        return {row for lane in self.phases[phase] for row in self.rows.get((lane, bank), ())}

    @property
    def where(self) -> str:
        at = self.report.access.point(self.report.worst_point)
        told = ", ".join(f"{name}={value}" for name, value in at.items())
        return f" at {told}" if told else ""

    @property
    def overview(self) -> Grid:
        """Phases by banks, cells how many rows of the bank are wanted."""

        def count(phase: int, bank: int) -> int | None:
            return len(self.wanted(phase, bank)) or None

        def cell(phase: int, bank: int) -> Cell:
            rows = sorted(self.wanted(phase, bank))
            told = f"phase {phase}, bank {bank}: {len(rows)} cycles, rows {', '.join(map(str, rows))}"
            return Cell(str(len(rows)), told, is_marked=len(rows) > 1) if rows else Cell("")

        total = int(self.report.cycles[self.report.worst_point].sum())
        cost = f"{total} cycles in {len(self.phases)} phases"
        title = f"phase by bank: rows wanted, one a cycle ({cost}){self.where}"
        quantity = Colouring("value", count, "rows wanted", is_quantity=True)
        names = tuple(map(str, range(len(self.phases))))
        return Grid(title, "phase\\bank", names, self._columns, cell, (quantity,), marks=MARKS, by="banks")

    @property
    def steps(self) -> Steps:
        """One grid a phase; the worst is seen first."""
        cycles = self.report.cycles[self.report.worst_point].tolist()
        named = tuple(
            (f"{phase}: {cycle} {'cycle' if cycle == 1 else 'cycles'}", self.lanes(phase))
            for phase, cycle in enumerate(cycles)
        )
        return Steps("phase", named, cycles.index(max(cycles)))

    def lanes(self, phase: int) -> Grid:
        """The lanes of one phase by banks, cells the row of the bank."""
        lanes = self.phases[phase]
        marked = {bank for bank in range(self.banks) if len(self.wanted(phase, bank)) > 1}

        def cell(number: int, bank: int) -> Cell:
            rows = self.rows.get((lanes[number], bank))
            if rows is None:
                return Cell("")
            text = ",".join(map(str, rows))
            told = f"phase {phase}, lane {lanes[number]} → bank {bank}, row {text}"
            return Cell(text, told, is_marked=bank in marked)

        def where_wanted(value: int, number: int, bank: int) -> int | None:
            return value if (lanes[number], bank) in self.rows else None

        def first_row(number: int, bank: int) -> int | None:
            return next(iter(self.rows.get((lanes[number], bank), ())), None)

        colourings = (
            Colouring("lane", lambda n, bank: where_wanted(lanes[n], n, bank)),
            Colouring("bank", lambda n, bank: where_wanted(bank, n, bank)),
            Colouring("row", first_row, "of the bank"),
            Colouring("phase", lambda n, bank: where_wanted(phase, n, bank)),
        )
        title = f"phase {phase}, lane by bank: row of the bank{self.where}"
        names = tuple(map(str, lanes))
        return Grid(title, "lane\\bank", names, self._columns, cell, colourings, marks=MARKS, by="banks")

    @property
    def _columns(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.banks)))
