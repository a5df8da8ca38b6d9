"""``layoutalg lemmas``, ``explain`` and ``recheck`` as they are typed."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from layoutalg.check.codes import CODES
from layoutalg.cli import main
from layoutalg.cli.main import app
from layoutalg.errors import InternalError, LayoutError
from tests.refusals import refused


def run(*arguments, status=0):
    found = CliRunner().invoke(app, [*map(str, arguments)])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == status, found.stdout
    return found.stdout


def test_a_fault_of_ours_is_one_line(monkeypatch, capsys):
    def broken(**_):
        raise InternalError("ranges proves what is false\nand more")

    monkeypatch.setitem(main.__globals__, "app", broken)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = "layoutalg: ranges proves what is false\nhint: a fault of ours: please report it\n"
    assert capsys.readouterr().err == said


def test_lemmas_are_proved_and_listed(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text = run("lemmas", "merge")
    assert "merge of 4 inverts unmerge" in text
    assert "digits" in text
    assert "not proved" not in text
    assert "induction" in run("lemmas", "softmax")
    with refused(LayoutError, "mrege"):
        run("lemmas", "mrege")


@pytest.mark.slow
def test_rules_are_explained():
    listed = run("explain")
    for code in CODES:
        assert f"{code.id}  {code.claim}" in listed
        assert code.look in run("explain", code.id)
    with refused(LayoutError, "LA7"):
        run("explain", "LA7")


@pytest.mark.parametrize(
    ("content", "arguments", "facts"),
    [
        ("{", [], ""),
        ("[]", [], ""),
        ("{}", ["--solver", "yices"], "--solver z3 cvc5 'yices'"),
    ],
)
def test_what_is_no_certificate_is_one_line(tmp_path, content, arguments, facts):
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")
    with refused(LayoutError, *facts.split()):
        run("recheck", path, *arguments)


def test_a_folder_without_certificates_is_one_line(tmp_path):
    with refused(LayoutError):
        run("recheck", tmp_path)


def test_other_json_is_rejected(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"schema": "something"}), encoding="utf-8")
    assert "rejected: wanted schema layoutalg-certificate-2" in run("recheck", path, status=1)
