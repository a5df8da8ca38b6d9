"""Where CK's headers come from: a folder, or a release of a package that carries them, unpacked into a cache.

A tree is named by its folder or by a release such as ``flash-attn==2.8.3.post2``; ``LAYOUTALG_CK_ROOT`` names
the usual one, else it is that of a pinned wheel. Nothing of Composable Kernel is part of this package.
"""

from __future__ import annotations

import hashlib
import os
import re
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from layoutalg.ck.package_index import downloaded, files_of
from layoutalg.errors import ToolError
from layoutalg.files import user_cache

if TYPE_CHECKING:
    from pypi_simple import DistributionPackage

__all__ = ["OBJECTS", "PACKAGE", "PINNED", "Release", "fetch", "fetch_objects", "fetched", "find_root"]

VARIABLE = "LAYOUTALG_CK_ROOT"
MARK = "include/ck_tile/"
PACKAGE = "package"  # the folder of a tree with what the package around CK has
OBJECTS = "hsa"  # the folder of code objects, in the package and in a tree
KEPT = {  # what is read of a tree, by folder: headers, then instances, tables and configurations
    "include/ck_tile/": {".hpp", ".inc"},  # the second is assembly that some headers include
    "include/ck/": {".hpp", ".h"},
    "library/": {".hpp", ".cpp", ".in", ".inc"},
    "example/ck_tile/": {".hpp", ".py", ".json"},
    "tile_engine/": {".json", ".py"},
}
KEPT_OF_PACKAGE = {"/configs/": {".csv"}, "/csrc/": {".py"}}
HINT = f"layoutalg ck fetch, or set {VARIABLE} to a folder that has include/ck_tile"
SPELLED = re.compile(r"([A-Za-z0-9][\w.-]*?)(?:==([\w.!+]+))?")


@dataclass(frozen=True)
class Release:
    """A package of the index that carries CK's headers, in one version; the newest where none is named.

    >>> Release.of("flash-attn==2.8.3.post2")
    Release(package='flash-attn', version='2.8.3.post2', sha256='')
    """

    package: str
    version: str = ""
    sha256: str = ""  # of the one file to be taken

    @classmethod
    def of(cls, text: str) -> Release:
        """A release by ``PACKAGE`` or ``PACKAGE==VERSION``."""
        found = SPELLED.fullmatch(text)
        if found is None:
            raise ToolError(
                f"wanted PACKAGE or PACKAGE==VERSION, got {text!r}", hint="flash-attn==2.8.3.post2"
            )
        return cls(found[1], found[2] or "")

    @property
    def folder(self) -> Path:
        """Where its headers are kept."""
        return cache() / f"{self.package}-{self.version}"


PINNED = Release(
    "amd-aiter", "0.1.7.post2.dev18", "fe139d74438217c35e87e3b961166bac8db2d381eadccb371da2e63615f05a31"
)


def cache() -> Path:
    """The folder of all fetched trees."""
    return user_cache() / "ck" / "trees"


def fetched() -> list[str]:
    """The releases in the cache, as ``PACKAGE==VERSION``."""
    folders = sorted(path.name for path in cache().glob("*") if (path / MARK).is_dir())
    return ["==".join(name.rsplit("-", 1)) for name in folders]


def find_root(tree: str = "") -> Path:
    """The folder with CK's headers, of the usual tree if none is named; ``ToolError`` where there is none."""
    given = tree or os.environ.get(VARIABLE) or ""
    if not given:
        root, where, hint = PINNED.folder, "the cache", HINT
    elif "==" in given:
        root, where, hint = Release.of(given).folder, "the cache", f"layoutalg ck fetch --from {given}"
    else:
        root, hint = Path(given), HINT if not tree else f"layoutalg ck trees names those fetched; {HINT}"
        where = given if tree else f"{VARIABLE}={given}"
    if not (root / MARK).is_dir():
        raise ToolError(f"no CK headers{f' of {given}' if '==' in given else ''} in {where}", hint=hint)
    return root


def fetch(release: Release = PINNED) -> Path:
    """The folder of a release's headers, downloaded and unpacked if it is not there yet.

    ``ToolError`` where the index has no such release, or none of its files has CK's headers.
    """
    if release.version and (release.folder / MARK).is_dir():
        return release.folder
    files = files_of(release.package, release.version)
    release = Release(release.package, str(files[0].version), release.sha256)
    if (release.folder / MARK).is_dir():
        return release.folder
    looked_at = _unpacked(files, release, lambda archive: unpack(archive, release.folder, release.sha256))
    if looked_at:
        hint = "another package or version carries CK"
        raise ToolError(f"{' and '.join(looked_at)}: no {MARK}", hint=hint)
    return release.folder


