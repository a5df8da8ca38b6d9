"""The folder of the cache is hidden from git by itself, and a folder that was there stays as it was."""

from __future__ import annotations

import shutil
import subprocess

from layoutalg.check.cache import Cache


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
