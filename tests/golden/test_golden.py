"""Composable Kernel's own results, value by value; and the reader sees a difference when there is one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden.__main__ import READERS, main, read
from tests.golden.ck_import import has_headers

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_everything_matches_and_nothing_is_refused(path):
    if path.stem == "ck_import" and not has_headers():
        pytest.skip("no CK headers here: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT")
    tally = read(path)
    assert tally is not None
    assert tally.cases == len(json.loads(path.read_text())["cases"])
    assert tally.compared > 500
    assert not any("no CK headers" in why for why in tally.left_out)
    assert tally.mismatches == []
    assert tally.refused == []


def test_every_reader_has_data():
    assert {path.stem for path in FILES} == set(READERS)


def change(value):
    """The first number in a nested value, one larger."""
    if isinstance(value, list):
        return [change(value[0]), *value[1:]]
    return value + 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda case: case["observed"]["table"].update(offsets=change(case["observed"]["table"]["offsets"])),
        lambda case: case["observed"].update(element_space_size=case["observed"]["element_space_size"] + 1),
        lambda case: case["observed"]["hidden_samples"][0].__setitem__(1, [-1] * 4),
        lambda case: case["observed"]["probes"][0].__setitem__(2, 1 - case["observed"]["probes"][0][2]),
        lambda case: case["observed"]["moves"][0].__setitem__(3, 10**6),
        lambda case: case["observed"]["structure"]["transforms"][0].update(upper_hidden_ids=[1, 3, 2]),
        lambda case: case["observed"]["structure"]["transforms"][0]["params"].update(up_lengths=[4, 6, 4]),
        lambda case: case["observed"].update(safe_vector_lengths=[1, -1, -1]),
        lambda case: case["build"]["base"].update(strides=[1, 3, 1]),
    ],
)
def test_a_changed_value_is_a_mismatch(spoil, tmp_path, capsys):
    content = json.loads((DATA / "descriptors.json").read_text())
    (case,) = [c for c in content["cases"] if c["name"] == "naive_broadcast_stride0"]
    spoil(case)
    path = tmp_path / "spoiled.json"
    path.write_text(json.dumps(content | {"cases": [case]}))
    assert main([str(path)]) == 1
    assert "mismatch:" in capsys.readouterr().out


def test_the_command_line_counts_and_reports(tmp_path, capsys):
    assert main([str(DATA / "magic_division.json")]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("total: 1 files, 2 cases, ")
    assert "0 mismatches, 0 refused" in out
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert main([str(broken)]) == 2
    assert main([str(tmp_path / "absent.json")]) == 2
    assert main([str(tmp_path)]) == 2
    other = tmp_path / "other.json"
    other.write_text('{"schema": "something else", "cases": []}')
    assert main([str(other)]) == 2
