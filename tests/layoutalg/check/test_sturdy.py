"""A check survives its surroundings: files that fail, caches that lie, full disks, processes that die."""

from __future__ import annotations

import json
import os
import sqlite3
from importlib import import_module

import pytest
from typer.testing import CliRunner

from layoutalg import LayoutError
from layoutalg.check import decide, settings
from layoutalg.check.decide import Options, findings_of
from layoutalg.check.finding import Finding
from layoutalg.check.report import Report
from layoutalg.check.runner import findings
from layoutalg.check.settings import nearest_settings
from layoutalg.cli.main import app
from layoutalg.proofs.certificates.recheck import Recheck
from tests.layoutalg.check.layouts import BAD, GOOD
from tests.refusals import refused

DEEP = '[layout.a]\nindex = {x = 64}\noffset = "' + "(" * 250 + "x" + ")" * 250 + '"\nsize = 64\n'
BARE = "[layout.rows]\nbase = { lengths = [4, 8], strides = [4, 1] }\n"
SILENT = "[layout.rows]\nbase = { packed = [4, 8] }\nclaims = []\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    found = CliRunner().invoke(app, ["check", *map(str, arguments)])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


def written(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.layout.toml").write_text(text, encoding="utf-8")


# files


def test_a_file_in_error_costs_only_its_own_findings(folder):
    written(folder, a=DEEP, b=BAD, c=GOOD)
    (folder / "d.layout.toml").write_bytes(b"\xff\xfe")
    (folder / "e.layout.py").write_text("import sys\nsys.exit(3)\n")
    (folder / "f.layout.py").write_text("def claims_all():\n    raise RuntimeError('no')\n")
    found = run(".", "--output-format", "json")
    content = json.loads(found.stdout)
    assert found.exit_code == content["exit_status"] == 2  # error wins over refuted
    assert content["counts"]["error"] == 4
    assert content["counts"]["refuted"] >= 1
    assert content["counts"]["proved"] >= 1
    errors = {row["file"]: row for row in content["findings"] if row["status"] == "error"}
    assert errors["a.layout.toml"]["line"] == 3
    assert "limit NESTING" in errors["a.layout.toml"]["summary"]
    assert errors["f.layout.py"]["line"] == 1


@pytest.mark.parametrize("error", [RecursionError(), MemoryError(), OverflowError("large"), KeyError("x")])
def test_a_claim_that_cannot_be_judged_is_one_finding(error, folder, monkeypatch):
    written(folder, a=GOOD)
    wanted = len(findings_of("a.layout.toml", Options()))
    monkeypatch.setattr(decide, "_verdict", lambda *_: (_ for _ in ()).throw(error))
    found = findings_of("a.layout.toml", Options())
    assert [finding.status for finding in found] == ["error"] * wanted
    is_large = not isinstance(error, KeyError)
    assert found[0].summary.startswith("too large to be judged" if is_large else "internal error")


@pytest.mark.parametrize("error", [RecursionError(), MemoryError(), KeyError("x"), LayoutError("no")])
def test_a_file_that_cannot_be_judged_is_one_finding(error, folder, monkeypatch):
    written(folder, a=GOOD)
    monkeypatch.setattr(decide, "_findings", lambda *_: (_ for _ in ()).throw(error))
    (found,) = findings_of("a.layout.toml", Options())
    assert (found.status, found.file, found.line) == ("error", "a.layout.toml", 1)
    assert "cannot be judged" in found.summary


@pytest.mark.slow
def test_a_process_that_dies_costs_its_own_file(folder):
    written(folder, a=GOOD, b=GOOD, c=BAD)
    (folder / "d.layout.py").write_text("import os\nos._exit(9)\n")
    names = ["a.layout.toml", "b.layout.toml", "c.layout.toml", "d.layout.py"]
    found = dict(findings(names, Options(), jobs=2))
    assert {name for name, rows in found.items() if any(f.status == "error" for f in rows)} == {"d.layout.py"}
    assert set(found) == set(names)


# caches and disks


@pytest.mark.parametrize(
    "row",
    ["[1]", "{}", "[]", "null", "", "0" * 16 + "[]", "[{}]", '{"status": "proved", "details": []}', b"\xff"],
)
def test_a_row_of_the_cache_that_says_something_else_is_as_good_as_none(row, folder):
    written(folder, a=BAD)
    options = Options(cache="cache.sqlite3")
    first = [f.as_json() | {"seconds": 0} for f in findings_of("a.layout.toml", options)]
    with sqlite3.connect("cache.sqlite3") as store:
        store.execute("UPDATE results SET value = ?", (row,))
    store.close()
    again = [f.as_json() | {"seconds": 0} for f in findings_of("a.layout.toml", options)]
    assert again == first


def test_a_finding_is_read_only_from_what_is_one():
    row = Finding("a", 1, "b", "LA101", "c", "proved").as_json()
    assert Finding.from_json(row) == Finding("a", 1, "b", "LA101", "c", "proved")
    for broken in ([1], {}, {**row, "line": "1"}, {**row, "details": [1]}, {**row, "more": 1}):
        with refused(ValueError):
            Finding.from_json(broken)


def test_a_cache_that_cannot_be_used_costs_one_line(folder, capfd):
    written(folder, a=BAD)
    (folder / "cache").mkdir()
    found = findings_of("a.layout.toml", Options(cache="cache"))
    assert {finding.status for finding in found} >= {"refuted"}
    assert capfd.readouterr().err.count("\n") == 1
    (folder / "text").write_text("no database at all, but long enough to be looked at " * 30)
    again = findings_of("a.layout.toml", Options(cache="text"))
    assert [finding.status for finding in again] == [finding.status for finding in found]
    assert "the cache text is not used" in capfd.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("kind", ["sarif", "junit", "json"])
def test_a_report_that_cannot_be_written_costs_the_report(kind, folder):
    written(folder, a=BAD)
    (folder / "blocked").write_text("")
    found = run("a.layout.toml", "--output-format", f"{kind}=blocked/report")
    assert found.exit_code == 2
    assert "refuted" in found.stdout
    assert "cannot be written" in found.output


# settings


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("tool = 5", "tool"),
        ("[tool]\nlayoutalg = 5", "layoutalg"),
        ("[tool.layoutalg]\npaths = [1]", "paths"),
        ("[tool.layoutalg]\njobs = -1", "jobs 1"),
        ("[tool.layoutalg]\nmax-points = -5", "max-points 1"),
        ("[tool.layoutalg]\npoints = 5", "max-points"),
        ("[tool.layoutalg]\nrecheck = 'z4'", "recheck z3 cvc5"),
        (b"[tool.layoutalg]\nunknown = '\xff'", ""),
    ],
)
def test_broken_settings_are_told_in_one_line(text, facts, tmp_path):
    content = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "pyproject.toml").write_bytes(content)
    with refused(LayoutError, *facts.split()) as found:
        nearest_settings(tmp_path)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("text", ["[tool.layoutalg]\njobs = " + "9" * 6000, "a = " + "[" * 5000 + "]" * 5000])
