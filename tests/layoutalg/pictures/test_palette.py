"""Looks differ where classes do: for normal sight and for the colour-blind, with readable letters."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.pictures.palette import CLASSES, COLOURS, LETTERS, STEPS, look, looks_of, mark_path, step

# Machado, Oliveira and Fernandes 2009, severity 1, on linear light
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}
# Ottosson 2020: linear light to Oklab, in which distances are as they are seen
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
LEAST = {"normal": 0.1, "protanopia": 0.06, "deuteranopia": 0.06}  # a tenth of black to white is 0.1


def linear(colours):
    values = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colours])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def seen(colours, sight):
    light = np.clip(linear(colours) @ np.array(SIGHTS[sight]).T, 0, 1)
    return np.cbrt(light @ CONES.T) @ OKLAB.T


@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_stay_apart(sight):
    for one, other in itertools.combinations(seen(COLOURS, sight), 2):
        assert np.linalg.norm(one - other) > LEAST[sight]


@pytest.mark.parametrize("sight", SIGHTS)
def test_quantities_darken_step_by_step(sight):
    lightness = seen(STEPS, sight)[:, 0]
    assert (np.diff(lightness) < -0.01).all()
    assert [step(value, 0, 255) for value in range(0, 256, 16)] == list(range(16))


def test_letters_are_readable_on_every_colour():
    light = linear([*COLOURS, *STEPS, LETTERS]) @ [0.2126, 0.7152, 0.0722]
    assert ((light[:-1] + 0.05) / (light[-1] + 0.05)).min() > 4.5


@given(st.lists(st.integers(0, 100_000), max_size=CLASSES))
def test_two_classes_of_a_picture_look_alike_only_if_they_are_one(numbers):
    looks = looks_of(numbers)
    assert set(looks) == set(numbers)
    assert len({(found.colour, found.mark) for found in looks.values()}) == len(set(numbers))


def test_lanes_keep_their_looks_and_0_and_24_differ():
    assert looks_of(range(64)) == {lane: look(lane) for lane in range(64)}
    assert look(0) != look(24)
    assert len({mark_path(mark, 0, 0, 20) for mark in range(4)}) == 4
