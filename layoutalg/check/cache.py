"""Results kept between runs, by what they depend on: the claim, the limits, the versions that decided it.

>>> cache = Cache(None)
>>> cache.put("key", {"verdict": "proved"})
>>> cache.get("key") is None  # nothing is kept without a file
True
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["Cache", "key_of"]

PACKAGES = ("layoutalg", "sympy", "numpy", "z3-solver", "cvc5")
DIGEST = 16  # digits of a row's digest, which stand before it
LATER = 30.0  # seconds another process may hold the file


class Cache:
    """A table from keys to JSON values in one SQLite file.

    A file that cannot be used costs no more than a line on stderr; a row that is not what was written
    into it, told by a digest, is as good as none.
    """

    def __init__(self, path: Path | None) -> None:
        self._connection: sqlite3.Connection | None = None
        self._path = path
        self._waiting: list[tuple[str, str]] = []
        if path is None:
            return
        try:
            _make_folder(path.parent)
            self._connection = sqlite3.connect(path, timeout=LATER)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT)")
        except (sqlite3.Error, OSError) as error:
            self._connection = None
            _tell(path, error)

    def get(self, key: str) -> Any:
        """The value kept for a key, or None."""
        if self._connection is None:
            return None
        try:
            row = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            _tell(self._path, error)
            return None
        text = row[0] if row is not None else None
        if not isinstance(text, str) or text[:DIGEST] != _digest(key, text[DIGEST:]):
            return None
        try:
            return json.loads(text[DIGEST:])
        except (ValueError, RecursionError):
            return None

    def put(self, key: str, value: Any) -> None:
        """Remember a value, for :meth:`close` to write."""
        text = json.dumps(value)
        self._waiting.append((key, _digest(key, text) + text))

    def close(self) -> None:
        """Write everything remembered, all of it or nothing."""
        if self._connection is None:
            return
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", self._waiting)
            self._connection.close()
        except sqlite3.Error as error:
            _tell(self._path, error)
        self._connection = None


def _make_folder(folder: Path) -> None:
    """Make a folder that is not there, and hide it from git; one that is there stays as it is."""
    if folder.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")


_told: set[str] = set()


def _tell(path: Path | None, error: Exception) -> None:
    """One line about a cache, however often it fails."""
    if str(path) not in _told:
        _told.add(str(path))
        sys.stderr.write(f"layoutalg: the cache {path} is not used: {error}\n")


def _digest(key: str, text: str) -> str:
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()[:DIGEST]


def key_of(*parts: Any) -> str:
    """A key for a JSON value and for everything that may change what comes of it."""
    text = json.dumps([parts, _versions()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _versions() -> tuple[str, ...]:
    return (*map(_version, PACKAGES), _source())


@cache
def _source() -> str:
    """A digest of our own source: while it is being worked on, its version says nothing."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in (root, root / "proofs"):
        for path in sorted(folder.rglob("*.py")):
            status = path.stat()
            digest.update(f"{path.relative_to(root)} {status.st_mtime_ns} {status.st_size}".encode())
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
