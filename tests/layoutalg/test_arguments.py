"""Every public function refuses what it cannot take, in one line of ours.

Each row of ``CALLS`` is a call that works. Every argument of it is replaced by things of other kinds, one at
a time: the call must still give something, or raise an error of the package that says what was wanted.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
from typing import Any

import numpy as np
import pytest
import sympy

import layoutalg as la

M, K = la.sizes("M K")
ROWS = la.make_naive_tensor_descriptor((4, 8), (10, 1))
OPEN = la.make_naive_tensor_descriptor((M, K), (K, 1))
ADAPTOR = la.make_identity_tensor_adaptor((4, 8))
COORDINATE = la.make_tensor_coordinate(ROWS, (1, 2))
ENCODING = la.read_encoding(
    "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>, tuple<sequence<1, 2>>,"
    " tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
)
TILE = la.make_static_tile_distribution(ENCODING)
WINDOW_OF = la.make_naive_tensor_descriptor((64, 64), (64, 1))
LAYOUT = la.make_layout((4, 8), (8, 1))
DOMAIN = la.Domain.of({"x": 64}, {"N": (1, 64)})
HELD = la.IndexMap(ROWS.domain, (*ROWS.index, ROWS.offset))
CLAIM = la.one_to_one(ROWS)
ACCESS = la.memory.WaveAccess.of_expression("lane*4", la.Domain.of({"lane": 64}), "f16", 4, "read")

CALLS = [
    (la.BitAnd, (5, 3)),
    (la.BitOr, (5, 3)),
    (la.BitXor, (5, 3)),
    (la.FloorDiv, (5, 3)),
    (la.FloorMod, (5, 3)),
    (la.Max, (5, 3)),
    (la.Min, (5, 3)),
    (la.Select, (sympy.true, 5, 3)),
    (la.ShiftLeft, (5, 3)),
    (la.ShiftRight, (5, 3)),
    (la.Claim, ("name", "subject", DOMAIN, (la.Comparison(0, "<=", DOMAIN["x"]),))),
    (la.Comparison, (0, "<=", DOMAIN["x"])),
    (la.DataType.named, ("f16",)),
    (la.Domain.of, ({"x": 64}, {"N": (1, 64)}, ("N <= 60",))),
    (la.IndexMap, (DOMAIN, (DOMAIN["x"],))),
    (la.Layout, ((4, 8), ROWS)),
    (la.MagicDivision.of, (7,)),
    (la.Table.of, ("page", (M,), 0, K)),
    (la.Table.of("page", (M,), 0, K), (DOMAIN["x"],)),
    (la.TileDistributionEncoding, ((), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2))),
    (la.Variable, (sympy.Symbol("x", integer=True), sympy.Integer(0), sympy.Integer(4))),
    (la.agree, (HELD, HELD, "LDS")),
    (la.bijective, (ROWS,)),
    (la.certificate, (CLAIM, la.prove(CLAIM))),
    (la.chain_tensor_adaptors, (ADAPTOR, ADAPTOR)),
    (la.conflict_free, (ACCESS, la.memory.bank_conflicts(ACCESS, "gfx942").phases)),
    (la.cdiv, (M, 4)),
    (la.covers, (ROWS,)),
    (la.covers_together, ((ROWS.index_map(), ROWS.index_map()), (sympy.Integer(38),))),
    (la.default_claims, (ROWS,)),
    (la.determines, (ROWS, ROWS.index)),
    (la.disjoint, (ROWS.index_map(), ROWS.index_map())),
    (la.distribution_equals, (TILE, ("y0", "y1"))),
    (la.divides, (4, 2 * M, DOMAIN, "M")),
    (la.evaluate, (DOMAIN["x"] + 1, {"x": 2})),
    (la.explore, (OPEN,)),
    (la.fits_24bit_unmerge, (ROWS,)),
    (la.fits_buffer, (ROWS, 2)),
    (la.fits_index_type, (ROWS,)),
    (la.fits_integer, ((DOMAIN["x"],), DOMAIN, "int32", "x")),
    (la.fits_magic_division, (ROWS,)),
    (la.from_sympy, (sympy.Symbol("x", integer=True, nonnegative=True) + 1,)),
    (la.inverse_of, (ADAPTOR, ADAPTOR)),
    (la.logical_bounds, (ROWS,)),
    (la.make_cluster_descriptor, ((4, 8),)),
    (la.make_embed_transform, ((4, 8), (8, 1))),
    (la.make_freeze_transform, (3,)),
    (la.make_identity_tensor_adaptor, ((4, 8),)),
    (la.make_indexing_transform, (8, (3, 1, 2))),
    (la.make_insert_transform, (4,)),
    (la.make_layout, ((4, 8), (8, 1))),
    (la.make_left_pad_transform, (4, 2)),
    (la.make_merge_transform, ((4, 8),)),
    (la.make_merge_transform_v1_carry_check, ((4, 8),)),
    (la.make_merge_transform_v2_magic_division, ((4, 8),)),
    (la.make_merge_transform_v2r2_magic_division, ((4, 8),)),
    (la.make_merge_transform_v3_division_mod, ((4, 8),)),
    (la.make_merge_transform_v4_no_carry, ((4, 8),)),
    (la.make_modulo_transform, (4, 8)),
    (la.make_naive_tensor_descriptor, ((4, 8), (10, 1))),
    (la.make_naive_tensor_descriptor_aligned, ((4, 5), 8)),
    (la.make_naive_tensor_descriptor_packed, ((4, 8),)),
    (la.make_naive_tensor_descriptor_with_offset, ((4, 8), (10, 1), 5)),
    (la.make_offset_transform, (8, 2)),
    (la.make_pad_transform, (8, 1, 2)),
    (la.make_pass_through_transform, (8,)),
    (la.make_replicate_transform, ((4,),)),
    (la.make_right_pad_transform, (8, 2)),
    (la.make_single_stage_tensor_adaptor, ([la.make_merge_transform((4, 8))], [(0, 1)], [(0,)])),
    (la.make_slice_transform, (8, 2, 6)),
    (la.make_static_tile_distribution, (ENCODING,)),
    (la.make_tensor_coordinate, (ROWS, (1, 2))),
    (la.make_tile_window, (WINDOW_OF, (32, 32), (0, 0), TILE)),
    (la.make_unmerge_transform, ((4, 8),)),
    (la.make_vectorize_transform, (4, 8)),
    (la.make_xor_transform, ((4, 8),)),
    (la.make_xor_with_modulo_transform, ((4, 8),)),
    (la.memory_bounds, (ROWS,)),
    (la.monotone, (ROWS, 1)),
    (la.move_tensor_coordinate, (COORDINATE, (0, 1))),
    (la.one_to_one, (ROWS,)),
    (la.one_writer, (ROWS.index_map(), ROWS.index, "store")),
    (la.owned, (TILE,)),
    (la.parse, ("x + 1", DOMAIN)),
    (la.prove, (CLAIM,)),
    (la.read_encoding, (str(ENCODING),)),
    (la.recheck, (la.certificate(CLAIM, la.prove(CLAIM)),)),
    (la.round_up, (M, 4)),
    (la.same_distribution, (TILE, TILE)),
    (la.same_map, (ROWS, ROWS)),
    (la.show, (ROWS, "formulas")),
    (la.simplify, ("x + 1", DOMAIN)),
    (la.simplify_all, (["x + 1"], DOMAIN)),
    (la.Simplifier, (DOMAIN,)),
    (la.sizes, ("M K",)),
    (la.tile_bounds, (TILE,)),
    (la.to_python, (DOMAIN["x"] + 1,)),
    (la.to_sympy, (DOMAIN["x"] + 1,)),
    (la.transform_tensor_adaptor, (ADAPTOR, [la.make_merge_transform((4, 8))], [(0, 1)], [(0,)])),
    (la.transform_tensor_descriptor, (ROWS, [la.make_merge_transform((4, 8))], [(0, 1)], [(0,)])),
    (la.vector_access, (ROWS, 1, 2)),
    (la.xor_permutes, (ROWS,)),
    (ROWS, (1, 2)),
    (OPEN, (1, 2)),
    (ADAPTOR, (1, 2)),
    (TILE, (33, 2, 3)),
    (LAYOUT, (1, 2)),
    (ROWS.merge, (0, 1)),
    (ROWS.unmerge, (0, (2, 2))),
    (ROWS.pad, (0, 1, 1)),
    (ROWS.slice, (0, 1, 3)),
    (ROWS.freeze, (0, 1)),
    (la.make_naive_tensor_descriptor_packed((8, 8)).xor, (0, 1)),
    (ROWS.permute, (1, 0)),
    (ROWS.rearrange, ("a b -> b a",)),
    (OPEN.bind, ({"M": 4, "K": 8},)),
    (OPEN.assuming, (la.Domain.of({}, {"M": (1, 8), "K": (1, 8)}),)),
    (ROWS.code, ("c",)),
    (ROWS.calculate_offset, ((1, 2),)),
    (ROWS.is_valid_index, ((1, 2),)),
    (DOMAIN.where, (DOMAIN["N"] < 8,)),
    (DOMAIN.bind, ({"N": 4},)),
]
JUNK: tuple[Any, ...] = (
    *(None, "text", "", 1.5, -1, 0, 10**30, (), (1, 2, 3), [1.5], {}, object(), True, print, b"bytes"),
    *(["M", "K"], ROWS, TILE, CLAIM, DOMAIN, sympy.Symbol("q"), sympy.pi, np.array([1, 2]), np.float32(1.5)),
)
OURS = (la.LayoutError, la.ToolError)


def called(row):
    """The name of a call, for reports."""
    function = row[0]
    return getattr(function, "__qualname__", type(function).__name__)


@pytest.mark.parametrize("row", CALLS, ids=called)
@pytest.mark.usefixtures("capsys")
def test_the_calls_work(row):
    function, arguments = row
    function(*arguments)


@pytest.mark.sample(4)
@pytest.mark.parametrize("row", CALLS, ids=called)
@pytest.mark.filterwarnings("ignore::sympy.utilities.exceptions.SymPyDeprecationWarning")
@pytest.mark.usefixtures("capsys")
def test_other_kinds_of_things_are_refused_in_our_words(row):
    function, arguments = row
    for place, junk in itertools.product(range(len(arguments)), JUNK):
        given = [*arguments[:place], junk, *arguments[place + 1 :]]
        with contextlib.suppress(*OURS):
            function(*given)


def test_every_public_function_has_a_row():
    rows = [function for function, _ in CALLS if inspect.isroutine(function) or inspect.isclass(function)]
    known = {*rows, *(row.__self__ for row in rows if inspect.ismethod(row))}
    public = [getattr(la, name) for name in la.__all__]
    missing = {value.__name__ for value in public if inspect.isroutine(value) and value not in known}
    assert missing == set()
