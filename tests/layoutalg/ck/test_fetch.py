"""CK's headers and configurations from wheels and source distributions: whole or not at all."""

from __future__ import annotations

import functools
import hashlib
import io
import random
import tarfile
import warnings
import zipfile
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pypi_simple
import pytest
from pypi_simple import NoSuchProjectError

from layoutalg.ck import fetch, package_index
from layoutalg.ck.fetch import Release
from layoutalg.errors import ToolError
from tests.refusals import refused

TOP = "aiter_meta/3rdparty/composable_kernel/"
MEMBERS = {
    f"{TOP}include/ck_tile/core/config.hpp": "// a header",
    f"{TOP}include/ck_tile/ops/code.inc": "// what a header includes",
    f"{TOP}include/ck/ck.hpp": "a header of old CK",
    f"{TOP}library/src/instance.cpp": "instances of its kernels",
    f"{TOP}profiler/src/profile.cpp": "nothing that is read",
    f"{TOP}tile_engine/ops/gemm/configs/default.json": "configurations",
    "aiter/configs/tuned.csv": "the package's own",
    f"{TOP}include/ck_tile/README.md": "neither",
    "aiter/__init__.py": "raise SystemExit",
    "aiter_meta/hsa/gfx942/norm.co": "a code object",
    "aiter_meta/hsa/gfx942/norm.csv": "no code object",
}
UNPACKED = {
    "include/ck/ck.hpp",
    "include/ck_tile/core/config.hpp",
    "include/ck_tile/ops/code.inc",
    "library/src/instance.cpp",
    "package/configs/tuned.csv",
    "tile_engine/ops/gemm/configs/default.json",
}


@pytest.fixture(params=["wheel", "source distribution"])
def archive(request, tmp_path):
    if request.param == "wheel":
        path = tmp_path / "some.whl"
        with zipfile.ZipFile(path, "w") as made:
            for name, text in MEMBERS.items():
                made.writestr(name, text)
        return path
    path = tmp_path / "some.tar.gz"
    with tarfile.open(path, "w:gz") as made:
        for name, text in MEMBERS.items():
            info = tarfile.TarInfo(f"some-1.0/{name}")
            info.size = len(text)
            made.addfile(info, io.BytesIO(text.encode()))
    return path


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_only_what_is_read_is_unpacked(archive, tmp_path):
    assert fetch.unpack(archive, tmp_path / "cache" / "ck") == len(UNPACKED)
    assert files_in(tmp_path / "cache" / "ck") == UNPACKED


