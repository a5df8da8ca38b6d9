"""Readers of the tile distributions: themselves, operations on them, and registers of matrix operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.descriptor.coordinate import make_tensor_coordinate
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    cpp_text,
    make_embed_tile_distribution_encoding,
    make_reduce_tile_distribution_encoding,
    make_static_tile_distribution,
    read_encoding,
    slice_distribution_from_x,
)
from layoutalg.index.evaluate import evaluate
from tests.golden.chains import Chain, columns, coordinates
from tests.golden.tally import Tally

__all__ = ["check", "check_op", "check_registers"]

FIELDS = ("Rs", "Hss", "Ps2RHssMajor", "Ps2RHssMinor", "Ys2RHsMajor", "Ys2RHsMinor")


def encoding(words: dict[str, Any]) -> TileDistributionEncoding:
    """The encoding a golden file describes."""
    return TileDistributionEncoding(*(words[field] for field in FIELDS))


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    check_encoding(tally, case["name"], encoding(case["encoding"]), case["observed"])


def check_op(tally: Tally, case: dict[str, Any]) -> None:
    """Compare the result of an operation, and what it means."""
    name, op, observed = case["name"], case["op"], case["observed"]
    wanted = encoding(case["encoding"])
    match op["kind"]:
        case "embed":
            made = make_embed_tile_distribution_encoding(encoding(op["outer"]), encoding(op["inner"]))
        case "reduce":
            made = make_reduce_tile_distribution_encoding(encoding(op["input"]), op["reduce_dim_xs"])
        case "slice_from_x":
            whole = make_static_tile_distribution(encoding(op["input"]))
            part = slice_distribution_from_x(whole, op["x_slice_begins"], op["x_slice_ends"])
            made = part.distribution.encoding
            tally.same(f"{name}: y origins", observed["sliced_y_origins"], part.y_origins)
            tally.same(f"{name}: y lengths", observed["sliced_y_lengths"], part.y_lengths)
        case kind:
            msg = f"no operation is called {kind}"
            raise ValueError(msg)
    for field, value in vars(wanted).items():
        tally.same(f"{name}: {field}", value, getattr(made, field))
    if "ps_ys_to_xs" in observed:
        check_encoding(tally, name, made, observed)


def check_registers(tally: Tally, case: dict[str, Any]) -> None:
    """Compare a table of lanes and registers."""
    name = case["name"]
    made = make_static_tile_distribution(encoding(case["encoding"]))
    tally.same(f"{name}: lengths", case["x_lengths"], made.lengths)
    tally.same(f"{name}: lanes", [case["num_lanes"]], made.p_lengths)
    tally.same(f"{name}: registers", case["registers_per_lane"], made.ys_to_d.element_space_size)
    ys = coordinates("all", list(map(int, made.y_lengths)))
    lanes = np.arange(case["num_lanes"])[:, np.newaxis]
    found = made.element((lanes,), tuple(column[np.newaxis] for column in columns(ys)))
    shape = (case["num_lanes"], case["registers_per_lane"])
    table = np.stack([np.broadcast_to(x, shape) for x in found], axis=-1)
    tally.same(f"{name}: lane, register to x", np.array(case["lane_register_to_x"]), table)


def check_encoding(tally: Tally, name: str, made: TileDistributionEncoding, observed: dict[str, Any]) -> None:
    """Compare an encoding with an ``observed`` entry, field by field."""
    same = tally.same
    for letter, count in observed["num_dims"].items():
        same(f"{name}: number of {letter}", count, getattr(made, f"num_{letter}"))
    for letter in "xpy":
        same(f"{name}: {letter} lengths", observed[f"{letter}_lengths"], getattr(made, f"{letter}_lengths"))
    same(f"{name}: C++ text", 1, int(read_encoding(cpp_text(made)) == made))
    distribution = make_static_tile_distribution(made)
    same(f"{name}: d lengths", observed["ys_to_d_lengths"], distribution.ys_to_d.lengths)
    same(f"{name}: d length", observed["d_length"], distribution.ys_to_d.element_space_size)
    _detail(tally, name, distribution, observed["detail"])
    _tables(tally, name, distribution, observed)


def _detail(tally: Tally, name: str, distribution: TileDistribution, detail: dict[str, Any]) -> None:
    for field, wanted in detail.items():
        found = getattr(distribution.detail, field)
        if isinstance(wanted, list) and wanted and isinstance(wanted[0], list):
            tally.same(f"{name}: rows of {field}", len(wanted), len(found))
            for i, (wanted_row, row) in enumerate(zip(wanted, found, strict=True)):
                tally.same(f"{name}: {field}[{i}]", list(map(int, wanted_row)), list(map(int, row)))
        else:
            tally.same(f"{name}: {field}", wanted, found)


def _tables(tally: Tally, name: str, made: TileDistribution, observed: dict[str, Any]) -> None:
    chain = Chain(tally, f"{name}: (P, Y) to X", made.ps_ys_to_xs)
    chain.structure(observed["ps_ys_to_xs"])
    p_lengths, y_lengths = observed["p_lengths"], observed["y_lengths"]
    table = observed["ps_ys_to_xs_table"]
    rows, wanted = coordinates(table["ps_ys"], p_lengths + y_lengths), np.array(table["xs"])
    wanted = wanted.reshape(len(rows), -1)
    same_columns(tally, f"{name}: xs", wanted, made.ps_ys_to_xs.calculate_bottom_index(columns(rows)))
    chain.closed_form(rows, wanted)
    values = dict(zip((*made.ps, *made.ys), columns(rows), strict=True))
    same_columns(tally, f"{name}: named form", wanted, [evaluate(x, values) for x in made.x])

    chain = Chain(tally, f"{name}: Y to d", made.ys_to_d)
    chain.structure(observed["ys_to_d"])
    ys = coordinates(observed["ys_to_d_table"]["ys"], y_lengths)
    offsets = np.broadcast_to(made.buffer_offset(columns(ys)), len(ys))
    tally.same(f"{name}: d", np.array(observed["ys_to_d_table"]["d"]), offsets)

    origin = observed["thread_origin"]
    ps = coordinates(origin["ps"], p_lengths)
    wanted = np.array(origin["xs"]).reshape(len(ps), -1)
    same_columns(tally, f"{name}: thread origin", wanted, made.calculate_index(columns(ps)))
    if "rs_from_ps" in observed:
        ps = coordinates(observed["rs_from_ps"]["ps"], p_lengths)
        wanted = np.array(observed["rs_from_ps"]["rs"]).reshape(len(ps), -1)
        found = made.calculate_rs_index_from_ps_index(columns(ps))
        same_columns(tally, f"{name}: rs from ps", wanted, found)
    for start, step, after, difference in observed.get("moves", []):
        before = make_tensor_coordinate(made.ps_ys_to_xs, start, allow_out_of_range=True)
        moved = before.moved(step)
        tally.same(f"{name}: move {start} by {step}", after, moved.bottom_index)
        pairs = zip(moved.bottom_index, before.bottom_index, strict=True)
        tally.same(
            f"{name}: move {start} by {step}: difference", difference, [new - old for new, old in pairs]
        )


def same_columns(tally: Tally, what: str, wanted: Any, found: Any) -> None:
    """Compare a table, a row for each point, with columns that broadcast."""
    count = len(wanted)
    table: Any = np.stack([np.broadcast_to(column, count) for column in found], axis=1) if len(found) else []
    tally.same(what, wanted, np.asarray(table).reshape(count, -1))
