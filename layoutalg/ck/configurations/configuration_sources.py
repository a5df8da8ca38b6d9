"""Where configurations are kept: files, folders of files, and fetched releases, each read as what it is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from layoutalg.ck.configurations.binding_tables import csv_configurations, toml_configurations
from layoutalg.ck.configurations.changed_headers import affected_functions, is_header_of
from layoutalg.ck.configurations.configuration import Configuration
from layoutalg.ck.configurations.device_operations import completed
from layoutalg.ck.configurations.gemm_configs import gemm_configurations
from layoutalg.ck.configurations.python_tables import python_configurations
from layoutalg.ck.configurations.tile_engine import is_tile_engine, tile_engine_configurations
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.fetch import find_root
from layoutalg.errors import LayoutError
from layoutalg.machine import TARGETS
from layoutalg.reading.near_names import not_one_of
from layoutalg.reading.text_file import read_text

__all__ = ["Choices", "Found", "configurations_of"]

SUFFIXES = {".csv", ".json", ".py", ".toml", ".hpp"}
SKIPPED = ("include", "library", "test")  # of a tree of CK: none of its configurations stand there


@dataclass(frozen=True)
class Choices:
    """What a source leaves to whoever builds it: types of elements and layouts of A, B and C."""

    types: tuple[str, ...] = ("fp16",)
    layouts: tuple[str, ...] = ("rcr",)


@dataclass
class Found:
    """All different configurations of some sources; how often each occurs, and the names nothing reads."""

    configurations: list[Configuration] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)  # by the configuration's name
    unread: Counter[str] = field(default_factory=Counter)  # names of kernels
    elsewhere: Counter[str] = field(default_factory=Counter)  # configurations for other GPUs, by these

    @property
    def total(self) -> int:
        """All rows, read or not."""
        return sum(map(Counter.total, (self.rows, self.unread, self.elsewhere)))

    @property
    def said(self) -> str:
        """What was read and what was not, in words."""
        parts = [f"{len(self.configurations)} configurations of {self.rows.total()} rows"]
        if self.unread:
            parts.append(
                f"{self.unread.total()} rows of {len(self.unread)} kernels whose names tell no configuration,"
                f" such as {next(iter(self.unread))}"
            )
        if self.elsewhere:
            parts.append(f"{self.elsewhere.total()} for {', '.join(sorted(self.elsewhere))}")
        return "; ".join(parts)


def configurations_of(sources: Iterable[str], index: Index, choices: Choices | None = None) -> Found:
    """The configurations in files, folders and releases; ``LayoutError`` where one has none."""
    found = Found()
    known: dict[object, Configuration] = {}
    for source in sources:
        before = found.total
        for path, shown in _files(source):
            for row in completed(_read(path, index, choices or Choices(), found.unread), index.root):
                one = row if row.targets and row.file != str(path) else replace(row, file=shown)
                if one.arch and one.arch not in TARGETS:
                    found.elsewhere[one.arch] += 1
                    continue
                first = known.setdefault(one.key, one)
                found.rows[first.name] += 1
                if first is one:
                    found.configurations.append(one)
        if found.total == before:
            hint = (
                "CSV of tuned kernels or bindings, JSON of the tile engine, Python tables, GemmConfig structs"
            )
            raise LayoutError(f"no configurations in {source}", hint=hint)
    return found


def _files(source: str) -> Iterator[tuple[Path, str]]:
    """The files of a source that may hold configurations, each with how it is named."""
    path = Path(source) if "==" not in source else find_root(source)
    if path.is_file():
        yield path, source
        return
    if not path.is_dir():
        raise LayoutError(
            f"no file, folder or fetched release {source}", hint="layoutalg ck trees names releases"
        )
    is_tree = (path / "include" / "ck_tile").is_dir()
    for file in sorted(path.rglob("*")):
        if file.suffix in SUFFIXES and not (is_tree and file.relative_to(path).parts[0] in SKIPPED):
            yield file, f"{source.rstrip('/')}/{file.relative_to(path)}"


def _read(path: Path, index: Index, choices: Choices, unread: Counter[str]) -> Iterator[Configuration]:
    readers: dict[str, Callable[[], Iterator[Configuration]]] = {
        ".csv": lambda: csv_configurations(path, unread),
        ".json": lambda: _of_json(path, index, choices),
        ".py": lambda: python_configurations(path),
        ".toml": lambda: toml_configurations(path),
        ".hpp": lambda: _of_header(path, index, choices),
    }
    if path.suffix not in readers:
        raise not_one_of("one", path.suffix or path.name, sorted(SUFFIXES), where=str(path))
    yield from readers[path.suffix]()


def _of_header(path: Path, index: Index, choices: Choices) -> Iterator[Configuration]:
    if is_header_of(path, index):
        yield from affected_functions(path, index)
    else:
        yield from gemm_configurations(path, index, choices.types)


def _of_json(path: Path, index: Index, choices: Choices) -> Iterator[Configuration]:
    try:
        content = json.loads(read_text(path))
    except ValueError as error:
        raise LayoutError(f"{path}: no JSON: {error}") from None
    if is_tile_engine(content):
        yield from tile_engine_configurations(content, path, choices.types, choices.layouts, index.arch)
