"""Mistakes at a Python prompt: what is typed, and words that the answer must say."""

__all__ = ["BEFORE", "PYTHON"]

BEFORE = """
import numpy as np
import layoutalg as la
from layoutalg.memory import WaveAccess
from layoutalg.mma import MatrixInstruction

M, K = la.sizes("M K")
rows = la.make_naive_tensor_descriptor((256, 128), (136, 1))
sized = la.make_naive_tensor_descriptor((M, K), (K, 1))
x64 = la.Domain.of({"x": 64})
merged = la.make_merge_transform((256, 128))
make = la.make_naive_tensor_descriptor
verdict = la.prove(la.one_to_one(rows))
"""

PYTHON = (
    # building
    ("make(256, 128)", "lengths", "wanted", "got 256", "(256,)"),
    ("make((256, 128), (128,))", "one stride for each of 2 lengths", "got 1"),
    ("make(shape=(256, 128), strides=(128, 1))", "shape", "lengths"),
    ("make('256 128', '128 1')", "lengths", "'256 128'", "(256, 128)"),
    ("make(('M', 'K'), ('K', 1))", "lengths[0]", "'M'", "la.sizes"),
    ("make((256, 128 / 4), (32, 1))", "lengths[1]", "integer", "32.0", "//"),
    ("make((M / 2, K), (K, 1))", "lengths[0]", "M/2", "//"),
    ("make((256, 0), (128, 1))", "lengths[1]", ">= 1", "got 0"),
    ("make((256, -1), (128, 1))", "lengths[1]", ">= 1", "got -1"),
    ("make(np.zeros((4, 8)), (8, 1))", "lengths", "array", ".shape"),
    ("la.sizes('M', 'K')", "sizes", "'M K'"),
    ("la.sizes(['M', 'K'])", "sizes", "one text", "a list", "'M K'"),
    ("la.make_layout('(4,8):(8,1)')", "shape", "'(4,8):(8,1)'", "without quotes"),
    ("la.make_layout((4, 8), (8,))", "shape (4,8)", "strides (8)"),
    ("la.DataType.named('fp16')", "fp16", "f16"),
    ("la.Domain.of({'x', 'y'})", "set", "{'x': 64}"),
    ("la.Domain.of(['x', 'y'])", "list", "{'x': 64}"),
    ("la.Domain.of({'x': 'N'})", "axis x", "N is not declared", "Domain.of({...}, {'N':"),
    ("la.Domain.of({'x': 64}, {'N': (64, 1)})", "N", "64 <= N <= 1", "empty"),
    ("la.make_static_tile_distribution('tile_distribution_encoding<...>')", "encoding", "read_encoding"),
    # transforms
    ("rows.unmerge(0, (3, 64))", "unmerge", "192", "256"),
    ("rows.unmerge(0, 4, 64)", "unmerge", "(4, 64)"),
    ("rows.unmerge((4, 64), 0)", "unmerge", "dimension", "(4, 64)", "0 to 1"),
    ("rows.merge((0, 1))", "merge", "(0, 1)", "merge(0, 1)"),
    ("rows.merge(0, 2)", "merge", "no dimension 2", "0 to 1"),
    ("rows.merge(-2, -1)", "merge", "-2", "0 to 1"),
    ("rows.merge(0, 0)", "merge", "0", "twice"),
    ("rows.pad(0, -1)", "pad", "left", ">= 0", "-1"),
    ("rows.pad(((1, 1), (0, 0)))", "pad", "dimension", "0 to 1"),
    ("rows.pad(0, (1, 1))", "pad", "left_pad", "tuple", "one number"),
    ("rows.slice(0, 64, 32)", "slice", "64", "32"),
    ("rows.freeze(0, 256)", "freeze", "below", "length 256"),
    ("rows.permute(0)", "permute", "all 2 dimensions", "got 1", "(1, 0)"),
    ("rows.permute(1, 2)", "permute", "no dimension 2", "0 to 1"),
    ("rows.transpose(1, 0)", "transpose", "permute"),
    ("rows.reshape(4, 64, 128)", "reshape", "unmerge"),
    ("rows.rearrange('(a b) k -> a k')", "b stands on the left side only", "^"),
    ("rows.rearrange('(a b) k -> a b k')", "a", "b", "length"),
    ("la.make_xor_transform((4, 8, 2))", "xor", "two lengths", "3"),
    ("la.make_merge_transform(4, 8)", "make_merge_transform((4, 8))", "parentheses"),
    ("la.make_unmerge_transform((4, '8'))", "up_lengths[1]", "'8'"),
    ("la.transform_tensor_descriptor(rows, [merged], [0, 1], [0])", "lower", "(0,", "[(0, 1)]"),
    ("la.transform_tensor_descriptor(rows, merged, [(0, 1)], [(0,)])", "transforms", "list", "[transform]"),
    (
        "la.transform_tensor_descriptor(rows, [la.make_merge_transform((256, 64))], [(0, 1)], [(0,)])",
        *("merge", "64", "128"),
    ),
    (
        "la.transform_tensor_descriptor(rows, [la.make_pass_through_transform(256)], [(0,)], [(0,)])",
        *("dimension 1", "not handled", "pass_through"),
    ),
    # asking
    ("rows(1)", "index", "wanted 2 components", "got 1"),
    ("rows(1.0, 2)", "integer", "1.0"),
    ("rows('1', 2)", "integer", "'1'"),
    ("np.array(rows)", "array", "TensorDescriptor", "np.indices"),
    ("rows.lenghts", "lenghts", "lengths"),
    ("rows.shape", "shape", "lengths"),
    ("rows.ndim", "ndim", "rank"),
    ("rows.strides", "strides", "offset"),
    ("rows.size", "size", "element_space_size"),
    ("rows.is_valid((1, 2))", "is_valid", "is_valid_index"),
    ("la.make_naive_tensor_descripter((4,), (1,))", "make_naive_tensor_descriptor"),
    ("la.proof(la.one_to_one(rows))", "proof", "prove"),
    ("la.make_tensor_coordinate(rows, 1, 2)", "make_tensor_coordinate", "(1, 2)"),
    ("la.make_tensor_coordinate(rows, (1,))", "2", "1"),
    ("la.make_tensor_coordinate((1, 2), rows)", "descriptor", "tuple"),
    ("sized.bind(M=4, K=8)", "bind", "{'M': 4"),
    ("sized.bind({'N': 4})", "bind", "no symbol N", "K, M"),
    ("sized.bind({'M': '4'})", "M", "integer", "'4'"),
    ("sized.bind({'M': 0})", "M", ">= 1", "0"),
    ("rows.code('cuda')", "cuda", "hip"),
    ("rows.code(name='my rows')", "name", "my rows"),
    ("la.show(rows, 'formula')", "formula", "formulas"),
    ("la.show((256, 128))", "wanted a value with a picture", "a descriptor", "tuple"),
    # expressions
    ("la.simplify('x // 4 * 4')", "missing", "domain: Domain"),
    ("la.simplify('y // 4', x64)", "y is not declared", "x"),
    ("la.simplify('(x // 4', x64)", "wanted", ")", "found the end"),
    ("la.simplify('x * 0.5', x64)", "0.5", "integer"),
    ("la.simplify('x // 0', x64)", "divisor", "positive"),
    ("la.simplify('x // 4', {'x': 64})", "domain", "dict", "Domain.of"),
    ("la.evaluate(rows.offset, {'i0': 1})", "i1"),
    # proving
    ("la.prove(rows.offset)", "claim", "one_to_one"),
    ("la.prove(la.one_to_one)", "claim", "one_to_one", "function"),
    ("la.prove('one-to-one')", "claim", "'one-to-one'", "one_to_one"),
    ("la.prove(rows == rows)", "claim", "True"),
    ("la.one_to_one(rows.offset)", "one-to-one", "descriptor", "expression"),
    ("la.one_to_one((256, 128))", "one-to-one", "descriptor", "tuple"),
    ("la.covers(rows.index_map)", "covers", "call it: index_map("),
    ("la.vector_access(rows, 8, 1)", "vector access", "dimension", "8", "0 to 1"),
    ("la.vector_access(rows, 1, 0)", "vector access", "width of 1 or more", "got 0"),
    ("la.fits_buffer(rows, 'f16')", "bytes", "'f16'"),
    ("la.same_map(rows, make((128, 256), (1, 136)))", "same map", "256 and 128"),
    ("verdict == 'proved'", "verdict", "'proved'", "Proved"),
    ("verdict.proved", "'Proved' object", "'proved'", "by, evidence"),
    ("MatrixInstruction.named('v_mfma_f32_32x32x8_fp16', 'gfx942')", "v_mfma_f32_32x32x8_f16"),
    ("MatrixInstruction.named('v_mfma_f32_32x32x8_f16', 'mi300x')", "mi300x", "gfx942"),
    (
        "WaveAccess.of_expression('tid*4', la.Domain.of({'tid': 64}), 'f16', 4, 'read')",
        *("lane", "tid"),
    ),
)
