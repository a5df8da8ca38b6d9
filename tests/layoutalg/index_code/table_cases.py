"""Index functions that look tables up, each with what it must compute from nested lists of numbers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple

from layoutalg import Domain, parse
from layoutalg.claim import IndexMap
from layoutalg.index.table import Counts, Table
from layoutalg.index_code import IndexFunction
from layoutalg.term.parse import parse_index

__all__ = ["CASES", "TableCase"]


class TableCase(NamedTuple):
    """A function; how to draw its tables for sizes; the offset (where valid) and the validity of a point.

    Drawn are nested lists, and those of counts as counts: ``wanted`` knows nothing of rows of entries.
    """

    made: IndexFunction
    draw: Callable[[random.Random, Mapping[str, int]], dict[str, Any]]
    wanted: Callable[[Any, Any], tuple[int, bool]]


class Named(dict[str, Any]):
    """What is drawn, as attributes."""

    __getattr__ = dict.__getitem__


def case(name, offset, axes, sizes, tables, draw, wanted, valid="0 <= 0", step=None):  # noqa: PLR0917
    """A function of texts; ``tables`` make each table from the domain of the sizes."""
    domain = Domain.of({}, sizes)
    found = [table(domain) for table in tables]
    known = replace(domain, tables=tuple(found))
    for axis, end in axes.items():
        low, high = end if isinstance(end, tuple) else (0, end)
        low, high = (parse(e, known) if isinstance(e, str) else e for e in (low, high))
        bounded = Domain.of({axis: (low, high)}, {}).variables
        known = replace(known, variables=(*known.axes, *bounded, *known.parameters))
    about = IndexMap(known, (unchecked(offset, known),), (unchecked(valid, known),))
    made = IndexFunction.of_map(about, name, step=step)
    return name, TableCase(made, draw, lambda at, of: wanted(Named(at), Named(of)))


def unchecked(text, domain):
    """What a text says, though it may not be defined at every point of the domain."""
    sums = [f"{table.name}.before" for table in domain.tables if isinstance(table, Counts)]
    return parse_index(text, {name: domain[name] for name in (*domain.known_names, *sums)})


def table(name, *lengths, **facts):
    """A table whose lengths are texts over sizes, as its ends may be."""

    def made(domain):
        given = {
            k: parse(v, domain) if isinstance(v, str) and k != "monotone" else v for k, v in facts.items()
        }
        return Table.of(name, [parse(length, domain) for length in lengths], **given)

    return made


def some(draw, low, high, *lengths):
    """Nested lists of numbers from low to high, ends more often than others."""
    if not lengths:
        return draw.choice((low, high, draw.randint(low, high), draw.randint(low, high)))
    return [some(draw, low, high, *lengths[1:]) for _ in range(lengths[0])]


def shares(draw, count, total):
    """Counts that sum to a total, some of them 0."""
    cuts = sorted(draw.choice((0, total, draw.randint(0, total))) for _ in range(count - 1))
    return [after - before for before, after in zip([0, *cuts], [*cuts, total], strict=True)]


def before(counts):
    """The sums of the counts before each, and of all."""
    return list(accumulate(counts, initial=0))


def run(cumulative, value):
    """The run that a value lies in, found by looking at each."""
    return next(r for r in range(len(cumulative) - 1) if cumulative[r] <= value < cumulative[r + 1])


def counts_of_groups(domain):
    return Counts.of("rows", domain["G"], domain["total"])


def order(domain):
    """A table of constants, of two indices."""
    del domain
    return Table.of("order", (2, 3), 0, 6, entries=(4, 0, 5, 1, 3, 2))


SMALL = {"B": (1, 5), "T": (1, 90), "pages": (1, 1000), "D": (8, 64, 8)}
PAGES = table("page", "B", "(T + 15) // 16", lower=0, upper="pages")
ROWS = [[4, 0, 5], [1, 3, 2]]


def cases():
    yield case(
        "paged",
        "(page[b, t // 16]*16 + t % 16)*D + d",
        {"b": "B", "t": "T", "d": "D"},
        SMALL,
        [PAGES],
        lambda draw, at: {"page": some(draw, 0, at["pages"] - 1, at["B"], -(-at["T"] // 16))},
        lambda at, of: ((of.page[at.b][at.t // 16] * 16 + at.t % 16) * at.D + at.d, True),
        step={"d": 1},
    )
    yield case(
        "open_pages",
        "(page[b, t // 16]*16 + t % 16)*D + d",
        {"b": "B", "t": "T", "d": "D"},
        {"B": (1, None), "T": (1, None), "pages": (1, None), "D": (1, None)},
        [PAGES],
        lambda draw, at: {"page": some(draw, 0, at["pages"] - 1, at["B"], -(-at["T"] // 16))},
        lambda at, of: ((of.page[at.b][at.t // 16] * 16 + at.t % 16) * at.D + at.d, True),
    )
    yield case(
        "absent",
        "page[i]*4 + j",
        {"i": "B", "j": 4},
        {"B": (1, 9)},
        [table("page", "B", lower=-7, upper=50)],
        lambda draw, at: {"page": some(draw, -7, 49, at["B"])},
        lambda at, of: (of.page[at.i] * 4 + at.j, of.page[at.i] >= 0),
        valid="0 <= page[i]",
    )
    yield case(
        "absent_thirds",
        "page[i] // 3*8 + page[i] % 7",
        {"i": "B"},
        {"B": (1, 9)},
        [table("page", "B", lower=-7, upper=50)],
        lambda draw, at: {"page": some(draw, -7, 49, at["B"])},
        lambda at, of: (of.page[at.i] // 3 * 8 + of.page[at.i] % 7, True),
    )
    yield case(
        "ragged",
        "ids[r]*N + n",
        {"r": "(R + 31) // 32 * 32", "n": "N"},
        {"R": (1, 70), "N": (1, 50), "skipped": (0, 3)},
        [table("ids", "R", lower=-1, upper=30)],
        lambda draw, at: {"ids": some(draw, -1, 29, at["R"])},
        lambda at, of: (
            of.ids[at.r] * at.N + at.n if at.r < at.R else 0,
            at.r < at.R and of.ids[at.r] >= 0 and of.ids[at.r] != at.skipped,
        ),
        valid="r < R and ids[r] >= 0 and ids[r] != skipped",
    )
    yield case(
        "behind_a_pad",
        "w[(x - 3) // 2]*8 + (x - 3) % 2 + (x - 3) % K",
        {"x": "2*L + 7"},
        {"L": (1, 20), "K": (1, 5)},
        [table("w", "L", lower=0, upper=100)],
        lambda draw, at: {"w": some(draw, 0, 99, at["L"])},
        lambda at, of: (
            of.w[(at.x - 3) // 2] * 8 + (at.x - 3) % 2 + (at.x - 3) % at.K if 3 <= at.x < 2 * at.L + 3 else 0,
            3 <= at.x < 2 * at.L + 3 and of.w[(at.x - 3) // 2] < 60 and of.w[(at.x - 3) // 2] % 7 != 2,
        ),
        valid="3 <= x and x < 2*L + 3 and w[(x - 3) // 2] < 60 and w[(x - 3) // 2] % 7 != 2",
    )
    yield case(
        "mixed",
        "order[i, j]*10 + page[order[i, j], j]",
        {"i": 2, "j": 3},
        {"pages": (1, 99)},
        [order, table("page", "6", "3", lower=0, upper="pages")],
        lambda draw, at: {"page": some(draw, 0, at["pages"] - 1, 6, 3)},
        lambda at, of: (ROWS[at.i][at.j] * 10 + of.page[ROWS[at.i][at.j]][at.j], True),
    )
    yield case(
        "chained",
        "expert[ids[r]]*K + k + expert[0]",
        {"r": "R", "k": "K"},
        {"R": (1, 40), "E": (1, 9), "K": (1, 64)},
        [table("ids", "R", lower=0, upper="E"), table("expert", "E", lower=-500, upper=501)],
        lambda draw, at: {
            "ids": some(draw, 0, at["E"] - 1, at["R"]),
            "expert": some(draw, -500, 500, at["E"]),
        },
        lambda at, of: (of.expert[of.ids[at.r]] * at.K + at.k + of.expert[0], True),
    )
    yield case(
        "three",
        "t[a, b, c]*7 + t[c, b, a] + t[a, b, c] // 5",
        {"a": "N", "b": "M", "c": "N"},
        {"N": (1, 4), "M": (1, 5)},
        [table("t", "N", "M", "N", lower=0, upper=10**6)],
        lambda draw, at: {"t": some(draw, 0, 10**6 - 1, at["N"], at["M"], at["N"])},
        lambda at, of: (
            of.t[at.a][at.b][at.c] * 7 + of.t[at.c][at.b][at.a] + of.t[at.a][at.b][at.c] // 5,
            True,
        ),
    )
    yield case(
        "far",
        "far[i] // D + far[i] % 28 * 5 + near[i] // 28 + near[i] % D",
        {"i": "N"},
        {"N": (1, 9), "D": (1, 1000)},
        [
            table("far", "N", lower=0, upper=2**40),
            table("near", "N", lower=0, upper=2**31 - 1),
        ],
        lambda draw, at: {
            "far": some(draw, 0, 2**40 - 1, at["N"]),
            "near": some(draw, 0, 2**31 - 2, at["N"]),
        },
        lambda at, of: (
            of.far[at.i] // at.D + of.far[at.i] % 28 * 5 + of.near[at.i] // 28 + of.near[at.i] % at.D,
            True,
        ),
    )
    yield case(
        "groups",
        "(sum_before(rows, g) + row)*N + n",
        {"g": "G", "row": "rows[g]", "n": "N"},
        {"G": (1, 6), "total": (0, 60), "N": (1, 9)},
        [counts_of_groups],
        lambda draw, at: {"rows": shares(draw, at["G"], at["total"])},
        lambda at, of: ((sum(of.rows[: at.g]) + at.row) * at.N + at.n, True),
    )
    yield case(
        "runs",
        "run_of(cu, y)*1000 + y - cu[run_of(cu, y)]",
        {"y": "total"},
        {"B": (1, 9), "total": (0, 60)},
        [table("cu", "B + 1", monotone="rising", first=0, last="total")],
        lambda draw, at: {"cu": before(shares(draw, at["B"], at["total"]))},
        lambda at, of: (run(of.cu, at.y) * 1000 + at.y - of.cu[run(of.cu, at.y)], True),
    )
    yield case(
        "far_runs",
        "run_of(cu, y + S)",
        {"y": (0, 9)},
        {"B": (1, 9), "S": (0, 2**40)},
        [table("cu", "B + 1", monotone="rising", first=0, last=2**41)],
        lambda draw, at: {
            "cu": [0, *sorted(some(draw, at["S"], at["S"] + 9, at["B"] - 1)), 2**41],
        },
        lambda at, of: (run(of.cu, at.y + at.S), True),
    )
    yield case(
        "guarded_runs",
        "run_of(cu, y)*64 + y % 64",
        {"y": "(total + 63) // 64 * 64"},
        {"B": (1, 9), "total": (0, 100)},
        [table("cu", "B + 1", monotone="rising", first=0, last="total")],
        lambda draw, at: {"cu": before(shares(draw, at["B"], at["total"]))},
        lambda at, of: (
            run(of.cu, at.y) * 64 + at.y % 64 if at.y < at.total else 0,
            at.y < at.total and run(of.cu, at.y) != 1,
        ),
        valid="y < total and run_of(cu, y) != 1",
    )
    yield case(
        "guarded_box",
        "ids[a]*8 + b + c",
        {"a": "A + 3", "b": "B + 5", "c": "C + 7"},
        {"A": (1, 5), "B": (1, 5), "C": (1, 5)},
        [table("ids", "A", lower=0, upper=99)],
        lambda draw, at: {"ids": some(draw, 0, 98, at["A"])},
        lambda at, of: (
            of.ids[at.a] * 8 + at.b + at.c if at.a < at.A else 0,
            at.a < at.A and at.b < at.B and at.c < at.C and of.ids[at.a] < 60,
        ),
        valid="c < C and a < A and b < B and ids[a] < 60",
    )
    yield case(
        "no_ends",
        "page[i]*3 - i",
        {"i": 5, "j": 9},
        {},
        [table("page", "5")],
        lambda draw, at: {"page": [draw.choice((4, *some(draw, 1 - 2**31, 2**31 - 1, 1))) for _ in range(5)]},
        lambda at, of: (of.page[at.i] * 3 - at.i, of.page[at.i] != at.j),
        valid="page[i] != j",
    )
    yield case(
        "aligned",
        "begin[e] // 16 + begin[e] % 32 + i",
        {"e": "E", "i": 16},
        {"E": (1, 9)},
        [table("begin", "E", lower=0, upper=1000, multiple_of=16)],
        lambda draw, at: {"begin": [16 * value for value in some(draw, 0, 62, at["E"])]},
        lambda at, of: (of.begin[at.e] // 16 + of.begin[at.e] % 32 + at.i, True),
    )
    yield case(
        "by_entries",
        "x // step[i] + x % step[i] * K",
        {"x": 500, "i": 4},
        {"K": (1, 9)},
        [table("step", "4", lower=1, upper=9)],
        lambda draw, at: {"step": some(draw, 1, 8, 4)},
        lambda at, of: (at.x // of.step[at.i] + at.x % of.step[at.i] * at.K, True),
    )
    yield case(
        "sizes",
        "sizes[t0 // K] * 3 + sizes[t0 // K] % 2 + by_K[t0 % K]*sizes[0]",
        {"t0": "4*K"},
        {"K": (1, 9)},
        [table("sizes", "4", lower=0, upper=9), table("by_K", "K", lower=0, upper=9)],
        lambda draw, at: {"sizes": some(draw, 0, 8, 4), "by_K": some(draw, 0, 8, at["K"])},
        lambda at, of: (
            of.sizes[at.t0 // at.K] * 3 + of.sizes[at.t0 // at.K] % 2 + of.by_K[at.t0 % at.K] * of.sizes[0],
            True,
        ),
    )


CASES = dict(cases())
