"""The example programs: run on NumPy, proved, compiled and executed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from layoutalg import Proved
from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import CodeObjectRun, Output, run_code_object
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.tile_programs import kernel_of_program
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.machine.target import TARGET_NAMES
from layoutalg.proofs import prove
from layoutalg.tile import Finished, TileProgram, conflict_free_claims
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.tile_program import Pointer, Size
from tests.refusals import refused

EXAMPLES = Path(__file__).parents[3] / "notebooks/examples/tile_programs"


@cache
def module(name: str) -> ModuleType:
    """An example as Python reads it."""
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@dataclass(frozen=True, eq=False)
class Case:
    """A program with its arrays and sizes, and what its output must be.

    ``apart``: how far NumPy's run may be from ``wanted``, and compiled code from NumPy's run; relative to 1
    or to the number, whichever is larger. 0 where arithmetic is exact.
    """

    program: TileProgram
    given: Mapping[str, Any]
    wanted: NDArray[Any]
    apart: float = 0.0

    @property
    def output(self) -> str:
        kinds = self.program.parameters.items()
        (found,) = (name for name, kind in kinds if isinstance(kind, Pointer) and kind.is_output)
        return found

    @cached_property
    def done(self) -> Finished:
        """What NumPy makes of it."""
        return self.program.run(**{**self.given, self.output: self.blank()})

    def blank(self) -> NDArray[Any]:
        return np.zeros(self.wanted.shape, np.float32)

    @cache  # noqa: B019  cases are few and kept
    def kernel(self, target: str) -> Kernel:
        return kernel_of_program(self.program, target)

    @cache  # noqa: B019  cases are few and kept
    def execute(self, target: str) -> CodeObjectRun:
        """What compiled code does."""
        kernel = self.kernel(target)
        made = compile_source(kernel.text, target)
        given = {**self.given, self.output: Output(self.blank())}
        arguments = [passed(given[name], kind) for name, kind in self.program.parameters.items()]
        sizes = {name: int(self.given[name]) for name in self.program.sizes}
        return run_code_object(made.code_object, kernel.grid_for(sizes), kernel.block, arguments)

    def require_close(self, found: NDArray[Any], wanted: NDArray[Any]) -> None:
        gap = np.abs(found.reshape(wanted.shape).astype(float) - wanted)
        assert (gap <= self.apart * np.maximum(1, np.abs(wanted))).all(), float(gap.max())


def passed(value: Any, kind: Any) -> Any:
    """An argument as a kernel takes it."""
    return value if isinstance(kind, Pointer) else (np.int32 if isinstance(kind, Size) else np.float32)(value)


def integers(seed: int, *lengths: int) -> NDArray[Any]:
    return np.random.default_rng(seed).integers(-4, 5, lengths).astype(np.float32)


def normal(seed: int, *lengths: int) -> NDArray[Any]:
    return np.random.default_rng(seed).standard_normal(lengths).astype(np.float32)


def gemm(example: str, variant: str, m: int, n: int, k: int) -> Case:
    a, b = integers(1, m, k), integers(2, n, k)
    given = {"a": a.astype(np.float16), "b": b.astype(np.float16), "M": m, "N": n, "K": k}
    return Case(getattr(module(example), variant), given, a @ b.T)


def transpose(m: int, k: int) -> Case:
    source = normal(3, m, k)
    return Case(module("transpose").transpose, {"source": source, "M": m, "K": k}, source.T)


def square_and_add(m: int, n: int) -> Case:
    x, y = integers(4, m, n), integers(5, m, n)
    given = {"x": x, "y": y, "M": m, "N": n}
    return Case(module("elementwise_tails").square_and_add, given, x * x + y)


def quick_gelu_and_add(m: int, n: int) -> Case:
    x, y = normal(6, m, n), normal(7, m, n)
    wide = x.astype(float)
    given = {"x": x, "y": y, "M": m, "N": n}
    wanted = wide / (1 + np.exp(-1.702 * wide)) + y
    return Case(module("elementwise_tails").quick_gelu_and_add, given, wanted, 1e-6)


def row_softmax(m: int, n: int) -> Case:
    x = 3 * normal(8, m, n)
    powers = np.exp(x - x.max(axis=1, keepdims=True).astype(float))
    wanted = powers / powers.sum(axis=1, keepdims=True)
    return Case(module("row_softmax").row_softmax, {"x": x, "M": m, "N": n}, wanted, 1e-6)


def layernorm(m: int, n: int) -> Case:
    x, gamma, beta = 2 + normal(9, m, n), normal(10, n), normal(11, n)
    wide = x.astype(float)
    apart = wide - wide.mean(axis=1, keepdims=True)
    wanted = apart / np.sqrt((apart * apart).mean(axis=1, keepdims=True) + 1e-5) * gamma + beta
    given = {"x": x, "gamma": gamma, "beta": beta, "epsilon": 1e-5, "M": m, "N": n}
    return Case(module("layernorm").layernorm, given, wanted, 1e-5)


def attention(heads: int, queries: int, keys: int, columns: int = 32) -> Case:
    """P is rounded to f16, whose numbers below 1 are 2**-11 apart or less; rows of P sum to 1."""
    shapes = ((12, queries), (13, keys), (14, keys))
    q, k, v = (normal(seed, heads, rows, columns).astype(np.float16) for seed, rows in shapes)
    scale = columns**-0.5
    scores = np.einsum("hqd,hkd->hqk", q.astype(float), k.astype(float)) * scale
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    wanted = powers / powers.sum(axis=-1, keepdims=True) @ v.astype(float)
    flat = {name: one.reshape(-1, columns) for name, one in (("q", q), ("k", k), ("v", v))}
    given = {**flat, "scale": scale, "H": heads, "Q": queries, "K": keys}
    program = module("attention").attention if columns == 32 else module("attention").attention_of_64
    return Case(program, given, wanted.reshape(-1, columns), 1e-3)


SMALL: dict[str, tuple[Any, ...]] = {
    "naive_gemm, transposed C": (gemm, "naive_gemm", "transposed_c", 256, 128, 64),
    "naive_gemm, standard C": (gemm, "naive_gemm", "standard_c", 256, 128, 64),
    "transpose": (transpose, 96, 64),
    "padded_gemm": (gemm, "padded_gemm", "padded_gemm", 128, 128, 64),
    "xor_gemm": (gemm, "xor_gemm", "xor_gemm", 128, 128, 128),
    "xor_gemm, 64 banks": (gemm, "xor_gemm", "xor_gemm_of_64_banks", 128, 128, 128),
    "square_and_add": (square_and_add, 17, 300),
    "quick_gelu_and_add": (quick_gelu_and_add, 37, 70),
    "row_softmax": (row_softmax, 5, 1000),
    "layernorm": (layernorm, 3, 1999),
    "attention": (attention, 2, 64, 128),
    "attention, heads of 64": (attention, 1, 64, 128, 64),
}
MORE: dict[str, tuple[Any, ...]] = {
    "naive_gemm, transposed C, larger": (gemm, "naive_gemm", "transposed_c", 768, 384, 160),
    "naive_gemm, standard C, larger": (gemm, "naive_gemm", "standard_c", 512, 256, 32),
    "the blog's transpose": (transpose, 2560, 32),
    "padded_gemm, larger": (gemm, "padded_gemm", "padded_gemm", 256, 384, 96),
    "xor_gemm, larger": (gemm, "xor_gemm", "xor_gemm", 384, 256, 64),
    "xor_gemm, 64 banks, larger": (gemm, "xor_gemm", "xor_gemm_of_64_banks", 256, 128, 320),
    "square_and_add of one element": (square_and_add, 1, 1),
    "square_and_add of a whole tile": (square_and_add, 16, 256),
    "quick_gelu_and_add of a column": (quick_gelu_and_add, 65, 1),
    "row_softmax of one column": (row_softmax, 4, 1),
    "row_softmax of whole tiles": (row_softmax, 9, 1024),
    "layernorm of one column": (layernorm, 2, 1),
    "layernorm of whole tiles": (layernorm, 2, 2048),
    "layernorm of short rows": (layernorm, 5, 70),
    "attention, larger": (attention, 3, 192, 320),
    "attention, heads of 64, larger": (attention, 2, 128, 192, 64),
}


@cache
def case(name: str) -> Case:
    make, *arguments = (SMALL | MORE)[name]
    return make(*arguments)


CASES = [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in MORE)]
TARGETS = ["gfx942", *(pytest.param(target, marks=pytest.mark.slow) for target in ("gfx90a", "gfx950"))]


@pytest.mark.parametrize("name", CASES)
def test_the_run_on_numpy_is_what_numpy_computes(name):
    one = case(name)
    one.require_close(one.done[one.output], one.wanted)


@pytest.mark.sample(9)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", SMALL)
def test_every_claim_is_proved(name, target):
    claims = case(name).kernel(target).claims
    assert claims
    verdicts = {f"{claim.name}, {claim.subject}": prove(claim) for claim in claims}
    assert {word: found for word, found in verdicts.items() if not isinstance(found, Proved)} == {}


@pytest.mark.sample(9, slow=30)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CASES)
def test_compiled_code_does_what_the_run_on_numpy_does(name, target):
    one = case(name)
    (found,) = one.execute(target).outputs.values()
    one.require_close(found, one.done[one.output].astype(float))


@pytest.mark.parametrize(
    ("name", "target", "is_free"),
    [
        ("padded_gemm", "gfx942", True),
        pytest.param("naive_gemm, transposed C", "gfx942", False, marks=pytest.mark.long),
        pytest.param("xor_gemm", "gfx942", True, marks=pytest.mark.long),
        pytest.param("xor_gemm", "gfx90a", True, marks=pytest.mark.long),
        pytest.param("xor_gemm", "gfx950", False, marks=pytest.mark.long),
        pytest.param("xor_gemm, 64 banks", "gfx950", True, marks=pytest.mark.long),
    ],
)
def test_padded_and_swizzled_tiles_are_read_without_bank_conflicts(name, target, is_free):
    """What is claimed of banks is what the executor counts."""
    counters = case(name).execute(target).counters
    for way, counted in (("load", "lds_read"), ("store", "lds_write")):
        claims = [c for c in conflict_free_claims(case(name).program, target) if c.subject.startswith(way)]
        is_proved = all(isinstance(prove(claim), Proved) for claim in claims)
        assert claims
        assert is_proved == (counters[f"{counted}_conflict_cycles"] == 0)
    assert (counters["lds_read_conflict_cycles"] == 0) == is_free
    assert counters["lds_write_conflict_cycles"] == 0 or name == "padded_gemm"


@pytest.mark.parametrize("target", [name for name in TARGET_NAMES if Target.named(name).wave_size != LANES])
@pytest.mark.parametrize("name", SMALL)
def test_a_gpu_with_other_waves_is_refused(name, target):
    with refused(LayoutError, "64", "32", target):
        kernel_of_program(case(name).program, target)
