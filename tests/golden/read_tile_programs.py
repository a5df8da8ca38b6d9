"""Reader of ``tile_programs.json``: CK Tile's own programs, said in this package's words and run on NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import layoutalg.tile as words
from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.tile.buffer_view import BufferView
from layoutalg.tile.tile_program import Pointer, TileProgram
from layoutalg.tile.trace import current_trace
from layoutalg.transforms import Merge
from tests.golden.build import transform
from tests.golden.tally import Tally

__all__ = ["Record", "check", "said"]

KINDS = {"fp8": "f8_fnuz", "bf8": "bf8_fnuz"}
REFUSED = {
    "block_reduce_over_waves_with_rows_in_lanes": "the lanes of a wave hold different elements",
    "cast_f32_to_bf8": "CK writes the bits of fp8 for bf8",
    "slice_inside_vectors": "this would cut factor 1, which tells threads apart",
}
NAMES = {"max": words.maximum, "min": words.minimum}
WINDOWS = ("make_tile_window", "make_tile_window_linear", "make_tile_window_of_window")


def kind(name: str) -> DataType:
    """A type by the name in the file."""
    return DataType.named(KINDS.get(name, name))


def function(text: str, letters: str = "abc") -> Callable[..., Any]:
    """A function of elements as the file writes it."""
    used = [letter for letter in letters if letter in text.replace("max", "").replace("min", "")]
    last = letters.index(max(used)) + 1 if used else 1
    made: Callable[..., Any] = eval(f"lambda {', '.join(letters[:last])}: {text}", dict(NAMES))  # noqa: S307
    return made


@dataclass(frozen=True)
class Record:
    """What is recorded in an output: ``content(machine)`` goes to a part of it, for each workgroup."""

    output: np.ndarray[Any, Any]
    part: tuple[Any, ...]
    content: Callable[[Any], Any]
    buffer: str = ""
    tile: Any = None  # whose thread buffers it is

    def run(self, machine: Any) -> None:
        found = self.content(machine)
        for group in range(machine.groups):
            at = tuple(_number(one, group) for one in self.part)
            self.output[at] = found[group]


def _number(entry: Any, group: Any) -> Any:
    return entry["block_id_times"] * group if isinstance(entry, dict) else entry


class Said:
    """One program of the file in this package's words."""

    def __init__(self, program: dict[str, Any], outputs: dict[str, Any]) -> None:
        self.program, self.outputs = program, outputs
        self.__name__ = "tile_program"
        self.made: dict[str, Any] = {}
        self.encodings = {
            name: make_static_tile_distribution(
                TileDistributionEncoding(
                    fields["Rs"],
                    fields["Hss"],
                    fields["Ps2RHssMajor"],
                    fields["Ps2RHssMinor"],
                    fields["Ys2RHsMajor"],
                    fields["Ys2RHsMinor"],
                )
            )
            for name, fields in program["encodings"].items()
        }

    def __call__(self, **buffers: BufferView) -> None:
        self.made |= buffers
        for step in self.program["steps"]:
            op = step["op"]
            say = getattr(self, f"_{op}", None) or self._word
            found = say(step)
            if "result" in step:
                self.made[step["result"]] = found

    def _word(self, step: dict[str, Any]) -> Any:
        """A word whose operands stand under the names of its parameters."""
        word = getattr(words, step["op"])
        given = {name: value for name, value in step.items() if name not in ("op", "result", "dtype")}
        return word(**{name: self.made[v] if isinstance(v, str) else v for name, v in given.items()})

    def _make_naive_tensor_view(self, step: dict[str, Any]) -> Any:
        step = dict(step)
        buffer = self.made[step.pop("buffer")]
        if step.pop("address_space", "global") == "generic":
            buffer = BufferView(buffer.name, buffer.kind, "generic", is_output=buffer.is_output)
        names = ("lengths", "strides", "guaranteed_vector_length", "guaranteed_vector_stride")
        more = {n: step[n] for n in ("invalid_element_value", "memory_operation") if n in step}
        return words.make_naive_tensor_view(buffer, **{n: step[n] for n in names if n in step}, **more)

    def _make_naive_tensor_view_packed(self, step: dict[str, Any]) -> Any:
        vector = step.get("guaranteed_vector_length", -1)
        return words.make_naive_tensor_view_packed(self.made[step["buffer"]], step["lengths"], vector)

    def _transform_tensor_view(self, step: dict[str, Any]) -> Any:
        entries = step["transforms"]
        transforms = [
            Merge(tuple(entry["params"]["low_lengths"]))
            if entry["kind"] == "merge"
            else transform(entry["kind"], entry["params"])
            for entry in entries
        ]
        lower, upper = ([entry[name] for entry in entries] for name in ("lower", "upper"))
        return words.transform_tensor_view(self.made[step["view"]], transforms, lower, upper)

    def _window(self, step: dict[str, Any]) -> Any:
        on = self.made[step["view"] if "view" in step else step["window"]]
        block = words.get_block_id()
        origin = step.get("origin")
        begin = None if origin is None else [_number(entry, block) for entry in origin]
        return words.make_tile_window(
            on, step.get("lengths"), begin, self.encodings.get(step.get("encoding"))
        )

    _make_tile_window = _make_tile_window_linear = _make_tile_window_of_window = _window

    def _get_slice_tile_of_window(self, step: dict[str, Any]) -> Any:
        return words.get_slice_tile_of_window(self.made[step["window"]], step["begins"], step["ends"])

    def _make_static_distributed_tensor(self, step: dict[str, Any]) -> Any:
        return words.make_static_distributed_tensor(kind(step["dtype"]), self.encodings[step["encoding"]])

    def _load_tile(self, step: dict[str, Any]) -> Any:
        chosen = {n: step[n] for n in ("oob_conditional_check",) if n in step}
        return words.load_tile(self.made[step["window"]], **chosen)

    def _load_tile_into(self, step: dict[str, Any]) -> None:
        chosen = {"accesses": (step["access"],)} if "access" in step else {}
        words.load_tile(self.made[step["window"]], self.made[step["tile"]], **chosen)

    def _load_tile_with_elementwise(self, step: dict[str, Any]) -> Any:
        windows = [self.made[name] for name in step["windows"]]
        return words.load_tile_with_elementwise(windows, function(step["function"]))

    def _set_tile_if(self, step: dict[str, Any]) -> None:
        holds: Any = eval(f"lambda x0, x1: {step['predicate']}")  # noqa: S307
        words.set_tile_if(self.made[step["tile"]], step["value"], holds)

    def _tile_elementwise_in(self, step: dict[str, Any]) -> Any:
        tiles = [self.made[name] for name in step["tiles"]]
        return words.tile_elementwise_in(function(step["function"]), *tiles, kind=kind(step["dtype"]))

    def _tile_elementwise_inout(self, step: dict[str, Any]) -> None:
        tiles = [self.made[name] for name in step["tiles"]]
        letters = "abc"[: len(tiles)]
        functions = [
            eval(f"lambda {', '.join(letters)}: {text}", dict(NAMES))  # noqa: S307
            for text in step["functions"]
        ]
        words.tile_elementwise_inout(functions, *tiles)

    def _cast_tile(self, step: dict[str, Any]) -> Any:
        return words.cast_tile(self.made[step["tile"]], kind(step["dtype"]))

    def _set_slice_tile(self, step: dict[str, Any]) -> None:
        tile, part = self.made[step["tile"]], self.made[step["source"]]
        words.set_slice_tile(tile, part, step["begins"], step["ends"])

    def _set_y_sliced_thread_data(self, step: dict[str, Any]) -> None:
        given = step["values"] if "values" in step else self.made[step["data"]]
        words.set_y_sliced_thread_data(self.made[step["tile"]], step["y_origins"], step["y_lengths"], given)

    def _block_tile_reduce(self, step: dict[str, Any]) -> Any:
        unpack = int(np.prod(step.get("packs", [1]))) if "c" in step["function"] else 1
        tile = self.made[step["tile"]]
        element = kind(step["dtype"]) if "dtype" in step else None
        dimensions = step.get("dimensions", [len(tile.lengths) - 1])
        if "index" not in step:
            return words.block_tile_reduce(
                tile, dimensions, function(step["function"]), step["initial"], element, unpack=unpack
            )
        made = words.block_tile_reduce(tile, dimensions, lambda a, b: a + 0 * b, step["initial"], element)
        words.set_tile(made, step["initial"])
        where = words.make_static_distributed_tensor("i32", made.distribution)
        words.set_tile(where, step["index_initial"])
        words.block_tile_reduce_into(made, tile, dimensions, function(step["function"]), where, unpack=unpack)
        self.made[step["index_result"]] = where
        return made

    _BlockReduce2d = _block_tile_reduce

    def _BlockReduce2D(self, step: dict[str, Any]) -> Any:  # noqa: N802  CK's name
        made = self._block_tile_reduce(step)
        words.block_tile_reduce_sync(made, function(step["sync_function"]))
        return made

    def _block_tile_reduce_into(self, step: dict[str, Any]) -> None:
        result, tile = self.made[step["accumulator"]], self.made[step["tile"]]
        words.block_tile_reduce_into(result, tile, step["dimensions"], function(step["function"]))

    def _block_tile_reduce_sync(self, step: dict[str, Any]) -> None:
        more = {"with_broadcast": step["with_broadcast"]} if "with_broadcast" in step else {}
        index = {"index": self.made[step["index_tile"]]} if "index_tile" in step else {}
        words.block_tile_reduce_sync(self.made[step["tile"]], function(step["function"]), **more, **index)

    _BlockReduce2dSync = _block_tile_reduce_sync

    def _block_tile_reduce_xor_sync(self, step: dict[str, Any]) -> None:
        words.block_tile_reduce_xor_sync(self.made[step["tile"]], function(step["function"]))

    def _BlockReduce2dCrossWarpSync(self, step: dict[str, Any]) -> None:  # noqa: N802  CK's name
        words.block_reduce_cross_warp_sync(self.made[step["tile"]], function(step["function"]))

    def _sweep_tile(self, step: dict[str, Any]) -> None:
        words.sweep_tile(self.made[step["tile"]], self._numbered(step), step["unpacks"], step.get("accesses"))

    _tile_sweeper = _sweep_tile

    def _numbered(self, step: dict[str, Any]) -> Callable[..., None]:
        tile, visits = self.made[step["tile"]], [0]

        def visit(*indices: Any) -> None:
            for place, index in enumerate(indices):
                tile[index] = step["visit_scale"] * visits[0] + place
            visits[0] += 1

        return visit

    def _sweep_tile_spans(self, step: dict[str, Any]) -> None:
        words.sweep_tile_spans(
            self.made[step["tile"]], step["dimensions"], self._numbered(step), step["unpacks"]
        )

    def _sweep_x_indices(self, step: dict[str, Any]) -> None:
        tiles = [self.made[name] for name in step["tiles"]]

        def visit(index: Any) -> None:
            x = words.get_x_indices_from_distributed_indices(tiles[0], index)
            for tile, coordinate in zip(tiles, x, strict=True):
                tile[index] = coordinate

        words.sweep_tile(tiles[0], visit)

    def _sweep_scale(self, step: dict[str, Any]) -> None:
        tile, scale = self.made[step["tile"]], self.made[step["scale"]]

        def visit(index: Any) -> None:
            tile[index] = tile[index] * scale[tuple(index[d] for d in step["dimensions"])]

        words.sweep_tile(tile, visit)

    def _warp_gemm(self, step: dict[str, Any]) -> None:
        words.warp_gemm(self.made[step["c"]], self.made[step["a"]], self.made[step["b"]])

    def _allocate_lds(self, step: dict[str, Any]) -> Any:
        return words.allocate_lds(step["size"], kind(step["dtype"]), fill=step["fill"])

    def _record(self, step: dict[str, Any], content: Callable[[Any], Any]) -> None:
        output = self.outputs[step["buffer"]]
        current_trace().add(Record(output, tuple(step.get("part", ())), content))

    def _dump_thread_buffers(self, step: dict[str, Any]) -> None:
        tile = self.made[step["tile"]]
        output = self.outputs[step["buffer"]]
        part = tuple(step.get("part", ()))
        current_trace().add(
            Record(output, part, lambda machine: machine.tiles[tile.number], step["buffer"], tile)
        )

    def _dump_thread_data(self, step: dict[str, Any]) -> None:
        data = self.made[step["data"]]
        self._record(step, lambda machine: machine.of(data.tile)[..., list(data.places)])

    def _record_lds(self, step: dict[str, Any]) -> None:
        buffer = self.made[step["lds"]]
        self._record(
            step, lambda machine: machine.memory(buffer).numbers.reshape(machine.groups, buffer.size)
        )

    def _record_window_origin_and_lengths(self, step: dict[str, Any]) -> None:
        window = self.made[step["window"]]
        found = [*map(int, window.origin), *window.lengths]
        self._record(step, lambda machine: np.array([found] * machine.groups))


