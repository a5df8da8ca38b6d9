"""``GemmConfig`` structs of CK's examples, evaluated as the compiler would for each type of elements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.kernels import is_for_type, spelled_type
from layoutalg.ck.configurations.tuned_name import naming
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, nested_code
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.interpreter.cpp_values import ClassType
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.errors import LayoutError
from layoutalg.reading.text_file import read_text

__all__ = ["gemm_configurations"]

USUAL = "gemm compv3"
MARKS = ("M_Tile", "N_Tile", "K_Tile")  # what a struct has that is a configuration


def gemm_configurations(path: Path, index: Index, types: tuple[str, ...]) -> Iterator[Configuration]:
    """The configurations that the structs of a file hold, for each type of elements that one takes."""
    text = read_text(path)
    if not all(mark in text for mark in MARKS):
        return
    beside = _with_file(index, path, text)
    pipelines = _pipelines(beside, path)
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
            table = naming()["config"]
            said: dict[str, Value] = {table[n]: v for n, v in values.items() if n in table}
            said |= {"a_type": kind} | ({} if kernel != "gemm preshuffle" else {"preshuffle": True})
            line = int(declared.place.split(":")[-2])
            yield Configuration(f"{declared.name}<{kind}>", kernel, said, str(path), line)


def _with_file(index: Index, path: Path, text: str) -> Index:
    """The headers and one file more; the headers stay as they are."""
    spaces: dict[str, dict[str, list[Declaration]]] = defaultdict(dict)
    for name, declared in index.spaces.items():
        spaces[name] = {key: list(rows) for key, rows in declared.items()} if name == "" else dict(declared)
    found = Index(index.arch, index.macros, dict(index.sources), spaces)
    found.add(str(path), text)
    return found


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
            if not isinstance(made, ClassType) or not all(_has(interp, call, mark) for mark in MARKS):
                return None
            names = [*naming()["config"], "Pipeline"]
            return {name: _member(interp, call, name) for name in names if _has(interp, call, name)}
    except (ImportFailedError, LayoutError):
        return None


def _has(interp: Interpreter, call: str, name: str) -> bool:
    try:
        _member(interp, call, name)
    except (ImportFailedError, LayoutError):
        return False
    return True


def _member(interp: Interpreter, call: str, name: str) -> Any:
    """A constant member as a plain value."""
    value = interp.evaluate(read_expression(f"{call}::{name}"), interp.space(""))
    number = getattr(value, "value", value)
    if isinstance(number, bool | int | str):
        return number
    raise LayoutError(f"{call}::{name} is no number")


def _pipelines(index: Index, path: Path) -> dict[int, str]:
    """The kernels by the value that a member ``Pipeline`` has: an enumerator, or a macro of the example."""
    interp, found = interpreter(index), dict[int, str]()
    for name, kernel in naming()["pipelines"].items():
        macro = str(index.file(str(path)).macros.get(f"CK_TILE_PIPELINE_{name}", ""))
        if macro.isdigit():
            found[int(macro)] = kernel
        elif _has(interp, "ck_tile::GemmPipeline", name):
            found[int(_member(interp, "ck_tile::GemmPipeline", name))] = kernel
    return found


def _kernel(struct: str, pipeline: Any, pipelines: Mapping[int, str]) -> str:
    """The kernel of a struct: by its own name, else by its pipeline."""
    for pattern, kernel in naming()["structs"].items():
        if fnmatchcase(struct, pattern):
            return str(kernel)
    return pipelines.get(pipeline, USUAL)
