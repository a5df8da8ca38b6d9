"""The gate against wrong answers: CK's own headers, compiled, agree with what was read from their text."""

from __future__ import annotations

import importlib.util

import pytest

from layoutalg.ck.fetch import find_root
from tests.golden.ck_import import has_headers, headers
from tests.layoutalg.ck.oracle.compiled import compiled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
    ),
    pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no compiler: the wheel ziglang"),
]


@pytest.mark.long
@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_the_compiled_headers_agree_with_every_import(arch):
    outcome = compiled(find_root(), headers(arch))
    assert outcome.differ == {}
    assert len(outcome.agree) >= 270
    assert len(outcome.not_compiled) <= 8


@pytest.mark.long
def test_the_compiler_catches_every_changed_expectation():
    outcome = compiled(find_root(), headers("gfx942"), spoil=True)
    assert outcome.agree == []
    assert len(outcome.differ) >= 270
