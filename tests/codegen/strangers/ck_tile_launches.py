"""Launches of CK Tile's kernels other than its GEMMs: sizes that leave tiles partly empty, wanted results.

What is wanted is computed in NumPy from what the operation means, not from how the kernel does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors import Output

__all__ = ["LAUNCHES", "CkTileLaunch", "argument_values"]

HALF, SINGLE, WORD, LONG = np.float16, np.float32, np.int32, np.int64
EPSILON = 1e-5


@dataclass(frozen=True)
class CkTileLaunch:
    """``members``: the values for ``argument_places``, in their order; ``check`` is given the outputs."""

    grid: tuple[int, ...]
    members: Sequence[Any]
    check: Callable[..., None]


def argument_values(content: bytes, members: Sequence[Any]) -> tuple[str, list[Any]]:
    """The name of the kernel, and its arguments: structs of those members that lie in them."""
    found = load_object(content)
    kernel = next(one for one in found.kernels if "kentry" in one.name)
    place = found.symbol("argument_places")
    at = np.frombuffer(found.bytes_at(place, 4 * len(members)), np.uint32).tolist()
    values: list[Any] = []
    for argument in kernel.arguments:
        if argument.kind.startswith("hidden_"):
            continue
        inside = {
            offset - argument.offset: value
            for offset, value in zip(at, members, strict=True)
            if argument.offset <= offset < argument.offset + argument.size
        }
        values.append(inside[0] if argument.kind == "global_buffer" else inside)
    return kernel.name, values


def halves(seed: int, *shape: int) -> np.ndarray:
    """Numbers of a normal distribution in f16."""
    return np.random.default_rng(seed).standard_normal(shape).astype(HALF)


def words(*numbers: int) -> list[np.int32]:
    """The numbers as members of 32 bits."""
    return [WORD(number) for number in numbers]


def require_near(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    """No number is further away than so many times the larger of 1 and itself."""
    wanted = wanted.astype(np.float64)
    error = np.abs(found.astype(np.float64) - wanted) / np.maximum(1, np.abs(wanted))
    assert error.max() <= tolerance


def require_quantised(scale: np.ndarray, quantised: np.ndarray, rows: np.ndarray) -> None:
    """Each row divided by its scale, the largest becoming 127, is rounded towards zero."""
    largest = np.abs(rows).max(axis=1)
    require_near(scale / largest, np.full(largest.shape, 1 / 127), 1e-6)
    steps = rows / scale[:, None].astype(np.float64)
    near = np.abs(steps - quantised)
    assert (near < 1 + 1e-3).all()
    assert (np.abs(quantised) <= np.abs(steps) + 1e-3).all()


def elementwise() -> CkTileLaunch:
    """The sum of two matrices whose rows lie apart."""
    rows, columns, apart, out_apart = 24, 132, 160, 144
    inputs = [halves(seed, rows, apart) for seed in (1, 2)]
    wanted = np.zeros((rows, out_apart), HALF)
    exact = sum(one[:, :columns].astype(SINGLE) for one in inputs)
    wanted[:, :columns] = np.asarray(exact).astype(HALF)

    def check(found: np.ndarray) -> None:
        assert (found == wanted).all()

    numbers = words(rows, columns, apart, 1, out_apart, 1)
    grid = (-(-rows * columns // 2048),)
    return CkTileLaunch(grid, [*inputs, Output(np.zeros_like(wanted)), *numbers], check)


def reduce() -> CkTileLaunch:
    """The sum over the last two of four dimensions, of whole numbers and so exact."""
    shape = (3, 8, 16, 72)
    given = np.random.default_rng(3).integers(-1, 2, shape).astype(HALF)

    def check(found: np.ndarray) -> None:
        assert (found == given.astype(np.int64).sum(axis=(2, 3))).all()

    strides = (8 * 16 * 72, 16 * 72, 72, 1)
    output = Output(np.zeros(shape[:2], HALF))
    return CkTileLaunch((3 * 8 // 2,), [given, output, *words(*shape, *strides)], check)


def layer_norm() -> CkTileLaunch:
    """Rows brought to mean 0 and variance 1, scaled and moved."""
    m, n, apart, y_apart = 5, 1000, 1008, 1024
    x, gamma, beta = halves(4, m, apart) + HALF(2), halves(5, n), halves(6, n)
    rows = x[:, :n].astype(np.float64)
    mean, inverse = rows.mean(axis=1), 1 / np.sqrt(rows.var(axis=1) + EPSILON)

    def check(y: np.ndarray, found_mean: np.ndarray, found_inverse: np.ndarray) -> None:
        require_near(found_mean, mean, 1e-5)
        require_near(found_inverse, inverse, 1e-5)
        require_near(y[:, :n], (rows - mean[:, None]) * inverse[:, None] * gamma + beta, 1e-3)
        assert (y[:, n:] == 0).all()

    outputs = [Output(np.zeros((m, y_apart), HALF)), *(Output(np.zeros(m, SINGLE)) for _ in range(2))]
    numbers = [SINGLE(EPSILON), *words(m, n, apart, y_apart)]
    return CkTileLaunch((m,), [x, gamma, beta, *outputs, *numbers], check)


def add_rms_norm(rows_of_tile: int, n: int) -> CkTileLaunch:
    """The sum of two matrices, stored; its rows divided by their root mean square, scaled and quantised."""
    m, apart = 5, n + 8
    a, b, gamma = halves(7, m, apart), halves(8, m, apart), halves(9, n)
    rows = a[:, :n].astype(np.float64) + b[:, :n]
    normed = rows / np.sqrt((rows**2).mean(axis=1) + EPSILON)[:, None] * gamma

    def check(x: np.ndarray, scale: np.ndarray, quantised: np.ndarray) -> None:
        assert (x[:, :n] == rows.astype(HALF)).all()
        require_quantised(scale, quantised[:, :n], normed)
        assert not x[:, n:].any()
        assert not quantised[:, n:].any()

    outputs = [Output(np.zeros((m, apart), kind)) for kind in (HALF, np.int8)]
    outputs.insert(1, Output(np.zeros(m, SINGLE)))
    numbers = [SINGLE(EPSILON), *words(m, n, apart)]
    return CkTileLaunch((-(-m // rows_of_tile),), [a, b, gamma, *outputs, *numbers], check)


def smooth_quant() -> CkTileLaunch:
    """Rows scaled column by column, then quantised each by its largest; the last rows of a tile are none."""
    m, n, apart, y_apart = 10, 488, 496, 512
    x = halves(10, m, apart)
    smooth = np.random.default_rng(11).uniform(0.5, 2, n).astype(SINGLE)

    def check(scale: np.ndarray, quantised: np.ndarray) -> None:
        require_quantised(scale, quantised[:, :n], x[:, :n].astype(np.float64) * smooth)
        assert not quantised[:, n:].any()

    outputs = [Output(np.zeros(m, SINGLE)), Output(np.zeros((m, y_apart), np.int8))]
    return CkTileLaunch((-(-m // 4),), [x, smooth, *outputs, *words(m, n, apart, y_apart)], check)


def permute() -> CkTileLaunch:
    """Five dimensions in another order."""
    shape, order = (3, 4, 5, 6, 7), (2, 0, 4, 1, 3)
    given = np.arange(np.prod(shape), dtype=np.uint16).view(HALF).reshape(shape)
    wanted = np.ascontiguousarray(given.transpose(order))
    lengths = np.array([*wanted.shape, 1, 1, 1], WORD)
    strides = np.array([*(given.strides[axis] // 2 for axis in order), 1, 1, 1], WORD)

    def check(found: np.ndarray) -> None:
        assert (found.view(np.uint16) == wanted.view(np.uint16)).all()

    numbers = [WORD(given.size), lengths.tobytes(), strides.tobytes()]
    grid = (-(-given.size // 256),)
    return CkTileLaunch(grid, [given, Output(np.zeros(wanted.shape, HALF)), *numbers], check)


def image_to_column() -> CkTileLaunch:
    """What each place of a filter sees of an image of two groups, with strides, dilation and padding."""
    groups, images, channels, size, window = 2, 2, 16, (9, 11), (3, 2)
    step, dilation, before, behind = (2, 1), (1, 2), (1, 1), (1, 0)
    image = halves(12, images, *size, groups, channels)
    wide = np.pad(image, ((0, 0), *zip(before, behind, strict=True), (0, 0), (0, 0)))
    result = [
        (wide.shape[1 + axis] - dilation[axis] * (window[axis] - 1) - 1) // step[axis] + 1 for axis in (0, 1)
    ]
    m, k = images * result[0] * result[1], window[0] * window[1] * channels
    wanted = np.zeros((groups, images, *result, *window, channels), HALF)
    for y in range(window[0]):
        for x in range(window[1]):
            down = slice(y * dilation[0], y * dilation[0] + step[0] * result[0], step[0])
            right = slice(x * dilation[1], x * dilation[1] + step[1] * result[1], step[1])
            wanted[..., y, x, :] = np.moveaxis(wide[:, down, right], 3, 0)

    def check(found: np.ndarray) -> None:
        assert (found == wanted.reshape(groups, m, k)).all()

    row = groups * channels
    strides = (channels, size[0] * size[1] * row, 1, size[1] * row, row)  # of group, image, channel, y and x
    arrays = [size, window, result, strides, (m * k, k, 1), step, dilation, before, behind]
    numbers = [*map(LONG, (groups, images, channels)), *(np.array(one, LONG).tobytes() for one in arrays)]
    grid = (-(-m // 128), -(-k // 128), groups)
    return CkTileLaunch(grid, [image, Output(np.zeros((groups, m, k), HALF)), *numbers], check)


def topk_softmax() -> CkTileLaunch:
    """The largest of each row's softmax, falling, with their columns."""
    rows, experts, top, apart, out_apart = 21, 50, 5, 56, 8
    given = np.random.default_rng(13).standard_normal((rows, apart)).astype(SINGLE)
    power = np.exp(given[:, :experts].astype(np.float64))
    weights = power / power.sum(axis=1, keepdims=True)
    order = np.argsort(-weights, axis=1)[:, :top]

    def check(found: np.ndarray, columns: np.ndarray) -> None:
        assert (columns[:, :top] == order).all()
        require_near(found[:, :top], np.take_along_axis(weights, order, axis=1), 1e-6)
        assert not found[:, top:].any()
        assert not columns[:, top:].any()

    outputs = [Output(np.zeros((rows, out_apart), kind)) for kind in (SINGLE, WORD)]
    numbers = words(rows, experts, top, apart, out_apart)
    return CkTileLaunch((-(-rows // 8),), [given, *outputs, *numbers], check)


def attention() -> CkTileLaunch:
    """Two heads of queries on one of keys and values, with lengths that are no multiple of a tile."""
    batch, heads, ratio, queries, keys, width = 2, 2, 2, 150, 200, 64
    q = halves(14, batch, queries, heads, width)
    k, v = (halves(seed, batch, keys, heads // ratio, width) for seed in (15, 16))
    many = [np.repeat(one, ratio, axis=2).astype(np.float64) for one in (k, v)]
    scores = np.einsum("bqhd,bkhd->bhqk", q.astype(np.float64), many[0]) / np.sqrt(width)
    power = np.exp(scores - scores.max(axis=3, keepdims=True))
    wanted = np.einsum("bhqk,bkhd->bqhd", power / power.sum(axis=3, keepdims=True), many[1])

    def check(found: np.ndarray) -> None:
        require_near(found, wanted, 2e-3)

    row, row_of_keys = heads * width, heads // ratio * width
    scale = SINGLE(np.log2(np.e) / np.sqrt(width))  # powers of two instead of e
    shape = words(queries, keys, width, width, heads, ratio)
    strides = words(row, row_of_keys, row_of_keys, row, width, width, width, width)
    batches = words(queries * row, keys * row_of_keys, keys * row_of_keys, queries * row)
    members = [q, k, v, Output(np.zeros(q.shape, HALF)), *shape, scale, *strides, *batches]
    return CkTileLaunch((heads, -(-queries // 128), batch), members, check)


LAUNCHES: dict[str, Callable[[], CkTileLaunch]] = {
    "elementwise": elementwise,
    "reduce": reduce,
    "layer norm": layer_norm,
    "add, RMS norm, quantise": partial(add_rms_norm, 4, 488),
    "add, RMS norm, quantise over waves": partial(add_rms_norm, 1, 1000),
    "smooth, quantise": smooth_quant,
    "permute": permute,
    "image to column": image_to_column,
    "top k of softmax": topk_softmax,
    "attention": attention,
    "attention straight into the LDS": attention,
}
