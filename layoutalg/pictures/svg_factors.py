"""The tree of a tile distribution: dimensions X, their factors H (and R), and the P and Y above them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import drawsvg as draw

from layoutalg.pictures.drawn import CHARACTER, Piece
from layoutalg.pictures.palette import COLOURS

if TYPE_CHECKING:
    from layoutalg.distribution import TileDistribution
    from layoutalg.pictures.view import Factors

__all__ = ["factors_piece"]

COLUMN, ROW, BOX, SPACE = 92, 84, 34, 24
COLOUR_STEP = 5  # between owners, so that neighbours differ much


def factors_piece(factors: Factors) -> Piece:
    """X below, factors in the middle, owners above; a factor has the colour of its owner."""
    made = factors.distribution
    places = _factor_places(made)
    owners = _owners(made)
    group = draw.Group()
    width = max(x for x, _ in places.values()) + COLUMN if places else COLUMN
    step = width / max(len(owners), 1)
    for number, (_, owned) in enumerate(owners):
        x = round(step * (number + 0.5), 1)
        for factor in owned:
            group.append(draw.Line(x, BOX, places[factor][0], ROW, class_="la-edge"))
    for number, (name, _) in enumerate(owners):
        _box(group, name, "", (round(step * (number + 0.5), 1), 0), number * COLOUR_STEP)
    owner_of = {factor: number for number, (_, owned) in enumerate(owners) for factor in owned}
    _rows(group, made, places, owner_of)
    return Piece(group, max(width, step * len(owners)), 2 * ROW + BOX + 4)


def _rows(
    group: draw.Group,
    made: TileDistribution,
    places: dict[tuple[int, int], tuple[float, int]],
    owner_of: dict[tuple[int, int], int],
) -> None:
    for major, row in enumerate(made.encoding.rhs_lengthss):
        own = [places[major, minor][0] for minor in range(len(row))]
        if not own:
            continue
        middle = round(sum(own) / len(own), 1)
        for x in own:
            group.append(draw.Line(x, ROW + BOX, middle, 2 * ROW, class_="la-edge"))
        for minor, length in enumerate(row):
            owner = owner_of.get((major, minor))
            label = f"H{major - 1}[{minor}]" if major else f"R[{minor}]"
            colour = None if owner is None else owner * COLOUR_STEP
            _box(group, str(length), label, (places[major, minor][0], ROW), colour)
        name = f"X{major - 1} = {made.lengths[major - 1]}" if major else "R: copies"
        _box(group, name, "", (middle, 2 * ROW), None)


def _factor_places(made: TileDistribution) -> dict[tuple[int, int], tuple[float, int]]:
    found: dict[tuple[int, int], tuple[float, int]] = {}
    x = COLUMN / 2
    for major, row in enumerate(made.encoding.rhs_lengthss):
        for minor in range(len(row)):
            found[major, minor] = (x, major)
            x += COLUMN
        x += SPACE if row else 0
    return found


def _owners(made: TileDistribution) -> list[tuple[str, list[tuple[int, int]]]]:
    ps = [(f"P {p}", list(owned)) for p, owned in zip(made.ps, made.encoding.ps_factors, strict=True)]
    ys = [(f"Y{y}", [factor]) for y, factor in enumerate(made.encoding.ys_factors)]
    return ps + ys


def _box(group: draw.Group, text: str, label: str, at: tuple[float, int], colour: int | None) -> None:
    x, y = at
    width = max(COLUMN - 26, CHARACTER * len(text) + 12)
    plain, small = ("la-text", "la-small") if colour is None else ("la-on", "la-on")
    kind = "la-dimension" if colour is None else f"la-cell la-c{colour % len(COLOURS)}"
    group.append(draw.Rectangle(round(x - width / 2, 1), y, round(width, 1), BOX, rx=4, class_="la-ground"))
    group.append(draw.Rectangle(round(x - width / 2, 1), y, round(width, 1), BOX, rx=4, class_=kind))
    group.append(draw.Text(text, 12, x, y + (15 if label else 21), text_anchor="middle", class_=plain))
    if label:
        group.append(draw.Text(label, 11, x, y + 29, text_anchor="middle", class_=small))
