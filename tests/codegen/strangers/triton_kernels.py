"""Kernels of Triton, compiled for AMD targets by Triton's own wheel, without a GPU.

Each kernel of ``triton_functions`` stands with its arguments and with what NumPy makes of the same arrays.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # read when Triton is imported, which else warns
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from layoutalg.codegen.executors import Output
from layoutalg.data_type import DataType
from tests.codegen.strangers import triton_functions as of

__all__ = ["CASES", "KERNELS", "TritonKernel"]

ROWS, COLUMNS = 37, 200


@dataclass(frozen=True)
class TritonKernel:
    """A kernel, the types of its arguments, its constants, and a launch with what NumPy says of it.

    ``arrays`` makes inputs and outputs by name; ``wanted`` the outputs that come of them; ``tolerance`` is
    relative to the largest number.
    """

    function: Any
    signature: Mapping[str, str]
    constants: Mapping[str, Any]
    grid: tuple[int, ...]
    arrays: Callable[[Any], dict[str, Any]]
    wanted: Callable[..., dict[str, Any]]
    scalars: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)
    targets: tuple[str, ...] = ("gfx90a", "gfx942", "gfx950")

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """What is passed for each argument of the signature, and what the outputs must be."""
        arrays = self.arrays(np.random.default_rng(1))
        wanted = self.wanted(**{key: array.copy() for key, array in arrays.items()})
        given = {**arrays, **self.scalars}
        outputs = {key: Output(arrays[key], is_initialised=True) for key in wanted}
        return [outputs.get(key, given[key]) for key in self.signature], wanted

    def compiled(self, target: str) -> Any:
        """Triton's own compiled kernel for a target: ``asm`` and ``metadata``."""
        names = self.function.arg_names
        signature = {name: self.signature.get(name, "constexpr") for name in names}
        constants = {(names.index(name),): value for name, value in self.constants.items()}
        aligned = {
            (names.index(name),): [["tt.divisibility", 16]]
            for name, kind in signature.items()
            if kind.startswith("*")
        }
        source = ASTSource(fn=self.function, signature=signature, constexprs=constants, attrs=aligned)
        return triton.compile(source, target=GPUTarget("hip", target, 64), options=dict(self.options))


def f32(generator: Any, *shape: int) -> Any:
    return generator.standard_normal(shape).astype(np.float32)


def f16(generator: Any, *shape: int) -> Any:
    return (generator.standard_normal(shape) / 4).astype(np.float16)


def i32(generator: Any, low: int, high: int, *shape: int) -> Any:
    return generator.integers(low, high, shape).astype(np.int32)


def f8(kind: str) -> Callable[..., Any]:
    """Numbers of 8 bits as their bits: small ones, so that sums are exact."""
    codes = np.array(
        [bits for bits in range(256) if abs(DataType.named(kind).value(bits)) in (0, 0.5, 1, 2, 3)]
    )
    return lambda g, *shape: g.choice(codes, shape).astype(np.uint8)


def _of_f8(kind: str, bits: Any) -> Any:
    return np.array([DataType.named(kind).value(number) for number in range(256)])[bits]


def _matmul_f8(kind: str, of_triton: str, target: str) -> TritonKernel:
    m, n, k = 64, 64, 128
    return TritonKernel(
        of.matmul_of_whole_tiles,
        {"a": f"*{of_triton}", "b": f"*{of_triton}", "c": "*fp32", "N": "i32", "K": "i32"},
        {"BM": 64, "BN": 64, "BK": 64},
        (1, 1),
        lambda g: {"a": f8(kind)(g, m, k), "b": f8(kind)(g, k, n), "c": np.zeros((m, n), np.float32)},
        lambda a, b, c: {"c": (_of_f8(kind, a) @ _of_f8(kind, b)).astype(c.dtype)},
        {"N": n, "K": k},
        targets=(target,),
    )


def _matmul(m: int, n: int, k: int, tile: tuple[int, int, int], kind: str, **more: Any) -> TritonKernel:
    sums = "int32" if kind == "i8" else "float32"
    types = {"fp16": np.float16, "fp32": np.float32, "i8": np.int8}
    given = {"fp16": lambda g, *s: f16(g, *s), "fp32": lambda g, *s: f32(g, *s),
             "i8": lambda g, *s: g.integers(-8, 8, s).astype(np.int8)}  # fmt: skip
    wide = np.int64 if kind == "i8" else np.float64
    return TritonKernel(
        of.matmul,
        {
            "a": f"*{kind}",
            "b": f"*{kind}",
            "c": "*i32" if kind == "i8" else "*fp32",
            "M": "i32",
            "N": "i32",
            "K": "i32",
        },
        {"BM": tile[0], "BN": tile[1], "BK": tile[2], "ACC": getattr(tl, sums)},
        (math.ceil(m / tile[0]), math.ceil(n / tile[1])),
        lambda g: {
            "a": given[kind](g, m, k),
            "b": given[kind](g, k, n),
            "c": np.zeros((m, n), getattr(np, sums)),
        },
        lambda a, b, c: {"c": (a.astype(wide) @ b.astype(wide)).astype(c.dtype)},
        {"M": m, "N": n, "K": k},
        0.0 if types[kind] is np.int8 else 2e-5,
        **more,
    )


