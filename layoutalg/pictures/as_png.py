"""Views as PNG, by resvg: letters are those of DejaVu Sans Mono that matplotlib brings along."""

from __future__ import annotations

from layoutalg.errors import ToolError
from layoutalg.extras import install_command
from layoutalg.pictures.as_svg import as_svg
from layoutalg.pictures.view import View

__all__ = ["as_png"]

ZOOM = 2.0


def as_png(view: View, zoom: float = ZOOM) -> bytes:
    """The picture in light colours, ``zoom`` dots a pixel."""
    try:
        from matplotlib import get_data_path  # noqa: PLC0415  optional
        from resvg_py import svg_to_bytes  # noqa: PLC0415  optional
    except ImportError as error:
        msg = f"PNG pictures need {error.name}"
        raise ToolError(msg, hint=f"{install_command('png')}, or write .svg") from None
    font = f"{get_data_path()}/fonts/ttf/DejaVuSansMono.ttf"
    return bytes(
        svg_to_bytes(
            svg_string=as_svg(view),
            zoom=zoom,
            font_files=[font],
            font_family="DejaVu Sans Mono",
            monospace_family="DejaVu Sans Mono",
            skip_system_fonts=True,
        )
    )
