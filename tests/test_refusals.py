"""Refusals: what ``refused`` asserts, and the file that keeps how they are worded."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.errors import LayoutError, LengthError, ToolError
from tests.refusals import CHECKOUT, SNAPSHOT, Wording, as_text, lacking, of_text, portable, refused

TEST = "tests/test_a.py::test_b[{'x': 1} (call)]"
IDS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12).map("t".__add__)
MESSAGES = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).map("LayoutError: ".__add__)


@given(st.dictionaries(IDS, st.lists(MESSAGES, min_size=1, max_size=3), max_size=4))
def test_what_is_written_is_read_as_it_was(entries):
    assert of_text(as_text(entries)) == entries


def test_the_file_is_as_it_would_be_written():
    text = SNAPSHOT.read_bytes().decode()
    assert as_text(of_text(text)) == text


def test_every_entry_has_its_test():
    sources: dict[str, str] = {}
    for test in of_text(SNAPSHOT.read_bytes().decode()):
        file, name = re.split("::|\\[", test, maxsplit=2)[:2]
        text = sources.setdefault(file, (CHECKOUT / file).read_text(encoding="utf-8"))
        assert f"def {name}(" in text, f"{test} is gone: run pytest --update-snapshots, or delete its entry"


@pytest.mark.parametrize(
    ("text", "fact", "is_there"),
    [
        ("of 128", "8", False),
        ("of 12.8", "8", False),
        ("of 8.5", "8", False),
        ("x8", "8", False),
        ("8_t", "8", False),
        ("got 8.", "8", True),
        ("hs[0][1]: wanted", "hs[0]", True),
        ("--jobs: wanted", "--jobs", True),
        ("got 'a b'", "'a b'", True),
        ("kMPerBlock", "kM", False),
    ],
)
def test_facts_are_whole_tokens(text, fact, is_there):
    assert lacking(text, [fact]) == ([] if is_there else [fact])


def test_another_class_goes_on_with_a_note():
    with pytest.raises(ToolError) as caught, refused(LayoutError):
        raise ToolError("no compiler")
    assert caught.value.__notes__ == ["refused: wanted LayoutError, got ToolError"]


def test_what_raises_nothing_fails():
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"), refused(LayoutError):
        pass


@pytest.mark.parametrize(
    ("facts", "hint", "absent"), [(("K",), (), "'K'"), (("M", "8"), "N", "'N'"), ((), ("N", "O"), "'N', 'O'")]
)
def test_a_fact_that_is_not_told_fails(facts, hint, absent):
    with pytest.raises(AssertionError, match=absent), refused(LayoutError, *facts, hint=hint):
        raise LayoutError("M: wanted 8", hint="did you mean kM?")


def test_a_wording_that_nothing_keeps_fails_and_says_how_it_is_written(tmp_path):
    with pytest.raises(AssertionError, match=r"pytest --update-snapshots tests/test_a\.py"):
        Wording(tmp_path / "none.txt").tell(TEST, "LayoutError: one")


def written(path, *messages):
    """What a run with ``--update-snapshots`` writes of a test that is told these messages."""
    wording = Wording(path, update=True)
    wording.begin(TEST)
    for message in messages:
        wording.tell(TEST, message)
    wording.end(TEST)
    wording.write()
    return Wording(path)


def test_messages_are_compared_in_turn(tmp_path):
    wording = written(tmp_path / "a.txt", "LayoutError: one", "LayoutError: two\nlines")
    wording.begin(TEST)
    wording.tell(TEST, "LayoutError: one")
    with pytest.raises(AssertionError, match="refusal 2") as caught:
        wording.tell(TEST, "LayoutError: two\nother lines")
    assert "- LayoutError: two\nlines\n+ LayoutError: two\nother lines\n" in str(caught.value)
    with pytest.raises(AssertionError, match="refusal 3"):
        wording.tell(TEST, "LayoutError: three")


def test_a_refusal_that_no_longer_comes_is_told(tmp_path):
    wording = written(tmp_path / "a.txt", "LayoutError: one", "LayoutError: two")
    wording.begin(TEST)
    wording.tell(TEST, "LayoutError: one")
    with pytest.raises(AssertionError, match="1 of the 2"):
        wording.end(TEST)


def test_an_update_keeps_what_did_not_run_and_drops_what_is_no_longer_told(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(as_text({"tests/a.py::b": ["ToolError: kept"]}), encoding="utf-8")
    assert set(written(path, "LayoutError: one").kept) == {"tests/a.py::b", TEST}
    failed = Wording(path, update=True)
    failed.tell(TEST, "LayoutError: half of it")
    failed.forget(TEST)
    failed.write()
    assert Wording(path).kept[TEST] == ["LayoutError: one"]
    assert set(written(path).kept) == {"tests/a.py::b"}
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_places_of_this_machine_are_left_out(tmp_path):
    assert portable(f"{tmp_path}/a.toml:3 and {tmp_path}") == "<tmp>/a.toml:3 and <tmp>"
    assert portable(f"{tempfile.gettempdir()}/layoutalg-x7_a/k.hip") == "<tmp>/k.hip"
    assert portable(f"'{CHECKOUT}/tests/a.py'") == "'<checkout>/tests/a.py'"
    assert portable(f"{Path.home()}/.cache/x") == "<home>/.cache/x"
    assert portable("a\tb\x00\nc") == "a\\tb\\x00\nc"


def test_a_refusal_is_worded_as_the_file_says():
    with refused(LengthError, "lengths[1]", "0", hint="leave it out") as caught:
        raise LengthError("lengths[1]: wanted a length, got 0", hint="leave it out")
    assert caught.value.hint == "leave it out"
