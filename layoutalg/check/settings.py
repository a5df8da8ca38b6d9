"""Settings of a check: the command line, else ``[tool.layoutalg]`` of pyproject.toml, else the defaults.

>>> from_table({"unknown": "warn"}, "pyproject.toml").unknown_fails
False
>>> from_table({"unknwon": "warn"}, "pyproject.toml")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: pyproject.toml: [tool.layoutalg]: there is no key unknwon (did you mean \
unknown? known are select, ignore, unknown, baseline, cache, jobs, max-points, recheck, paths)
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from layoutalg.errors import LayoutError
from layoutalg.reading.input_limits import ENUMERATED
from layoutalg.reading.near_names import no_such

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
}
WANTED = {list: "a list of texts", str: "a text", int: "a whole number"}
RECHECKS = ("", "no", "z3", "cvc5")
MOST = 10**12


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

    @property
    def unknown_fails(self) -> bool:
        return self.unknown == "fail"

    def changed(self, where: str, **given: Any) -> Settings:
        """The settings with what is given (None leaves a setting as it is)."""
        kept = {_key(field.name): getattr(self, field.name) for field in fields(self)}
        return from_table({**kept, **{_key(k): v for k, v in given.items() if v is not None}}, where)


def _key(name: str) -> str:
    return name.replace("_", "-")


def from_table(table: Mapping[str, Any], where: str) -> Settings:
    """The settings of a table; refused with the key where one is unknown or of the wrong kind."""
    place = f"{where}: [tool.layoutalg]" if where.endswith(".toml") else where
    for key, value in table.items():
        if key not in KINDS:
            raise no_such("key", key, KINDS, where=place)
        if not _fits(value, KINDS[key]):
            msg = f"{place}: {key}: wanted {WANTED[KINDS[key]]}, got {str(value)[:60]!r}"
            raise LayoutError(msg)
        if KINDS[key] is int and not 1 <= value <= MOST:
            msg = f"{place}: {key}: wanted a number from 1 to {MOST}, got {str(value)[:60]}"
            raise LayoutError(msg)
    if table.get("unknown", "fail") not in ("fail", "warn"):
        msg = f"{place}: unknown: wanted fail or warn, got {table['unknown']!r}"
        raise LayoutError(msg)
    if table.get("recheck", "") not in RECHECKS:
        msg = f"{place}: recheck: wanted z3, cvc5 or no, got {str(table['recheck'])[:60]!r}"
        raise LayoutError(msg)
    given: dict[str, Any] = {
        k.replace("-", "_"): tuple(v) if isinstance(v, list) else v for k, v in table.items()
    }
    found = Settings(**given)
    return replace(found, recheck="") if found.recheck == "no" else found


def _fits(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)
    return isinstance(value, kind) and not isinstance(value, bool)


def nearest_settings(start: Path) -> Settings:
    """The settings of the nearest pyproject.toml from a folder upwards; the defaults if there is none."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if not path.is_file():
            continue
        try:
            content: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise LayoutError(f"{path}: cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, numbers or nesting too large
            raise LayoutError(f"{path}: not TOML: {str(error)[:200]}") from None
        for key in ("tool", "layoutalg"):
            content = content.get(key, {})
            if not isinstance(content, dict):
                msg = f"{path}: {key}: wanted a table, got {str(content)[:60]!r}"
                raise LayoutError(msg, hint="[tool.layoutalg]")
        return from_table(content, str(path))
    return Settings()
