"""``GemmConfig`` structs of CK's examples, evaluated as the compiler would for each type of elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.kernels import is_for_type, spelled_type
from layoutalg.ck.configurations.tuned_name import naming
from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.interpreter.cpp_values import ClassType
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.errors import LayoutError
from layoutalg.reading.spelled_integer import spelled_integer
from layoutalg.reading.text_file import read_text

__all__ = ["gemm_configurations"]

USUAL = "gemm compv3"
MARKS = ("M_Tile", "N_Tile", "K_Tile")  # what a struct has that is a configuration


def gemm_configurations(path: Path, index: Index, types: tuple[str, ...]) -> Iterator[Configuration]:
    """The configurations that the structs of a file hold, for each type of elements that one takes."""
    text = read_text(path)
    if not all(mark in text for mark in MARKS):
        return
    beside = index.copy()
    beside.add(str(path), text)
    pipelines, schedulers = _pipelines(beside, path), _schedulers(beside)
    for declared in _structs(beside, path):
        takes_type = bool(declared.headers)
        for kind in types if takes_type else types[:1]:
            call = f"{declared.name}<ck_tile::{spelled_type(kind)}>" if takes_type else declared.name
            values = _members(beside, call)
            if values is None:
                continue
            kernel = _kernel(declared.name, values.pop("Pipeline", None), pipelines)
            if not is_for_type(kernel, kind):
                continue
            table = naming()["members"]
            values["Scheduler"] = schedulers.get(values.get("Scheduler", ""), "intrawave")
            said: dict[str, Value] = {table[n]: v for n, v in values.items() if n in table}
            said |= {"a_type": kind} | ({} if kernel != "gemm preshuffle" else {"preshuffle": True})
            line = int(declared.place.split(":")[-2])
            yield Configuration(f"{declared.name}<{kind}>", kernel, said, str(path), line)


def _structs(index: Index, path: Path) -> list[Declaration]:
    """The class templates and classes that a file declares outside of namespaces, primaries only."""
    rows = (declared for rows in index.spaces[""].values() for declared in rows)
    return [
        d for d in rows if d.kind in {"class", "struct"} and d.source.name == str(path) and d.pattern is None
    ]


def _members(index: Index, call: str) -> dict[str, Any] | None:
    """The constants of a struct; None where it is no configuration or cannot be evaluated."""
    interp = interpreter(index)
    try:
        with nested_code():
            made = interp.evaluate(read_expression(call), interp.space(""))
            names = [*naming()["members"], "Pipeline"] if isinstance(made, ClassType) else []
            found = {name: value for name in names if (value := _member(interp, call, name)) is not None}
    except LayoutError:
        return None
    return found if all(mark in found for mark in MARKS) else None


def _member(interp: Interpreter, call: str, name: str) -> Value | None:
    """A constant member as a plain value; None where there is none."""
    try:
        value = interp.evaluate(read_expression(f"{call}::{name}"), interp.space(""))
    except LayoutError:
        return None
    number = getattr(value, "value", value)
    return number if isinstance(number, bool | int | str) else None


def _pipelines(index: Index, path: Path) -> dict[int, str]:
    """The kernels by the value that a member ``Pipeline`` has: an enumerator, or a macro of the example."""
    interp, found = interpreter(index), dict[int, str]()
    for name, kernel in naming()["pipelines"].items():
        macro = str(index.file(str(path)).macros.get(f"CK_TILE_PIPELINE_{name}", ""))
        if (number := spelled_integer(macro)) is not None:
            found[number] = kernel
        elif (value := _member(interp, "ck_tile::GemmPipeline", name)) is not None:
            found[int(value)] = kernel
    return found


def _schedulers(index: Index) -> dict[Value, str]:
    """The schedulers by the values of their enumerators."""
    interp, enum = interpreter(index), "ck_tile::GemmPipelineScheduler"
    found = ((_member(interp, enum, name), name.lower()) for name in ("Default", "Intrawave", "Interwave"))
    return {value: name for value, name in found if value is not None}


def _kernel(struct: str, pipeline: Any, pipelines: Mapping[int, str]) -> str:
    """The kernel of a struct: by its own name, else by its pipeline."""
    for pattern, kernel in naming()["structs"].items():
        if fnmatchcase(struct, pattern):
            return str(kernel)
    return pipelines.get(pipeline, USUAL)
