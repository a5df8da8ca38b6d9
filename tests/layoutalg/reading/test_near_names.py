"""Whoever mistypes a name is told the one that was meant, in the same words everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest

from layoutalg import Domain, LayoutError, parse
from layoutalg.check.codes import code_named
from layoutalg.check.layout_file import obligations_of
from layoutalg.check.settings import from_table
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.ck.importer import example_index
from layoutalg.codegen.executors.by_name import executor_on
from layoutalg.codegen.kernels.gemm.ladder import configured
from layoutalg.codegen.kernels.kernel_options import PERMUTATION, chosen_options
from layoutalg.codegen.matrix.kernel_matrix import family_named
from layoutalg.codegen.schedule import schedule
from layoutalg.data_type import DataType
from layoutalg.distribution import read_encoding
from layoutalg.machine import known_target
from layoutalg.machine.lds import LdsPhases
from layoutalg.mma import MatrixInstruction
from layoutalg.proofs import prove
from layoutalg.proofs.certificates.rule_instance import step_of
from layoutalg.proofs.library import entries
from layoutalg.rules import simplify
from layoutalg.tensor import MemoryType
from layoutalg.transforms import Merge

ROOT = Path(__file__).parents[3]
DOMAIN = Domain.of({"row": 8, "column": 8})
WAVE = (
    "tile_distribution_encoding<sequence<>, tuple<sequence<Mwarp>>,"
    " tuple<sequence<1>>, tuple<sequence<0>>, sequence<>, sequence<>>"
)
INDEXED = '[layout.a]\nindex = { row = 4 }\noffset = "row"\n'
ROWS = "[layout.rows]\nbase = { packed = [4, 8] }\n"


def in_file(text):
    return lambda: obligations_of(text, "a.layout.toml")


CASES = {
    "a function of an expression": (lambda: parse("flor(row)", DOMAIN), "floor"),
    "a name of an expression": (lambda: parse("colum + row", DOMAIN), "column"),
    "an axis of a domain": (lambda: DOMAIN["rows"], "row"),
    "a price list": (lambda: simplify("row", DOMAIN, target="gfx9424"), "gfx942"),
    "a symbol of an encoding": (
        lambda: read_encoding(WAVE).bind({"MWarps": 4}),
        "Mwarp",
    ),
    "a variant of merge": (
        lambda: Merge((4, 8), variant=cast("Any", "merge_v2_magik_division")),
        "merge_v2_magic_division",
    ),
    "a GPU": (lambda: known_target("gfx94"), "gfx942"),
    "a data type": (lambda: DataType.named("bf_16"), "bf16"),
    "a data type of CK": (lambda: DataType.named("ck_tile::haf_t"), "half_t"),
    "a memory type": (lambda: MemoryType("Vgrp"), "Vgpr"),
    "a source": (lambda: LdsPhases.of("gfx942", "read", 32, "isaguide"), None),
    "an instruction": (
        lambda: MatrixInstruction.named("v_mfma_f32_32x32x8f17", "gfx942"),
        "v_mfma_f32_32x32x8_f16",
    ),
    "a prover": (lambda: prove([], members=("enumerate",)), None),
    "a rule of a certificate": (
        lambda: step_of({"rule": "and_with_itsel", "letters": {}, "before": "", "after": "", "premise": ""}),
        "and_with_itself",
    ),
    "a kind of lemmas": (lambda: list(entries("pass_throuh")), "pass_through"),
    "a rule of a check": (lambda: code_named("one-to-on"), "one-to-one"),
    "a code of a check": (lambda: code_named("LA20l"), "LA201"),
    "a setting": (lambda: from_table({"bseline": "x"}, "pyproject.toml"), "baseline"),
    "a kernel": (lambda: family_named("transposs"), "transpose"),
    "an option of a kernel": (
        lambda: chosen_options("permute", [PERMUTATION], {"permuttion": "1"}),
        "--permutation",
    ),
    "a rung": (lambda: configured("tilde"), None),
    "an element type": (lambda: configured(element="bf6"), "bf16"),
    "a schedule": (lambda: schedule("simpel"), "simple"),
    "an executor": (lambda: executor_on("cup"), "cpu"),
    "a function of a header": (
        lambda: found_builder(example_index(), Target.of("policy.hpp::Policy::MakeDes")),
        "Policy::MakeDesc",
    ),
    "a header": (lambda: example_index().file("polcy.hpp"), "policy.hpp"),
    "a table of a layout file": (in_file("[layots.a]\nbase = { packed = [4] }\n"), "layout"),
    "a claim of a layout file": (in_file(f'{ROWS}claims = ["one-to-on"]\n'), "one-to-one"),
    "a transform of a layout file": (
        in_file(f'{ROWS}stages = [[{{ transform = "merg", lower = [0, 1], upper = [0] }}]]\n'),
        "merge",
    ),
    "a layout that a claim names": (
        in_file(f'{ROWS}claims = [{{ claim = "same map", as = "row" }}]\n'),
        "rows",
    ),
    "a layout to stand on": (in_file(f'{ROWS}[layout.b]\nbase = "row"\n'), "rows"),
    "an axis of a claim": (
        in_file(f'{INDEXED}claims = [{{ claim = "monotone", dimension = "rwo" }}]\n'),
        "row",
    ),
    "a symbol of a distribution": (
        in_file(f'[symbols]\nMWarps = {{}}\n[layout.a]\ndistribution = "{WAVE}"\n'),
        "MWarps",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_name_that_was_meant_is_told(case):
    build, wanted = CASES[case]
    with pytest.raises(LayoutError) as refused:
        build()
    if wanted is None:  # nothing is near: all are told
        assert "known are" in refused.value.hint or "wanted" in refused.value.message
    else:
        assert re.search(rf"did you mean (\S+ or )*{re.escape(wanted)}( or \S+)*\?", refused.value.hint)


ELSEWHERE = ("layoutalg/show/", "layoutalg/descriptor/", "layoutalg/index_code/")  # with words of their own
OWN_WORDS = re.compile(r'f?"[^"\n]*(known are|wanted one of) \{.*join')


def test_the_words_stand_in_one_file():
    for folder in ("layoutalg", "codegen", "proofs"):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if name != "layoutalg/reading/near_names.py" and not name.startswith(ELSEWHERE):
                assert not OWN_WORDS.search(path.read_text(encoding="utf-8")), name
