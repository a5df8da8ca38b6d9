"""Settings of a check: the command line, else ``[tool.layoutalg]`` of pyproject.toml, else the defaults.

>>> from_table({"unknown": "warn"}, "pyproject.toml").unknown_fails
False
>>> from_table({"unknwon": "warn"}, "pyproject.toml")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: pyproject.toml: [tool.layoutalg]: there is no key unknwon (known are select, \
ignore, unknown, baseline, cache, jobs, points, paths)
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from layoutalg.errors import LayoutError

__all__ = ["Settings", "from_table", "nearest_settings"]

KINDS = {
    "select": list,
    "ignore": list,
    "unknown": str,
    "baseline": str,
    "cache": str,
    "jobs": int,
    "points": int,
    "paths": list,
}


@dataclass(frozen=True)
class Settings:
    """What may be set in a project; see ``layoutalg check --help``."""

    select: tuple[str, ...] = ("LA",)
    ignore: tuple[str, ...] = ()
    unknown: str = "fail"
    baseline: str = ""
    cache: str = ".layoutalg_cache/results.sqlite3"
    jobs: int = 1
    points: int = 100_000_000
    paths: tuple[str, ...] = ()

    @property
    def unknown_fails(self) -> bool:
        return self.unknown == "fail"

    def changed(self, where: str, **given: Any) -> Settings:
        """The settings with what is given (None leaves a setting as it is)."""
        kept = {field.name: getattr(self, field.name) for field in fields(self)}
        return from_table({**kept, **{k: v for k, v in given.items() if v is not None}}, where)


def from_table(table: Mapping[str, Any], where: str) -> Settings:
    """The settings of a table; refused with the key where one is unknown or of the wrong kind."""
    place = f"{where}: [tool.layoutalg]" if where.endswith(".toml") else where
    for key, value in table.items():
        if key not in KINDS:
            msg = f"{place}: there is no key {key}"
            raise LayoutError(msg, hint=f"known are {', '.join(KINDS)}")
        kind = KINDS[key]
        if isinstance(value, bool) or not isinstance(value, kind if kind is not list else list | tuple):
            msg = f"{place}: {key}: wanted a {kind.__name__}, got {value!r}"
            raise LayoutError(msg)
    if table.get("unknown", "fail") not in ("fail", "warn"):
        msg = f"{place}: unknown: wanted fail or warn, got {table['unknown']!r}"
        raise LayoutError(msg)
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    return Settings(**given)


def nearest_settings(start: Path) -> Settings:
    """The settings of the nearest pyproject.toml from a folder upwards; the defaults if there is none."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if not path.is_file():
            continue
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            msg = f"{path}: not TOML: {error}"
            raise LayoutError(msg) from None
        return from_table(content.get("tool", {}).get("layoutalg", {}), str(path))
    return Settings()
