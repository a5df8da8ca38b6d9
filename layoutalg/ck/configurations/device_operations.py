"""Device operations of old CK as configurations: their template arguments, and the functions they reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from layoutalg.ck.builders import builders
from layoutalg.ck.class_reach import plain_name, reached
from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.python_tables import python_configurations
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.instances import Instance, instances_of
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.errors import LayoutError

__all__ = ["completed", "functions_of_device", "is_device_operation"]

WAVES = ("MXdlPerWave", "NXdlPerWave")
ELEMENTS = {"bf16": "unsigned short"}  # of A, by a word in names of kernels and of tables; others: 8 bits
TIED = {  # as long as the vectors of the layout where they are so in an instance
    "ABlockTransferSrcScalarPerVector": "AK1",
    "ABlockTransferDstScalarPerVector_AK1": "AK1",
    "BBlockTransferSrcScalarPerVector": "BK1",
    "BBlockTransferDstScalarPerVector_BK1": "BK1",
}
MOST_INSTANCES = 8  # that are asked for their elements
TABLES = "package/csrc"  # of a fetched release: aiter's rows


def is_device_operation(kernel: str) -> bool:
    """Whether a kernel is a class of old CK."""
    return kernel.startswith("Device")


def functions_of_device(configuration: Configuration, index: Index) -> Iterator[tuple[str, dict[str, Any]]]:
    """Targets and bindings of the functions of the classes that a device operation reaches.

    Those with arguments are left out: these are sizes of a problem, which no configuration says.
    """
    text = _class_of(configuration, index)
    classes = reached(text, index)
    for builder, ordinal in ordinals(builders(index)).items():
        if not builder.owner or builder.declared.arguments:
            continue
        found = classes.get(id(builder.owner[-1]))
        if found is not None:
            shipped = default_bindings(builder.file, builder.name, ordinal, index=index)
            own = {"Device": text, "class": found, "include": builder.file}
            yield f"{builder.file}::{builder.name}#{ordinal}", shipped | own


def _class_of(configuration: Configuration, index: Index) -> str:
    """The device operation as C++ text; what is not said is that of an instance in CK's library."""
    name, device = configuration.name, configuration.kernel
    found = [] if index.root is None else instances_of(index.root, index).of(device, most=MOST_INSTANCES)
    if not found:
        raise LayoutError(f"{name}: CK's library has no instance of {device}")
    if not all(wave in configuration.parameters for wave in WAVES):
        raise LayoutError(f"{name}: neither the name nor a table says {' and '.join(WAVES)}")
    chosen = _of_type(found, configuration)
    said = {plain_name(key): str(value) for key, value in configuration.parameters.items()}
    for key, vector in TIED.items():
        if plain_name(vector) in said and chosen.arguments.get(key) == chosen.arguments.get(vector):
            said.setdefault(plain_name(key), said[plain_name(vector)])
    values = [said.get(plain_name(key), text) for key, text in chosen.arguments.items()]
    return f"{chosen.text.partition('<')[0]}<{', '.join(values)}>"


def _of_type(found: list[Instance], configuration: Configuration) -> Instance:
    """The first instance of the elements that a name or its table speaks of, else the first of all."""
    source = f"{configuration.name} {Path(configuration.file).name}"
    wanted = next((kind for word, kind in ELEMENTS.items() if word in source), None)
    return next((one for one in found if one.arguments.get("ADataType") == wanted), found[0])


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
