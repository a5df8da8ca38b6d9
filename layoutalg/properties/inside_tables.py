"""Inside tables: every entry that a valid index reads is one that its table has."""

from __future__ import annotations

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.index.table import tables_in
from layoutalg.properties.arguments import map_of

__all__ = ["INSIDE_TABLES", "inside_tables"]

INSIDE_TABLES = "inside tables"


def inside_tables(index_map: IndexMap, subject: str = "map") -> Claim | None:
    """The claim that all that a map and its validity read is there; None where they read no table.

    An expression equals itself wherever it has a value, and has none where an entry is read that a table does
    not have: that is how the claim is put. It is an obligation of a layout whatever else is claimed of it.

    >>> import layoutalg as la
    >>> B = la.sizes("B")
    >>> page = la.Table.of("page", (B,), 0, 8)
    >>> domain = la.Domain.of({"b": B + 1}, {"B": (1, None)})
    >>> print(inside_tables(la.IndexMap(domain, (page(domain["b"]),)), "rows"))
    inside tables: rows: for all 0 <= b < B + 1; for all 1 <= B: page[b] == page[b]
    >>> la.prove(inside_tables(la.IndexMap(domain, (page(domain["b"]),)), "rows"))
    refuted at B=1, page=(7,), b=1: page: index 0 is 1, beyond its length 1
    """
    index_map = map_of(index_map, INSIDE_TABLES)
    reading = tuple(output for output in index_map.outputs if tables_in(output))
    if not reading and not tables_in(*index_map.when):
        return None
    then = tuple(Comparison(output, "==", output) for output in reading)
    return Claim(INSIDE_TABLES, subject, index_map.domain, then, index_map.when, map=index_map)
