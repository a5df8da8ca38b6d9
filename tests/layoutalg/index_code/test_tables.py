"""Emitted functions look up what nested lists hold, and read nothing beyond the ends of a table."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from layoutalg import Domain, LayoutError, MissingFactError, evaluate, make_naive_tensor_descriptor_packed
from layoutalg.claim import IndexMap
from layoutalg.cli.code import index_function
from layoutalg.codegen.compile import compile_hip
from layoutalg.index.table import Table
from layoutalg.index.table_values import TableEntries
from layoutalg.index_code import IndexFunction
from layoutalg.index_code.c_plan import planned
from layoutalg.transforms import Merge, PassThrough, make_indexing_transform
from tests.layoutalg.index_code.calls import calls, has_sizes
from tests.layoutalg.index_code.compilers import TRAPS, built, ran
from tests.layoutalg.index_code.table_cases import CASES, before
from tests.layoutalg.index_code.test_emitted_texts import argument_bits, executed, sizes_of
from tests.refusals import refused

INSTANCES, MANY = 6, 24  # sizes and tables
POINTS = 20  # of each
SMALL_ENOUGH = 40  # open sizes end here, so that tables stay small
HEAD = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mmap */
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/mman.h>
#include <unistd.h>

/* A copy of entries between pages that nobody may read: next to the one behind, or to the one before. */
static const void *placed(const void *entries, size_t bytes, int is_at_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    char *start = (char *)mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mprotect(start + page, room, PROT_READ | PROT_WRITE) != 0)
        exit(1);
    start += is_at_end ? page + room - bytes : page;
    memcpy(start, entries, bytes);
    return start;
}
#else
static const void *placed(const void *entries, size_t bytes, int is_at_end)
{
    (void)bytes; (void)is_at_end;
    return entries;
}
#endif
"""


class Instance(NamedTuple):
    """Sizes with tables, points there, and what is wanted at each."""

    entries: dict[str, list[int]]
    points: list[dict[str, int]]
    wanted: list[tuple[int, bool]]


def in_a_row(found) -> list[int]:
    """Nested lists from the first number to the last."""
    return [n for row in found for n in (in_a_row(row) if isinstance(row, list) else [row])]


def entries_of(made, drawn):
    """The entries that each parameter is given, by the table's name; counts as the sums before them."""
    return {
        table.name: in_a_row(drawn[table.name])
        if table.name in drawn
        else before(drawn[table.name.removesuffix(".before")])
        for table in made.formulas.tables
    }


def small(domain):
    """Sizes that are not too large for tables to be written out."""
    ends = {v.name: min(int(v.upper), SMALL_ENOUGH + 1) for v in domain.parameters if v.name in "BTD"}
    return Domain(tuple(replace(v, upper=evaluate(ends.get(v.name, v.upper), {})) for v in domain.parameters))


def axes_of(draw, domain, known):
    """An index; None where there is none for such sizes and tables."""
    at: dict[str, int] = {}
    for axis in domain.axes:
        low, high = (int(evaluate(end, {**known, **at})) for end in (axis.lower, axis.upper - 1))
        if high < low:
            return None
        at[axis.name] = draw.choice((low, high, draw.randint(low, high), draw.randint(low, high)))
    return at


@cache
def instances(name, count):
    made, drawing, wanted = CASES[name]
    domain, draw = planned(made.formulas).formulas.domain, random.Random(name)
    found: list[Instance] = []
    while len(found) < count:
        sizes = sizes_of(draw, small(domain))
        drawn = drawing(draw, sizes)
        entries = entries_of(made, drawn)
        known = {**sizes, **{table: TableEntries(row) for table, row in entries.items()}}
        axes = [at for _ in range(POINTS) if (at := axes_of(draw, domain, known)) is not None]
        if axes:
            points = [{**sizes, **at} for at in axes]
            found.append(Instance(entries, points, [wanted(at, drawn) for at in points]))
    return found


def table_types(made, to):
    """The parameters for tables with the bits of their entries, in order."""
    head = re.search(rf"{made.formulas.name}_offset\(([^)]*)\)", made.text(to))
    assert head is not None
    return [(name, int(bits)) for bits, name in re.findall(r"const int(\d\d)_t\s?\*\s?(\w+)", head[1])]


@cache
def called(name, to):
    """How the functions of a case are called at point ``i`` with ``table0``, ..., and the types of these."""
    made = CASES[name].made
    bits, types = argument_bits(made, to), table_types(made, to)
    assert [name for name, _ in types] == list(made.formulas.table_names.values())
    arguments = [f"(int{bits.get(i, 64)}_t)p[i][{place}]" for place, i in enumerate(made.formulas.inputs)]
    return calls(made, to, arguments, [f"table{place}" for place in range(len(types))]), types


