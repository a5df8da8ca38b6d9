"""Notebooks run from top to bottom and are kept without outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def code_cells(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path):
    names: dict[str, object] = {}
    for number, cell in enumerate(code_cells(path)):
        code = compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec")
        exec(code, names)  # noqa: S102  our own notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path):
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code_cells(path))
