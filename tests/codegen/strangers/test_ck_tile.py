"""CK Tile's own device kernels, from the pinned headers, equal to NumPy on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.strangers.ck_tile_kernels import GEMMS, OPERATIONS, TRANSPOSE
from tests.codegen.strangers.ck_tile_launches import LAUNCHES, argument_values
from tests.golden.ck_import import has_headers

pytestmark = pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
THREADS = (256,)
TARGETS = ("gfx90a", "gfx942", "gfx950")
QUICK = ("smooth, quantise", "image to column")  # compiled in a few seconds
OVER_WAVES, INTO_LDS = "add, RMS norm, quantise over waves", "attention straight into the LDS"


def loaded(kernel, target, count):
    """The code object, the name of its kernel, and where so many members of its argument lie."""
    content = kernel.code_object(target)
    found = load_object(content)
    name = next(one.name for one in found.kernels if "kentry" in one.name)
    place = found.symbol("argument_places")
    return content, name, np.frombuffer(found.bytes_at(place, 4 * count), np.uint32).tolist()


def gemm(name, target, m, n, k, *, native=None):
    content, kernel, places = loaded(GEMMS[name], target, 10)
    generator = np.random.default_rng(2)
    a, b = ((generator.integers(-4, 5, shape)).astype(np.float16) for shape in ((m, k), (n, k)))
    a_at, b_at, c_at, m_at, n_at, k_at, lda, ldb, ldc, batch = places
    c = Output(np.zeros((m, n), np.float16))
    sizes = {m_at: m, n_at: n, k_at: k, lda: k, ldb: k, ldc: n, batch: 1}
    members = {a_at: a, b_at: b, c_at: c, **{at: np.int32(size) for at, size in sizes.items()}}
    tile_m, tile_n = map(int, dict(GEMMS[name].macros)["TILE"].split(",")[:2])
    grid = (-(-m // tile_m) * -(-n // tile_n),)
    done = run_code_object(content, grid, THREADS, [members], kernel=kernel, native=native)
    (found,) = done.outputs.values()
    wanted = (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16)
    return found, wanted, done


@pytest.mark.long
@pytest.mark.parametrize("target", ["gfx942", "gfx90a"])
def test_the_gemm_of_one_pipeline_is_exact(target):
    found, wanted, _ = gemm("V3", target, 256, 256, 128)
    assert (found == wanted).all()


@pytest.mark.long
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("name", GEMMS)
def test_gemms_are_exact(name, target):
    found, wanted, in_c = gemm(name, target, 512, 256, 160 if name == "V4" else 256, native=True)
    assert (found == wanted).all()
    _, _, in_python = gemm(name, target, 512, 256, 160 if name == "V4" else 256, native=False)
    assert in_c.counters == in_python.counters


@pytest.mark.slow
def test_the_batched_transpose_moves_every_element():
    content, kernel, places = loaded(TRANSPOSE, "gfx942", 6)
    batch, height, width = 2, 128, 192
    given = np.arange(batch * height * width).astype(np.uint16).view(np.float16).reshape(batch, height, width)
    into = Output(np.zeros((batch, width, height), np.float16))
    source, target, at_batch, at_height, at_width, stride = places
    numbers = {at_batch: batch, at_height: height, at_width: width, stride: height * width}
    members = {source: given, target: into, **{at: np.int32(size) for at, size in numbers.items()}}
    grid = (height // 64, width // 64, batch)
    done = run_code_object(content, grid, (64,), [members], kernel=kernel)
    (found,) = done.outputs.values()
    assert (found.view(np.uint16) == given.view(np.uint16).swapaxes(1, 2)).all()


def operation(name, target, **how):
    """The outputs of a launch as wanted; ``how`` it is run."""
    content, launch = OPERATIONS[name].code_object(target), LAUNCHES[name]()
    kernel, values = argument_values(content, launch.members)
    done = run_code_object(content, launch.grid, THREADS, values, kernel=kernel, **how)
    launch.check(*done.outputs.values())
    return done


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("name", QUICK)
def test_quick_operations_do_what_they_mean(name):
    operation(name, "gfx942")


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - {OVER_WAVES}))
def test_operations_do_what_they_mean(name, target):
    unchecked = {"races"} if name == INTO_LDS else set()
    in_c = operation(name, target, native=True, unchecked=unchecked)
    in_python = operation(name, target, native=False, unchecked=unchecked)
    assert in_c.counters == in_python.counters


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_a_missing_barrier_of_ck_tile_is_found_and_gives_wrong_numbers(target):
    """The largest of each wave goes where slower waves still read the sums: BlockReduce2dCrossWarpSync twice.

    If all waves do one instruction after the other together, nothing is seen of it; if each goes on to the
    next barrier alone, the sums of rows are wrong.
    """
    with pytest.raises(ExecutionFaultError, match=r"offset 0\b"):
        operation(OVER_WAVES, target)
    operation(OVER_WAVES, target, native=False, unchecked={"races"})
    with pytest.raises(AssertionError):
        operation(OVER_WAVES, target, native=True, unchecked={"races"})


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_a_barrier_before_the_wait_for_what_is_overwritten_is_found(target):
    """V goes where K is read from: the barrier between comes before the wait for K."""
    with pytest.raises(ExecutionFaultError, match=r"\bs_waitcnt\b"):
        operation(INTO_LDS, target)
