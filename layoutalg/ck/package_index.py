"""Files of a package on the index that pip is set up for: wheels and source distributions, never built.

``pip download`` of a source distribution runs its build, which for CK's users needs PyTorch; here a file is
only fetched, its hash compared with what the index says.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from layoutalg.codegen.compile.toolchain import run
from layoutalg.errors import ToolError
from layoutalg.reading.near_names import near_hint

if TYPE_CHECKING:
    from pypi_simple import DistributionPackage

__all__ = ["downloaded", "files_of", "index_url"]

USUAL = "https://pypi.org/simple/"
MISSING = "pip install 'layoutalg[ck]'"
KINDS = ("sdist", "wheel")  # a source distribution is smaller, and has all of CK


def index_url() -> str:
    """The address of the index, as pip would ask it: its environment, then its configuration."""
    given = os.environ.get("PIP_INDEX_URL")
    if given:
        return given
    try:
        said = run([sys.executable, "-m", "pip", "config", "get", "global.index-url"])
    except ToolError:  # nothing is set
        return USUAL
    return said.strip() or USUAL


def files_of(package: str, version: str = "") -> list[DistributionPackage]:
    """The files of a version, the newest release if none is named; source distributions come first.

    ``ToolError`` where the index does not answer, or has no such package or version.
    """
    try:
        from packaging.version import InvalidVersion, Version  # noqa: PLC0415  an extra
        from pypi_simple import NoSuchProjectError, PyPISimple  # noqa: PLC0415
        from requests import RequestException  # noqa: PLC0415
    except ImportError as error:
        raise ToolError(f"reading a package index needs {error.name}", hint=MISSING) from None
    try:
        with PyPISimple(index_url()) as index:
            page = index.get_project_page(package)
    except NoSuchProjectError:
        raise ToolError(f"the index {index_url()} has no package {package}") from None
    except RequestException as error:
        raise ToolError(f"the index {index_url()} does not answer: {error}") from None
    files = [file for file in page.packages if file.version and file.package_type in KINDS]
    named: dict[str, Version] = {}
    for file in files:
        try:
            named[file.version or ""] = Version(file.version or "")
        except InvalidVersion:
            continue
    released = [name for name, each in named.items() if not each.is_prerelease] or list(named)
    if not named:
        raise ToolError(f"{package} has no files on {index_url()}")
    wanted = version or max(released, key=named.__getitem__)
    if wanted not in named:
        hint = near_hint(wanted, named) or f"the newest is {max(released, key=named.__getitem__)}"
        raise ToolError(f"{package} has no version {wanted} on {index_url()}", hint=hint)
    found = [file for file in files if file.version == wanted]
    return sorted(found, key=lambda file: (KINDS.index(str(file.package_type)), file.filename))


def downloaded(file: DistributionPackage, folder: Path) -> Path:
    """The file in a folder; ``ToolError`` if it is not the one that the index names."""
    from pypi_simple import PyPISimple  # noqa: PLC0415  an extra
    from requests import RequestException  # noqa: PLC0415

    target = folder / Path(file.filename).name
    try:
        with PyPISimple(index_url()) as index:
            index.download_package(file, target, verify=False)
    except (RequestException, OSError) as error:
        raise ToolError(f"{file.filename} cannot be fetched: {error}") from None
    wanted = file.digests.get("sha256")
    found = hashlib.sha256(target.read_bytes()).hexdigest()
    if wanted and found != wanted:
        raise ToolError(f"{file.filename} has sha256 {found}, and the index says {wanted}")
    return target
