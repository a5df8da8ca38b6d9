"""Headers from a wheel: only the pinned one, only headers, whole or not at all."""

from __future__ import annotations

import hashlib
import zipfile

import pytest

from layoutalg.ck import fetch
from layoutalg.errors import ToolError

INSIDE = "aiter_meta/3rdparty/composable_kernel/include/ck_tile/"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    path = tmp_path / "some.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{INSIDE}core/config.hpp", "// a header")
        archive.writestr(f"{INSIDE}ops/code.inc", "// what a header includes")
        archive.writestr(f"{INSIDE}README.md", "no header")
        archive.writestr(f"{INSIDE}../../../../../outside.hpp", "out of the folder")
        archive.writestr("aiter/__init__.py", "raise SystemExit")
    monkeypatch.setattr(fetch, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    return path


def test_only_headers_are_unpacked(wheel, tmp_path):
    assert fetch.unpack(wheel, tmp_path / "cache" / "ck") == 2
    found = {str(p.relative_to(tmp_path / "cache")) for p in (tmp_path / "cache").rglob("*") if p.is_file()}
    assert found == {"ck/include/ck_tile/core/config.hpp", "ck/include/ck_tile/ops/code.inc"}
    assert not list(tmp_path.rglob("outside.hpp"))


def test_another_file_than_the_pinned_one_is_refused(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "SHA256", "0" * 64)
    with pytest.raises(ToolError, match="is not the pinned file"):
        fetch.unpack(wheel, tmp_path / "cache" / "ck")
    assert not (tmp_path / "cache").exists()


def test_what_breaks_off_leaves_nothing(wheel, tmp_path, monkeypatch):
    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr(zipfile.ZipFile, "read", broken)
    with pytest.raises(OSError, match="disk full"):
        fetch.unpack(wheel, tmp_path / "cache" / "ck")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_folder_without_headers_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path))
    with pytest.raises(ToolError, match="no CK headers in LAYOUTALG_CK_ROOT=") as caught:
        fetch.find_root()
    assert "layoutalg ck fetch" in caught.value.hint
