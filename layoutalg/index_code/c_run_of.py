"""The search for a run in C: by halves, between the first entry and the last of a table that never falls.

>>> print(search_text("rows_run_of", 32, 64, C))
// The run in which a value lies: table[run] <= value < table[run + 1].
static inline int64_t rows_run_of(const int32_t *table, int64_t length, int32_t value)
{
...
"""

from __future__ import annotations

from collections.abc import Sequence

from layoutalg.index_code.c_language import C, CLanguage
from layoutalg.index_code.c_plan import CPlan
from layoutalg.index_code.line_breaks import broken

__all__ = ["C", "search_text", "searches"]

SEARCH = """\
// The run in which a value lies: table[run] <= value < table[run + 1].
{device} {position} {name}({table}, {position} length, {value} value)
{{
    {position} run = 0;
    {position} end = length - 1;
    while (end - run > 1)
    {{
        const {position} middle = run + (end - run) / 2;
        if (table[middle] <= value)
        {{
            run = middle;
        }}
        else
        {{
            end = middle;
        }}
    }}
    return run;
}}"""


def searches(plan: CPlan, language: CLanguage, functions: Sequence[str]) -> list[str]:
    """The searches that functions call, one for each pair of types."""
    types = {table.run_of: (table.bits, table.position_bits) for table in plan.tables.values()}
    return [
        search_text(name, *bits, language)
        for name, bits in sorted(types.items())
        if any(f"{name}(" in function for function in functions)
    ]


def search_text(name: str, bits: int, position_bits: int, language: CLanguage) -> str:
    """The function that searches so wide entries, of which there are at most so many."""
    text = SEARCH.format(
        device=language.device,
        name=name,
        table=language.array(bits, "table"),
        value=f"int{bits}_t",
        position=f"int{position_bits}_t",
    )
    return "\n".join(piece for line in text.split("\n") for piece in broken(line))