def fetch_objects(release: Release = PINNED) -> Path:
    """The folder of a release's code objects, beside its headers; fetched if it is not there yet.

    ``ToolError`` where none of its files has any.
    """
    root = fetch(release)
    target = root / PACKAGE / OBJECTS
    if target.is_dir():
        return target
    release = Release(release.package, root.name.removeprefix(f"{release.package}-"), release.sha256)
    files = files_of(release.package, release.version)
    looked_at = _unpacked(files, release, lambda archive: unpack_objects(archive, target, release.sha256))
    if looked_at:
        raise ToolError(
            f"{' and '.join(looked_at)}: no code objects in {OBJECTS}/", hint="amd-aiter has some"
        )
    return target


def _unpacked(
    files: Sequence[DistributionPackage], release: Release, unpacks: Callable[[Path], int]
) -> list[str]:
    """Download files of a release until one is unpacked; the names of all if none was."""
    chosen = [f for f in files if f.digests.get("sha256") == release.sha256] if release.sha256 else files
    looked_at = []
    for file in chosen:
        with tempfile.TemporaryDirectory() as folder:
            if unpacks(downloaded(file, Path(folder))):
                return []
        looked_at.append(file.filename)
    if not looked_at:
        raise ToolError(f"{release.package} {release.version} has no file of sha256 {release.sha256}")
    return looked_at


def unpack(path: Path, target: Path, sha256: str = "") -> int:
    """Write what is read of a wheel or source distribution into a folder; how many files there are.

    The folder appears only when it is complete. ``ToolError`` if the archive has another hash than the given.
    """
    _require_hash(path, sha256)
    with _members(path) as members:
        names = [name for name, _ in members]
        tops = {name.partition(MARK)[0] for name in names if MARK in name and name.endswith(".hpp")}
        if not tops:
            return 0
        top = min(tops, key=len)
        return _write(target, [(p, read) for name, read in members if (p := _place(name, top)) is not None])


def unpack_objects(path: Path, target: Path, sha256: str = "") -> int:
    """Write the code objects of a wheel into a folder, as ``unpack`` does; how many there are."""
    _require_hash(path, sha256)
    with _members(path) as members:
        wanted = [
            (PurePosixPath(after), read)
            for name, read in members
            if (after := name.partition(f"/{OBJECTS}/")[2]).endswith(".co")
        ]
        return _write(target, wanted) if wanted else 0


def _require_hash(path: Path, sha256: str) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if sha256 and found != sha256:
        raise ToolError(f"{path.name} is not the pinned file: sha256 {found}, wanted {sha256}")


def _write(target: Path, wanted: Sequence[tuple[PurePosixPath, Callable[[], bytes]]]) -> int:
    """Files at their places in a folder that appears when all are written; how many there are.

    ``ToolError``, with nothing written, where a place is outside of the folder or a file below another file:
    an archive may name what it likes.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        root = Path(folder) / "all"
        files = {Path(os.path.normpath(root / place)): (place, read) for place, read in wanted}
        for path, (place, _) in files.items():
            if root not in path.parents:
                raise _not_ours(place, "outside of the folder it is unpacked into")
            if not files.keys().isdisjoint(path.parents):
                raise _not_ours(place, "below another file")
        for path, (_, read) in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(read())
        root.replace(target)
    return len(files)


def _not_ours(place: PurePosixPath, where: str) -> ToolError:
    hint = "do not use it: no archive of CK's headers has such a file"
    return ToolError(f"the archive has a file for {place}, {where}", hint=hint)


def _place(name: str, top: str) -> PurePosixPath | None:
    """Where a file goes that something here reads; None for all else."""
    path = PurePosixPath(name)
    if name.startswith(top):
        inside = name.removeprefix(top)
        kept = any(inside.startswith(folder) and path.suffix in ends for folder, ends in KEPT.items())
        return PurePosixPath(inside) if kept else None
    for folder, ends in KEPT_OF_PACKAGE.items():
        before, found, after = name.partition(folder)
        if before and found and path.suffix in ends:
            return PurePosixPath(PACKAGE, folder.strip("/"), after)
    return None


@contextmanager
def _members(path: Path) -> Iterator[list[tuple[str, Callable[[], bytes]]]]:
    """The files of an archive with their names, read when asked for."""
    if path.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(path) as wheel:
            yield [(name, partial(wheel.read, name)) for name in wheel.namelist()]
        return
    with tarfile.open(path) as source:
        yield [(m.name, partial(_content, source, m)) for m in source.getmembers() if m.isfile()]


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    found = archive.extractfile(member)
    return b"" if found is None else found.read()
