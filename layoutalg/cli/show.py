"""``layoutalg show`` and ``layoutalg report``: layouts as text, pictures and pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from layoutalg.pictures.view import View

__all__ = [
    "Colour",
    "Element",
    "Format",
    "Gpu",
    "Out",
    "Part",
    "SourceText",
    "print_or_write",
    "report",
    "show",
]

SourceText = Annotated[
    str,
    typer.Argument(
        help="FILE.toml[:NAME], FILE.py[:NAME], module:NAME, FILE.hpp::Class::Function[{KEY=VALUE}],"
        " tile_distribution_encoding<...>, a log with some, SHAPE:STRIDE, 'AXIS=LENGTH, ... -> OFFSET'.",
        show_default=False,
    ),
]
Part = Annotated[
    str | None,
    typer.Option("--view", help="Only one part: graph, grid, threads, banks, tile, tree, formulas, source."),
]
Colour = Annotated[
    str | None,
    typer.Option(
        "--colour",
        help="What colours say: bank, lane, wave, value, row, column, register, phase; a default for each.",
    ),
]
Element = Annotated[
    str | None, typer.Option("--element", help="Element type for banks; else the layout's, else f16.")
]
Gpu = Annotated[str | None, typer.Option("--target", help="GPU for banks; gfx942 if left out.")]
Format = Annotated[
    str | None, typer.Option("--format", help="text, svg, html, png or latex; else by the end of OUT.")
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="File to write instead of printing.")]


def show(
    source: SourceText,
    view: Part = None,
    colour: Colour = None,
    element: Element = None,
    target: Gpu = None,
    form: Format = None,
    out: Out = None,
) -> None:
    """Show layouts and tile distributions: graph, closed form, threads to elements and back.

    Examples: layoutalg show layouts.py:a_lds
    layoutalg show layouts.layout.toml:tile --view threads --colour wave -o tile.svg
    layoutalg show "row=8, col=8 -> row*8 + (col ^ row)" --colour bank --element f32 -o swizzle.html
    """
    print_or_write(_view(source, view, colour, element or "", target or ""), form, out)


def print_or_write(shown: View, form: str | None, out: Path | None) -> None:
    """A view on the terminal, or as a file whose name is then told."""
    from layoutalg.errors import LayoutError  # noqa: PLC0415
    from layoutalg.pictures.picture_file import rendered, write_view  # noqa: PLC0415

    if out is not None:
        typer.echo(str(write_view(shown, out, form)))
        return
    text = rendered(shown, form or "text") if form != "png" else None
    if not isinstance(text, str):
        raise LayoutError("a PNG picture is not for a terminal", hint="add -o FILE.png")
    typer.echo(text, nl=False)


def _view(source: str, kind: str | None, colour: str | None, element: str, target: str) -> View:
    """What a source names; of several things, one after the other under their names."""
    from layoutalg.check.named_layouts import layouts_named  # noqa: PLC0415
    from layoutalg.pictures.colours import banks_of, coloured  # noqa: PLC0415
    from layoutalg.pictures.view import View, only, view_of  # noqa: PLC0415

    banks_of(element, target)
    named = layouts_named(source)
    views = {name: view_of(one.value) for name, one in named.items()}
    if kind is not None:
        views = {name: only(view, kind) for name, view in views.items()}
    views = {
        name: coloured(view, element=element or named[name].element, target=target)
        for name, view in views.items()
    }
    if len(views) == 1:
        return coloured(next(iter(views.values())), colour)
    return coloured(View("", tuple(View(f"[{name}]", (view,)) for name, view in views.items())), colour)


def report(
    paths: Annotated[list[str], typer.Argument(help="Folders, or layouts as for layoutalg show.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Page to write.")] = Path("report.html"),
    title: Annotated[str, typer.Option(help="Heading of the page.")] = "Layouts",
) -> None:
    """Write one HTML page on all layouts of files and folders: pictures, closed forms, claims, verdicts.

    The page opens offline and fetches nothing. Example: layoutalg report layouts -o report.html
    """
    from layoutalg.check.sources import sources_of  # noqa: PLC0415
    from layoutalg.errors import LayoutError  # noqa: PLC0415
    from layoutalg.files import write_text  # noqa: PLC0415
    from layoutalg.pictures.report_page import report_page  # noqa: PLC0415

    sources = sources_of(paths)
    if not sources:
        msg = f"there are no layouts in {', '.join(paths)}"
        raise LayoutError(msg, hint="wanted *.layout.toml or *.layout.py files")
    typer.echo(str(write_text(out, report_page(sources, title))))
