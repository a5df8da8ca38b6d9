"""``layoutalg ck diff``: what changed between two trees of CK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.check.ck_diff import Change, Kind, TreeDiff

__all__ = ["diff_trees"]

WORSE = 1
Tree = Annotated[str, typer.Argument(help="Folder with include/ck_tile, or a fetched PACKAGE==VERSION.")]


def diff_trees(
    old: Tree,
    new: Tree,
    path: Annotated[str, typer.Option(help="Only functions with this in their file or name.")] = "",
    arch: Annotated[str, typer.Option(help="GPU the headers are read for.")] = "gfx942",
    output_format: Annotated[str, typer.Option(help="text or json.")] = "text",
) -> None:
    """Tell functions new and gone, layouts that differ and verdicts that turned, each with a witness.

    Exit status 1 if a claim that was proved is not any more.
    Example: layoutalg ck diff flash-attn==2.8.0.post2 flash-attn==2.8.3.post2
    """
    from layoutalg.check.ck_diff import compared_trees  # noqa: PLC0415
    from layoutalg.ck.cpp.headers import headers  # noqa: PLC0415
    from layoutalg.ck.fetch import find_root  # noqa: PLC0415
    from layoutalg.machine import known_target  # noqa: PLC0415

    if output_format not in {"text", "json"}:
        raise LayoutError(f"--output-format: wanted text or json, got {output_format}")
    known_target(arch, where="--arch")
    found = compared_trees(headers(find_root(old), arch), headers(find_root(new), arch), path)
    if output_format == "json":
        changes = [asdict(change) for change in found.changes]
        typer.echo(json.dumps({"old": old, "new": new, "arch": arch, "changes": changes}, indent=2))
    else:
        typer.echo("\n".join(_lines(found, old, new, arch)))
    if any(change.is_worse for change in found.changes):
        raise typer.Exit(WORSE)


WORDS: dict[Kind, str] = {
    "import": "imported in one only",
    "layout": "with another layout",
    "verdict": "verdicts turned",
    "new": "new",
    "gone": "gone",
}


def _lines(found: TreeDiff, old: str, new: str, arch: str) -> Iterator[str]:
    for change in found.of("gone"):
        yield f"gone     {change.function}"
    for change in found.of("new"):
        yield f"new      {change.function}"
    for change in (*found.of("import"), *found.of("layout")):
        yield f"{change.kind:8} {change.function}"
        yield f"  was {change.before}"
        yield f"  is  {change.after}"
        if change.witness:
            yield f"  {change.witness}"
    for change in found.of("verdict"):
        yield f"verdict  {change.function}"
        yield f"  {change.claim}: {change.before}, now {change.after}{_told(change)}"
    counts = ", ".join(f"{len(found.of(kind))} {word}" for kind, word in WORDS.items())
    before, after = found.functions
    yield f"{old}: {before} functions, {new}: {after}, on {arch}; of {found.shared} in both: {counts}"


def _told(change: Change) -> str:
    return f": {change.witness}" if change.witness else ""
