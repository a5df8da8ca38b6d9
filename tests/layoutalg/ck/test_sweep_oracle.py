"""Configurations of CK's examples and of aiter, compiled: the same layouts, and the same that CK refuses."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from layoutalg.check.from_ck import headers
from layoutalg.ck import attempt
from layoutalg.ck.bindings import flattened
from layoutalg.ck.compiled.cpp_text import assertions, case_text
from layoutalg.ck.compiled.translation_unit import Cases, judged, said_of
from layoutalg.ck.configurations import Choices, Unit, configurations_of, units_of
from layoutalg.ck.fetch import find_root
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.errors import ToolError

try:
    ROOT = find_root()
except ToolError:
    ROOT = None
pytestmark = pytest.mark.skipif(ROOT is None, reason="CK's headers are not fetched")

SOURCES = ("example", "package/csrc/ck_tile_gemm_moe_2stages")
ENGINE = "tile_engine/ops/gemm/configs/default_config.json"
ARCH = "gfx942"


def units(sources, every, layouts=("rcr",)):
    index = headers(ROOT, ARCH)
    places = [str(ROOT / source) for source in sources]
    found = configurations_of(places, index, Choices(("fp16", "fp8"), layouts)).configurations
    chosen = [one for one in found if one.arch in {"", ARCH}][::every]
    return list(dict.fromkeys(unit for one in chosen for unit in units_of(one, index)))


def case_of(number: int, unit: Unit) -> tuple[str, str]:
    """The C++ of a unit, and the assertion with which CK is said to refuse it."""
    index, bindings = headers(ROOT, ARCH), dict(unit.bindings)
    made = attempt(unit.target, bindings, index=index, spare=bindings)
    is_refused = made.layout is None
    assert not is_refused or made.verdict == "rejected by CK", made.message
    body = partial(assertions, layout=made.layout, number=number)
    builder, _ = found_builder(index, Target.of(unit.target))
    kept = {k: v for k, v in bindings.items() if not (k.startswith("Problem.") and "Problem" in bindings)}
    run = Run(index, flattened(kept))
    text = (lambda call: f"constexpr auto d = {call};") if is_refused else body
    return case_text(number, builder, kept, run, text), made.message.partition("\n")[0]


def compared(chosen, *, spoil=False):
    """How many agree, what differs, what else does not compile, and how many are refused by both."""
    rows: Cases = {}
    refused = {}
    for number, unit in enumerate(chosen):
        text, assertion = case_of(number, unit)
        rows[number] = (f"{number} {unit.function}", text)
        refused |= {rows[number][0]: assertion} if assertion else {}
    outcome = judged(said_of(rows, ROOT, ARCH, host=False, spoil=spoil), rows, Counter())
    by_both = {refused[name] for name in outcome.not_compiled if name in refused}
    wrong = {name for name in outcome.agree if refused.get(name, "") not in {"", *by_both}}  # told of one use
    others = {name: said[:500] for name, said in outcome.not_compiled.items() if name not in refused}
    return len(set(outcome.agree) - set(refused)), outcome.differ, others, wrong


@pytest.mark.slow
def test_a_sample_of_configurations_is_what_the_compiler_makes_of_them():
    chosen = units(SOURCES, 16)
    agree, differ, others, wrong = compared(chosen)
    assert (differ, others, wrong) == ({}, {}, set())
    assert agree > 60


@pytest.mark.long
def test_configurations_are_what_the_compiler_makes_of_them():
    for sources, every, layouts in ((SOURCES, 1, ("rcr",)), ((ENGINE,), 40, ("rcr", "rrr", "ccr"))):
        chosen = units(sources, every, layouts)
        agree, differ, others, wrong = compared(chosen)
        assert (differ, others, wrong) == ({}, {}, set())
        assert agree > 250


@pytest.mark.long
def test_the_comparison_can_fail():
    _, differ, others, _ = compared(units(SOURCES, 64), spoil=True)
    assert len(differ) > 10
    assert others == {}