def checked(number, name, to, instance, is_at_end):
    """C that gives a function its tables and prints what it gives at every point."""
    inputs, (call, types) = CASES[name].made.formulas.inputs, called(name, to)
    placed = []
    for place, (wide, entries) in enumerate(
        zip((b for _, b in types), instance.entries.values(), strict=True)
    ):
        row = ", ".join(f"{entry}ll" for entry in entries)
        placed.append(f"    static const int{wide}_t e{place}[] = {{{row}}};")
        given = f"placed(e{place}, sizeof e{place}, {is_at_end})"
        placed.append(f"    const int{wide}_t *table{place} = (const int{wide}_t *){given};")
    points = ", ".join("{" + ", ".join(f"{at[i]}ll" for i in inputs) + "}" for at in instance.points)
    lines = "\n".join(placed)
    return f"""static void check{number}(void)
{{
{lines}
    static const int64_t p[][{len(inputs)}] = {{{points}}};
    for (int i = 0; i < {len(instance.points)}; ++i)
    {{
        {call.made}
        printf("%lld %d\\n", (long long){call.offset}, (int){call.valid});
    }}
}}"""


def compiled(folder, by, language, to, count):
    """What a compiled text gives at every point, beside what is wanted."""
    functions: list[str] = []
    wanted: list[Any] = []
    for name, (made, _, _) in CASES.items():
        (folder / f"{name}.h").write_text(made.text(to, guard=made.guard), encoding="utf-8")
        for instance in instances(name, count):
            functions.append(checked(len(functions), name, to, instance, len(functions) % 2))
            wanted += [(name, at, row) for at, row in zip(instance.points, instance.wanted, strict=True)]
    if to == "hip":
        (folder / "hip").mkdir()
        (folder / "hip" / "hip_runtime.h").write_text("", encoding="utf-8")
    source = folder / "main.c"
    main = "\n".join(f"    check{number}();" for number in range(len(functions)))
    includes = "".join(f'#include "{name}.h"\n' for name in CASES)
    text = f"{HEAD}{includes}" + "\n".join(functions) + f"\nint main(void)\n{{\n{main}\n    return 0;\n}}\n"
    source.write_text(text, encoding="utf-8")
    program = built(by, language, source, "-O1", *TRAPS[by], f"-I{folder}")
    return ran(program).splitlines(), wanted


