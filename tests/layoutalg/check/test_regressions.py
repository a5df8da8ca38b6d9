"""Bugs that others met: each is found by the check that should find it, and its mended form is proved."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from layoutalg.check.decide import Options, findings_of

FOLDER = Path(__file__).parents[2] / "regressions"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EXPECTED)
def test_exactly_what_is_wrong_is_refuted(name):
    found = findings_of(str(FOLDER / f"{name}.layout.toml"), Options())
    assert {finding.status for finding in found} == {"proved", "refuted"}
    refuted: dict[str, set[str]] = {layout: set() for layout in EXPECTED[name]}
    for finding in found:
        if finding.status == "refuted":
            refuted[finding.layout].add(finding.code)
    assert refuted == {layout: set(codes) for layout, codes in EXPECTED[name].items()}
    assert refuted["mended"] == set()


def test_every_file_is_expected():
    assert {path.name.removesuffix(".layout.toml") for path in FOLDER.glob("*.layout.toml")} == set(EXPECTED)
