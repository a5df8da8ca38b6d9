"""Words that describe a CK Tile program as data: each makes one step, a dictionary with ``op``.

A step's ``result`` names what it makes; ``view``, ``window`` and ``tile`` name what steps before it made,
``buffer`` an argument of the kernel or the LDS. Most ``op`` are CK's function with its parameters. The
others:

- ``dump_thread_buffers``: ``buffer[part][thread][i]`` becomes element i of the thread's buffer. In
  ``part``, and in the ``origin`` of a window, ``{"block_id_times": n}`` is n times the workgroup's number.
- ``load_tile_into``: ``load_tile`` into a tile that exists; of one ``access`` alone, if there is one.
- ``make_tile_window_of_window``: of a window without a distribution, at its ``origin`` if none is given.
- ``record_window_origin_and_lengths``: ``buffer[part]`` becomes the origin, then the lengths.
- ``sweep_tile``, ``tile_sweeper``, ``sweep_tile_spans``: each visit has some distributed indices,
  ``visit_scale * visit + place`` is written to the place-th. ``sweep_tile_spans`` nests spans of
  ``dimensions``, outermost first, with ``unpacks`` of their parts; ``tile_sweeper`` issues ``accesses``
  alone.
- ``sweep_x_indices``: tile d gets, at every distributed index, coordinate d of
  ``get_x_indices_from_distributed_indices``. ``sweep_scale``: ``tile(index) *= scale(index[0])``.
- ``allocate_lds``, ``record_lds``: LDS of one type that holds ``fill`` first; its elements, in order, at
  the end.
- ``warp_gemm``: ``c += a b^T`` of the WarpGemm named.

``function`` and ``predicate`` are Python expressions of the letters a, b, c, one for each tile, or of x0
and x1.

>>> load_tile("tile", "window")
{'op': 'load_tile', 'result': 'tile', 'window': 'window'}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "LANES",
    "SQUARE",
    "Buffer",
    "Program",
    "arange",
    "dump",
    "entry",
    "full",
    "load_tile",
    "naive_view",
    "padded",
    "pass_through",
    "rows",
    "step",
    "tile_window",
    "transformed",
    "values",
]

Step = dict[str, Any]
LANES = 64
SQUARE = (16, 16)
ELEMENT = {
    "f32": "float32",
    "f16": "float16",
    "bf16": "uint16",
    "i32": "int32",
    "i8": "int8",
    "fp8": "uint8",
    "bf8": "uint8",
}


@dataclass(frozen=True)
class Buffer:
    """Global memory that a kernel is given: what is in it, and whether its end is recorded."""

    name: str
    dtype: str
    content: Any  # {"arange": n}, {"full": [n, value]} or {"values": [...]}
    shape: tuple[int, ...] = ()  # of the recorded output; () for an input


@dataclass(frozen=True)
class Program:
    """One kernel: its launch, its buffers in the order of its arguments, its steps."""

    name: str
    buffers: Sequence[Buffer]
    steps: Sequence[Step]
    grid: tuple[int, ...] = (1,)
    block: int = 64


def arange(name: str, dtype: str, size: int, *, modulo: int = 0, start: int = 0) -> Buffer:
    """``start + i``, or ``start + i % modulo``."""
    told = {"arange": size} | ({"modulo": modulo} if modulo else {}) | ({"start": start} if start else {})
    return Buffer(name, dtype, told)


def values(name: str, dtype: str, content: Sequence[float]) -> Buffer:
    """These numbers."""
    return Buffer(name, dtype, {"values": list(content)})


def full(name: str, dtype: str, shape: tuple[int, ...], fill: float = 0) -> Buffer:
    """An output of this shape that holds ``fill`` before the kernel runs."""
    return Buffer(name, dtype, {"fill": fill}, shape)


def step(op: str, **words: Any) -> Step:
    """One operation with its operands by name; tuples become lists in JSON."""
    return {"op": op, **words}


def naive_view(
    result: str, buffer: str, lengths: Sequence[int], strides: Sequence[int], vector: int = -1, **words: Any
) -> Step:
    """``make_naive_tensor_view``; ``vector``: the guaranteed length of vectors along the last dimension."""
    return step(
        "make_naive_tensor_view",
        result=result,
        buffer=buffer,
        lengths=lengths,
        strides=strides,
        guaranteed_vector_length=vector,
        guaranteed_vector_stride=1 if vector > 0 else -1,
        **words,
    )


def entry(kind: str, lower: Sequence[int], upper: Sequence[int], **params: Any) -> dict[str, Any]:
    """One transform in the golden files' words, with the dimensions below and above it."""
    return {"kind": kind, "params": params, "lower": lower, "upper": upper}


def transformed(result: str, view: str, *transforms: dict[str, Any]) -> Step:
    """``transform_tensor_view``."""
    return step("transform_tensor_view", result=result, view=view, transforms=transforms)


def tile_window(
    result: str,
    view: str,
    lengths: Sequence[int],
    origin: Sequence[Any],
    encoding: str | None = None,
    **words: Any,
) -> Step:
    """``make_tile_window``; without an encoding one of static lengths only."""
    more = {"encoding": encoding} if encoding else {}
    return step("make_tile_window", result=result, view=view, lengths=lengths, origin=origin, **more, **words)


def load_tile(result: str, window: str) -> Step:
    """``load_tile``."""
    return step("load_tile", result=result, window=window)


def dump(tile: str, buffer: str, *part: Any) -> Step:
    """The thread buffers of all threads, as ``buffer[part][thread][i]``."""
    return step("dump_thread_buffers", tile=tile, buffer=buffer, part=part)


def rows(lengths: tuple[int, ...], strides: tuple[int, ...], vector: int = 1, buffer: str = "x") -> Step:
    return naive_view("view", buffer, lengths, strides, vector)


def padded(view: str = "view", do_pads: tuple[bool, ...] = (True, True)) -> Step:
    return step("pad_tensor_view", result="padded", view=view, tile_lengths=SQUARE, do_pads=do_pads)


def pass_through(length: int, lower: int, upper: int) -> dict[str, object]:
    return entry("pass_through", [lower], [upper], low_length=length)
