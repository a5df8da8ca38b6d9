"""Tables: entries mean the list behind them, made-up lists satisfy the facts, proofs hold of all lists."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import And, Lt, Not, Or

from layoutalg.check.layout_file import asked_of
from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.domain import Domain
from layoutalg.errors import BeyondTableError, LayoutError
from layoutalg.index import Entry, Table
from layoutalg.index.evaluate import evaluate
from layoutalg.index.table import Counts, RunOf
from layoutalg.index.table_values import (
    VARIANTS,
    TableEntries,
    are_possible,
    contradiction,
    possible_entries,
)
from layoutalg.proofs import certificate, prove, recheck
from layoutalg.properties import covers_map, memory_bounds_map, one_to_one_map
from layoutalg.rules.from_text import parse
from layoutalg.transforms import make_indexing_transform
from layoutalg.verdict import Refuted
from tests.refusals import refused

INDEX, J = sympy.symbols("i j", integer=True, nonnegative=True)
SIZES = {"B": (1, None), "n": (1, None)}


def test_an_entry_is_the_number_in_the_list():
    table, entries = Table.of("t", (3, 4)), TableEntries(range(100, 112))
    for i, j in itertools.product(range(3), range(4)):
        assert evaluate(table(INDEX, J) + 1, {"i": i, "j": j, "t": entries}) == 101 + 4 * i + j
    rows = np.arange(3)
    assert evaluate(table(INDEX, 2), {"i": rows, "t": entries}).tolist() == [102, 106, 110]
    assert Table.of_constants("c", (5, 3, 8))(1) == 3


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_beyond_the_table_is_refused(index):
    with refused(LayoutError, "4"):
        evaluate(Table.of("t", (4,))(INDEX), {"i": index, "t": TableEntries((1, 2, 3, 4))})


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(40))
def test_entries_that_are_made_up_satisfy_the_facts(seed):
    draw = random.Random(seed)
    monotone = draw.choice(["no", "rising", "strictly"])
    ends: dict[str, Any] = {"first": 0, "last": draw.randint(0, 20)} if draw.random() < 0.5 else {}
    table = Table.of(
        "t", (draw.randint(1, 6),), draw.choice([None, 0, -3]), draw.choice([None, 9, 30]),
        one_to_one=draw.random() < 0.5, monotone=monotone, multiple_of=draw.choice([1, 1, 4]), **ends,
    )  # fmt: skip
    found = [possible_entries(table, variant) for variant in range(VARIANTS)]
    assert all(are_possible(table, entries) for entries in found if entries is not None)


def proved_of_every_list(claim, sizes, most):
    """Whether a claim holds for all lists with small entries that satisfy the facts of its only table."""
    bound = claim.bind(sizes)
    (table,) = bound.tables
    count = int(sympy.prod(table.lengths))
    lists = itertools.product(range(most), repeat=count)
    possible = [entries for entries in lists if are_possible(table, entries)]
    assert possible
    return all(prove(bound.with_tables({table.name: entries})) for entries in possible)


ALONE = ("normal form", "digits", "cut", "z3 integers")
MAPS = [
    ("page[i // 2]*2 + i % 2", "2*B", {"upper": "n", "lower": 0, "one_to_one": True}, "2*n"),
    ("page[i // 2]*2 + i % 2", "2*B", {"upper": "n", "lower": 0}, "2*n"),
    ("page[i // 2]*2 + i % 3", "2*B", {"upper": "n", "lower": 0, "one_to_one": True}, "2*n"),
    ("page[i] + i", "B", {"upper": "n", "lower": 0, "monotone": "rising"}, "n + B"),
    ("page[i] - i", "B", {"upper": "n", "lower": 0, "monotone": "strictly"}, "n"),
    ("page[i]*4 + i", "B", {"upper": "n", "lower": 0, "monotone": "strictly"}, "4*n + B"),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("text", "length", "facts", "size"), MAPS)
def test_proofs_and_refutations_agree_with_every_list(text, length, facts, size):
    sizes = Domain.of({}, SIZES)
    facts = {
        key: parse(value, sizes) if isinstance(value, str) and key == "upper" else value
        for key, value in facts.items()
    }
    page = Table.of("page", (sizes["B"],), **facts)
    domain = Domain((*Domain.of({"i": parse(length, sizes)}).axes, *sizes.variables), (), (page,))
    index_map = IndexMap(domain, (parse(text, domain),))
    for claim in (one_to_one_map(index_map, "m"), memory_bounds_map(index_map, parse(size, sizes), "m")):
        verdict = prove(claim)
        everywhere = all(
            proved_of_every_list(claim, {"B": b, "n": n}, n) for b, n in ((1, 2), (2, 2), (2, 3), (3, 4))
        )
        assert bool(verdict) <= everywhere
        assert all(bool(prove(claim, members=[member])) <= everywhere for member in ALONE)
        assert not (isinstance(verdict, Refuted) and "page" not in verdict.point)
        if verdict:
            assert recheck(certificate(claim, verdict)).result == "confirmed"


def test_runs_of_a_ragged_batch():
    sizes = Domain.of({}, {"B": (1, None), "T": (0, None)})
    begin = Table.of("begin", (sizes["B"] + 1,), monotone="rising", first=0, last=sizes["T"])
    domain = Domain((*Domain.of({"b": sizes["B"]}).axes, *sizes.variables), (), (begin,))
    b = domain["b"]
    ragged = domain.joined(Domain.of({"s": begin(b + 1) - begin(b)}))
    index_map = IndexMap(ragged, (begin(b) + ragged["s"],))
    for claim in (one_to_one_map(index_map, "r"), covers_map(index_map, (sizes["T"],), "r")):
        assert prove(claim)
        assert proved_of_every_list(claim, {"B": 2, "T": 3}, 4)
    assert evaluate(
        RunOf.unchecked(begin, INDEX), {"i": np.arange(5), "begin": TableEntries((0, 2, 2, 5))}
    ).tolist() == [0, 0, 2, 2, 2]


def test_runs_that_reach_into_the_next_are_not_told_apart():
    sizes = Domain.of({}, {"B": (1, None), "T": (0, None)})
    begin = Table.of("begin", (sizes["B"] + 1,), monotone="rising", first=0, last=sizes["T"])
    domain = Domain((*Domain.of({"b": sizes["B"]}).axes, *sizes.variables), (), (begin,))
    b = domain["b"]
    ragged = domain.joined(Domain.of({"s": begin(b + 1) - begin(b) + 1}))
    claim = one_to_one_map(IndexMap(ragged, (begin(b) + ragged["s"],)), "r")
    assert isinstance(prove(claim), Refuted)
    assert not any(prove(claim, members=[member]) for member in ALONE)


def test_counts_are_differences_of_their_sums():
    sizes = Domain.of({}, {"B": (1, None), "T": (0, None)})
    rows = Counts.of("rows", sizes["B"], sizes["T"])
    domain = Domain((*Domain.of({"b": sizes["B"]}).axes, *sizes.variables), (), (rows,))
    assert parse("rows[b]", domain) == rows(domain["b"])
    never_negative = Claim("counts", "rows", domain, (Comparison(0, "<=", rows(domain["b"])),))
    assert prove(never_negative)
    assert prove(
        Claim("sums", "rows", domain, (Comparison(parse("sum_before(rows, b)", domain), "<=", sizes["T"]),))
    )


@pytest.mark.parametrize(
    "facts",
    [
        {"lengths": (10,), "lower": 0, "upper": 5, "one_to_one": True},
        {"lengths": (3,), "lower": 4, "upper": 4},
        {"lengths": (5,), "monotone": "strictly", "first": 0, "last": 3},
        {"lengths": (2,), "entries": (1, 1), "one_to_one": True},
        {"lengths": (3,), "entries": (1, 2)},
    ],
    ids=str,
)
def test_of_a_table_that_cannot_be_nothing_is_proved(facts):
    table = Table.of("t", **facts)
    assert contradiction(table)
    domain = Domain.of({"i": 2})
    with refused(LayoutError):
        prove(one_to_one_map(IndexMap(domain, (table(domain["i"]),)), "t"))


def test_of_sizes_at_which_no_table_can_be_nothing_is_proved():
    sizes = Domain.of({}, SIZES)
    page = Table.of("page", (sizes["B"],), 0, sizes["n"], one_to_one=True)
    domain = Domain((*Domain.of({"i": sizes["B"]}).axes, *sizes.variables))
    claim = one_to_one_map(IndexMap(domain, (page(domain["i"]),)), "t")
    assert prove(claim)
    with refused(LayoutError):
        prove(claim.bind({"B": 4, "n": 3}))


def test_long_tables_of_constants_are_emitted():
    order = [(7 * i + 3) % 40 for i in range(40)]
    looked_up = make_naive_tensor_descriptor_packed((40,)).transform(
        [make_indexing_transform(40, order)], [(0,)], [(0,)]
    )
    namespace: dict[str, Any] = {}
    exec(looked_up.code("python", name="looked_up"), namespace)  # noqa: S102  emitted by us
    offset = namespace["looked_up_offset"]
    assert [offset(i) for i in range(40)] == order == [looked_up(i) for i in range(40)]


def test_two_tables_of_one_name_are_refused():
    one, other = Table.of("t", (4,), 0, 9), Table.of("t", (4,), 0, 9, one_to_one=True)
    domain = Domain.of({"i": 4})
    claim = Claim("same", "t", domain, (Comparison(one(domain["i"]), "==", other(domain["i"])),))
    with refused(LayoutError, "t"):
        prove(claim)


def test_a_table_is_told_apart_from_others():
    with refused(LayoutError, "2", "1"):
        parse("t[i]", Domain(Domain.of({"i": 4}).variables, (), (Table.of("t", (4, 4)),)))
    with refused(LayoutError, "i"):
        parse("i[0]", Domain.of({"i": 4}))
    assert Entry.unchecked(Table.of("t", (4,)), INDEX) == Table.of("t", (4,))(INDEX)


GUARDED = """
symbols = ["R", "n"]
[tables.ids]
lengths = ["R"]
range = [0, "n + 1"]
[layout.rows]
index = { r = "R + 3", a = 2 }
offset = "ids[r]"
valid = "VALID"
size = "n"
claims = ["in bounds"]
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("member", ["small sizes", "z3 integers", "cvc5"])
@pytest.mark.parametrize(
    "valid",
    [
        "r < R and ids[r] < n",
        "ids[r] < n and r < R",
        "r < R and (a == 0 or ids[r] != n) and ids[r] < n",
    ],
)
def test_what_a_guard_keeps_from_the_table_is_no_read_beyond_it(valid, member):
    """Whichever part of the condition comes first: no index is valid at which an entry is missing."""
    one, *_ = asked_of(GUARDED.replace("VALID", valid), "rows.layout.toml").obligations
    assert not isinstance(prove(one.claim, members=[member]), Refuted)
    assert prove(one.claim)


@pytest.mark.parametrize("connect", [And, Or])
def test_a_connection_is_settled_by_the_parts_that_are_defined(connect):
    domain = Domain.of({"r": 4})
    r, ids = domain["r"], Table.of("ids", (2,), entries=(0, 1))
    inside, small = Lt(r, 2), Lt(ids(r), 1)
    node = And(inside, small) if connect is And else Or(Not(inside), small)
    wanted = [True, False, False, False] if connect is And else [True, False, True, True]
    assert evaluate(node, {"r": np.arange(4)}).tolist() == wanted
    with refused(BeyondTableError, "ids", "0", "2"):
        evaluate(connect(small, Lt(ids(r), 2)), {"r": np.arange(4)})
