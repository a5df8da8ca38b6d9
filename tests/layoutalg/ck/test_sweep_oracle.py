"""Configurations of CK's examples and of aiter, compiled: the same layouts, and the same that CK refuses."""

from __future__ import annotations

from collections import Counter

import pytest

from layoutalg.check import ck_confirm
from layoutalg.check.ck_confirm import AGREES, DIFFERS, REFUSES, SAME, confirmations
from layoutalg.ck.compiled.translation_unit import said_of
from layoutalg.ck.configurations import Choices, configurations_of, units_of
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from tests.golden.ck_import import has_headers
from tests.layoutalg.ck.oracle.compiled import spoiled

pytestmark = pytest.mark.skipif(not has_headers(), reason="CK's headers are not fetched")

SOURCES = ("example", "package/csrc/ck_tile_gemm_moe_2stages")
ENGINE = "tile_engine/ops/gemm/configs/default_config.json"
ARCH = "gfx942"


def units(sources, every, layouts=("rcr",)):
    index = headers(find_root(), ARCH)
    places = [str(find_root() / source) for source in sources]
    found = configurations_of(places, index, Choices(("fp16", "fp8"), layouts)).configurations
    chosen = [one for one in found if one.arch in {"", ARCH}][::every]
    return list(dict.fromkeys(unit for one in chosen for unit in units_of(one, index)))


def words(chosen):
    """How often the compiler says what, without its own words."""
    said = confirmations(chosen, find_root()).values()
    return Counter(": ".join(one.split(": ")[:2]) for one in said)


@pytest.mark.slow
def test_a_sample_of_configurations_is_what_the_compiler_makes_of_them():
    chosen = units(SOURCES, 16)
    found = words(chosen)
    assert set(found) <= {AGREES, REFUSES, SAME}, found
    assert found[AGREES] > 14


@pytest.mark.long
def test_configurations_are_what_the_compiler_makes_of_them():
    for sources, every, layouts in ((SOURCES, 1, ("rcr",)), ((ENGINE,), 40, ("rcr", "rrr", "ccr"))):
        chosen = units(sources, every, layouts)
        found = words(chosen)
        assert set(found) <= {AGREES, REFUSES, SAME}, found
        assert found[AGREES] > 250


@pytest.mark.long
def test_the_comparison_can_fail(monkeypatch):
    monkeypatch.setattr(
        ck_confirm, "said_of", lambda rows, *place, **how: said_of(spoiled(rows), *place, **how)
    )
    found = words(units(SOURCES, 64))
    assert found[DIFFERS] > 10
    assert AGREES not in found
