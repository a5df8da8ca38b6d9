"""GEMMs as users ask for them, at random: all claims proved, so are the compiled addresses, C is exact.

Requests that cannot be are refused for one of a few reasons; any other refusal is a failure.
"""

from __future__ import annotations

import random
import re

import pytest

from layoutalg.cli.kernel_request import requested
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.errors import LayoutError
from layoutalg.proofs import prove

TYPES = {
    "gfx90a": ("f16", "bf16", "i8", "f32", "f64"),
    "gfx942": ("f16", "bf16", "i8", "f32", "f64", "f8", "bf8"),
    "gfx950": ("f16", "bf16", "i8", "f32", "f64", "f8", "bf8", "f4x2", "f6_word"),
}
SCALED = ("f4x2", "f6_word")
EPILOGUES = ("relu(c + bias_n)", "c * scale_m", "c + d", "gelu(c)", "relu(c + bias_n); c")
REFUSED = (
    "these do not go together"
    r"|has no \d+x\d+ matrix instruction for"
    "|wanted a [MN] of the tile that is a multiple of"  # of the waves that are asked for
    r"|wanted ([MNK] a multiple of \d+(, )?)+; got"  # whole blocks of scales
)
FOUND = [  # by such requests: each was refused, since formulas did not show its addresses, or was wrong
    ("gfx942", "f32", {"M": 212, "N": 313, "K": 320}, {"layouts": "rcr", "split_k": "3"}),
    ("gfx90a", "f16", {"M": 392, "N": 149, "K": 448}, {"layouts": "ccr", "split_k": "3"}),
    ("gfx950", "bf16", {"M": 256, "N": 301, "K": 512}, {"leading_dimensions": True}),
    (
        "gfx942",
        "i8",
        {"M": 337, "N": 85, "K": 88},
        {"layouts": "crr", "leading_dimensions": True, "tile": "64x64x32"},
    ),
    ("gfx942", "i8", {"M": 337, "N": 85, "K": 88}, {"layouts": "crr", "leading_dimensions": True}),
    (
        "gfx950",
        "f16",
        {"M": 40, "N": 246, "K": 440},
        {"split_k": "5", "leading_dimensions": True},
    ),
    (
        "gfx950",
        "bf16",
        {"M": 32, "N": 128, "K": 512},
        {"layouts": "crr", "leading_dimensions": True, "scale": True},
    ),
    (
        "gfx942",
        "bf8",
        {"M": 288, "N": 316, "K": 256},
        {"layouts": "ccr", "epilogue": "relu(c + bias_n); c"},
    ),
    (
        "gfx950",
        "i8",
        {"M": 71, "N": 66, "K": 251},
        {"split_k": "2", "atomic_add": True, "waves": "1x1"},
    ),
    ("gfx950", "f8", {"M": 192, "N": 256, "K": 256}, {"layouts": "rrr", "block_scales": True}),
    ("gfx942", "bf8", {"M": 220, "N": 342, "K": 256}, {"layouts": "rrr", "leading_dimensions": True}),
    ("gfx950", "bf8", {"M": 192, "N": 256, "K": 64}, {"layouts": "ccr", "block_scales": True}),
    ("gfx942", "f8", {"M": 448, "N": 64, "K": 185}, {"split_k": "5", "atomic_add": True}),
    (
        "gfx950",
        "f32",
        {"M": 329, "N": 184, "K": 231},
        {"layouts": "rcr", "split_k": "3", "leading_dimensions": True},
    ),
]


def require_right(made):
    target = made.choice.target
    emit(made.kernel, prove)  # refused where a claim is not proved
    compiled = compile_hip(made.kernel.text, target)
    found = validated_kernel(made.kernel, compiled, prove)
    assert found is not None
    assert found.is_proved, str(found)
    task = Launch(made.kernel, compiled, made.sizes, inputs_of(made.kernel, made.sizes, "integers", 3))
    result = CpuExecutor().run(task)
    assert all(one.is_good for one in compare_outputs(task, result.outputs, written=result.written).values())


def drawn(rng):
    """A request: a few options, odd sizes as often as even ones."""
    target = rng.choice([*TYPES])
    element = rng.choice(TYPES[target])
    texts = {"layouts": "rcr" if element in SCALED else rng.choice(["rcr", "rcr", "rrr", "crr", "ccr"])}
    sizes = {
        name: rng.choice(
            [rng.randint(1, 400), rng.randint(1, 400), 8 * rng.randint(1, 60), 64 * rng.randint(1, 8)]
        )
        for name in "MNK"
    }
    if element in SCALED or (target == "gfx950" and element in ("f8", "bf8") and rng.random() < 0.3):
        texts["block_scales"] = True
    match rng.randrange(8):
        case 0 | 1:
            texts["split_k"] = str(rng.choice([2, 3, 5]))
        case 2:
            texts |= {"split_k": "2", "atomic_add": True}
        case 3:
            texts["scale"] = True
        case 4:
            texts["epilogue"] = rng.choice(EPILOGUES)
        case 5:
            texts["batched"] = True
            sizes["batch_count"] = rng.randint(1, 3)
    if rng.random() < 0.3:
        texts["leading_dimensions"] = True
    if rng.random() < 0.15:
        texts["waves"] = rng.choice(["2x2", "1x4", "2x1", "1x1"])
    return target, element, sizes, texts


@pytest.mark.slow_sample(18)
@pytest.mark.parametrize(("target", "element", "sizes", "texts"), FOUND)
def test_what_was_found_stays_right(target, element, sizes, texts):
    require_right(requested("gemm", target, element, sizes, texts))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(120))
def test_random_requests_are_right(seed):
    request = drawn(random.Random(seed))
    try:
        made = requested("gemm", *request)
    except LayoutError as error:
        if not re.search(REFUSED, error.message):
            raise
    else:
        require_right(made)
