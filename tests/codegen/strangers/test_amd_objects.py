"""AMD's hand-written kernels of the wheel amd-aiter, from their code objects alone, against NumPy in float64.

How each is called stands in the wheel: ``csrc/py_itfs_cu/asm_*.cu``, ``hsa/*/fmha_v3_fwd/codegen.py``. Where
an output is bf16 the tolerance is of its last bit, 2**-8 of the number, and of the bf16 in between.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from layoutalg.codegen.executors import Output
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.strangers.aiter_objects import IN_C_AND_IN_PYTHON, Call, bf16, from_bf16, run

pytestmark = [pytest.mark.long, IN_C_AND_IN_PYTHON]
LAST_BIT = 2.0**-8  # of bf16, with what rounding loses


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("splits", [1, 2])
def test_bf16gemm(target, splits, native):
    rng = np.random.default_rng(1)
    m, n, k = 37, 128, 256 * splits
    a, b = (bf16(rng.standard_normal((rows, k))) for rows in (m, n))
    output = Output(np.zeros((m, n), np.float32), is_initialised=splits > 1)  # parts are added
    strides = [0, 0, 4 * n, 0, 2 * k, 0, 2 * k, 0]
    arguments = [output, None, a, b, np.float32(1), np.float32(0), *strides, m, n, k, splits]
    name = f"{target}/bf16gemm/bf16gemm_outf32_tn_32x64_pf3.co"
    (found,) = run(name, Call([n // 64, -(-m // 32), splits], arguments), native=native).values()
    np.testing.assert_allclose(found, from_bf16(a) @ from_bf16(b).T, atol=1e-4)


def int8_call(rows, *, checked=False):
    """A product of int8 with a scale a row and a column; B in tiles of 32 rows by 2 times 16 columns."""
    rng = np.random.default_rng(2)
    n, k = 256, 512
    a, b = (rng.integers(-127, 128, (count, k)).astype(np.int8) for count in (rows, n))
    scales = [rng.uniform(0.001, 0.01, count).astype(np.float32) for count in (rows, n)]
    bias = rng.standard_normal(n).astype(np.float32)
    shuffled = b.reshape(n // 32, 32, k // 32, 2, 16).transpose(0, 2, 3, 1, 4)
    output = Output(np.zeros((rows, n), np.uint16))
    arguments = [output, a, shuffled, *scales, bias, rows, n, k, k, k, 2 * n, 1]
    wanted = (a.astype(np.float64) @ b.T) * scales[0][:, None] * scales[1] + bias
    return Call([n // 128, -(-rows // 128), 1], arguments, unchecked=() if checked else ["races"]), wanted


I8GEMM = "gfx942/i8gemm/I8gemm_bf16_perTokenI8_BpreShuffle_128x128.co"


@pytest.mark.parametrize("rows", [128, 77])
def test_i8gemm(rows, native):
    """Of 77 rows some waves have none, and end while the others still meet at barriers."""
    call, wanted = int8_call(rows)
    (found,) = run(I8GEMM, call, native=native).values()
    np.testing.assert_allclose(from_bf16(found), wanted, rtol=LAST_BIT, atol=0.01)


def test_i8gemm_rewrites_lds_that_another_wave_reads_ahead(native):
    """The last words read ahead in the loop are never used: a race without an effect on the result."""
    call, _ = int8_call(128, checked=True)
    with pytest.raises(ExecutionFaultError, match=r"\b0x4724\b"):
        run(I8GEMM, call, native=native)


def layer_norm_call(*, is_quantised=False, checked=False):
    """Two rows of 8192 for one workgroup, the second 8 times as large, as aiter's wrapper calls it."""
    rng = np.random.default_rng(3)
    sizes = np.array([[1], [8]])
    x, residual = (bf16(rng.standard_normal((2, 8192)) * sizes + sizes) for _ in range(2))
    weight, bias = (bf16(rng.standard_normal(8192)) for _ in range(2))
    scale = rng.uniform(0.5, 2, 8192).astype(np.float32)
    outputs = [
        Output(np.zeros((2, 8192), kind)) for kind in (np.int8 if is_quantised else np.uint16, np.uint16)
    ]
    more = [Output(np.zeros(2, np.float32)), scale] if is_quantised else [None, None]
    arguments = [outputs[0], x, weight, bias, np.float32(1e-5), 2, 8192, outputs[1], residual, *more]
    total = from_bf16(x) + from_bf16(residual)
    normal = total / np.sqrt((total**2).mean(axis=1, keepdims=True) + 1e-5)
    wanted = normal * from_bf16(weight) + from_bf16(bias)
    call = Call([1], arguments, unchecked=() if checked else ["races"])
    return call, total, wanted * scale if is_quantised else wanted


LAYER_NORMS = [("layer_norm", "0x23cc", "0x23e4"), ("layer_norm_qnt", "0x245c", "0x2474")]


