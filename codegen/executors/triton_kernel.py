"""A function under ``@triton.jit``, compiled for an AMD GPU from the arguments that it is called with.

Triton's own wheel compiles without a GPU. Types come from the arrays and numbers, as in a launch on a GPU:
pointers and numbers that are multiples of 16 are told to be, a number 1 becomes a constant.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from layoutalg.codegen.executors.passed_arguments import Output
from layoutalg.errors import LayoutError

__all__ = ["compiled_by_triton", "is_triton_function"]

POINTERS = {
    "float16": "fp16",
    "float32": "fp32",
    "float64": "fp64",
    "bool": "i1",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
}
MULTIPLE = 16
SIGNATURE = "signature"


def is_triton_function(kernel: Any) -> bool:
    """Whether something is a function under ``@triton.jit`` that is not compiled yet."""
    return hasattr(kernel, "arg_names") and hasattr(kernel, "params") and not hasattr(kernel, "asm")


def compiled_by_triton(
    function: Any, target: str, given: Sequence[Any], named: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Any, list[Any], str]:
    """The compiled kernel, the arguments that it takes in order, and the file of its source.

    ``options``: Triton's own, such as ``num_warps``; ``signature`` among them names types that NumPy lacks:
    ``{"a": "*bf16"}``. Refused: arguments that do not fit the function's.
    """
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # read when Triton is imported, which else warns
    import triton  # noqa: PLC0415  slow to load, and not everybody has it
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415
    from triton.compiler import ASTSource  # noqa: PLC0415

    values = _values(function, given, named)
    chosen = dict(options)
    types = chosen.pop(SIGNATURE, {})
    signature: dict[str, str] = {}
    constants: dict[tuple[int], Any] = {}
    multiples: dict[tuple[int], Any] = {}
    for number, parameter in enumerate(function.params):
        name, value = parameter.name, values[parameter.name]
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if parameter.is_constexpr or (is_number and value == 1) or value is None:
            signature[name] = "constexpr"
            constants[number,] = value
            continue
        signature[name] = types.get(name) or _type_of(value, name)
        if signature[name].startswith("*") or (is_number and value % MULTIPLE == 0):
            multiples[number,] = [["tt.divisibility", MULTIPLE]]
    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=multiples)
    compiled = triton.compile(source, target=GPUTarget("hip", target, 64), options=chosen)
    passed = [values[name] for name, kind in signature.items() if kind != "constexpr"]
    return compiled, passed, str(function.fn.__code__.co_filename)


def _values(function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each parameter by its name."""
    names = list(function.arg_names)
    unknown = sorted(set(named) - set(names))
    rest = iter(given)
    values = {name: named[name] if name in named else next(rest, function) for name in names}
    for parameter in function.params:
        if values[parameter.name] is function and parameter.has_default:
            values[parameter.name] = parameter.default
    missing = [name for name, value in values.items() if value is function]
    left = list(rest)
    if unknown or missing or left:
        told = f"unknown {', '.join(unknown)}" if unknown else f"no value for {', '.join(missing)}"
        if left and not (unknown or missing):
            told = f"{len(left)} more than it takes"
        msg = f"{function.fn.__name__}: {told}; it has {', '.join(names)}"
        raise LayoutError(msg)
    return values


def _type_of(value: Any, name: str) -> str:
    """Triton's name of the type of an argument."""
    array = value.array if isinstance(value, Output) else value
    if isinstance(array, np.ndarray) and array.ndim:
        if array.dtype.name not in POINTERS:
            msg = f"{name}: wanted an array of a type that Triton has, got {array.dtype}"
            raise LayoutError(msg, hint='options={"signature": {"a": "*bf16"}} names types that NumPy lacks')
        return f"*{POINTERS[array.dtype.name]}"
    if isinstance(value, np.generic):
        return POINTERS[value.dtype.name]
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64"
    if isinstance(value, float):
        return "fp32"
    msg = f"{name}: wanted an array or a number, got {value!r}"
    raise LayoutError(msg)