def wheel_with(path, names):
    """A wheel with one header of CK and members of these names; zipfile writes them unchanged."""
    with zipfile.ZipFile(path, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # two of one name
        for name in (f"{TOP}include/ck_tile/core/config.hpp", *names):
            made.writestr(zipfile.ZipInfo(name), "x")
    return path


def is_refused(call):
    try:
        call()
    except ToolError:
        return True
    return False


@pytest.mark.parametrize(
    ("unpack", "name"),
    [
        (fetch.unpack, f"{TOP}include/ck_tile/../../../../../../outside.hpp"),
        (fetch.unpack, "other/csrc//ABS/outside.py"),
        (fetch.unpack, "other/configs//ABS/outside.csv"),
        (fetch.unpack, "other/csrc/../../../../outside.py"),
        (fetch.unpack_objects, "other/hsa//ABS/outside.co"),
        (fetch.unpack_objects, "other/hsa/../../../../outside.co"),
    ],
)
def test_a_place_outside_of_the_folder_is_refused(unpack, name, tmp_path):
    path = wheel_with(tmp_path / "some.whl", [name.replace("/ABS", str(tmp_path))])
    with refused(ToolError, hint="CK's"):
        unpack(path, tmp_path / "cache" / "ck")
    assert files_in(tmp_path) == {"some.whl"}


PARTS = ("", ".", "..", "a", "csrc", "configs", "hsa", "C:", "\\", "~", "ABS", "x.hpp", "x.py")
TOPS = (f"{TOP}include/ck_tile/", f"{TOP}library/", "some/csrc/", "some/configs/", "some/hsa/")
ENDS = ("x.hpp", "x.py", "x.csv", "x.co", "..", ".hpp")


def test_whatever_members_are_called_nothing_lands_outside(tmp_path):
    """Random names: each archive is refused, or writes below its folder and nowhere else."""
    draw = random.Random(20261129)
    counts: Counter[bool] = Counter()
    for number in range(300):
        names = []
        for _ in range(draw.randint(1, 3)):
            middle = "/".join(draw.choices(PARTS, k=draw.randint(0, 5)))
            leaves = draw.choice(("", "/ABS/", "../" * 6))
            name = f"{draw.choice(TOPS)}{leaves}{middle}/{draw.choice(ENDS)}"
            names.append(name.replace("ABS", f"{tmp_path}/outside"))
        place = tmp_path / "in" / str(number)
        place.mkdir(parents=True)
        path = wheel_with(place / "some.whl", names)
        for unpack in (fetch.unpack, fetch.unpack_objects):
            target = place / unpack.__name__ / "ck"
            counts[is_refused(functools.partial(unpack, path, target))] += 1
        top_level = {file.split("/")[0] for file in files_in(place)}
        assert top_level <= {"some.whl", "unpack", "unpack_objects"}, names
        assert {each.name for each in tmp_path.iterdir()} == {"in"}, names
        assert {each.name for each in (tmp_path / "in").iterdir()} == set(map(str, range(number + 1))), names
    assert min(counts.values()) > 40


def test_a_file_below_a_file_is_refused(tmp_path):
    path = wheel_with(tmp_path / "some.whl", ["some/csrc/x.py", "some/csrc/x.py/y.py"])
    with refused(ToolError, "package/csrc/x.py/y.py"):
        fetch.unpack(path, tmp_path / "ck")


def test_another_file_than_the_pinned_one_is_refused(archive, tmp_path):
    with pytest.raises(ToolError, match="0" * 64):
        fetch.unpack(archive, tmp_path / "cache" / "ck", "0" * 64)
    assert not (tmp_path / "cache").exists()


def test_what_breaks_off_leaves_nothing(archive, tmp_path, monkeypatch):
    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr(zipfile.ZipFile, "read", broken)
    monkeypatch.setattr(tarfile.TarFile, "extractfile", broken)
    with pytest.raises(OSError, match="disk full"):
        fetch.unpack(archive, tmp_path / "cache" / "ck")
    assert list((tmp_path / "cache").iterdir()) == []


def test_an_archive_without_ck_gives_nothing(tmp_path):
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as made:
        made.writestr("other/__init__.py", "")
    assert fetch.unpack(tmp_path / "other.whl", tmp_path / "ck") == 0
    assert not (tmp_path / "ck").exists()


@pytest.fixture
def index(archive, tmp_path, monkeypatch):
    """An index with one package of two files, of which the second has CK; what was asked of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    empty = tmp_path / "empty.whl"
    zipfile.ZipFile(empty, "w").close()
    files = [
        SimpleNamespace(filename=path.name, version="1.0", digests={"sha256": sha}, path=path)
        for path, sha in ((empty, hashlib.sha256(empty.read_bytes()).hexdigest()), (archive, digest))
    ]
    asked = []

    def listed(package, version=""):
        asked.append((package, version))
        return files

    monkeypatch.setattr(fetch, "files_of", listed)
    monkeypatch.setattr(fetch, "downloaded", lambda file, _: file.path)
    return SimpleNamespace(files=files, asked=asked, digest=digest)


def test_a_release_is_fetched_once_and_found_by_its_name(index):
    root = fetch.fetch(Release("some"))
    assert files_in(root) == UNPACKED
    assert fetch.fetched() == ["some==1.0"]
    assert fetch.find_root("some==1.0") == root == fetch.fetch(Release("some", "1.0"))
    assert index.asked == [("some", "")]


def test_code_objects_are_fetched_once_when_asked_for(index):
    found = fetch.fetch_objects(Release("some"))
    assert files_in(found) == {"gfx942/norm.co"}
    assert (
        found
        == fetch.fetch_objects(Release("some", "1.0"))
        == fetch.fetch(Release("some", "1.0")) / "package/hsa"
    )
    assert index.asked == [("some", ""), ("some", "1.0")]
    assert files_in(found.parents[1]) == {*UNPACKED, "package/hsa/gfx942/norm.co"}


@pytest.mark.usefixtures("index")
def test_a_release_without_code_objects_is_told(monkeypatch):
    monkeypatch.setattr(fetch, "OBJECTS", "elsewhere")
    with refused(ToolError, "elsewhere/"):
        fetch.fetch_objects(Release("some"))


def test_a_pinned_release_takes_the_one_file(index):
    fetch.fetch(Release("some", "1.0", index.digest))
    with refused(ToolError, "0" * 64):
        fetch.fetch(Release("other", "", "0" * 64))


def test_a_package_without_ck_is_told(index):
    del index.files[1]
    with refused(ToolError, "empty.whl", "include/ck_tile/"):
        fetch.fetch(Release("some"))


@pytest.mark.parametrize("text", ["", "a b", "flash-attn=2.8", "../up==1"])
def test_other_spellings_of_a_release_are_refused(text):
    with refused(ToolError, "PACKAGE", "PACKAGE==VERSION"):
        Release.of(text)


def test_a_tree_that_was_not_fetched_says_how(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with refused(ToolError, "xformers==0.0.29") as caught:
        fetch.find_root("xformers==0.0.29")
    assert caught.value.hint == "layoutalg ck fetch --from xformers==0.0.29"


def test_a_folder_without_headers_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path))
    with refused(ToolError, "LAYOUTALG_CK_ROOT") as caught:
        fetch.find_root()
    assert "layoutalg ck fetch" in caught.value.hint


def test_the_index_is_the_one_of_pip(monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple/")
    assert package_index.index_url() == "https://mirror.example/simple/"
    monkeypatch.delenv("PIP_INDEX_URL")
    assert package_index.index_url().startswith("http")


class Index:
    """Stands for an index with one package: two releases, and one before its time."""

    def __init__(self, _):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def get_project_page(self, name):
        if name != "some":
            raise NoSuchProjectError(name, "https://mirror.example/simple/")
        kinds = ("wheel", "sdist", "egg")
        rows = [
            SimpleNamespace(filename=f"some-{version}.{kind}", version=version, package_type=kind)
            for version in ("1.9", "1.10", "2.0rc1")
            for kind in kinds
        ]
        return SimpleNamespace(packages=rows)

    def download_package(self, file, path, verify):
        assert not verify
        path.write_bytes(file.content)


@pytest.fixture
def mirror(monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple/")
    monkeypatch.setattr(pypi_simple, "PyPISimple", Index)


@pytest.mark.usefixtures("mirror")
def test_the_newest_release_is_taken_and_its_source_distribution_first():
    assert [file.filename for file in package_index.files_of("some")] == [
        "some-1.10.sdist",
        "some-1.10.wheel",
    ]
    assert [file.version for file in package_index.files_of("some", "2.0rc1")] == ["2.0rc1"] * 2


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize(("package", "version", "facts"), [("some", "1.11", "1.11"), ("none", "", "none")])
def test_what_the_index_does_not_have_is_told(package, version, facts):
    with refused(ToolError, *facts.split()):
        package_index.files_of(package, version)


@pytest.mark.usefixtures("mirror")
def test_a_file_with_another_hash_than_the_index_says_is_refused(tmp_path):
    file: Any = SimpleNamespace(filename="some.whl", content=b"other", digests={"sha256": "0" * 64})
    with refused(ToolError, "0" * 64):
        package_index.downloaded(file, tmp_path)
    file.digests["sha256"] = hashlib.sha256(b"other").hexdigest()
    assert package_index.downloaded(file, tmp_path).read_bytes() == b"other"
