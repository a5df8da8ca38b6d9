"""Peaks worked out from instructions, compute units and clocks are those that AMD publishes."""

from __future__ import annotations

import pytest

from layoutalg.codegen.matrix.peak import Peak
from layoutalg.machine import TARGETS
from layoutalg.machine.sold_gpu import PRODUCTS
from layoutalg.machine.target import PRODUCTS as NAMES

PUBLISHED = {  # TFLOP/s and TOP/s of matrices, AMD Instinct data sheets; of both dies where there are two
    "MI100": {"f16": 184.6, "bf16": 92.3, "i8": 184.6, "f32": 46.1},
    "MI210": {"f16": 181.0, "bf16": 181.0, "i8": 181.0, "f32": 45.3, "f64": 45.3},
    "MI250": {"f16": 362.1, "bf16": 362.1, "i8": 362.1, "f32": 90.5, "f64": 90.5},
    "MI250X": {"f16": 383.0, "bf16": 383.0, "i8": 383.0, "f32": 95.7, "f64": 95.7},
    "MI300A": {"f16": 980.6, "bf16": 980.6, "f8": 1961.2, "i8": 1961.2, "f32": 122.6, "f64": 122.6},
    "MI300X": {"f16": 1307.4, "bf16": 1307.4, "f8": 2614.9, "i8": 2614.9, "f32": 163.4, "f64": 163.4},
    "MI325X": {"f16": 1307.4, "bf16": 1307.4, "f8": 2614.9, "i8": 2614.9, "f32": 163.4, "f64": 163.4},
    "MI350X": {"f16": 2306.9, "bf16": 2306.9, "f8": 4613.7, "i8": 4613.7, "f32": 144.2, "f64": 72.1},
    "MI355X": {"f16": 2516.6, "bf16": 2516.6, "f8": 5033.2, "i8": 5033.2, "f32": 157.3, "f64": 78.6},
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_peaks_are_those_of_the_data_sheets(name):
    dies = 2 if name.startswith("MI250") else 1
    peak = Peak(PRODUCTS[name])
    for element, teraflops in PUBLISHED[name].items():
        assert dies * peak.operations(element) / 1e12 == pytest.approx(teraflops, abs=0.06), element


def test_every_product_is_of_a_target_that_names_it():
    assert set(PUBLISHED) == set(PRODUCTS)
    for product in PRODUCTS.values():
        assert product.name.lower() in NAMES[product.target]
        assert TARGETS[product.target].is_cdna


def test_of_a_part_of_a_gpu_or_an_unknown_one_nothing_is_told():
    assert Peak.of_device("AMD Instinct MI300X", 38) is None  # one of eight partitions
    assert Peak.of_device("AMD Radeon Graphics", 304) is None
    assert Peak.of_device("", 0) is None
    whole = Peak.of_device("AMD Instinct MI250X/MI250", 110)
    assert whole is not None
    assert whole.product.name == "MI250X"
    assert whole.share("f8", 1e12, 1e9) is None  # it has no such instructions
