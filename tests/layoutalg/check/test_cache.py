"""The folder of the cache is hidden from git; rows that others wrote, or moved, are as good as none."""

from __future__ import annotations

import hashlib
import hmac
import shutil
import sqlite3
import subprocess
import sys

import pytest

from layoutalg.check import cache as module
from layoutalg.check.cache import SECRET, Cache
from layoutalg.files import user_cache


def kept_in(path):
    cache = Cache(path)
    cache.put("key", {"verdict": "proved"})
    cache.close()


def test_git_does_not_see_the_folder_that_a_cache_makes(tmp_path):
    git = shutil.which("git") or "git"
    subprocess.run([git, "init", "-q"], cwd=tmp_path, check=True)
    kept_in(tmp_path / ".layoutalg_cache" / "results.sqlite3")
    status = [git, "status", "--porcelain", "--untracked-files=all"]
    seen = subprocess.run(status, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / ".layoutalg_cache" / "results.sqlite3").exists()
    assert seen.stdout == ""


def test_a_folder_that_was_there_gets_no_gitignore(tmp_path):
    kept_in(tmp_path / "results.sqlite3")
    assert (tmp_path / "results.sqlite3").exists()
    assert not (tmp_path / ".gitignore").exists()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user without a secret."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(module, "_told", set())
    return tmp_path


def value_in(path):
    cache = Cache(path)
    try:
        return cache.get("key")
    finally:
        cache.close()


def rows_of(path):
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT key, value FROM results").fetchall()


def put(path, rows):
    with sqlite3.connect(path) as connection:
        connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", rows)


def test_what_this_user_wrote_on_this_machine_counts(home):
    kept_in(home / "results")
    assert value_in(home / "results") == {"verdict": "proved"}
    secret = user_cache() / "secret"
    assert secret.stat().st_mode & 0o777 == 0o600
    assert len(secret.read_bytes()) == SECRET


def test_what_another_user_or_machine_wrote_does_not_count(home, monkeypatch):
    kept_in(home / "results")
    monkeypatch.setattr(module, "_machine", lambda: "another")
    assert value_in(home / "results") is None
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "another"))
    assert value_in(home / "results") is None


def forged(key, text):
    """Rows as others may write them: with digests that need no secret, with none, and with odd ones."""
    bare = hashlib.sha256(f"{key} {text}".encode()).hexdigest()
    empty = hmac.new(b"", f"{key}{text}".encode(), hashlib.sha256).hexdigest()
    yield from (
        text,
        bare + text,
        bare[:16] + text,
        empty + text,
        64 * "0" + text,
        64 * "\u00e9" + text,
        "",
        7,
        None,
    )
    yield (bare + text).encode()


def test_a_forged_row_does_not_count(home):
    path = home / "results"
    kept_in(path)
    for value in forged("key", '{"verdict": "proved"}'):
        put(path, [("key", value)])
        assert value_in(path) is None
    kept_in(path)
    (row,) = rows_of(path)
    for at in range(0, len(row[1]), 7):
        put(path, [("key", row[1][:at] + chr(ord(row[1][at]) ^ 1) + row[1][at + 1 :])])
        assert value_in(path) is None
    put(path, [row])
    assert value_in(path) == {"verdict": "proved"}


def test_a_row_of_another_key_does_not_count(home):
    path = home / "results"
    cache = Cache(path)
    cache.put("key", "refuted")
    cache.put("other", "proved")
    cache.close()
    values = dict(rows_of(path))
    put(path, [("key", values["other"])])
    assert value_in(path) is None


OTHERS = {
    "a view without end": """CREATE VIEW results AS
        WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
        SELECT 'key' AS key, max(n) AS value FROM r""",
    "another table": "CREATE TABLE results (key TEXT PRIMARY KEY, value TEXT, more TEXT)",
    "a trigger": """CREATE TABLE results (key TEXT PRIMARY KEY, value TEXT);
        CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END""",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_file_that_holds_anything_else_is_not_used(home, text, capsys):
    path = home / "results"
    with sqlite3.connect(path) as connection:
        connection.executescript(text)
    kept_in(path)
    assert value_in(path) is None
    assert "something other than results" in capsys.readouterr().err


@pytest.mark.parametrize("harm", ["readable by others", "short", "a folder"])
def test_without_a_secret_of_ones_own_nothing_is_kept(home, harm, capsys):
    kept_in(home / "results")
    secret = user_cache() / "secret"
    if harm == "readable by others":
        secret.chmod(0o644)
    elif harm == "short":
        secret.write_bytes(b"")
    else:
        secret.unlink()
        secret.mkdir()
    assert value_in(home / "results") is None
    kept_in(home / "more")
    assert not (home / "more").exists()
    assert f"the cache {home / 'results'} is not used" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_many_processes_make_one_secret():
    code = "from layoutalg.check.cache import _secret; print(_secret().hex())"
    runs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)]
    assert len({run.communicate()[0] for run in runs}) == 1


def test_a_user_without_a_home_keeps_nothing(home, monkeypatch, capsys):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("pathlib.Path.home", homeless)
    kept_in(home / "results")
    assert not (home / "results").exists()
    assert "is not used: Could not determine home directory" in capsys.readouterr().err
