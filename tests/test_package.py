"""The wheel and the source distribution: built, read as an index reads them, installed into nothing, run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.release_notes import version

ROOT = Path(__file__).parent.parent
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("package")]


def run(*command, cwd=None):
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked(folder):
    """The files of a folder that belong to the package, links followed, as paths in it."""
    listed = run("git", "-C", ROOT, "ls-files", folder).split("\n")
    return {path for path in listed if path and not (ROOT / path).is_symlink()}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the source distribution and the wheel that is made from it."""
    out = tmp_path_factory.mktemp("dist")
    copy = tmp_path_factory.mktemp("source") / "layoutalg"
    run("git", "clone", "--quiet", ROOT, copy)  # nothing that lies about goes into a package
    changed = run("git", "-C", ROOT, "diff", "HEAD", "--name-only").split()
    for path in changed:
        if (ROOT / path).is_file():
            (copy / path).write_bytes((ROOT / path).read_bytes())
    run(sys.executable, "-m", "build", "--outdir", out, copy)
    return out


@pytest.fixture(scope="module")
def wheel(built):
    (found,) = built.glob("*.whl")
    return found


def test_an_index_would_take_them(built):
    told = run(sys.executable, "-m", "twine", "check", "--strict", *sorted(built.iterdir()))
    assert told.count("PASSED") == 2


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    outside = {name for name in names if not name.startswith("layoutalg/")}
    assert {re.sub(r"-.*?\.dist-info/", "/", name).split("/")[0] for name in outside} == {"layoutalg"}
    wanted = tracked("layoutalg") | {
        f"layoutalg/{path}" for part in ("proofs", "codegen") for path in tracked(part)
    }
    assert wanted - names == set()


def test_the_links_are_folders_of_real_files(wheel, built):
    archive = zipfile.ZipFile(wheel)
    for path in ("layoutalg/proofs/prove.py", "layoutalg/codegen/kernel.py", "layoutalg/py.typed"):
        assert archive.getinfo(path).external_attr >> 28 == 0o10, "a regular file"
    assert archive.read("layoutalg/proofs/prove.py") == (ROOT / "proofs" / "prove.py").read_bytes()
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"layoutalg/proofs/prove.py", "layoutalg/codegen/kernel.py", "README.md", "LICENSE"} <= names


def test_installed_into_nothing_it_runs(wheel, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    bin_ = tmp_path / "venv" / "bin"
    run(bin_ / "pip", "install", "--quiet", f"{wheel}[compile]")
    source = (ROOT / "layoutalg" / "__init__.py").read_text(encoding="utf-8")
    assert run(bin_ / "layoutalg", "--version", cwd=tmp_path) == f"layoutalg {version(source)}\n"
    where = run(bin_ / "python", "-c", "import layoutalg; print(layoutalg.__file__)", cwd=tmp_path).strip()
    assert Path(where).is_relative_to(tmp_path / "venv")
    run(bin_ / "layoutalg", "demo", "--out", tmp_path / "out", cwd=tmp_path)
    assert len(list((tmp_path / "out").glob("*.gfx9*.s"))) == 3
