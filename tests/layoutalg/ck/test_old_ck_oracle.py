"""Old CK's imports against its own functions, compiled for the host and run."""

from __future__ import annotations

import importlib.util

import pytest

from layoutalg.ck import attempt, builders
from layoutalg.ck.fetch import find_root
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.shipped_bindings import default_bindings
from tests.golden.ck_import import has_headers, old_headers
from tests.layoutalg.ck.oracle.executed import Case, executed, expected

pytestmark = [
    pytest.mark.skipif(
        not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
    ),
    pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no compiler: the wheel ziglang"),
]
SAMPLE = ("grid/gridwise_gemm_xdl_cshuffle_v3.hpp",)  # each header more takes the compiler a minute


def cases(parts=("",)):
    index, found = old_headers("gfx942"), []
    rows = sorted(ordinals(builders(index)).items(), key=lambda row: (row[0].file, row[0].declared.begin))
    for number, (builder, ordinal) in enumerate(rows):
        if not any(part in builder.file for part in parts):
            continue
        target = f"{builder.file}::{builder.name}#{ordinal}"
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        layout = attempt(target, bindings, index=index, spare=set(bindings)).layout
        if layout is not None:
            found.append(Case(number, target, builder, bindings, layout))
    return found


@pytest.mark.slow
def test_a_sample_agrees_with_what_compiled_functions_return():
    told = executed(cases(SAMPLE)[::2], find_root(), old_headers("gfx942"))
    assert told.differ == {}
    assert len(told.agree) >= 4


@pytest.mark.long
def test_every_import_that_compiles_agrees():
    told = executed(cases(), find_root(), old_headers("gfx942"))
    assert told.differ == {}
    assert len(told.agree) >= 380


@pytest.mark.long
def test_a_changed_layout_is_told_apart(monkeypatch):
    few = [case for case in cases(SAMPLE) if "MakeAGrid" in case.target]
    name = "tests.layoutalg.ck.oracle.executed.expected"
    monkeypatch.setattr(name, lambda case: expected(case).replace("space ", "space 1"))
    told = executed(few, find_root(), old_headers("gfx942"))
    assert told.agree == []
    assert len(told.differ) == len(few) > 0
