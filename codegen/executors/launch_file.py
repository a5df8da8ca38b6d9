"""A launch file: TOML that says with which sizes, arrays and numbers a code object is run.

.. code-block:: toml

    code = "kernel.co"       # beside this file; may be left out where it is given otherwise
    grid = [16]              # workgroups
    block = [256]            # threads of one
    [[arguments]]            # in the kernel's order
    type = "f32"
    shape = [4096]
    fill = "random"          # zeros, random, arange, or a file "x.npy"
    [[arguments]]
    type = "f32"
    shape = [4096]
    is_output = true
    expected = "y.npy"       # compared if given, within absolute and relative
    [[arguments]]
    type = "i32"
    value = 4096

Members of a struct that is passed by value stand one by one, with ``struct`` (the number of the argument) and
``offset`` (where the member begins in it, in bytes). The schema is ``launch_schema.json`` beside this file;
every key is told in ``notebooks/reference/launch_files.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.code_object_run import CodeObjectRun, run_code_object
from layoutalg.codegen.executors.passed_arguments import Output
from layoutalg.data_type import DataType, from_numbers, to_numbers
from layoutalg.errors import LayoutError
from layoutalg.reading.toml_text import TomlError, read_toml

__all__ = ["LaunchFile", "read_launch"]

SCHEMA = Path(__file__).with_name("launch_schema.json")
LONGEST = 200  # characters of a message about a file
PLAIN = {name: np.dtype(name) for name in ("int16", "int64", "uint16", "uint32", "uint64")}
SHORT = {"i16": "int16", "i64": "int64", "u16": "uint16", "u32": "uint32", "u64": "uint64"}
LARGEST_INTEGER = 8  # of random integers


@dataclass(frozen=True)
class LaunchFile:
    """What a launch file says; files that it names lie beside it."""

    file: Path
    content: Mapping[str, Any]

    def run(self, code: Any, *, kernel: str | None = None, target: str | None = None) -> CodeObjectRun:
        """Run a code object so; ``kernel`` and ``target`` come before those of the file."""
        return run_code_object(code, **self.launch(kernel=kernel, target=target))

    @property
    def code(self) -> Path:
        """The file of the code that it launches, beside it; refused where it names none."""
        if "code" not in self.content:
            msg = f"{self.file}: wanted code, the file that is launched"
            raise LayoutError(msg, hint='code = "kernel.hip"')
        return self.file.parent / self.content["code"]

    def launch(self, *, kernel: str | None = None, target: str | None = None) -> dict[str, Any]:
        """What :func:`run_code_object` takes besides the code."""
        content = self.content
        return {
            "grid": content["grid"],
            "block": content["block"],
            "arguments": self.arguments(),
            "kernel": kernel or content.get("kernel"),
            "target": target or content.get("target"),
            "dynamic_lds": content.get("dynamic_lds_bytes", 0),
        }

    def arguments(self) -> list[Any] | dict[str, Any]:
        """Arrays and numbers, by name if all have one, else in order."""
        entries = self.content.get("arguments", [])
        values: list[Any] = []
        structs: dict[int, dict[int, Any]] = {}
        for number, entry in enumerate(entries):
            value = self._argument(number, entry)
            if "struct" not in entry:
                values.append(value)
            elif entry["struct"] in structs:
                structs[entry["struct"]][entry["offset"]] = value
            else:
                structs[entry["struct"]] = {entry["offset"]: value}
                values.append(structs[entry["struct"]])
        names = [entry.get("name") for entry in entries]
        return dict(zip(names, values, strict=True)) if all(names) and names and not structs else values

    def differences(self, run: CodeObjectRun) -> dict[str, tuple[int, float]]:
        """For each output with expected values: how many elements are too far off, and the largest error."""
        found = {}
        outputs = [entry for entry in self.content.get("arguments", []) if entry.get("is_output")]
        for entry, (name, array) in zip(outputs, self._in_order(outputs, run), strict=True):
            if "expected" in entry:
                wanted = self._numbers(self._load(entry["expected"]), entry).reshape(-1)
                if wanted.size != array.size:
                    msg = f"{self.file}: {name}: wanted {array.size} expected elements, got {wanted.size}"
                    raise LayoutError(msg)
                error = np.abs(self._numbers(array, entry).reshape(-1) - wanted)
                allowed = entry.get("absolute", 0.0) + entry.get("relative", 0.0) * np.abs(wanted)
                found[name] = int((~(error <= allowed)).sum()), float(np.max(error, initial=0.0))
        return found

    @staticmethod
    def _in_order(outputs: list[Any], run: CodeObjectRun) -> list[tuple[str, NDArray[Any]]]:
        if all("name" in entry and entry["name"] in run.outputs for entry in outputs):
            return [(entry["name"], run.outputs[entry["name"]]) for entry in outputs]
        return list(run.outputs.items())

    @staticmethod
    def _numbers(array: NDArray[Any], entry: Mapping[str, Any]) -> NDArray[np.float64]:
        kind = entry["type"]
        is_pattern = kind not in SHORT and array.dtype == DataType.named(kind).numpy
        return to_numbers(array, DataType.named(kind)) if is_pattern else array.astype(np.float64)

    def _argument(self, number: int, entry: Mapping[str, Any]) -> Any:
        if entry["type"] not in SHORT:
            try:
                DataType.named(entry["type"])
            except LayoutError as error:
                where = f"{self.file}: arguments.{number}: type"
                hint = f"also {', '.join(SHORT)}"
                raise LayoutError(f"{where}: {error.message}", hint=hint) from None
        if "value" in entry:
            return self._as(np.array(entry["value"]), entry["type"])[()]
        if "shape" not in entry:
            msg = f"{self.file}: arguments.{number}: wanted a value, or the shape of an array"
            raise LayoutError(msg)
        array = self._filled(number, entry)
        if entry.get("is_output"):
            return Output(array, is_initialised="fill" in entry)
        return array

    def _filled(self, number: int, entry: Mapping[str, Any]) -> NDArray[Any]:
        shape, fill, kind = tuple(entry["shape"]), entry.get("fill", "zeros"), entry["type"]
        rng = np.random.default_rng(entry.get("seed", number))
        if fill == "zeros":
            numbers: NDArray[Any] = np.zeros(shape)
        elif fill == "arange":
            numbers = np.arange(int(np.prod(shape))).reshape(shape)
        elif fill == "random" and kind[0] in "iu":
            low = 0 if kind[0] == "u" else -LARGEST_INTEGER
            numbers = rng.integers(low, LARGEST_INTEGER, shape)
        elif fill == "random":
            numbers = rng.standard_normal(shape)
        else:
            return self._from_file(entry, shape)
        return self._as(numbers, kind)

    def _from_file(self, entry: Mapping[str, Any], shape: tuple[int, ...]) -> NDArray[Any]:
        array = self._load(entry["fill"])
        if array.size != np.prod(shape):
            msg = f"{self.file}: {entry['fill']}: wanted the shape {list(shape)}, got {list(array.shape)}"
            raise LayoutError(msg)
        wanted = self._as(np.zeros(1), entry["type"]).dtype
        return (array if array.dtype == wanted else self._as(array, entry["type"])).reshape(shape)

    @staticmethod
    def _as(numbers: NDArray[Any], kind: str) -> NDArray[Any]:
        if kind in SHORT:
            return numbers.astype(PLAIN[SHORT[kind]])
        return np.asarray(from_numbers(numbers, DataType.named(kind)))

    def _load(self, name: str) -> NDArray[Any]:
        try:
            found = np.load(self.file.parent / name)
        except (OSError, ValueError) as error:
            msg = f"{self.file}: cannot read {name}: {error}"
            raise LayoutError(msg, hint="fill is zeros, random, arange, or a file of NumPy's") from None
        return found if isinstance(found, np.ndarray) else found[found.files[0]]


def read_launch(path: Path) -> LaunchFile:
    """The launch file at ``path``; one error with the place where it is not what the schema says."""
    import jsonschema  # noqa: PLC0415  slow to load

    try:
        content = read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise LayoutError(msg) from None
    except (TomlError, UnicodeDecodeError) as error:
        msg = f"{path}: {error}"
        raise LayoutError(msg, hint=getattr(error, "hint", "")) from None
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    wrong = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(content))
    if wrong is not None:
        place = ": ".join([str(path), *filter(None, [".".join(map(str, wrong.absolute_path))])])
        raise LayoutError(f"{place}: {wrong.message[:LONGEST]}", hint="codegen/executors/launch_schema.json")
    return LaunchFile(path, content)
