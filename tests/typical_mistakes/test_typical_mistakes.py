"""Slips that everybody makes, each answered in one line that says what came, where, and how to mend it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from layoutalg.ck.importer import EXAMPLE
from tests.typical_mistakes.answers import command_answer, python_answer
from tests.typical_mistakes.ck import CK
from tests.typical_mistakes.command_line import COMMAND_LINE
from tests.typical_mistakes.cpp import CPP
from tests.typical_mistakes.python import PYTHON
from tests.typical_mistakes.toml import TOML

LONGEST = 200
TOLD = r"(?m)^bad\.layout\.toml:(\d+): LA001 (.*)\n((?:    .*\n)*)(?:  hint: (.*)\n)?"
FILES = {
    "good.layout.toml": "[layout.rows]\nbase = { lengths = [256, 128], strides = [136, 1] }\n",
    "mine.py": "import layoutalg as la\nrows = la.make_naive_tensor_descriptor((256, 128), (136, 1))\n",
    "notes.txt": "nothing here\n",
    "tabs.toml": "[Problem]\nkM: 64\n",
    "tree/include/ck_tile/ops/policy.hpp": EXAMPLE,
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with a layout file, a module, a text, and a tree of headers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path / "tree"))
    for name, text in FILES.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def require_one_line(message, hint, rest):
    """One line that fits a screen; further lines show the place, or the calls that led there."""
    assert 0 < len(message) <= LONGEST, len(message)
    assert message.count("\n") == 0
    places = re.sub(r"(?m)^ {2,}.*\n?", "", rest)
    assert not places, f"further lines: {places!r}"
    assert not re.search(r"Traceback|\[Errno|<class|object at 0x|[╭│]", f"{message}{hint}")


def require_words(text, words):
    assert [word for word in words if word not in text] == []


def require_one_error(answer, words):
    """A line of Python's with the class and the message; hints are in parentheses, or a note."""
    assert answer.kind, "nothing was raised"
    assert answer.kind.endswith("Error")
    ours, native = re.findall(r"^(layoutalg\.\S+Error: )?([A-Z]\w+Error: )?", answer.text)[0]
    assert ours or native == f"{answer.kind}: "
    assert ours or "Did you mean" in answer.text or "hint: " in answer.text or "Known are" in answer.text
    message, _, rest = answer.text.removeprefix(ours).partition("\n")
    rest = re.sub(r"(?m)^hint: .*$|^ +\^ \(.*\)$", "", rest).strip("\n")
    message, _, hint = message.partition(" (") if len(message) > LONGEST else (message, "", "")
    require_one_line(message, hint, rest)
    require_words(answer.text, words)


def require_refused(answer, words):
    """What a command says on its way to exit status 2."""
    assert answer.kind == "2", answer.text
    found = re.fullmatch(r"layoutalg: (.*)\n((?:  .*\n)*)(?:hint: (.*)\n)?", answer.text)
    assert found, answer.text
    require_one_line(found[1], found[3] or "", found[2])
    require_words(answer.text, words)


def test_there_are_enough():
    assert len(PYTHON) >= 35
    assert len(TOML) >= 20
    assert len(COMMAND_LINE) >= 20
    assert len(CPP) >= 15
    assert len(CK) >= 10


@pytest.mark.sample(3)
@pytest.mark.parametrize(("typed", "words"), [(row[0], row[1:]) for row in PYTHON])
def test_in_python(typed, words):
    require_one_error(python_answer(typed), words)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "line", "words"), [(row[0], row[1], row[2:]) for row in TOML])
def test_in_a_layout_file(text, line, words):
    Path("bad.layout.toml").write_text(text, encoding="utf-8")
    answer = command_answer("check bad.layout.toml --no-cache")
    assert answer.kind == "2", answer.text
    errors = re.findall(TOLD, answer.text)
    for _, message, places, hint in errors:
        require_one_line(message, hint, places)
    first = "\n".join(errors[0][1:])
    assert int(errors[0][0]) == line, answer.text
    require_words(first, words)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("typed", "words"), [(row[0], row[1:]) for row in COMMAND_LINE])
def test_on_a_command_line(typed, words):
    require_refused(command_answer(typed), words)


@pytest.mark.parametrize(("text", "words"), [(row[0], row[1:]) for row in CPP])
def test_in_an_encoding(text, words):
    require_one_error(python_answer(f"la.read_encoding({text!r})"), words)
    require_refused(command_answer(f"show '{text}'"), words)


@pytest.mark.parametrize(("typed", "words"), [(row[0], row[1:]) for row in CK])
def test_about_a_function_of_ck(typed, words):
    require_refused(command_answer(f"ck {typed}"), words)
