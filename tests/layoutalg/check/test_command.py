"""``layoutalg check`` as CI runs it: exit statuses, reports, settings, baseline, cache, processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import xmlschema
from typer.testing import CliRunner

from layoutalg.check.codes import CODES
from layoutalg.check.formats import FORMATS
from layoutalg.cli.main import app
from layoutalg.errors import LayoutError
from tests.layoutalg.check.layouts import BAD, GOOD, UNKNOWN
from tests.refusals import refused

SCHEMAS = Path(__file__).parents[2] / "schemas"
FILES = {"good": GOOD, "bad": BAD, "unknown": UNKNOWN, "broken": "[layout.a]\nbase = {packed = [0]}\n"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(*names):
        for name in names:
            (tmp_path / f"{name}.layout.toml").write_text(FILES[name], encoding="utf-8")
        return tmp_path

    return write


def run(*arguments, status=0):
    found = CliRunner().invoke(app, ["check", *map(str, arguments)])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == status, found.stdout
    return found.stdout


@pytest.mark.parametrize(
    ("names", "arguments", "status"),
    [
        (["good"], [], 0),
        (["good", "bad"], [], 1),
        pytest.param(["unknown"], [], 1, marks=pytest.mark.slow),
        (["unknown"], ["--unknown", "warn"], 0),
        (["broken"], [], 2),
        (["bad", "broken"], [], 2),
        (["bad"], ["--select", "LA1"], 2),
        (["bad"], ["--ignore", "LA201", "--ignore", "LA202"], 2),
        (["bad"], ["--ignore", "LA201"], 0),
        (["good", "bad"], ["--select", "LA1"], 0),
    ],
)
def test_exit_status(folder, names, arguments, status):
    folder(*names)
    run(".", *arguments, status=status)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["nowhere"], "nowhere"),
        (["."], "."),
        (["--output-format", "pdf"], "--output-format 'pdf'"),
        (["--output-format", "json="], "json="),
        (["--output-format", "json", "--output-format", "sarif"], ""),
        (["--unknown", "maybe"], "--unknown 'maybe'"),
        (["--baseline", "none.json", "."], ""),
    ],
)
def test_bad_usage_is_one_line(folder, arguments, facts):
    folder()
    with refused(LayoutError, *facts.split()):
        run(*arguments)


@pytest.mark.slow
def test_internal_use_of_the_command_line_ends_with_two(folder):
    folder()
    command = [sys.executable, "-c", "from layoutalg.cli import main; main()", "check", "nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "layoutalg: there is no file or folder nowhere, and it names no layout\nhint: "
    )


def test_a_line_for_each_problem(folder):
    folder("good", "bad", "broken")
    text = run(".", "--output-format", "concise", status=2)
    error, refuted, counts = text.splitlines()
    assert error.startswith("broken.layout.toml:2: LA001 layout.a.base: ")
    assert error.endswith("wanted a length >= 1, got 0")
    assert refuted == "bad.layout.toml:5: LA201 one-to-one refuted: overlap: (0, 7) and (1, 0) both map to 7"
    assert counts == "8 claims: 7 proved, 1 refuted; 1 error in 1 file"


def test_a_refutation_is_told_step_by_step(folder):
    folder("bad")
    text = run(".", status=1)
    assert "(0, 7) and (1, 0) both map to 7" in text
    assert "  step by step         first  second\n    index              0, 7   1, 0\n" in text
    assert "  Look at: A stride smaller than what lies below it" in text
    assert "proved" in run(".", "-v", status=1)


@pytest.mark.slow
def test_reports_in_several_formats_at_once(folder):
    where = folder("good", "bad", "unknown", "broken")
    arguments = [f"--output-format={name}={name}.out" for name in FORMATS]
    assert run(".", *arguments, status=2) == ""
    texts = {name: (where / f"{name}.out").read_text(encoding="utf-8") for name in FORMATS}
    content = json.loads(texts["json"])
    assert content["counts"] == {"error": 1, "refuted": 1, "unknown": 1, "proved": 7}
    assert content["exit_status"] == 2
    assert "::error file=bad.layout.toml,line=5,title=LA201 one-to-one refuted::overlap" in texts["github"]
    assert "\n" not in texts["github"].splitlines()[0]
    assert "%0A" in texts["github"]
    assert "| bad.layout.toml:5 | LA201 | overlap | refuted |" in texts["markdown"]


@pytest.mark.slow
def test_sarif_is_valid_and_stable(folder):
    where = folder("good", "bad", "unknown", "broken")
    run(".", "--output-format", "sarif=a.sarif", "--unknown", "warn", status=2)
    content = json.loads((where / "a.sarif").read_text(encoding="utf-8"))
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(content)
    run_, rules = content["runs"][0], content["runs"][0]["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {code.id for code in CODES} | {"LA200"}
    assert [result["ruleId"] for result in run_["results"]] == ["LA001", "LA201", "LA502"]
    assert [result["level"] for result in run_["results"]] == ["error", "error", "warning"]
    for result in run_["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert not location["uri"].startswith("/")
    moved = (where / "bad.layout.toml").read_text(encoding="utf-8")
    (where / "bad.layout.toml").write_text("\n\n# moved\n" + moved, encoding="utf-8")
    run(".", "--output-format", "sarif=b.sarif", status=2)
    again = json.loads((where / "b.sarif").read_text(encoding="utf-8"))
    fingerprints = [[r["partialFingerprints"] for r in c["runs"][0]["results"]] for c in (content, again)]
    assert fingerprints[0] == fingerprints[1]


@pytest.mark.slow
def test_junit_is_valid(folder):
    where = folder("good", "bad", "unknown", "broken")
    run(".", "--output-format", "junit=a.xml", "--unknown", "warn", status=2)
    schema = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    schema.validate(where / "a.xml")
    found = xmlschema.XMLResource(where / "a.xml").root
    assert (found.get("tests"), found.get("failures"), found.get("errors")) == ("10", "1", "1")
    assert {suite.get("name") for suite in found} == {f"{name}.layout.toml" for name in FILES}


def test_a_baseline_silences_what_is_known_and_nothing_else(folder):
    where = folder("bad")
    assert "1 known problem" in run(".", "--write-baseline", "known.json")
    text = run(".", "--baseline", "known.json", "--output-format", "concise")
    assert text == "2 claims: 1 proved, 1 baseline\n"
    worse = BAD.replace('"covers",', '"covers", "monotone-is-not-asked", ').replace(
        '"monotone-is-not-asked", ', ""
    )
    (where / "bad.layout.toml").write_text(worse.replace("[7, 1]", "[9, 1]"), encoding="utf-8")
    run(".", "--baseline", "known.json", status=1)
    (where / "other.json").write_text("{}", encoding="utf-8")
    with refused(LayoutError):
        run(".", "--baseline", "other.json")


@pytest.mark.slow
def test_what_the_baseline_knows_and_is_gone_is_told(folder):
    """Only of what this run has judged; and it does not fail."""
    where = folder("bad", "good", "unknown")
    run(".", "--write-baseline", "known.json")
    said = (
        "note: overlap: the baseline knows LA201 of bad.layout.toml, which no longer occurs; --write-baseline"
    )
    sound = BAD.replace("[7, 1]", "[8, 1]")
    (where / "bad.layout.toml").write_text(sound, encoding="utf-8")
    text = run(".", "--baseline", "known.json", "--output-format", "concise")
    (line,) = [line for line in text.splitlines() if said in line]
    assert "bad.layout.toml" in Path("known.json").read_text().splitlines()[int(line.split(":")[1])]
    for name in FORMATS:
        assert "no longer occurs" in run(".", "--baseline", "known.json", "--output-format", name), name
    for arguments in (["good.layout.toml"], [".", "--select", "LA1"], [".", "--ignore", "LA003"]):
        assert "no longer occurs" not in run(*arguments, "--baseline", "known.json")
    (where / "bad.layout.toml").write_text(sound + "x", encoding="utf-8")
    assert "no longer occurs" not in run(".", "--baseline", "known.json", status=2)
    (where / "bad.layout.toml").unlink()
    assert "LA201 of bad.layout.toml, which is gone with its file" in run(".", "--baseline", "known.json")
    run(".", "--write-baseline", "known.json")
    assert "note" not in run(".", "--baseline", "known.json")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("names", "arguments", "status", "said"),
    [
        (
            ["bad"],
            ["--select", "LA7"],
            2,
            "0 claims: none; --select LA7 matches LA701, LA702; no layout",
        ),
        (
            ["bad"],
            ["--select", "LA7", "--select", "LA2"],
            1,
            "1 refuted; --select LA7 matches LA701, LA702; ",
        ),
        (["bad"], ["--select", "LA20", "--ignore", "LA202"], 1, "1 claim: 1 refuted"),
        (["bad"], ["--select", "LA2", "--ignore", "LA2"], 2, "LA212 are ignored); nothing is left of it"),
        (
            ["bad"],
            ["--ignore", "LA2"],
            2,
            "0 claims: none; --ignore LA2 leaves out what the layouts",
        ),
        (["bad", "good"], ["--ignore", "LA201"], 0, "proved"),
    ],
)
def test_a_selection_that_judges_nothing_is_seen(folder, names, arguments, status, said):
    folder(*names)
    for name in ("concise", "full", "github", "json", "markdown"):
        assert said in run(".", *arguments, "--output-format", name, status=status), name
    found = CliRunner().invoke(app, ["check", ".", *arguments, "--output-format", "sarif=a.sarif"])
    assert (said in found.output) == (status == 2)


@pytest.mark.slow
def test_settings_come_from_the_project_and_the_command_line_wins(folder):
    where = folder("bad", "unknown")
    settings = '[tool.layoutalg]\nselect = ["LA5"]\nunknown = "warn"\npaths = ["."]\n'
    (where / "pyproject.toml").write_text(settings, encoding="utf-8")
    run(status=0)
    run("--unknown", "fail", status=1)
    run("--select", "LA201", status=1)
    (where / "pyproject.toml").write_text("[tool.layoutalg]\njobs = true\n", encoding="utf-8")
    with refused(LayoutError, "jobs", "True"):
        run()


def test_formats_of_the_project_and_the_command_line_wins(folder):
    where = folder("bad")
    table = "[tool.layoutalg]\noutput-format = "
    (where / "pyproject.toml").write_text(f'{table}"concise"\n', encoding="utf-8")
    assert run(".", status=1).startswith("bad.layout.toml:5: LA201 one-to-one refuted")
    assert run(".", "--output-format", "markdown", status=1).startswith("**layoutalg check**")
    (where / "pyproject.toml").write_text(f'{table}["github", "json=a.json"]\n', encoding="utf-8")
    assert run(".", status=1).startswith("::error file=bad.layout.toml,line=5")
    assert json.loads((where / "a.json").read_text(encoding="utf-8"))["exit_status"] == 1


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ('output-formt = "full"', "output-formt output-format"),
        ('output-format = "ful"', "output-format concise 'ful' full"),
        ('output-format = ["full", "json"]', "output-format"),
        ("output-format = 3", "output-format"),
        ('unknown = "wran"', "unknown fail 'wran' warn"),
        ('unknown = ""', "unknown fail warn ''"),
        ('recheck = "z4"', "recheck z3 cvc5 no 'z4'"),
        ('select = ["LA20l"]', "select LA20l LA201"),
        ('ignore = ["LA2", ""]', "ignore"),
        ("jobs = 0", "jobs 1"),
    ],
)
def test_every_setting_is_refused_with_its_line(folder, line, facts):
    where = folder("bad")
    text = f"[project]\nname = 'x'\n\n[tool.layoutalg]\n# a comment\npaths = ['.']\n{line}\n"
    (where / "pyproject.toml").write_text(text, encoding="utf-8")
    with refused(LayoutError, "pyproject.toml:7", "tool.layoutalg", *facts.split()):
        run()


def test_results_are_kept_until_something_changes(folder):
    where = folder("good", "bad")

    def cached():
        content = json.loads(run(".", "--output-format", "json", status=1))
        return [finding["is_cached"] for finding in content["findings"]]

    assert not any(cached())
    assert all(cached())
    (where / "bad.layout.toml").write_text(BAD.replace("[4, 8]", "[4, 9]"), encoding="utf-8")
    assert 0 < sum(cached()) < len(cached())
    (where / ".layoutalg_cache" / "results.sqlite3").write_bytes(b"damaged")
    assert not any(cached())
    run(".", "--no-cache", status=1)


def test_a_file_that_did_not_change_is_not_even_read_again(folder, monkeypatch):
    folder("good")
    run(".")
    monkeypatch.setattr("layoutalg.check.layout_file.asked_of", lambda *_: pytest.fail("read again"))
    assert "7 proved" in run(".") or "6 proved" in run(".")


@pytest.mark.slow
def test_processes_find_what_one_finds(folder):
    where = folder("bad", "unknown")
    for number in range(12):
        (where / f"copy{number}.layout.toml").write_text(GOOD, encoding="utf-8")

    def findings(*arguments):
        content = json.loads(run(".", "--no-cache", "--output-format", "json", *arguments, status=1))
        return [(f["file"], f["line"], f["code"], f["status"]) for f in content["findings"]]

    assert findings() == findings("--jobs", "2")


PYTHON = """
from layoutalg import make_naive_tensor_descriptor, make_naive_tensor_descriptor_packed
from layoutalg.properties import one_to_one

