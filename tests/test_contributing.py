"""The examples of CONTRIBUTING are code that works: a transform and a view as they are added."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from layoutalg import evaluate, make_naive_tensor_descriptor_packed
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.pictures import as_text, view_of
from layoutalg.proofs import prove
from layoutalg.properties import covers, memory_bounds, one_to_one
from layoutalg.rules.interval import Interval

TEXT = (Path(__file__).parent.parent / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
TRANSFORM = """
from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from layoutalg.index.arithmetic import Arithmetic
from layoutalg.length import Length, Lengths, length
from layoutalg.transforms.transform import Transform
"""
VIEW = """
from layoutalg.rules.interval import Interval as Bounds
from layoutalg.pictures.view import Formulas, View, view_of
"""


def example(number, head, folder):
    """The names of one example of the page, run as a module."""
    blocks = re.findall(r"^( *)```python\n(.*?)^ *```", TEXT, re.DOTALL | re.MULTILINE)
    indent, body = blocks[number]
    code = "\n".join(line.removeprefix(indent) for line in body.split("\n"))
    file = folder / f"example{number}.py"
    file.write_text(head + code, encoding="utf-8")
    return runpy.run_path(str(file), run_name=file.stem)


@pytest.fixture
def reverse(tmp_path):
    return example(0, TRANSFORM, tmp_path)["make_reverse_transform"]


def test_a_transform_of_one_file_runs_in_every_arithmetic(reverse):
    rows = make_naive_tensor_descriptor_packed((4, 8)).transform(
        [reverse(4), reverse(8)], [(0,), (1,)], [(0,), (1,)]
    )
    assert rows.calculate_offset((0, 1)) == 30
    for i in range(4):
        for j in range(8):
            wanted = 31 - 8 * i - j
            assert rows.calculate_offset((i, j)) == wanted
            assert evaluate(rows.offset, {"i0": i, "i1": j}) == wanted
    assert reverse(8).inverse().lower(reverse(8).lower((3,), C_INTEGERS), C_INTEGERS) == (3,)
    for claim in (memory_bounds(rows), one_to_one(rows), covers(rows)):
        assert prove(claim)


def test_a_view_of_one_file_is_shown(tmp_path):
    example(1, VIEW, tmp_path)
    assert "low" in as_text(view_of(Interval(2, 5)))
