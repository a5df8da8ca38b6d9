"""Device operations of old CK as configurations: their template arguments, and the functions they reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from layoutalg.ck.builders import builders
from layoutalg.ck.class_reach import reached
from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.python_tables import python_configurations
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.kernel_names import device_class
from layoutalg.ck.shipped_bindings import default_bindings

__all__ = ["completed", "functions_of_device", "is_device_operation"]

WAVES = ("MXdlPerWave", "NXdlPerWave")
TABLES = "package/csrc"  # of a fetched release: aiter's rows


def is_device_operation(kernel: str) -> bool:
    """Whether a kernel is a class of old CK."""
    return kernel.startswith("Device")


def functions_of_device(configuration: Configuration, index: Index) -> Iterator[tuple[str, dict[str, Any]]]:
    """Targets and bindings of the functions of the classes that a device operation reaches.

    Those with arguments are left out: these are sizes of a problem, which no configuration says.
    """
    text = device_class(configuration.name, configuration.parameters, configuration.kernel, index)
    classes = reached(text, index)
    for builder, ordinal in ordinals(builders(index)).items():
        if not builder.owner or builder.declared.arguments:
            continue
        found = classes.get(id(builder.owner[-1]))
        if found is not None:
            shipped = default_bindings(builder.file, builder.name, ordinal, index=index)
            own = {"Device": text, "class": found, "include": builder.file}
            yield f"{builder.file}::{builder.name}#{ordinal}", shipped | own


def completed(rows: Iterable[Configuration], root: Path | None) -> Iterator[Configuration]:
    """Configurations whose names leave out how many tiles a wave has, with what a table says of the same."""
    known: list[Configuration] | None = None
    for one in rows:
        if not is_device_operation(one.kernel) or all(name in one.parameters for name in WAVES):
            yield one
            continue
        if known is None:
            known = [] if root is None else list(_tables(root / TABLES))
        fits = [row for row in known if row.kernel == one.kernel and _says(row, one)]
        yield replace(one, parameters=fits[0].parameters) if fits else one


def _says(row: Configuration, other: Configuration) -> bool:
    """Whether a row has all parameters of another; a list of one is its only entry."""
    return all(_plain(row.parameters.get(name)) == _plain(value) for name, value in other.parameters.items())


def _plain(value: Value | None) -> str:
    return str(value).removeprefix("ck::Sequence<").removesuffix(">")


def _tables(folder: Path) -> Iterator[Configuration]:
    for file in sorted(folder.rglob("*_common.py")):
        yield from python_configurations(file)
