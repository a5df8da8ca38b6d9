"""Bank conflicts: lanes by banks, in the worst round of the access."""

from __future__ import annotations

from collections import defaultdict

from layoutalg.memory.bank_conflicts import BankConflicts
from layoutalg.pictures.view import Cell, Grid, Lines, View, view_of

__all__ = ["banks_view"]


@view_of.register
def banks_view(report: BankConflicts) -> View:
    """Each lane's dwords where its banks are; framed where lanes of a phase want different ones of a bank.

    A cell is the row of the bank (the dword's number over the number of banks).
    """
    lines = [str(report.access)]
    if not report.is_free:
        lines += [f"worst: {report.worst}", f"{report.conflicts} cycles lost in each execution"]
    lines.append(f"model: {report.phases.source.title} ({report.phases.source.kind})")
    return View(str(report), (Lines(tuple(lines)), _grid(report)))


def _grid(report: BankConflicts) -> Grid:
    point, banks = report.worst_point, report.phases.banks
    wanted: dict[tuple[int, int], list[int]] = defaultdict(list)
    conflicts: set[tuple[int, int]] = set()
    order = [(phase, lane) for phase, lanes in enumerate(report.phases.phases) for lane in lanes]
    for phase, lanes in enumerate(report.phases.phases):
        rows_of: dict[int, set[int]] = defaultdict(set)
        for lane in lanes:
            for dword in (int(d) for d in report.dwords[point, lane] if d >= 0):
                wanted[lane, dword % banks].append(dword // banks)
                rows_of[dword % banks].add(dword // banks)
        conflicts |= {(phase, bank) for bank, rows in rows_of.items() if len(rows) > 1}

    def cell(row: int, bank: int) -> Cell:
        phase, lane = order[row]
        rows = wanted.get((lane, bank))
        if rows is None:
            return Cell("")
        text = ",".join(map(str, rows))
        where = f"phase {phase}, lane {lane} → bank {bank}, row {text}"
        return Cell(text, phase * 5, where, is_marked=(phase, bank) in conflicts)

    at = ", ".join(f"{name}={value}" for name, value in report.access.point(point).items())
    title = f"phase/lane by bank: row of the bank{f' at {at}' if at else ''}"
    rows = tuple(f"{phase}/{lane}" for phase, lane in order)
    legend = "lanes of this phase want different rows of this bank"
    return Grid(title, "lane\\bank", rows, tuple(map(str, range(banks))), cell, (64, 64), legend, by="banks")
