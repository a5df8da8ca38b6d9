"""Settings of a check: the command line, else ``[tool.layoutalg]`` of pyproject.toml, else the defaults.

>>> from_table({"unknown": "warn"}, "pyproject.toml").unknown_fails
False
>>> from_table({"unknwon": "warn"}, "pyproject.toml")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: pyproject.toml: [tool.layoutalg]: there is no key unknwon (did you mean \
unknown? known are select, ignore, unknown, baseline, cache, jobs, max-points, recheck, paths, output-format)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from layoutalg.check.codes import require_codes
from layoutalg.check.outputs import outputs_of
from layoutalg.check.toml_lines import line_of, lines_of
from layoutalg.errors import LayoutError
from layoutalg.reading.input_limits import ENUMERATED
from layoutalg.reading.near_names import no_such, not_one_of
from layoutalg.reading.text_file import read_text
from layoutalg.reading.toml_text import TomlError, read_toml

__all__ = ["Settings", "from_table", "nearest_settings"]

KINDS = {
    "select": list,
    "ignore": list,
    "unknown": str,
    "baseline": str,
    "cache": str,
    "jobs": int,
    "max-points": int,
    "recheck": str,
    "paths": list,
    "output-format": list,
}
WANTED = {list: "a list of texts", str: "a text", int: "a whole number"}
CHOICES = {"unknown": ("fail", "warn"), "recheck": ("z3", "cvc5", "no", "")}
ALONE = ("output-format",)  # lists that may be one text
MOST = 10**12
TABLE = ("tool", "layoutalg")


@dataclass(frozen=True)
class Settings:
    """What may be set in a project; see ``layoutalg check --help``."""

    select: tuple[str, ...] = ("LA",)
    ignore: tuple[str, ...] = ()
    unknown: str = "fail"
    baseline: str = ""
    cache: str = ".layoutalg_cache/results.sqlite3"
    jobs: int = 1
    max_points: int = ENUMERATED
    recheck: str = ""
    paths: tuple[str, ...] = ()
    output_format: tuple[str, ...] = ("full",)

    @property
    def unknown_fails(self) -> bool:
        return self.unknown == "fail"

    @property
    def outputs(self) -> list[tuple[str, Path | None]]:
        """The formats of the report, each with its file, None for the terminal."""
        return outputs_of(self.output_format, "--output-format")

    def changed(self, **given: Any) -> Settings:
        """The settings with what the command line gives (None leaves a setting as it is)."""
        named = {_key(name): value for name, value in given.items() if value is not None}
        changes = from_table(named, "command line")
        return replace(self, **{_field(key): getattr(changes, _field(key)) for key in named})


def _key(name: str) -> str:
    return name.replace("_", "-")


def _field(key: str) -> str:
    return key.replace("-", "_")


def from_table(table: Mapping[str, Any], where: str, lines: Mapping[str, int] | None = None) -> Settings:
    """The settings of a table; refused with the key, and its line where it is known."""
    given: dict[str, Any] = {}
    for key, value in table.items():
        line = f":{lines[key]}" if lines and key in lines else ""
        place = f"{where}{line}: [tool.layoutalg]" if where.endswith(".toml") else where
        if key not in KINDS:
            raise no_such("key", key, KINDS, where=place)
        given[_field(key)] = _valid(key, [value] if key in ALONE and isinstance(value, str) else value, place)
    found = Settings(**given)
    return replace(found, recheck="") if found.recheck == "no" else found


def _valid(key: str, value: Any, place: str) -> Any:
    """The value of a key, with lists as tuples."""
    where = f"{place}: {key}" if place.endswith("]") else f"--{key}"
    kind = KINDS[key]
    if not _fits(value, kind):
        raise LayoutError(f"{where}: wanted {WANTED[kind]}, got {str(value)[:60]!r}")
    if kind is int and not 1 <= value <= MOST:
        raise LayoutError(f"{where}: wanted a number from 1 to {MOST}, got {str(value)[:60]}")
    if value not in CHOICES.get(key, (value,)):
        raise not_one_of("one", value, filter(None, CHOICES[key]), where=where)
    if key in ("select", "ignore"):
        require_codes(value, where)
    if key == "output-format":
        outputs_of(value, where)
    return tuple(value) if kind is list else value


def _fits(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)
    return isinstance(value, kind) and not isinstance(value, bool)


def nearest_settings(start: Path) -> Settings:
    """The settings of the nearest pyproject.toml from a folder upwards; the defaults if there is none."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return _settings_in(path)
    return Settings()


def _settings_in(path: Path) -> Settings:
    try:
        text = read_text(path)
        content: Any = read_toml(text)
    except TomlError as error:
        raise LayoutError(f"{path}:{error.text_line + 1}: {error.message}", hint=error.hint) from None
    lines = lines_of(text) if "layoutalg" in text else {}
    for depth, key in enumerate(TABLE, start=1):
        content = content.get(key, {})
        if not isinstance(content, dict):
            place = f"{path}:{line_of(lines, TABLE[:depth])}"
            msg = f"{place}: {key}: wanted a table, got {str(content)[:60]!r}"
            raise LayoutError(msg, hint="[tool.layoutalg]")
    return from_table(content, str(path), {key: line_of(lines, (*TABLE, key)) for key in content})
