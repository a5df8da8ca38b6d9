"""The functions that a kernel uses, with what its configuration binds for each of them.

Which functions these are and how parameters become bindings stands in ``kernels.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.ck.builders import builders
from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.device_operations import functions_of_device, is_device_operation
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.shipped_bindings import default_bindings, shipped_bindings, spelled
from layoutalg.errors import LayoutError
from layoutalg.machine import TARGETS
from layoutalg.reading.near_names import no_such

__all__ = ["Unit", "is_for_type", "kernel_names", "spelled_type", "units_of"]

TABLE = Path(__file__).with_name("kernels.toml")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
OLDER = {"wm0": "wm", "wn0": "wn", "wk0": "wk", "wm1": "wm", "wn1": "wn", "wk1": "wk"}  # one size for both


@dataclass(frozen=True)
class Unit:
    """One function to be judged, and its bindings; configurations that differ in nothing else share it."""

    target: str
    bindings: tuple[tuple[str, Any], ...]
    arch: str

    @property
    def function(self) -> str:
        """Class and function, without the file."""
        return self.target.partition(".hpp::")[2].removesuffix("#1")


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@cache
def _kernels() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for entry in _table()["kernel"]:
        found[entry["name"]] = {**found.get(entry.get("like", ""), {}), **entry}
    return found


def kernel_names() -> list[str]:
    """The kernels whose functions are known."""
    return list(_kernels())


def is_for_type(kernel: str, element: str) -> bool:
    """Whether a kernel is built for a type of elements: those with scales are for few bits."""
    types = _kernels().get(kernel, {}).get("types")
    return types is None or element in types


def units_of(configuration: Configuration, index: Index) -> list[Unit]:
    """What is to be judged of a configuration, among the functions that these headers have.

    ``LayoutError`` where no such kernel is known, a parameter is missing, or nothing is left.
    """
    found = list(_stated(configuration, index))
    if is_device_operation(configuration.kernel):
        rows = functions_of_device(configuration, index)
        found += [Unit(target, tuple(sorted(given.items(), key=str)), index.arch) for target, given in rows]
    elif configuration.kernel:
        found += _of_kernel(configuration, index)
    if not found:
        raise LayoutError(f"{configuration.name}: these headers have none of its functions")
    return found


def _stated(configuration: Configuration, index: Index) -> Iterator[Unit]:
    """The functions that the configuration names itself: its bindings before the shipped ones."""
    for target in configuration.targets:
        given = shipped_bindings(target, index) | dict(configuration.bindings)
        yield Unit(target, tuple(sorted(given.items(), key=str)), index.arch)


def _of_kernel(configuration: Configuration, index: Index) -> Iterator[Unit]:
    kernel = _kernels().get(configuration.kernel)
    if kernel is None:
        raise no_such("kernel", configuration.kernel, kernel_names())
    values = _all_parameters(configuration, index)
    rows = {key: value for table in kernel["bind"] for key, value in _table()["bindings"][table].items()}
    bound = {key: spelled(_filled(value, values, configuration), index) for key, value in rows.items()}
    for file, name, ordinal in _functions(index, tuple(kernel["functions"])):
        if not _is_used(f"{file}::{name}", kernel.get("only", {}), values):
            continue
        given = _shipped(file, name, ordinal, index) | bound | dict(configuration.bindings)
        yield Unit(f"{file}::{name}#{ordinal}", tuple(sorted(given.items(), key=str)), index.arch)


@cache
def _functions(index: Index, patterns: tuple[str, ...]) -> list[tuple[str, str, int]]:
    """Files, names and numbers of the functions that match a pattern."""
    return [
        (builder.file, builder.name, ordinal)
        for builder, ordinal in ordinals(builders(index)).items()
        if any(fnmatchcase(f"{builder.file}::{builder.name}", pattern) for pattern in patterns)
    ]


@cache
def _shipped(file: str, function: str, ordinal: int, index: Index) -> dict[str, Any]:
    return default_bindings(file, function, ordinal, index=index)


def _is_used(function: str, only: Mapping[str, Mapping[str, Value]], values: Mapping[str, Value]) -> bool:
    wanted = [needs for pattern, needs in only.items() if fnmatchcase(function, pattern)]
    return all(values.get(name) == value for needs in wanted for name, value in needs.items())


def _all_parameters(configuration: Configuration, index: Index) -> dict[str, Value]:
    """The parameters, those that follow from them, and the usual ones where nothing is said."""
    given = dict(configuration.parameters)
    for name, older in OLDER.items():
        if older in given:
            given.setdefault(name, given[older])
    defaults = {name: value for name, value in _table()["defaults"].items() if name not in given}
    found = {name: _of_parameter(value, given) for name, value in defaults.items()} | given
    prefix = "r" if "rm0" in found else "warp_"
    axes = ("m0", "n0", "k0") if prefix == "r" else ("m", "n", "k")
    warps = 1
    for axis in axes:
        warps *= int(found.get(f"{prefix}{axis}", 1))
    found |= {"warps": warps}
    found.setdefault("block_size", warps * TARGETS[index.arch].wave_size)
    if "bk4" in found:
        found["wk2"] = min(int(found["wk0"]), int(found["bk4"]))
    return found


def _of_parameter(value: Value, given: Mapping[str, Value]) -> Value:
    """A default that is another parameter's value, such as ``{a_type}``."""
    name = PLACEHOLDER.fullmatch(value) if isinstance(value, str) else None
    return value if name is None else given.get(name[1], _table()["defaults"][name[1]])


def _filled(value: Any, values: Mapping[str, Value], configuration: Configuration) -> Any:
    """A binding with the parameters in it; a lone parameter keeps its type."""
    if isinstance(value, list):
        return [_filled(each, values, configuration) for each in value]
    if not isinstance(value, str):
        return value
    whole = PLACEHOLDER.fullmatch(value)
    if whole is not None:
        found = _value(whole[1], values, configuration)
        return _cpp(found) if isinstance(found, str) else found
    return PLACEHOLDER.sub(lambda hit: _cpp(_value(hit[1], values, configuration)), value)


def _value(name: str, values: Mapping[str, Value], configuration: Configuration) -> Value:
    if name not in values:
        wanted = f"{configuration.name}: the kernel {configuration.kernel} needs {name}"
        raise LayoutError(wanted, hint=f"it says {configuration.said or 'nothing'}")
    return values[name]


def _cpp(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    words = _table()["spelled"]
    return (
        str(words.get(f"scheduler {value}", words.get(value, value)))
        if isinstance(value, str)
        else str(value)
    )


def spelled_type(name: str) -> str:
    """A type of elements as C++ has it: ``half_t`` for ``fp16``; ``LayoutError`` for none of ours.

    >>> spelled_type("fp16")
    'half_t'
    """
    words = _table()["spelled"]
    if name not in words:
        raise no_such("type", name, [word for word in words if word[-1].isdigit()])
    return str(words[name])
