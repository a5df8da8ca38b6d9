"""How classes look: sixteen colours, each plain and with three marks; quantities from light to dark.

A class is a number: a lane, a bank, a row. Sixteen colours are told apart by readers with normal sight, by
those without red cones and by those without green ones, and dark letters are readable on all of them, so
cells look alike on light and on dark pages. From the seventeenth class on a mark in the cell tells what the
colour no longer can: 64 classes all differ.

>>> look(0), look(24), looks_of([3, 3, 700])
(Look(colour=0, mark=0), Look(colour=8, mark=1), {3: Look(colour=0, mark=0), 700: Look(colour=2, mark=0)})
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["CLASSES", "COLOURS", "LETTERS", "MARKS", "STEPS", "Look", "look", "looks_of", "mark_path", "step"]

# Found by a search for the greatest least distance under three kinds of sight, then put in order of hue:
# neighbours are akin, so that banks of one access form a band, and yet no two are alike.
COLOURS = (
    *("#87ffff", "#4bc3ff", "#2d87d2", "#c3d2ff", "#9696f0", "#b469a5", "#ff96d2", "#f09678"),
    *("#ffe1d2", "#b47800", "#e1c35a", "#fff078", "#96a52d", "#87e196", "#009669", "#0fc396"),
)
MARKS = 4  # plain, upper corner, lower corner, bar
CLASSES = len(COLOURS) * MARKS
LETTERS = "#14191f"  # on all colours
STEPS = (  # of quantities: lightness falls from each to the next, from yellow to blue
    *("#fff9ca", "#f1f4c1", "#e0efba", "#ceeab5", "#bae6b3", "#a5e1b4", "#90dbb6", "#7ad5ba"),
    *("#65cebf", "#52c7c4", "#42bec9", "#39b4cd", "#39aacf", "#409fd0", "#4a94ce", "#5488ca"),
)
EDGE, BAR = 7, 4  # pixels of a corner, of a bar


@dataclass(frozen=True)
class Look:
    """The number of a colour and of a mark; mark 0 is none."""

    colour: int
    mark: int


def look(number: int) -> Look:
    """How a class looks; alike again after 64."""
    mark, colour = divmod(number % CLASSES, len(COLOURS))
    return Look(colour, mark)


def looks_of(classes: Iterable[int]) -> dict[int, Look]:
    """The looks of the classes of one picture: by their number, or by rank where numbers go beyond 64.

    Numbers with a common step count in steps of it; of at most eight every second colour is taken.

    >>> looks_of([0, 64])[64] == looks_of(range(8))[1] == look(2)
    True
    """
    held = sorted(set(classes))
    apart = math.gcd(*(number - held[0] for number in held[1:])) if held[1:] else 1
    places = [number // apart for number in held] if held[1:] else [0] * len(held)
    if places and (places[0] < 0 or places[-1] >= CLASSES):
        places = list(range(len(held)))
    spread = 2 if places and places[-1] < len(COLOURS) // 2 else 1
    return {number: look(spread * place) for number, place in zip(held, places, strict=True)}


def step(value: int, low: int, high: int) -> int:
    """The step of a quantity between the least and the greatest.

    >>> step(0, 0, 511), step(256, 0, 511), step(511, 0, 511), step(3, 3, 3)
    (0, 8, 15, 0)
    """
    return (value - low) * len(STEPS) // (high - low + 1)


def mark_path(mark: int, x: float, y: float, height: float) -> str:
    """The outline of a mark in a cell whose upper left corner is given; empty for mark 0."""
    match mark:
        case 1:
            return f"M{x:.6g} {y:.6g}h{EDGE}l-{EDGE} {EDGE}z"
        case 2:
            return f"M{x:.6g} {y + height:.6g}h{EDGE}l-{EDGE}-{EDGE}z"
        case 3:
            return f"M{x:.6g} {y:.6g}h{BAR}v{height:.6g}h-{BAR}z"
    return ""
