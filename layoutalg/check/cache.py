"""Results kept between runs, by what they depend on: the claim, the limits, the versions that decided it.

Whoever hands over a folder may hand over a cache in it. So a row counts only if this user wrote it on this
machine: it is signed with a secret that stands in the user's own cache folder.

>>> cache = Cache(None)
>>> cache.put("key", {"verdict": "proved"})
>>> cache.get("key") is None  # nothing is kept without a file
True
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import platform
import secrets
import sqlite3
import sys
import tempfile
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from layoutalg.files import user_cache

__all__ = ["Cache", "key_of"]

PACKAGES = ("layoutalg", "sympy", "numpy", "z3-solver", "cvc5")
SIGNATURE = 64  # digits of a row's signature (SHA-256), which stand before it
SECRET = 32  # bytes, as many as the signature has: more would not make it harder to guess
LATER = 30.0  # seconds another process may hold the file
TABLE = "CREATE TABLE results (key TEXT PRIMARY KEY, value TEXT)"


class Cache:
    """A table from keys to JSON values in one SQLite file.

    A file that cannot be used costs no more than a line on stderr; a row that this user did not write on
    this machine is as good as none.
    """

    def __init__(self, path: Path | None) -> None:
        self._connection: sqlite3.Connection | None = None
        self._path = path
        self._waiting: list[tuple[str, str]] = []
        if path is None:
            return
        try:
            self._secret = _secret()
            _make_folder(path.parent)
            self._connection = _opened(path)
        except (sqlite3.Error, OSError, RuntimeError) as error:  # the last of a user without a home
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
        if not isinstance(text, str) or not self._is_ours(key, text[:SIGNATURE], text[SIGNATURE:]):
            return None
        try:
            return json.loads(text[SIGNATURE:])
        except (ValueError, RecursionError):
            return None

    def put(self, key: str, value: Any) -> None:
        """Remember a value, for :meth:`close` to write."""
        if self._connection is not None:
            text = json.dumps(value)
            self._waiting.append((key, self._signature(key, text) + text))

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

    def _signature(self, key: str, text: str) -> str:
        signed = json.dumps([_machine(), key, text]).encode()
        return hmac.new(self._secret, signed, hashlib.sha256).hexdigest()

    def _is_ours(self, key: str, signature: str, text: str) -> bool:
        return hmac.compare_digest(signature.encode(errors="replace"), self._signature(key, text).encode())


def _opened(path: Path) -> sqlite3.Connection:
    """The file with its one table; refused where it holds anything else, such as a view without end."""
    connection = sqlite3.connect(path, timeout=LATER)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
        made = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    except BaseException:
        connection.close()
        raise
    if made != [(TABLE,)]:
        connection.close()
        raise sqlite3.DatabaseError("it holds something other than results; delete it")
    return connection


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


def _secret() -> bytes:
    """What this user signs with: random bytes that nobody else can read, made when first needed."""
    path = user_cache() / "secret"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)  # for its owner alone
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(SECRET))
            os.link(name, path)
        except FileExistsError:
            pass
        finally:
            Path(name).unlink()
    status, found = path.stat(), path.read_bytes()
    is_private = os.name == "nt" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)
    if len(found) != SECRET or not is_private:
        raise PermissionError(f"{path} must hold {SECRET} bytes that its owner alone may read; delete it")
    return found


@cache
def _machine() -> str:
    """What tells this machine from another that has the same home."""
    try:
        found = Path("/etc/machine-id").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        found = ""
    return f"{platform.node()} {found}"


def key_of(*parts: Any) -> str:
    """A key for a JSON value and for everything that may change what comes of it."""
    text = json.dumps([parts, _versions()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _versions() -> tuple[str, ...]:
    return (sys.version, *map(_version, PACKAGES), _source())


@cache
def _source() -> str:
    """A digest of our own files: while they are being worked on, the version says nothing."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in (root, root / "proofs"):  # the second may be a link, which is not followed
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".toml", ".json"):
                status = path.stat()
                state = f"{path.relative_to(root)} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_size}"
                digest.update(state.encode())
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