rows = make_naive_tensor_descriptor((4, 8), (10, 1))
extra = [one_to_one(rows)]


def layout_swizzled():
    return make_naive_tensor_descriptor_packed((8, 6)).xor(0, 1)


def helper():
    raise RuntimeError
"""


def test_python_files_and_modules(folder):
    where = folder()
    (where / "mine.layout.py").write_text(PYTHON, encoding="utf-8")
    (where / "not_searched.py").write_text("raise SystemExit", encoding="utf-8")
    text = run(".", "--output-format", "concise", status=1)
    assert "mine.layout.py:9: LA501 xor permutes refuted: layout_swizzled" in text
    run("mine.layout.py:rows")
    run("mine.layout.py:extra")
    (where / "layouts_of_mine.py").write_text(PYTHON, encoding="utf-8")
    run("layouts_of_mine:layout_swizzled", status=1)
    run("layouts_of_mine:nothing", status=2)
    (where / "bad.layout.py").write_text("x = 1\ny = 1 / 0\n", encoding="utf-8")
    text = run("bad.layout.py", "--output-format", "concise", status=2)
    assert text.startswith("bad.layout.py:2: LA001 cannot be loaded: ZeroDivisionError")


def test_certificates_are_written_and_hold(folder):
    where = folder("good", "bad")
    run(".", "--certificates", "proofs", status=1)
    files = list((where / "proofs").glob("*.json"))
    assert len(files) == 8
    found = CliRunner().invoke(app, ["recheck", "proofs"])
    assert found.exit_code == 0, found.stdout
    assert found.stdout.count("json: confirmed") == 8
    content = json.loads(files[0].read_text(encoding="utf-8"))
    content["claim"]["subject"] = "another"
    files[0].write_text(json.dumps(content), encoding="utf-8")
    found = CliRunner().invoke(app, ["recheck", "proofs", "--solver", "z3"])
    assert found.exit_code == 1
    assert "rejected: the digest does not fit" in found.stdout
