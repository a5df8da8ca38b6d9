"""A struct that is passed by its name is a class whose fields are bound, however the file tells them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.golden.ck_import import bindings_and_arguments, has_headers, imported

PROBLEM = {
    "Problem::BlockShape": "TileImageToColumnShape<sequence<8, 4>, sequence<32, 64>, sequence<128, 128>>",
    "Problem::InDataType": "half_t",
    "Problem::OutDataType": "half_t",
    "Problem::NDimSpatial": 2,
    "Problem::AligmentIn": 4,
    "Problem::AligmentOut": 4,
}
# no two sizes alike, so that none can stand for another
FIELDS = {
    "N": 3,
    "C": 8,
    "input_spatial_lengths": [14, 17],
    "filter_spatial_lengths": [3, 2],
    "output_spatial_lengths": [6, 16],
    "image_g_n_c_wis_strides": [9999, 4000, 1, 200, 10],
    "conv_filter_strides": [2, 1],
    "conv_filter_dilations": [1, 3],
    "input_left_pads": [1, 1],
    "input_right_pads": [0, 2],
}
CASE: dict[str, Any] = {
    "file": "include/ck_tile/ops/image_to_column/kernel/image_to_column_kernel.hpp",
    "cls": "ImageToColumn<Problem>",
    "function": "MakeImageMKDesc",
    "arch": "gfx942",
}
SPELLINGS: dict[str, Any] = {
    "in the bindings": {
        "bindings": PROBLEM | {f"kargs::{k}": v for k, v in FIELDS.items()},
        "arguments": ["kargs"],
    },
    "in the argument": {"bindings": PROBLEM, "arguments": [{"kargs": FIELDS}]},
    "arguments by name": {"bindings": PROBLEM, "arguments": {"kargs": FIELDS}},
    "as data members": {"bindings": PROBLEM, "data_members": FIELDS, "arguments": ["kargs"]},
    "as named data members": {"bindings": PROBLEM, "data_members": {"kargs": FIELDS}, "arguments": ["kargs"]},
    "as dotted data members": {
        "bindings": PROBLEM,
        "data_members": {f"kargs.{k}": v for k, v in FIELDS.items()},
        "arguments": ["kargs"],
    },
}


@pytest.mark.parametrize("case", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_spelling_binds_the_fields(case):
    bindings, arguments = bindings_and_arguments(CASE | case)
    assert arguments == ["kargs"]
    assert {k: list(v) if isinstance(v, tuple) else v for k, v in bindings.items()} == {
        **{k.replace("::", "."): v for k, v in PROBLEM.items()},
        **{f"kargs.{k}": v for k, v in FIELDS.items()},
    }


def test_data_members_of_the_object_stay_its_own():
    case = CASE | {"bindings": {}, "data_members": {"N_": 4}, "arguments": ["number<1>{}", 3]}
    assert bindings_and_arguments(case) == ({"self.N_": 4}, ["number<1>{}", "3"])


@pytest.mark.slow
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
def test_the_layout_is_the_implicit_gemm_of_the_convolution():
    made = imported(CASE | SPELLINGS["in the bindings"])
    fields: dict[str, Any] = FIELDS
    (y, x), (ho, wo) = fields["filter_spatial_lengths"], fields["output_spatial_lengths"]
    assert made.lengths == (fields["N"] * ho * wo, y * x * fields["C"])
    _, of_n, of_c, of_h, of_w = fields["image_g_n_c_wis_strides"]
    rows = itertools.product(range(fields["N"]), range(ho), range(wo))
    for m, (n, oh, ow) in enumerate(rows):
        for k, (fy, fx, c) in enumerate(itertools.product(range(y), range(x), range(fields["C"]))):
            h, w = 2 * oh + fy - 1, ow + 3 * fx - 1
            if m % 7 == 0:
                assert made.calculate_offset((m, k)) == n * of_n + h * of_h + w * of_w + c * of_c
