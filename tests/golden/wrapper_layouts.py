"""Reader of ``ck_wrapper_layouts.json``."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.layout import Layout, depth, get, make_layout, pad, rank, size, unmerge
from layoutalg.layout.nest import nested_as
from layoutalg.transforms import MergeVariant
from tests.golden.chains import columns, coordinates
from tests.golden.descriptors import check_observed
from tests.golden.tally import Tally

__all__ = ["check"]


def tuples(nest: Any) -> Any:
    return tuple(map(tuples, nest)) if isinstance(nest, list) else nest


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    name, observed, same = case["name"], case["observed"], tally.same
    layout = make_layout(tuples(case["shape"]), tuples(case["strides"]))
    static = case["mode"] == "static"
    variant = MergeVariant.V1_CARRY_CHECK if static else MergeVariant.V2_MAGIC_DIVISION
    for field, found in (
        ("size", size(layout)),
        ("rank", rank(layout)),
        ("depth", depth(layout)),
        ("element_space_size", layout.element_space_size),
    ):
        same(f"{name}: {field}", observed[field], found)
    same(f"{name}: shape", 1, int(tuples(observed["shape"]) == layout.shape))
    dims = range(layout.rank)
    same(f"{name}: default lengths", observed["default_lengths"], layout.as_descriptor().lengths)
    same(f"{name}: sizes", observed["size_of_dim"], [size(layout, i) for i in dims])
    same(f"{name}: ranks", observed["rank_of_dim"], [rank(layout, i) for i in dims])
    same(f"{name}: depths", observed["depth_of_dim"], [depth(layout, i) for i in dims])
    for field, made in (
        ("unrolled_desc", layout.unrolled_descriptor),
        ("merged_desc", layout.as_descriptor(variant=variant)),
        ("desc_1d", layout.as_descriptor_1d(variant)),
    ):
        check_observed(tally, f"{name}: {field}", made, observed[field])
    for table in observed["tables"]:
        _table(tally, name, layout, table)
    for wanted in observed.get("get", []):
        part = get(layout, wanted["dim"])
        where = f"{name}: get<{wanted['dim']}>"
        same(f"{where}: shape", 1, int(tuples(wanted["shape"]) == part.shape))
        same(f"{where}: size", wanted["size"], part.size)
        same(f"{where}: offsets", wanted["offsets_1d"], part(np.arange(part.size)))
    for op in observed.get("ops", []):
        _op(tally, f"{name}: {op['kind']}", layout, op, variant)


def _table(tally: Tally, name: str, layout: Layout, table: dict[str, Any]) -> None:
    rows = coordinates("all", table["leaf_lengths"])
    profile = tuples(table["index_profile"])
    index = nested_as(columns(rows), profile)
    wanted = np.array(table["offsets"])
    where = f"{name}: index {table['index_profile']}"
    tally.same(where, wanted, np.broadcast_to(layout(index), len(rows)))
    one = table["index_profile"] == [0]
    made = layout.as_descriptor_1d() if one else layout.as_descriptor(profile)
    tally.same(f"{where}: lengths", table["leaf_lengths"], made.lengths)
    found = np.broadcast_to(made.calculate_offset(columns(rows)), len(rows))
    tally.same(f"{where}: descriptor", wanted, found)


def _op(tally: Tally, where: str, layout: Layout, op: dict[str, Any], variant: MergeVariant) -> None:
    match op["kind"]:
        case "pad":
            made = pad(layout, op["tile_lengths"])
        case "unmerge":
            made = unmerge(layout, op["dim"], op["new_lengths"], op["new_indexes"])
        case kind:
            msg = f"no operation is called {kind}"
            raise ValueError(msg)
    tally.same(f"{where}: shape", op["shape"], made.shape)
    tally.same(f"{where}: size", op["size"], made.size)
    check_observed(tally, f"{where}: unrolled", made.unrolled_descriptor, op["unrolled_desc"])
    check_observed(tally, f"{where}: 1d", made.as_descriptor_1d(variant), op["desc_1d"])
