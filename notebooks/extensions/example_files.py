"""The files that the pages' commands take, in one archive: ``{examples}`` in a page is a link to it.

It unpacks to ``notebooks/examples``, the paths that the pages speak of, whether there is a checkout or not.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["NAME", "setup", "write_archive"]

NAME = "examples.zip"
SITE = Path(__file__).parents[1]
MADE = {"built", "proofs", "saved", "__pycache__"}  # folders that commands of the pages leave
FIRST = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever it is made


def _is_source(path: Path) -> bool:
    inside = path.relative_to(SITE).parts
    return path.is_file() and not any(part in MADE or part.startswith(".") for part in inside)


def write_archive(path: Path) -> list[str]:
    """Write the archive; the names in it."""
    files = sorted(filter(_is_source, (SITE / "examples").rglob("*")))
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            entry = zipfile.ZipInfo(f"notebooks/{file.relative_to(SITE).as_posix()}", FIRST)
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
        return archive.namelist()


def _link(_name: str, raw: str, text: str, _line: int, inliner: Any, *_rest: Any) -> Any:
    depth = inliner.document.settings.env.docname.count("/")
    return [nodes.reference(raw, text, refuri=f"{'../' * depth}{NAME}")], []


def _finish(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_archive(Path(app.outdir) / NAME)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the role, and the archive at the end of a build."""
    app.add_role("examples", _link)
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
