"""The looks of all pictures and pages: colours in light and dark, letters, lines.

Colours of owners (lanes, threads, banks) go round a circle of hues of equal lightness, colorcet's
``cet_c6``, laid thinly over the ground so that text stays readable on all of them.
"""

from __future__ import annotations

from functools import cache

from cmap import Colormap

__all__ = ["COLOURS", "FONT", "css"]

COLOURS = 24
FONT = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
LIGHT = {
    "ground": "fill: #ffffff",
    "dimension": "fill: #eaf2fb; stroke: #2f6fb0",
    "top": "fill: #dff3e3; stroke: #2d8a46",
    "bottom": "fill: #fdeaea; stroke: #b53a3a",
    "transform": "fill: #fff6dd; stroke: #b58a1f",
    "edge": "stroke: #7a8594; stroke-width: 1.5; fill: none",
    "cell": "stroke: #c3cad3; stroke-width: 0.5; fill: none; pointer-events: all",
    "marked": "stroke: #c62828; stroke-width: 2.5; fill: none",
    "text": "fill: #1c2733",
    "small": "fill: #4a5563",
}
DARK = {
    "ground": "fill: #14191f",
    "dimension": "fill: #1d3249; stroke: #5b9bd9",
    "top": "fill: #1c3b25; stroke: #57b873",
    "bottom": "fill: #472020; stroke: #e07a7a",
    "transform": "fill: #40361a; stroke: #d9b04a",
    "edge": "stroke: #8b97a6",
    "cell": "stroke: #3d4855",
    "marked": "stroke: #ff6b6b",
    "text": "fill: #e6ebf1",
    "small": "fill: #b3bdc9",
}


@cache
def css() -> str:
    """The style sheet; every name begins with ``la-``, so that a page that holds a picture keeps its own.

    >>> "@media (prefers-color-scheme: dark)" in css()
    True
    """
    hues = Colormap("cet_c6")
    owners = [f".la-c{n} {{ fill: {hues(n / COLOURS).hex}; fill-opacity: 0.38 }}" for n in range(COLOURS)]
    text = f".la-text, .la-small {{ font-family: {FONT}; font-size: 12px }} .la-small {{ font-size: 11px }}"
    nodes = ".la-dimension, .la-transform { stroke-width: 1.5 }"
    dark = " ".join(_rules(DARK, ""))
    return "\n".join(
        [
            *_rules(LIGHT, ""),
            *owners,
            text,
            ".la-text, .la-small, .la-marked { pointer-events: none }",
            nodes,
            f"@media (prefers-color-scheme: dark) {{ {dark} }}",
            *_rules(DARK, '[data-jp-theme-light="false"] '),
        ]
    )


def _rules(looks: dict[str, str], where: str) -> list[str]:
    return [f"{where}.la-{name} {{ {look} }}" for name, look in looks.items()]
