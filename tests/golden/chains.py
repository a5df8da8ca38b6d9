"""What descriptors and adaptors have in common: structure, tables, probes and moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sympy import Symbol

from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.coordinate import make_tensor_coordinate
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.transforms import Indexing, Merge, Modulo, Xor
from tests.golden.build import kind_and_parameters
from tests.golden.tally import Tally

__all__ = ["Chain", "columns", "coordinates"]


def coordinates(coords: Any, lengths: list[int]) -> np.ndarray[Any, Any]:
    """A row for each coordinate; ``"all"`` is every coordinate in row-major order."""
    if coords != "all":
        return np.asarray(coords, dtype=np.int64).reshape(len(coords), len(lengths))
    grids = np.indices(lengths, dtype=np.int64) if lengths else np.zeros((0, 1), dtype=np.int64)
    return grids.reshape(len(lengths), math.prod(lengths)).T


def columns(rows: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    return [rows[:, i] for i in range(rows.shape[1])]


class Chain:
    """One chain of a golden file: computed by the evaluator, and by its symbolic map."""

    def __init__(self, tally: Tally, name: str, chain: TensorAdaptor) -> None:
        self.tally = tally
        self.name = name
        self.chain = chain
        # probes leave the range, so these symbols must not be assumed to lie in it
        self.index = tuple(Symbol(f"u{i}", integer=True) for i in range(chain.rank))
        self.symbolic = chain.hidden_expressions(self.index)
        self.symbolic_validity = chain.interpret_validity(self.index, SYMBOLIC)

    def structure(self, expected: dict[str, Any]) -> None:
        same, chain = self.tally.same, self.chain
        same(
            f"{self.name}: bottom ids",
            expected["bottom_hidden_ids"],
            chain.bottom_dimension_hidden_ids,
        )
        same(f"{self.name}: top ids", expected["top_hidden_ids"], chain.top_dimension_hidden_ids)
        same(f"{self.name}: hidden dims", expected["num_hidden_dims"], chain.num_hidden_dimensions)
        same(f"{self.name}: transforms", len(expected["transforms"]), len(chain.links))
        for i, (wanted, (transform, low, up)) in enumerate(
            zip(expected["transforms"], chain.links, strict=True)
        ):
            where = f"{self.name}: transform {i}"
            kind, params = kind_and_parameters(transform)
            same(f"{where}: kind", wanted["kind"], kind)
            same(f"{where}: lower ids", wanted["lower_hidden_ids"], low)
            same(f"{where}: upper ids", wanted["upper_hidden_ids"], up)
            for param, value in wanted["params"].items():
                same(f"{where}: {param}", value, params[param])

    def hidden(self, what: str, index: Any, expected: Any) -> None:
        """Hidden indices of many coordinates: all by the evaluator, by the map where it is defined."""
        rows = np.asarray(index, dtype=np.int64).reshape(len(index), self.chain.rank)
        wanted = np.asarray(expected, dtype=np.int64).reshape(len(rows), -1)
        found = self.computed(rows)
        self.tally.same(f"{self.name}: {what}", wanted, found)
        defined = self.defined(found)
        self.tally.leave_out(
            "values of the map on negative operands", int((~defined).sum()) * wanted.shape[1]
        )
        if defined.any():
            by_map = self.mapped(self.symbolic, self.index, rows[defined])
            self.tally.same(f"{self.name}: {what}, by the map", wanted[defined], by_map)

    def computed(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The evaluator's hidden indices, a row for each coordinate."""
        hidden = self.chain.calculate_hidden_index(columns(rows))
        return np.stack([np.broadcast_to(h, len(rows)) for h in hidden], axis=1)

    def mapped(self, expressions: Any, index: Any, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        values = dict(zip(index, columns(rows), strict=True))
        found = [np.broadcast_to(evaluate(e, values), len(rows)) for e in expressions]
        return np.stack(found, axis=1)

    def defined(self, hidden: np.ndarray[Any, Any]) -> Any:
        """Where no division, remainder or xor of the chain meets a negative operand."""
        result = np.ones(len(hidden), dtype=bool)
        for transform, _, up in self.chain.links:
            bits = getattr(transform, "use_24bit", False)
            if bits or isinstance(transform, Merge | Modulo | Xor | Indexing):
                for i in up:
                    result &= hidden[:, i] >= 0
        return result

    def valid(self, what: str, rows: np.ndarray[Any, Any], expected: Any) -> None:
        ones = [1] * len(rows) if expected == "all" else [int(v) for v in expected]
        found = np.broadcast_to(self.chain.is_valid_index(columns(rows)), len(rows)).astype(int)
        self.tally.same(f"{self.name}: {what}", ones, found)
        defined = self.defined(self.computed(rows))
        if defined.any():
            values = dict(zip(self.index, columns(rows[defined]), strict=True))
            by_map = np.broadcast_to(evaluate(self.symbolic_validity, values), int(defined.sum()))
            self.tally.same(f"{self.name}: {what}, by the map", np.array(ones)[defined], by_map)

    def moves(self, moves: list[Any], *, with_difference: bool, with_validity: bool) -> None:
        for start, step, hidden_after, *rest in moves:
            where = f"{self.name}: move {start} by {step}"
            coordinate = make_tensor_coordinate(self.chain, start, allow_out_of_range=True)
            try:
                after = coordinate.moved(step)
            except LayoutError as error:
                self.tally.refuse(where, error)
                continue
            self.tally.same(where, hidden_after, after.hidden_index)
            if with_difference:
                difference = rest.pop(0)
                pairs = zip(after.bottom_index, coordinate.bottom_index, strict=True)
                found = [new - old for new, old in pairs]
                self.tally.same(f"{where}: difference", np.ravel(difference), found)
            if with_validity:
                self.tally.same(f"{where}: valid", rest.pop(0), int(after.is_valid))

    def closed_form(self, rows: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> None:
        """The simplified bottom index, at the coordinates within range."""
        inside = np.broadcast_to(self.chain.is_index_in_range(columns(rows)), len(rows))
        usable = inside & self.defined(self.computed(rows))
        if usable.any():
            found = self.mapped(self.chain.bottom, self.chain.index, rows[usable])
            self.tally.same(f"{self.name}: closed form", expected[usable], found)
