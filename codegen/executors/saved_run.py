"""A saved run, read back as a launch: the same code on the same arrays, whoever made them.

Nothing of the kernel's builder is needed, so a run of another machine can be repeated here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from layoutalg.codegen.compile import Compiled
from layoutalg.codegen.compile.code_object import read_code_object
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.run_file import run_schema
from layoutalg.codegen.kernel import ArrayArgument, Kernel, Result, ScalarArgument
from layoutalg.data_type import DataType, to_numbers
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.machine import Target

__all__ = ["read_run"]

SCHEMA = "layoutalg-run-1"
LONGEST = 200  # characters of a message about a file


def read_run(path: Path) -> Launch:
    """The launch of a ``run.json``, or of the folder it lies in.

    Its kernel has no claims: what was proved of it is not part of a run.
    """
    file = path / "run.json" if path.is_dir() else path
    try:
        content = json.loads(_read(file).decode())
    except (ValueError, RecursionError) as error:
        msg = f"{file} is no JSON: {error}"
        raise LayoutError(msg) from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        found = content.get("schema") if isinstance(content, dict) else type(content).__name__
        msg = f"{file}: wanted a run of the schema {SCHEMA}, got {found}"
        raise LayoutError(msg)
    _require_schema(file, content)
    try:
        return _SavedRun(file, content).launch()
    except LayoutError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}".partition("\n")[0][:LONGEST]
        msg = f"{file}: wanted all that the schema {SCHEMA} asks for; {what}"
        raise LayoutError(msg, hint="the schema is codegen/executors/run_schema.json") from error


def _require_schema(file: Path, content: Any) -> None:
    """Refuse a run that is not what the published schema says, with the place."""
    import jsonschema  # noqa: PLC0415  slow to load

    error = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(run_schema()).iter_errors(content)
    )
    if error is not None:
        key = ".".join(map(str, error.absolute_path)) or "run.json"
        raise LayoutError(
            f"{file}: {key}: {error.message[:LONGEST]}", hint="codegen/executors/run_schema.json"
        )


@dataclass(frozen=True)
class _SavedRun:
    """A ``run.json`` and the files beside it."""

    file: Path
    content: Mapping[str, Any]

    def launch(self) -> Launch:
        content = self.content
        arguments = tuple(_argument(entry) for entry in content["arguments"])
        kernel = Kernel(
            name=content["kernel"],
            summary=content.get("summary", ""),
            arguments=arguments,
            domain=Domain.of({}),
            grid=tuple(sympy.Integer(extent) for extent in content["grid"]),
            block=tuple(content["block"]),
            claims=(),
            text=_read(self.beside("source")).decode() if "source" in content else "",
            reference=self.expected,
            dynamic_lds=content["dynamic_lds_bytes"],
            lds_alignment=content.get("lds_alignment", Kernel.lds_alignment),
        )
        sizes = {e["name"]: e["value"] for e in content["arguments"] if e["kind"] == "scalar"}
        inputs = {
            entry["name"]: self.array(entry, "initial")
            for entry in content["arguments"]
            if entry["kind"] == "array" and not entry["is_output"]
        }
        return Launch(kernel, self.compiled(), sizes, inputs)

    def compiled(self) -> Compiled:
        code = _read(self.beside("code_object"))
        try:
            every = read_code_object(code)
        except Exception as error:
            what = f"{type(error).__name__}: {error}".partition("\n")[0][:LONGEST]
            msg = f"{self.file}: {self.content['code_object']} is no code object that can be read: {what}"
            raise LayoutError(msg) from error
        found = [kernel for kernel in every if kernel.name == self.content["kernel"]]
        if not found:
            msg = f"{self.file}: {self.content['code_object']} has no kernel {self.content['kernel']}"
            raise LayoutError(msg)
        assembly = _read(self.beside("assembly")).decode()
        return Compiled(Target.named(self.content["target"]), "saved", assembly, code, found[0])

    def expected(self, _: Mapping[str, NDArray[Any]]) -> Result:
        """What the outputs were to be, and how far they may lie off."""
        numbers, allowed = {}, {}
        tolerance = self.content["tolerance"]
        for entry in self.content["arguments"]:
            if entry["kind"] == "array" and entry["is_output"]:
                wanted = to_numbers(self.array(entry, "expected"), DataType.named(entry["type"]))
                numbers[entry["name"]] = wanted
                if "allowed" in entry:
                    allowed[entry["name"]] = self.array(entry, "allowed")
                else:
                    allowed[entry["name"]] = tolerance["absolute"] + tolerance["relative"] * np.abs(wanted)
        return Result(numbers, allowed)

    def array(self, entry: Mapping[str, Any], moment: str) -> NDArray[Any]:
        place = entry[moment]
        try:
            with np.load(self.file.parent / place["file"]) as stored:
                found: NDArray[Any] = stored[place["array"]]
        except (OSError, ValueError) as error:
            msg = f"{self.file}: cannot read {place['file']}: {error}"
            raise LayoutError(msg) from None
        if math.prod(found.shape) != math.prod(entry["shape"]):
            msg = f"{self.file}: {entry['name']}: wanted the shape {entry['shape']}, got {list(found.shape)}"
            raise LayoutError(msg)
        return found.reshape(entry["shape"])

    def beside(self, what: str) -> Path:
        return self.file.parent / self.content[what]


def _argument(entry: Mapping[str, Any]) -> ArrayArgument | ScalarArgument:
    if entry["kind"] == "scalar":
        return ScalarArgument(entry["name"], entry["type"])
    lengths = tuple(sympy.Integer(length) for length in entry["shape"])
    leading, stride = (
        sympy.Integer(entry[step]) if step in entry else None
        for step in ("leading_dimension", "batch_stride")
    )
    kind = DataType.named(entry["type"])
    facts = {fact: entry.get(fact, False) for fact in ("begins_anywhere", "is_added_to")}
    return ArrayArgument(
        entry["name"], kind, lengths, entry["is_output"], leading, batch_stride=stride, **facts
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise LayoutError(msg) from None
