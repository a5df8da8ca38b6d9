"""A launch saved as files: code object, arrays, and one ``run.json`` that names them.

The format is published as ``run_schema.json`` beside this file, so that the same run can be repeated
on another machine or another emulator.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.executor import Launch
from layoutalg.codegen.kernel import ArrayArgument, Result
from layoutalg.data_type import from_numbers, to_numbers
from layoutalg.files import write_bytes, write_json, write_text

__all__ = ["SCHEMA_FILE", "run_schema", "save_launch", "save_run"]

SCHEMA_FILE = Path(__file__).parent / "run_schema.json"


def run_schema() -> dict[str, Any]:
    """The JSON Schema of ``run.json``."""
    found: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return found


def save_run(
    folder: Path,
    task: Launch,
    expected: Mapping[str, NDArray[Any]],
    *,
    allowed: Mapping[str, NDArray[Any]] | None = None,
) -> Path:
    """Write source, assembly, code object, arrays and ``run.json``; returns the path of the last.

    ``expected``: patterns of the outputs; ``allowed``: how far each element may lie off, none if left out.
    """
    kernel, compiled = task.kernel, task.compiled
    stem = kernel.name
    write_text(folder / f"{stem}.hip", kernel.text)
    write_text(folder / f"{stem}.{compiled.target.name}.s", compiled.assembly)
    write_bytes(folder / f"{stem}.{compiled.target.name}.co", compiled.code_object)
    initial = {**task.inputs, **task.empty_outputs()}
    _save_arrays(folder / "initial.npz", initial)
    _save_arrays(folder / "expected.npz", expected)
    largest = 0.0
    if allowed is not None:
        _save_arrays(folder / "allowed.npz", allowed)
        finite = (array[np.isfinite(array)] for array in allowed.values())  # JSON has no other numbers
        largest = max((float(np.max(array, initial=0.0)) for array in finite), default=0.0)
    content = {
        "schema": "layoutalg-run-1",
        "summary": kernel.summary,
        "target": compiled.target.name,
        "kernel": kernel.name,
        "code_object": f"{stem}.{compiled.target.name}.co",
        "assembly": f"{stem}.{compiled.target.name}.s",
        "source": f"{stem}.hip",
        "grid": [*task.grid, 1, 1][:3],
        "block": [*kernel.block, 1, 1][:3],
        "dynamic_lds_bytes": kernel.dynamic_lds,
        "lds_alignment": kernel.lds_alignment,
        "arguments": [_argument(task, argument, allowed or {}) for argument in kernel.arguments],
        "tolerance": {"absolute": largest, "relative": 0.0},
    }
    return write_json(folder / "run.json", content)


def save_launch(folder: Path, task: Launch, wanted: Result) -> Path:
    """Save a launch with the results ``wanted`` of it; returns the path of its ``run.json``.

    Wanted numbers are rounded to the type of the outputs; that rounding is allowed in addition.
    """
    kinds = {a.name: a.element for a in task.kernel.arguments if isinstance(a, ArrayArgument)}
    expected: dict[str, NDArray[Any]] = {}
    allowed: dict[str, NDArray[Any]] = {}
    for name, numbers in wanted.numbers.items():
        expected[name] = from_numbers(numbers, kinds[name])
        rounded = to_numbers(expected[name], kinds[name])
        with np.errstate(invalid="ignore"):  # of infinities that are equal
            rounding = np.where(rounded == numbers, 0.0, np.abs(rounded - numbers))
        allowed[name] = np.broadcast_to(wanted.allowed[name] + rounding, numbers.shape)
    return save_run(folder, task, expected, allowed=allowed)


def _argument(task: Launch, argument: Any, allowed: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(argument, ArrayArgument):
        value = task.sizes[argument.name]
        return {"name": argument.name, "kind": "scalar", "type": argument.element, "value": value}
    found: dict[str, Any] = {
        "name": argument.name,
        "kind": "array",
        "type": argument.element.name,
        "shape": list(task.kernel.shape_of(argument, task.sizes)),
        "is_output": argument.is_output,
        "initial": {"file": "initial.npz", "array": argument.name},
    }
    found |= {fact: True for fact in ("begins_anywhere", "is_added_to") if getattr(argument, fact)}
    leading = task.kernel.leading_of(argument, task.sizes)
    if leading is not None:
        found["leading_dimension"] = leading
    stride = task.kernel.batch_stride_of(argument, task.sizes)
    if stride is not None:
        found["batch_stride"] = stride
    if argument.is_output:
        found["expected"] = {"file": "expected.npz", "array": argument.name}
        if argument.name in allowed:
            found["allowed"] = {"file": "allowed.npz", "array": argument.name}
    return found


def _save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, **dict(arrays))  # type: ignore[arg-type]
    write_bytes(path, content.getvalue())