@pytest.mark.parametrize(("name", "written", "read"), LAYER_NORMS)
def test_layer_norm_rewrites_lds_for_its_second_row_without_a_barrier(name, written, read, native):
    """Its loop goes back to where sums are written, and other waves may still read those of the first row."""
    call, _, _ = layer_norm_call(is_quantised=name.endswith("qnt"), checked=True)
    with pytest.raises(ExecutionFaultError, match=rf"{written}\b.*\b{read}\b"):
        run(f"gfx942/{name}.co", call, native=native)


def test_layer_norm_depends_on_the_order_of_waves(native):
    """Wave by wave, as C runs them, sums of two rows are mixed; instruction by instruction all is right.

    It has the sum of a row, and takes nothing off: what it gives is the root mean square norm with a bias.
    """
    call, total, wanted = layer_norm_call()
    found, kept = (from_bf16(bits) for bits in run("gfx942/layer_norm.co", call, native=native).values())
    np.testing.assert_allclose(kept, total, rtol=2 * LAST_BIT)  # cut, not rounded
    error = np.abs(found - wanted) / (1 + np.abs(wanted))
    assert (error.max() > 0.1) == native
    assert error[:, 6 * 1024 :].max() > 0.1 if native else error.max() < 2 * LAST_BIT


def test_layer_norm_with_quantised_rows_leaves_out_an_eighth_of_each_row(native):
    """Of 16 maxima that a lane reads at 0x3070 two are not used: those of threads 0 to 31, 8 columns each.

    Where the largest number of a row is one of theirs, the scale is too small, and int8 wraps around. In C
    the order of waves spoils the sums too.
    """
    call, _, wanted = layer_norm_call(is_quantised=True)
    found, _, scale = run("gfx942/layer_norm_qnt.co", call, native=native).values()
    used = np.arange(8192) // 8 % 256 >= 32
    of_row, of_used = (np.abs(columns).max(axis=1) / 127 for columns in (wanted, wanted[:, used]))
    assert of_row[0] > 1.1 * of_used[0]
    assert np.allclose(scale, of_used, rtol=1e-4) != native
    if not native:
        error = found - wanted / scale[:, None]
        assert np.abs((error + 128) % 256 - 128).max() < 1.01  # cut, not rounded
        assert np.abs(error).max() > 250