TEXTS = [("gcc", "c", "c"), ("clang", "c", "c"), ("clang", "c++", "c"), ("clang", "hip", "hip")]


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("count", [INSTANCES, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize(("by", "language", "to"), TEXTS)
def test_compiled_texts_look_up_what_nested_lists_hold(by, language, to, count, tmp_path):
    found, wanted = compiled(tmp_path, by, language, to, count)
    assert len(found) == len(wanted)
    for line, (name, at, (offset, valid)) in zip(found, wanted, strict=True):
        got, is_valid = map(int, line.split())
        assert is_valid == valid, f"{name} at {at}\n{CASES[name].made.text(to)}"
        assert not valid or got == offset, f"{name} at {at}\n{CASES[name].made.text(to)}"


class Row(list[int]):
    """Entries of which none is read from the end, as a negative place would be."""

    def __getitem__(self, place: Any) -> Any:
        assert 0 <= place < len(self)
        return super().__getitem__(place)


@pytest.mark.parametrize("name", CASES)
def test_python_looks_up_the_same(name):
    made = CASES[name].made
    functions = executed(made)
    axes, sizes = made.formulas.domain.axes, made.formulas.domain.parameters
    for instance in instances(name, INSTANCES):
        tables = [Row(entries) for entries in instance.entries.values()]
        for at, (offset, valid) in zip(instance.points, instance.wanted, strict=True):
            given = [at[axis.name] for axis in axes]
            if f"{name}_make_sizes" in functions:
                given.append(functions[f"{name}_make_sizes"](*(at[size.name] for size in sizes)))
            got = functions[f"{name}_offset"](*given, *tables)
            assert functions[f"{name}_valid"](*given, *tables) == valid
            assert not valid or got == offset


def some_valid_and_some_not() -> Iterator[tuple[str, set[bool]]]:
    for name in CASES:
        yield name, {valid for i in instances(name, INSTANCES) for _, valid in i.wanted}


def test_every_guard_is_met_from_both_sides():
    guarded = {"absent", "ragged", "behind_a_pad", "guarded_runs", "guarded_box", "no_ends"}
    assert dict(some_valid_and_some_not()) == {
        name: {False, True} if name in guarded else {True} for name in CASES
    }


def test_entries_are_as_wide_as_what_may_be_in_the_table():
    assert table_types(CASES["paged"].made, "c") == [("page", 32)]
    assert table_types(CASES["far"].made, "hip") == [("far", 64), ("near", 32)]
    assert table_types(CASES["groups"].made, "c") == [("rows_before", 32)]
    # where nothing is said of them, as wide as what is computed
    assert table_types(CASES["no_ends"].made, "c") == [("page", 64)]
    page, domain = Table.of("page", (8,)), Domain.of({"i": 8})
    compared = IndexFunction.of_map(IndexMap(domain, (domain["i"],), (page(domain["i"]) > 3,)))
    assert table_types(compared, "c") == [("page", 32)]


def test_a_step_along_rows_reads_no_table():
    made = CASES["paged"].made
    assert "return 1;" in made.text("c").split("paged_advance(")[1]
    with refused(LayoutError):
        IndexFunction.of_programs(
            made.formulas.offset, made.formulas.valid, made.formulas.domain, "paged", step={"b": 1}
        )


def test_division_of_an_entry_that_may_be_negative_is_refused_in_c_by_what_is_no_number():
    page, domain = Table.of("page", (8,), -5, 90), Domain.of({"i": 8}, {"K": (1, 9)})
    made = IndexFunction.of_expression(page(domain["i"]) // domain["K"], domain, "part")
    with refused(MissingFactError, "-5"):
        made.text("c")


def test_an_index_that_is_never_shown_to_be_inside_is_refused():
    page, domain = Table.of("page", (8,), 0, 9), Domain.of({"i": 9})
    for when in ((), (domain["i"] > 2,)):
        with refused(MissingFactError, "page"):
            IndexFunction.of_map(IndexMap(domain, (page(domain["i"]),), when))


@pytest.mark.parametrize("name", ["for", "index_offset", "__page"])
def test_names_that_a_parameter_cannot_have_are_refused(name):
    domain = Domain.of({"i": 8})
    made = IndexFunction.of_expression(Table.of(name, (8,), 0, 9)(domain["i"]), domain)
    with refused(LayoutError):
        made.text("c")


def test_two_tables_of_one_name_are_refused():
    domain = Domain.of({"i": 8})
    one, other = Table.of("t", (8,), 0, 9), Table.of("t", (8,), 0, 7)
    with refused(LayoutError, "t"):
        IndexFunction.of_expression(one(domain["i"]) + other(domain["i"]), domain)


def test_json_says_what_is_known_of_tables():
    found = json.loads(CASES["paged"].made.text("json"))
    assert found["tables"] == [
        {
            "name": "page",
            "parameter": "page",
            "lengths": ["B", "(T + 15) // 16"],
            "lowest": "0",
            "highest": "pages - 1",
            "multiple_of": 1,
        }
    ]
    assert '["entry", "page", ' in re.sub(r"\s+", " ", CASES["absent"].made.text("json")).replace("[ ", "[")


def test_the_indexing_transform_of_ck_behind_a_pad_reads_valid_indices_alone():
    page = Table.of("page", (8,), 0, 20)
    pages = make_naive_tensor_descriptor_packed((20, 4))
    looked_up = pages.transform(
        [make_indexing_transform(8, page), PassThrough(4)], [(0,), (1,)], [(0,), (1,)]
    )
    padded = looked_up.pad(0, 2, 1).transform([Merge((11, 4))], [(0, 1)], [(0,)])
    functions = executed(padded.index_function("padded"))
    entries = Row([5, 0, 19, 7, 7, 3, 2, 11])
    for x in range(44):
        row, column = divmod(x, 4)
        is_valid = 2 <= row < 10
        assert functions["padded_valid"](x, entries) == is_valid
        assert functions["padded_offset"](x, entries) == (entries[row - 2] * 4 + column if is_valid else 0)


FILES = [
    "paged_kv/batch_and_heads",
    "paged_kv/ck_indexing",
    "paged_kv/ragged_lengths",
    "varlen/v_tiles",
    "grouped_gemm/counts_of_each_group",
    "moe/gather_tokens",
    "moe/scatter_rows",
]


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("to", ["c", "hip"])
def test_layout_files_with_tables_are_emitted(to, tmp_path):
    names = []
    for number, file in enumerate(FILES):
        names.append(f"f{number}")
        made = index_function(f"tests/catalogue/{file}.layout.toml", names[-1], None)
        (tmp_path / f"{names[-1]}.h").write_text(made.text(to, guard=made.guard), encoding="utf-8")
    (tmp_path / "hip").mkdir()
    (tmp_path / "hip" / "hip_runtime.h").write_text("", encoding="utf-8")
    source = tmp_path / "main.c"
    includes = "".join(f'#include "{name}.h"\n' for name in names)
    source.write_text(f'{HEAD}{includes}int main(void)\n{{\n    return placed("", 1, 0) == NULL;\n}}\n')
    ran(built("clang", to, source, f"-I{tmp_path}"))


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", CASES)
def test_the_device_compiles_the_text(name):
    made = CASES[name].made
    bits = argument_bits(made, "hip")
    inputs = [f"({'long' if bits.get(i, 64) == 64 else 'int'})n" for i in made.formulas.inputs]
    types = table_types(made, "hip")
    call = calls(made, "hip", inputs, [f"table{n}" for n in range(len(types))])
    given = f", {name}_sizes sizes" if has_sizes(made, "hip") else ""
    given += "".join(
        f", const {'long' if wide == 64 else 'int'}* table{n}" for n, (_, wide) in enumerate(types)
    )
    kernel = (
        f'{made.text("hip", guard=made.guard)}\nextern "C" __global__ void k(long* out, long n{given})\n'
        f"{{ out[threadIdx.x] = {call.valid} ? (long){call.offset} : -1; }}\n"
    )
    assert compile_hip(kernel, "gfx942").code_object
