"""Configurations in CSV and TOML files: tuned kernels by name, and bindings in columns or tables.

A CSV file of tuned kernels has columns whose names begin with ``kernelName``. One of bindings has a column
``target`` (or ``kernel``), and a column for each binding (or parameter); ``name`` and ``arch`` are optional.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.tuned_name import configuration_of_name
from layoutalg.errors import LayoutError
from layoutalg.reading.spelled_integer import spelled_integer
from layoutalg.reading.text_file import read_text
from layoutalg.reading.toml_text import TomlError, read_toml

__all__ = ["csv_configurations", "toml_configurations"]

OWN = ("name", "arch", "target", "targets", "kernel")
COMPUTE_UNITS = {"304": "gfx942", "80": "gfx942", "228": "gfx942", "256": "gfx950", "104": "gfx90a"}


def csv_configurations(path: Path, unread: Counter[str]) -> Iterator[Configuration]:
    """The configurations of a CSV file; names that no pattern reads are counted."""
    rows = list(csv.DictReader(StringIO(read_text(path))))
    columns = [str(name) for name in (rows[0] if rows else {}) if name]
    named = [name for name in columns if name.lower().startswith("kernelname")]
    if named:
        for line, row in enumerate(rows, 2):
            for column in named:
                yield from _of_name((row.get(column) or "").strip(), path, line, _arch(row), unread)
    elif {"target", "targets", "kernel"} & set(columns):
        for line, row in enumerate(rows, 2):
            given = {k: _value(v) for k, v in row.items() if k and v not in {None, ""}}
            yield _of_table(given, path, line)


def _of_name(name: str, path: Path, line: int, arch: str, unread: Counter[str]) -> Iterator[Configuration]:
    found = configuration_of_name(name, str(path), line, arch)
    if found is not None:
        yield found
    elif name and name.lower() not in {"nan", "none", "null"}:
        unread[name] += 1


def _arch(row: Mapping[str, str]) -> str:
    """The GPU of a tuned row: said, or told by its number of compute units."""
    said = row.get("gfx") or row.get("arch") or ""
    return said if said.startswith("gfx") else COMPUTE_UNITS.get((row.get("cu_num") or "").strip(), "")


def _value(text: str) -> Value:
    text = text.strip()
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    found = spelled_integer(text)
    return text if found is None else found


def toml_configurations(path: Path) -> Iterator[Configuration]:
    """The tables ``[[configuration]]`` of a file: ``target`` and ``bind``, or ``kernel`` and parameters."""
    text = read_text(path)
    try:
        content = read_toml(text)
    except TomlError as error:
        raise LayoutError(f"{path}:{error.text_line + 1}: {error.message}", hint=error.hint) from None
    lines = [n for n, row in enumerate(text.splitlines(), 1) if row.strip().startswith("[[configuration]]")]
    rows = content.get("configuration", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise LayoutError(f"{path}: wanted tables [[configuration]], got {rows!r}")
    for line, row in zip([*lines, *([1] * len(rows))], rows, strict=False):
        yield _of_table(row, path, line)


def _of_table(row: Mapping[str, Any], path: Path, line: int) -> Configuration:
    """A configuration stated in full."""
    targets = row.get("targets", row.get("target", ()))
    targets = tuple(targets.split(";")) if isinstance(targets, str) else tuple(targets)
    kernel = str(row.get("kernel", ""))
    if not targets and not kernel:
        raise LayoutError(
            f"{path}:{line}: wanted target or kernel", hint='target = "FILE.hpp::Class::Function"'
        )
    rest = {name: value for name, value in row.items() if name not in {*OWN, "bind", "parameters"}}
    bound = flattened(row.get("bind", {})) | ({} if kernel else flattened(rest))
    parameters = dict(row.get("parameters", {})) | (rest if kernel else {})
    name = str(row.get("name") or f"{path.name}:{line}")
    return Configuration(name, kernel, parameters, str(path), line, str(row.get("arch", "")), targets, bound)