def test_settings_that_python_does_not_read_are_told_in_one_line(text, tmp_path):
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(LayoutError, match=r"pyproject\.toml:1: ") as found:
        nearest_settings(tmp_path)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    "option", [["--jobs", "-1"], ["--max-points", "-5"], ["--max-points", "0"], ["--recheck=z4"]]
)
def test_numbers_of_the_command_line_are_checked(option, folder):
    written(folder, a=GOOD)
    with refused(LayoutError):
        run("a.layout.toml", *option)


def test_a_message_does_not_repeat_what_is_huge():
    with pytest.raises(LayoutError) as found:
        settings.from_table({"unknown": "{" * 100_000}, "here")
    assert len(str(found.value)) < 3000


def test_a_rule_that_does_not_exist_is_told(folder):
    written(folder, a=GOOD)
    with refused(LayoutError, "LAX"):
        run("a.layout.toml", "--select", "LAX")


def test_keys_near_by_are_named(folder):
    written(folder, a="[layots.a]\nbase = { packed = [4] }\n")
    (found,) = findings_of("a.layout.toml", Options())
    assert "did you mean layout?" in " ".join(found.details)


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ('facts = ["1 < 2"]\n' + BARE, "the fact names no symbol", 1),
    ],
)
def test_a_fact_that_names_nothing_is_told(text, said, line, folder):
    written(folder, a=text)
    found, *_ = findings_of("a.layout.toml", Options())
    assert (found.status, found.line) == ("error", line)
    assert said in found.summary


