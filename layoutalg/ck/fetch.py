"""Where CK's headers come from: ``LAYOUTALG_CK_ROOT``, or a pinned wheel of PyPI unpacked into a cache.

Nothing of Composable Kernel is part of this package.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from layoutalg.codegen.compile.toolchain import run
from layoutalg.errors import ToolError

__all__ = ["fetch", "find_root"]

VARIABLE = "LAYOUTALG_CK_ROOT"
PACKAGE, VERSION = "amd-aiter", "0.1.7.post2.dev18"
SHA256 = "fe139d74438217c35e87e3b961166bac8db2d381eadccb371da2e63615f05a31"
INSIDE = "aiter_meta/3rdparty/composable_kernel/"
SUFFIXES = {".hpp", ".inc"}  # the second is assembly that some headers include
WANTED = f"{INSIDE}include/ck_tile/"
HINT = f"layoutalg ck fetch, or set {VARIABLE} to a folder that has include/ck_tile"


def cache_folder() -> Path:
    """Where fetched headers are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "layoutalg" / "ck" / f"{PACKAGE}-{VERSION}"


def find_root() -> Path:
    """The folder with CK's headers; ``ToolError`` where there is none."""
    given = os.environ.get(VARIABLE)
    root = Path(given) if given else cache_folder()
    if not (root / "include" / "ck_tile").is_dir():
        where = f"{VARIABLE}={given}" if given else "the cache"
        raise ToolError(f"no CK headers in {where}", hint=HINT)
    return root


def fetch() -> Path:
    """Download the pinned wheel with pip, without its dependencies, and unpack its CK Tile headers."""
    target = cache_folder()
    if (target / "include" / "ck_tile").is_dir():
        return target
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--only-binary", ":all:"]
        run([*pip, "--dest", folder, f"{PACKAGE}=={VERSION}"])
        wheels = sorted(Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            raise ToolError(f"pip downloaded {len(wheels)} wheels of {PACKAGE}")
        unpack(wheels[0], target)
    return target


def unpack(wheel: Path, target: Path) -> int:
    """Write the headers of a wheel into a folder; how many there are.

    The folder appears only when it is complete. ``ToolError`` if the wheel is not the pinned one.
    """
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256:
        raise ToolError(f"{wheel.name} is not the pinned file: sha256 {found}, wanted {SHA256}")
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory(dir=target.parent) as folder:
        names = [name for name in archive.namelist() if _is_wanted(name)]
        if not names:
            raise ToolError(f"{wheel.name} has no {WANTED}")
        for name in names:
            place = Path(folder) / "headers" / name.removeprefix(INSIDE)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(archive.read(name))
        (Path(folder) / "headers").replace(target)
    return len(names)


def _is_wanted(name: str) -> bool:
    path = PurePosixPath(name)
    return name.startswith(WANTED) and path.suffix in SUFFIXES and ".." not in path.parts
