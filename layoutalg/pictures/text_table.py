"""Tables as plain text; where they are too long or too wide their middle is left out, with a note.

>>> print(*text_table("r|c", "01", "0123", lambda row, column: f"{row},{column}"), sep=chr(10))
r|c    0   1   2   3
  0  0,0 0,1 0,2 0,3
  1  1,0 1,1 1,2 1,3
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from layoutalg.pictures.ends import ends, left_out

__all__ = ["text_table"]

WIDTH = 160
MOST = 64
GAP = "..."


def text_table(
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cell: Callable[[int, int], str],
    most_rows: int = MOST,
) -> Iterator[str]:
    """The lines of a table of at most 160 characters; ``cell`` gives the text by row and column number."""
    held = [row for row in ends(len(rows), most_rows) if row is not None]
    every = {row: [cell(row, column) for column in range(len(columns))] for row in held}
    wide = max(len(text) for line in [columns, *every.values()] for text in line) if columns else 1
    label = max(map(len, (corner, *rows)), default=0)
    room = min(MOST, (WIDTH - label - 1) // (wide + 1))
    if len(columns) > room:
        room = max(2, (WIDTH - label - 1 - len(GAP) - 1) // (wide + 1))
    shown, shown_rows = ends(len(columns), room), ends(len(rows), most_rows)

    def line(head: str, texts: Sequence[str]) -> str:
        cells = [GAP if i is None else texts[i].rjust(wide) for i in shown]
        return f"{head.rjust(label)}  {' '.join(cells)}".rstrip()

    yield line(corner, columns)
    for row in shown_rows:
        yield GAP if row is None else line(rows[row], every[row])
    for what, kept, count in (("columns", shown, len(columns)), ("rows", shown_rows, len(rows))):
        if note := left_out(what, kept, count):
            yield note