# second checkers


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_proofs_count_once_they_are_confirmed(solver, folder):
    written(folder, a=GOOD)
    found = run("a.layout.toml", f"--recheck={solver}", "--output-format", "json")
    rows = json.loads(found.stdout)["findings"]
    assert found.exit_code == 0
    assert all("confirmed by" in row["by"] for row in rows)
    assert run("--recheck", "a.layout.toml").exit_code == 0


FORMATS = ["concise", "full", "json", "junit", "github", "markdown", "sarif"]


def test_a_proof_that_is_not_confirmed_does_not_count(folder, monkeypatch):
    written(folder, a=GOOD)
    assert run("a.layout.toml").exit_code == 0
    module = import_module("layoutalg.proofs.certificates.recheck")
    monkeypatch.setattr(module, "recheck", lambda *_: Recheck("open", "no checker could tell", {}))
    assert (
        run("a.layout.toml", "--recheck").exit_code == 1
    )  # nothing is taken from the cache of other options
    assert run("a.layout.toml", "--recheck", "--unknown", "warn", "--no-cache").exit_code == 0
    for name in FORMATS:
        said = run("a.layout.toml", "--recheck", "--no-cache", "--output-format", name).stdout
        assert "proved, not confirmed" in said, name
    (folder / "pyproject.toml").write_text("[tool.layoutalg]\nrecheck = 'z3'\n")
    assert run("a.layout.toml", "--no-cache").exit_code == 1
    assert run("a.layout.toml", "--no-cache", "--recheck=no").exit_code == 0
    assert settings.from_table({"recheck": "no"}, "here").recheck == ""


# what is claimed


def test_a_descriptor_is_one_to_one_unless_its_claims_say_otherwise(folder):
    written(folder, a=BARE)
    refuted = [f for f in findings_of("a.layout.toml", Options()) if f.status == "refuted"]
    assert [finding.code for finding in refuted] == ["LA201"]


def test_a_layout_of_which_nothing_is_claimed_is_told(folder):
    written(folder, a=SILENT, b=GOOD)
    (note,) = findings_of("a.layout.toml", Options())
    assert (note.status, note.line, note.layout) == ("note", 1, "rows")
    found = run(".", "--output-format", "full")
    assert found.exit_code == 0
    assert "a.layout.toml:1: note: rows: nothing is claimed of this layout" in found.stdout
    assert run("a.layout.toml").exit_code == 2
    assert findings_of("a.layout.toml", Options(ignore=("LA002",))) == []
    for name in FORMATS:
        assert run(".", "--output-format", name).exit_code == 0
    assert Report.of([note]).sentence == "0 claims: none"


@pytest.mark.slow
def test_the_largest_enumeration_can_be_set(folder):
    text = '[layout.a]\nindex = { i = 3000 }\noffset = "(i * i * 7 + 3) % 9001"\nclaims = ["one-to-one"]\n'
    written(folder, a=text)
    one = run("a.layout.toml", "--max-points", "1", "--output-format", "json", "--no-cache")
    many = run("a.layout.toml", "--max-points", "5000", "--output-format", "json", "--no-cache")
    by = [json.loads(found.stdout)["findings"][0]["by"] for found in (one, many)]
    assert "exhaustion" not in by[0]
    assert by[1] in ("exhaustion", "small sizes", *by[:1])


def test_a_claim_over_no_points_is_an_error_in_python_files_too(tmp_path):
    file = tmp_path / "vacuous.layout.py"
    file.write_text(
        "from layoutalg import Domain, IndexMap, make_naive_tensor_descriptor_packed, parse\n"
        "from layoutalg.properties import one_to_one_map\n"
        'd = Domain.of({"i": "M"}, {"M": (8, None), "K": (8, None)})\n'
        'd = d.where(parse("M*K < 3", d))\n'
        "def claims_of_nothing():\n"
        '    return one_to_one_map(IndexMap(d, (d["i"],)), "rows")\n'
        "good = make_naive_tensor_descriptor_packed((4, 8))\n"
    )
    found = findings_of(str(file), Options())
    assert {finding.status for finding in found if finding.layout == "good"} == {"proved"}
    (refused,) = [finding for finding in found if finding.layout == "claims_of_nothing"]
    assert refused.status == "error"
    assert refused.summary.startswith("no index exists")