def content(given: dict[str, Any]) -> Any:
    """The array that an input is."""
    numpy = kind(given["dtype"]).numpy
    if "values" in given:
        return np.array([float(v) for v in given["values"]]).astype(numpy)
    count = np.arange(given["arange"])
    return (given.get("start", 0) + (count % given["modulo"] if "modulo" in given else count)).astype(numpy)


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one program; of those where CK does other than it says, that they are refused."""
    if case["name"] in REFUSED:
        try:
            _compare(Tally(case["name"]), case)
        except LayoutError as error:
            tally.same(f"{case['name']}: refused", [True], [REFUSED[case["name"]] in str(error)])
            return
        tally.same(f"{case['name']}: refused", [True], [False])
        return
    _compare(tally, case)


def said(case: dict[str, Any]) -> tuple[TileProgram, dict[str, Any], dict[str, Any]]:
    """A program of the file, the arrays that it is given, and where what it dumps goes."""
    program = case["program"]
    parameters, arrays, outputs = {}, {}, {}
    for buffer in program["buffers"]:
        name, element = buffer["name"], kind(buffer["dtype"])
        is_output = "shape" in buffer
        parameters[name] = Pointer(element, is_output, _extent(case, buffer))
        if is_output:
            arrays[name] = np.full(buffer["shape"], buffer["fill"]).astype(element.numpy)
            outputs[name] = arrays[name].copy()
        else:
            arrays[name] = content(case["inputs"][name])
    made = TileProgram(Said(program, outputs), parameters, program["block"], tuple(program["grid"]))
    return made, arrays, outputs


def _extent(case: dict[str, Any], buffer: dict[str, Any]) -> int:
    shape = buffer["shape"] if "shape" in buffer else content(case["inputs"][buffer["name"]]).shape
    return int(np.prod(shape))


def _compare(tally: Tally, case: dict[str, Any]) -> None:
    program = case["program"]
    made, arrays, outputs = said(case)
    given: dict[str, Any] = arrays
    done = made.run(**given)
    recorded = {step["buffer"] for step in program["steps"] if "buffer" in step and "part" in step}
    recorded |= {step["buffer"] for step in program["steps"] if step["op"] == "record_lds"}
    for name, wanted in case["outputs"].items():
        found = outputs[name] if name in recorded else done[name]
        expected = np.array(wanted, float)
        tally.same(f"{case['name']}: {name}", expected, found.astype(float))
