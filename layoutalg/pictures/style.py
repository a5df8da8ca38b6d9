"""The looks of all pictures and pages in light and dark: lines, letters, and the colours of the palette."""

from __future__ import annotations

from functools import cache

from layoutalg.pictures.palette import COLOURS, LETTERS, STEPS

__all__ = ["FONT", "css"]

FONT = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
LIGHT = {
    "ground": "fill: #ffffff",
    "dimension": "fill: #eaf2fb; stroke: #2f6fb0",
    "top": "fill: #dff3e3; stroke: #2d8a46",
    "bottom": "fill: #fdeaea; stroke: #b53a3a",
    "transform": "fill: #fff6dd; stroke: #b58a1f",
    "edge": "stroke: #7a8594; stroke-width: 1.5; fill: none",
    "cell": "stroke: #c3cad3; stroke-width: 0.5; fill: none; pointer-events: all",
    "marked": "stroke: #c62828; stroke-width: 3; fill: none",
    "masked": "stroke: #8a94a1; stroke-width: 1; fill: none",
    "mark": f"fill: {LETTERS}; fill-opacity: 0.62",
    "arrow": "fill: #7a8594",
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
    "marked": "stroke: #ff5252",
    "masked": "stroke: #7d8997",
    "arrow": "fill: #8b97a6",
    "text": "fill: #e6ebf1",
    "small": "fill: #b3bdc9",
}


@cache
def css() -> str:
    """The style sheet; every name begins with ``la-``, so that a page that holds a picture keeps its own.

    >>> "@media (prefers-color-scheme: dark)" in css()
    True
    """
    classes = [f".la-c{number} {{ fill: {colour} }}" for number, colour in enumerate(COLOURS)]
    steps = [f".la-v{number} {{ fill: {colour} }}" for number, colour in enumerate(STEPS)]
    text = f".la-text, .la-small, .la-on {{ font-family: {FONT}; font-size: 12px }}"
    nodes = ".la-dimension, .la-transform { stroke-width: 1.5 }"
    dark = " ".join(_rules(DARK, ""))
    return "\n".join(
        [
            *_rules(LIGHT, ""),
            *classes,
            *steps,
            text,
            ".la-small { font-size: 11px }",
            f".la-on {{ fill: {LETTERS} }}",
            ".la-text, .la-small, .la-on, .la-marked, .la-masked, .la-mark { pointer-events: none }",
            nodes,
            f"@media (prefers-color-scheme: dark) {{ {dark} }}",
            *_rules(LIGHT, '[data-jp-theme-light="true"] '),
            *_rules(DARK, '[data-jp-theme-light="false"] '),
        ]
    )


def _rules(looks: dict[str, str], where: str) -> list[str]:
    return [f"{where}.la-{name} {{ {look} }}" for name, look in looks.items()]
