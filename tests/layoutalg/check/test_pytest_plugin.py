"""The pytest plugin and the assertions, run by a pytest inside."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from layoutalg import (
    make_layout,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
)
from layoutalg.check import testing
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from tests.layoutalg.check.layouts import BAD, GOOD, UNKNOWN


def run(folder, *arguments, as_installed=False):
    """A run of pytest; without other plugins that happen to be installed, unless ours is to be found so."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    alone = {} if as_installed else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command += [] if as_installed else ["-p", "layoutalg.check.pytest_plugin"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **alone}
    )
    return done.returncode, done.stdout


@pytest.fixture
def folder(tmp_path):
    for name, text in {"good": GOOD, "bad": BAD, "unknown": UNKNOWN}.items():
        (tmp_path / f"{name}.layout.toml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_one_item_for_each_claim(folder):
    status, text = run(folder, as_installed=True)
    assert status == 1
    assert "2 failed, 7 passed" in text
    assert "FAILED bad.layout.toml::overlap::one-to-one" in text
    assert "(0, 7) and (1, 0) both map to 7" in text
    assert "Traceback" not in text
    status, text = run(folder, "-k", "good or vector")
    assert (status, "6 passed, 3 deselected" in text) == (0, True)


@pytest.mark.slow
def test_unknown_may_be_skipped_and_files_left_out(folder):
    status, text = run(folder, "--layout-unknown=warn", "-k", "not overlap")
    assert (status, "1 skipped" in text) == (0, True)
    assert run(folder, "--no-layouts")[0] == 5


@pytest.mark.slow
def test_a_file_in_error_is_an_error_of_collection(folder):
    text = "[layout.a]\nbase = {packed = [0]}\n[layout.b]\nbase = {packd = [1]}\n"
    (folder / "broken.layout.toml").write_text(text, encoding="utf-8")
    status, text = run(folder)
    assert status == 2
    assert "broken.layout.toml:2: layout.a.base" in text
    assert "broken.layout.toml:4: layout.b.base: there is no key packd (did you mean packed?" in text


ROWS = make_naive_tensor_descriptor((4, 8), (8, 1))
OVERLAP = make_naive_tensor_descriptor((4, 8), (7, 1))
LONG = make_naive_tensor_descriptor((2**20, 2**12), (2**12, 1))


WAVE = make_static_tile_distribution(
    read_encoding(
        "tile_distribution_encoding<sequence<>, tuple<sequence<64, 4>>, tuple<sequence<1>>,"
        " tuple<sequence<0>>, sequence<1>, sequence<1>>"
    )
)


@pytest.mark.parametrize(
    ("name", "good", "bad", "message"),
    [
        ("assert_bijective", (ROWS,), (OVERLAP,), r"\b7\b"),
        ("assert_one_to_one", (ROWS,), (OVERLAP,), r"\b7\b"),
        ("assert_covers", (ROWS,), (make_naive_tensor_descriptor((4, 8), (9, 1)),), r"\b8\b"),
        ("assert_in_bounds", (ROWS,), (make_naive_tensor_descriptor((4, 8), (8, -1)),), "LA101"),
        ("assert_same_map", (ROWS, make_naive_tensor_descriptor_packed((4, 8))), (ROWS, OVERLAP), "LA204"),
        ("assert_inverse_of", (ROWS.merge(0, 1), make_naive_tensor_descriptor_packed((32,))), None, ""),
        ("assert_vector_access", (ROWS, 1, 4), (OVERLAP, 1, 4), "LA303"),
        ("assert_fits", (ROWS,), (LONG,), "LA401"),
        ("assert_owned", (WAVE,), (WAVE, (32,)), "LA604"),
    ],
)
def test_assertions_say_why(name, good, bad, message):
    check = getattr(testing, name)
    check(*good)
    if bad is not None:
        with pytest.raises(AssertionError, match=message):
            check(*bad)


CALLS = """
from types import SimpleNamespace
import pytest
from layoutalg import make_naive_tensor_descriptor
from layoutalg.check.testing import *
from layoutalg.properties import one_to_one

overlap = make_naive_tensor_descriptor((4, 8), (7, 1))
held = SimpleNamespace(rows=[overlap])

def helper(given):
    assert_bijective(given)

def test_a_name():
    "ümlaut"; assert_bijective(overlap)  # 15: overlap

def test_a_part():
    assert_one_to_one(  # 18: held.rows[0]
        held.rows[0],
    )

def test_by_keyword():
    assert_one_to_one(adaptor=overlap)  # 23: overlap

def test_a_call():
    assert_one_to_one(make_naive_tensor_descriptor((4, 8), (7, 1)))  # 26: layout

def test_a_helper():
    helper(overlap)  # 12: given

def test_a_claim():
    assert_proved(one_to_one(overlap, "mine"))  # 32: mine

@pytest.mark.parametrize("check", [assert_vector_access])
def test_a_parameter(check):
    check(overlap, 1, 4)  # 36: overlap
"""


@pytest.mark.slow
def test_a_failed_assertion_names_its_line_and_the_layout(folder):
    (folder / "test_calls.py").write_text(CALLS, encoding="utf-8")
    # Without the short summary, whose lines pytest prints whole where the variable CI is set.
    status, text = run(folder, "test_calls.py", "--tb=short", "-rN")
    assert status == 1
    told = sorted((int(line), name) for line, name in re.findall(r"test_calls\.py:(\d+): LA.* of (.+)", text))
    wanted = sorted((int(line), name) for line, name in re.findall(r"# (\d+): (.+)", CALLS))
    assert told == wanted
    assert "testing.py" not in text


def test_every_assertion_is_tested():
    tested = {
        mark.args[1][i][0] for mark in test_assertions_say_why.pytestmark for i in range(len(mark.args[1]))
    }
    assert tested == set(testing.__all__) - {
        "assert_proved",
        "assert_clean",
    }


def test_nested_layouts_are_asserted_too():
    testing.assert_bijective(make_layout((4, (2, 4)), (2, (1, 8))))
    with pytest.raises(AssertionError, match=r"\(0, 7\).*\(1, 0\).*7"):
        testing.assert_one_to_one(make_layout((4, 8), (7, 1)))