@pytest.mark.parametrize(
    ("experts", "chosen", "is_normal"), [(128, 8, 0), (128, 6, 1), (256, 8, 1), (256, 6, 0)]
)
def test_topksoftmax(experts, chosen, is_normal, native):
    rng = np.random.default_rng(4)
    tokens = 9
    logits = rng.standard_normal((tokens, experts)).astype(np.float32)
    outputs = [Output(np.zeros((tokens, chosen), kind)) for kind in (np.int32, np.float32)]
    arguments = [*outputs, logits, tokens, experts, chosen, is_normal, 4 * chosen]
    name = f"gfx942/topksoftmax/topksoftmax_4x{experts}x{chosen}.co"
    indices, weights = run(name, Call([-(-tokens // 4)], arguments), native=native).values()
    order = np.argsort(-logits, axis=1)[:, :chosen]
    wanted = np.take_along_axis(softmax(logits.astype(np.float64)), order, axis=1)
    assert (indices == order).all()
    np.testing.assert_allclose(
        weights, wanted / wanted.sum(axis=1, keepdims=True) if is_normal else wanted, rtol=1e-5
    )


ATTENTION = [
    ("gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtne.co", 0),
    ("gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtz.co", 0),
    ("gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_causal_rtna.co", 1),
    ("gfx950/fmha_v3_fwd/fwd_hd128_bf16.co", 0),
    ("gfx950/fmha_v3_fwd/fwd_hd128_bf16_causal.co", 1),
]


@pytest.mark.parametrize(("path", "is_causal"), ATTENTION)
def test_attention(path, is_causal, native):
    """Two heads of queries and one of keys and values; how bf16 is rounded stands in the name."""
    rng = np.random.default_rng(5)
    queries, keys, heads, size = 256, 256 if is_causal else 96, 2, 128
    q = bf16(rng.standard_normal((queries, heads, size)))
    k, v = (bf16(rng.standard_normal((keys, size))) for _ in range(2))
    scale = np.float32(size**-0.5)
    outputs = [
        Output(np.zeros((queries, heads, size), np.uint16)),
        Output(np.zeros((heads, queries), np.float32)),
    ]
    row, of_keys = 2 * heads * size, [2 * size, 2 * size, 2 * size * keys]
    arguments = [
        outputs[0], q, k, v, outputs[1], scale, queries, row, 256 * row, 2 * size, queries * row, heads,
        *of_keys, 5, 1, keys, size, size, heads, *of_keys, row, 2 * size, queries * row, None, None,
        4 * queries, None, None,
    ]  # fmt: skip
    call = Call([1, heads, 1], arguments, threads=512)
    found, logarithm = run(path, call, native=native).values()
    scores = np.einsum("qhd,kd->hqk", from_bf16(q), from_bf16(k)) * scale
    if is_causal:
        scores = np.where(np.tri(queries, dtype=bool), scores, -np.inf)
    wanted = np.einsum("hqk,kd->qhd", softmax(scores), from_bf16(v))
    np.testing.assert_allclose(from_bf16(found), wanted, rtol=2 * LAST_BIT, atol=2 * LAST_BIT)
    np.testing.assert_allclose(logarithm, np.log(np.exp(scores).sum(axis=-1)), atol=1e-5)


HALVES = tuple(partial(np.asarray, dtype=kind) for kind in (np.float16, np.float64))


def paged_call(group, kind, *, checked=False):
    """Two sequences of 37 and 300 tokens in blocks of 16, ``group`` heads of queries to one of keys."""
    rng = np.random.default_rng(6)
    to, back = (bf16, from_bf16) if kind == np.uint16 else HALVES
    lengths, blocks, size = np.array([37, 300], np.int32), 20, 128
    q = to(rng.standard_normal((2, group, size)))
    keys = to(rng.standard_normal((2 * blocks, size // 8, 16, 8)))
    values = to(rng.standard_normal((2 * blocks, 2, size, 8)))
    table = rng.permutation(2 * blocks).reshape(2, blocks).astype(np.int32)
    of_block = 2 * 16 * size
    arguments = [
        Output(np.zeros(q.shape, kind)), q, keys, values, table, lengths, None, None,
        np.float32(np.log2(np.e) / size**0.5), blocks, 1, 2 * group * size, of_block, of_block, group, None,
    ]  # fmt: skip
    wanted = np.zeros(q.shape)
    for number, length in enumerate(lengths):
        k = back(keys[table[number]]).transpose(0, 2, 1, 3).reshape(-1, size)[:length]
        v = back(values[table[number]]).transpose(0, 1, 3, 2).reshape(-1, size)[:length]
        wanted[number] = softmax(back(q[number]) @ k.T / size**0.5) @ v
    return Call([1, 2, 1], arguments, unchecked=() if checked else ["waits"]), back, wanted


@pytest.mark.parametrize(
    ("name", "group", "kind"), [("bf16_noquant_gqa8", 8, np.uint16), ("fp16_noquant_gqa16", 16, np.float16)]
)
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_paged_attention(target, name, group, kind, native):
    call, back, wanted = paged_call(group, kind)
    (found,) = run(f"{target}/pa/pa_{name}_1tg_4w.co", call, native=native).values()
    np.testing.assert_allclose(back(found), wanted, rtol=2 * LAST_BIT, atol=2 * LAST_BIT)


def test_paged_attention_waits_for_one_load_too_few(native):
    """24 loads are issued from 0x28b8 to the wait at 0x2e70, which leaves 24 under way, this one too."""
    call, _, _ = paged_call(8, np.uint16, checked=True)
    with pytest.raises(ExecutionFaultError, match=r"0x2fc4\b.*\bv16\b.*\b0x28b8\b"):
        run("gfx942/pa/pa_bf16_noquant_gqa8_1tg_4w.co", call, native=native)


def latent_call(*, checked=False):
    """A step of decoding with 16 heads on one row a token, 512 of whose 576 numbers are the values too."""
    rng = np.random.default_rng(7)
    lengths, heads, size, of_value = [37, 100], 16, 576, 512
    q = bf16(rng.standard_normal((2, heads, size)))
    rows = bf16(rng.standard_normal((150, size)))
    starts = np.array([0, 37, 137], np.int32)
    pages = np.resize(rng.permutation(150), 200).astype(np.int32)  # read ahead beyond the last
    scale = np.float32(size**-0.5)
    parts = [Output(np.zeros((2, heads, count), np.float32)) for count in (of_value, 1)]
    last = np.ones(2, np.int32)
    arguments = [*parts, q, rows, starts, pages, last, scale, heads, 1, 2 * heads * size, 2 * size, 0]
    wanted = []
    for number, first in enumerate(starts[:2]):
        k = from_bf16(rows[pages[first : first + lengths[number]]])
        scores = from_bf16(q[number]) @ k.T * scale
        sizes = np.log(np.exp(scores).sum(axis=1, keepdims=True))
        wanted.append((softmax(scores) @ k[:, :of_value], sizes))
    return Call([1, 2, 1], arguments, unchecked=() if checked else ["races"]), wanted


LATENT = "mla/mla_dec_stage1_bf16_a16w16_subQ16_mqa16.co"


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_latent_attention(target, native):
    call, wanted = latent_call()
    found = run(f"{target}/{LATENT}", call, native=native).values()
    for part, of_both in zip(found, zip(*wanted, strict=True), strict=True):
        np.testing.assert_allclose(part, np.stack(of_both), rtol=LAST_BIT, atol=LAST_BIT)


def test_latent_attention_meets_before_its_writes_are_done(native):
    """Of 8 writes and 4 reads ``lgkmcnt(8)`` waits for 4; the others go on at the barrier at 0x38d4."""
    call, _ = latent_call(checked=True)
    with pytest.raises(ExecutionFaultError, match=r"0x5018\b.*\b0x3840\b"):
        run(f"gfx942/{LATENT}", call, native=native)
