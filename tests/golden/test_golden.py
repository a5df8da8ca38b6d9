"""Composable Kernel's own results, value by value; and the reader sees a difference when there is one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden.__main__ import READERS, main, read
from tests.golden.build import descriptor, kind_and_parameters
from tests.golden.ck_import import has_headers

DATA = Path(__file__).parent / "data"
MMA = DATA.parents[1] / "layoutalg" / "mma" / "mma_layouts.json"
FILES = [*sorted(DATA.glob("*.json")), MMA]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_everything_matches_and_nothing_is_refused(path):
    if path.stem == "ck_import" and not has_headers():
        pytest.skip("no CK headers here: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT")
    tally = read(path)
    assert tally is not None
    content = json.loads(path.read_text())
    assert tally.cases == len(content["cases"] if isinstance(content, dict) else content)
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


def test_rows_of_old_ck_have_no_difference_column(tmp_path, capsys):
    """Old CK: ``packed (30, 16)``, dimension 1 unmerged into (2, 2, 4) in 24 bits, moved backwards."""
    unmerge = {"kind": "unmerge", "params": {"up_lengths": [2, 2, 4], "use_24bit": True}}
    through = {"kind": "pass_through", "params": {"low_length": 30}}
    stage = [{**through, "lower": [0], "upper": [0]}, {**unmerge, "lower": [1], "upper": [1, 2, 3]}]
    build = {"base": {"kind": "packed", "lengths": [30, 16]}, "stages": [stage]}
    made = descriptor(build)
    transforms = [
        {"kind": kind, "params": params, "lower_hidden_ids": list(low), "upper_hidden_ids": list(up)}
        for (kind, params), low, up in ((kind_and_parameters(t), low, up) for t, low, up in made.links)
    ]
    observed = {
        "lengths": [30, 2, 2, 4],
        "element_space_size": 480,
        "element_size": 480,
        "structure": {
            "transforms": transforms,
            "bottom_hidden_ids": [0],
            "top_hidden_ids": list(made.top_dimension_hidden_ids),
            "num_hidden_dims": 7,
        },
        "table": {"coords": [[1, 1, 1, 2]], "offsets": [30], "valid": "all"},
        "moves_24bit_negative": [
            [[1, 1, 1, 2], [0, -1, 0, 0], [30 + 16777208, 1, 14 + 16777208, 1, 0, 1, 2], 1],
            [[1, 1, 1, 2], [0, 0, -1, 0], [30 + 67108860, 1, 14 + 67108860, 1, 1, 0, 2], 1],
        ],
    }
    case = {"name": "unmerge_24bit_of_three", "build": build, "observed": observed}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"schema": "ck-golden-1/ck_descriptors", "cases": [case]}))
    assert main([str(path)]) == 0, capsys.readouterr().out