def _attention(q: Any, k: Any, v: Any, out: Any, scale: float) -> Any:
    p = q.astype(np.float64) @ k.astype(np.float64).T * scale
    e = np.exp(p - p.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) @ v.astype(np.float64)).astype(out.dtype)


def _layernorm(x: Any, w: Any, b: Any, eps: float) -> Any:
    v = x.astype(np.float64)
    d = v - v.mean(axis=1, keepdims=True)
    return (d / np.sqrt((d * d).mean(axis=1, keepdims=True) + eps) * w + b).astype(np.float32)


def _exp(x: Any) -> Any:
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).astype(np.float32)


def _scattered(x: Any, places: Any, out: Any) -> Any:
    found = out.astype(np.float64)
    np.add.at(found, places, x)
    return found.astype(np.float32)


def _extremes(x: Any, low: Any, high: Any) -> dict[str, Any]:
    low, high = low.copy(), high.copy()
    np.minimum.at(low, np.arange(len(x)) % 16, x)
    np.maximum.at(high, np.arange(len(x)) % 16, x)
    return {"low": low, "high": high}


N = 3000
LAST = {"n": N}
ROW = {"columns": COLUMNS}
KERNELS: dict[str, TritonKernel] = {
    "add": TritonKernel(
        of.add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 1024}, (3,),
        lambda g: {"x": f32(g, N), "y": f32(g, N), "out": np.zeros(N, np.float32)},
        lambda x, y, out: {"out": x + y}, LAST),
    "gelu": TritonKernel(
        of.gelu, {"x": "*fp16", "out": "*fp16", "n": "i32"}, {"BLOCK": 512}, (6,),
        lambda g: {"x": f16(g, N), "out": np.zeros(N, np.float16)},
        lambda x, out: {"out": (x / (1 + np.exp(-1.702 * x.astype(float)))).astype(np.float16)}, LAST, 1e-3),
    "copy_bytes": TritonKernel(
        of.copy_bytes, {"x": "*i8", "out": "*i8", "n": "i32"}, {"BLOCK": 1024}, (3,),
        lambda g: {"x": g.integers(-128, 127, N).astype(np.int8), "out": np.zeros(N, np.int8)},
        lambda x, out: {"out": x + np.int8(1)}, LAST),
    "row_sum": TritonKernel(
        of.row_sum, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 256}, (ROWS,),
        lambda g: {"x": f32(g, ROWS, COLUMNS), "out": np.zeros(ROWS, np.float32)},
        lambda x, out: {"out": x.astype(np.float64).sum(axis=1).astype(np.float32)}, ROW, 1e-6),
    "row_max": TritonKernel(
        of.row_max, {"x": "*fp32", "out": "*fp32", "places": "*i32", "columns": "i32"}, {"BLOCK": 256},
        (ROWS,),
        lambda g: {"x": f32(g, ROWS, COLUMNS), "out": np.zeros(ROWS, np.float32),
                   "places": np.zeros(ROWS, np.int32)},
        lambda x, out, places: {"out": x.max(axis=1), "places": x.argmax(axis=1).astype(np.int32)}, ROW),
    "softmax": TritonKernel(
        of.softmax, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 256}, (ROWS,),
        lambda g: {"x": f32(g, ROWS, COLUMNS), "out": np.zeros((ROWS, COLUMNS), np.float32)},
        lambda x, out: {"out": _exp(x)}, ROW, 1e-6),
    "layernorm": TritonKernel(
        of.layernorm,
        {"x": "*fp32", "w": "*fp32", "b": "*fp32", "out": "*fp32", "columns": "i32", "eps": "fp32"},
        {"BLOCK": 256}, (ROWS,),
        lambda g: {"x": f32(g, ROWS, COLUMNS), "w": f32(g, COLUMNS), "b": f32(g, COLUMNS),
                   "out": np.zeros((ROWS, COLUMNS), np.float32)},
        lambda x, w, b, out: {"out": _layernorm(x, w, b, 1e-5)}, {**ROW, "eps": 1e-5}, 2e-6),
    "rmsnorm": TritonKernel(
        of.rmsnorm, {"x": "*fp16", "w": "*fp32", "out": "*fp16", "columns": "i32", "eps": "fp32"},
        {"BLOCK": 256}, (ROWS,),
        lambda g: {"x": f16(g, ROWS, COLUMNS), "w": f32(g, COLUMNS),
                   "out": np.zeros((ROWS, COLUMNS), np.float16)},
        lambda x, w, out: {"out": (x / np.sqrt((x.astype(np.float64) ** 2).mean(axis=1, keepdims=True) + 1e-6)
                                   * w).astype(np.float16)}, {**ROW, "eps": 1e-6}, 1e-3),
    "transpose": TritonKernel(
        of.transpose, {"x": "*fp16", "out": "*fp16", "rows": "i32", "columns": "i32"}, {"BLOCK": 64}, (1, 4),
        lambda g: {"x": f16(g, ROWS, COLUMNS), "out": np.zeros((COLUMNS, ROWS), np.float16)},
        lambda x, out: {"out": x.T}, {"rows": ROWS, "columns": COLUMNS}),
    "matmul_f16": _matmul(100, 72, 130, (64, 64, 32), "fp16"),
    "matmul_f16_large": _matmul(256, 256, 128, (128, 128, 64), "fp16", options={"num_warps": 8}),
    "matmul_f32": _matmul(64, 64, 64, (32, 32, 32), "fp32"),
    "matmul_i8": _matmul(96, 128, 128, (64, 64, 64), "i8"),
    "matmul_f8_fnuz": _matmul_f8("f8_fnuz", "fp8e4b8", "gfx942"),
    "matmul_bf8_fnuz": _matmul_f8("bf8_fnuz", "fp8e5b16", "gfx942"),
    "matmul_f8_ocp": _matmul_f8("f8_ocp", "fp8e4nv", "gfx950"),
    "matmul_bf8_ocp": _matmul_f8("bf8_ocp", "fp8e5", "gfx950"),
    "attention": TritonKernel(
        of.attention,
        {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "length": "i32", "scale": "fp32"},
        {"BM": 64, "BN": 32, "D": 64}, (2,),
        lambda g: {"q": f16(g, 100, 64), "k": f16(g, 100, 64), "v": f16(g, 100, 64),
                   "out": np.zeros((100, 64), np.float16)},
        lambda q, k, v, out: {"out": _attention(q, k, v, out, 0.125)}, {"length": 100, "scale": 0.125}, 4e-3),
    "cumsum": TritonKernel(
        of.cumsum, {"x": "*i32", "out": "*i32", "columns": "i32"}, {"BLOCK": 256}, (ROWS,),
        lambda g: {"x": i32(g, -99, 99, ROWS, COLUMNS), "out": np.zeros((ROWS, COLUMNS), np.int32)},
        lambda x, out: {"out": x.cumsum(axis=1).astype(np.int32)}, ROW),
    "histogram": TritonKernel(
        of.histogram, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 1024, "BINS": 128}, (3,),
        lambda g: {"x": i32(g, 0, 128, 3072), "out": np.zeros(128, np.int32)},
        lambda x, out: {"out": np.bincount(x, minlength=128).astype(np.int32)}, {"n": 3072}),
    "scatter_add": TritonKernel(
        of.scatter_add, {"x": "*fp32", "places": "*i32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256}, (12,),
        lambda g: {"x": f32(g, N), "places": i32(g, 0, 50, N), "out": np.zeros(50, np.float32)},
        lambda x, places, out: {"out": _scattered(x, places, out)}, LAST, 1e-5),
    "atomic_extremes": TritonKernel(
        of.atomic_extremes, {"x": "*i32", "low": "*i32", "high": "*i32", "n": "i32"}, {"BLOCK": 256}, (12,),
        lambda g: {"x": i32(g, -999, 999, N), "low": np.zeros(16, np.int32), "high": np.zeros(16, np.int32)},
        _extremes, LAST),
    "sort_rows": TritonKernel(
        of.sort_rows, {"x": "*i32", "out": "*i32"}, {"BLOCK": 256}, (4,),
        lambda g: {"x": i32(g, -9999, 9999, 1024), "out": np.zeros(1024, np.int32)},
        lambda x, out: {"out": np.sort(x.reshape(4, 256), axis=1).reshape(-1)}),
    "divide": TritonKernel(
        of.divide, {"x": "*i32", "y": "*i32", "out": "*i32", "rest": "*i32", "n": "i32"}, {"BLOCK": 256},
        (12,),
        lambda g: {"x": i32(g, 0, 2**31 - 1, N), "y": i32(g, 1, 9999, N), "out": np.zeros(N, np.int32),
                   "rest": np.zeros(N, np.int32)},
        lambda x, y, out, rest: {"out": x // y, "rest": x % y}, LAST),
}  # fmt: skip
CASES = tuple((name, target) for name, kernel in KERNELS.items() for target in kernel.targets)
