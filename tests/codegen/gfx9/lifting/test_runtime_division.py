"""Division by a runtime number: its lemma on divisors, and compiled divisions lifted."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output
from layoutalg.codegen.executors.code_object_run import prepared_launch
from layoutalg.codegen.gfx9.lifting import Assumed
from layoutalg.codegen.gfx9.lifting.kernel_start import KernelStart
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.runtime_division import EXACT, SCALE, estimated_quotient
from layoutalg.codegen.gfx9.lifting.walk import Walk
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words, constant
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.rules.normal_form import NormalForm
from tests.codegen.gfx9.lifting.agreement import compared
from tests.codegen.gfx9.lifting.mutated_code import changed, mutants
from tests.codegen.gfx9.lifting.test_lift import HEAD, SIZES, lifted, vectors

WORD = 2**32
CHUNK = 2**22
SIZE = Domain.of({}, {"n": (1, 65536)})
DIVISION = """(float* y, unsigned n) {
    unsigned i = blockIdx.x*256 + threadIdx.x;
    y[i / n] = 1.0f;
}"""


def lacking(divisors):
    """How far ``z*y`` stays below 2**32, with every float within one unit of the reciprocal."""
    scale = np.array(SCALE, np.uint32).view(np.float32)
    numbers = divisors.astype(np.float32)
    right = np.float32(1) / numbers
    exact, unit = 1 / numbers.astype(np.float64), np.spacing(right).astype(np.float64)
    for one in (right, np.nextafter(right, np.float32(0)), np.nextafter(right, np.float32(2))):
        near = np.abs(one - exact) <= unit
        y = divisors[near].astype(np.uint64)
        z = np.minimum((one[near] * scale).astype(np.uint64), WORD - 1)  # conversions saturate
        z += (z * ((WORD - y) * z % WORD)) // WORD
        yield WORD - (z * y).astype(np.int64), y.astype(np.int64)


@pytest.mark.sample(4)
@pytest.mark.parametrize("first", range(0, EXACT, CHUNK))
def test_the_estimate_of_every_divisor_lacks_two_at_most(first):
    for lack, y in lacking(np.arange(max(first, 1), first + CHUNK, dtype=np.uint32)):
        assert (lack >= 0).all(), "an estimate may be too large"
        assert (lack <= 2 * y).all(), "an estimate may lack more than two"


def test_of_some_larger_divisors_it_may_be_too_large():
    """With a reciprocal that is off by a whole unit: why they are left unknown."""
    assert any((lack < 0).any() for lack, _ in lacking(np.array([24683721, 46182445], np.uint32)))


def test_an_estimate_may_lack_nothing_one_or_two():
    words = Words(NormalForm(Domain.of({"lane": 64}, {"x": (0, 4095), "y": (1, 64)})))
    x, y = ((ALWAYS, words.form.symbol(name)) for name in ("x", "y"))
    value: Value = (y,)
    for name, others in (
        ("v_cvt_f32_u32", ()),
        ("v_rcp_iflag_f32", ()),
        ("v_mul_f32", (constant(SCALE),)),
        ("v_cvt_u32_f32", ()),
    ):
        value = ((ALWAYS, words.unknown(name, (*others, value, (), 0), 0, 2**32 - 1)),)
    ((_, z),) = value
    mending = estimated_quotient(words, value, ((ALWAYS, words.reduced(-(z * y[1]), 32)),), is_uniform=True)
    assert mending is not None
    estimate = estimated_quotient(words, ((ALWAYS, z + mending[0][1]),), (x,), is_uniform=True)
    assert estimate is not None
    lacks = words.form.divided(x[1], y[1]) - estimate[0][1]
    opaque = frozenset().union(*(words.guards.support(words.truths[letter]) for letter in lacks.letters))
    found = set()
    for truths in product((False, True), repeat=len(opaque)):
        guard = ALWAYS
        for number, truth in zip(sorted(opaque), truths, strict=True):
            own = words.guards.of(words.guards.variables[number])
            guard = words.guards.both(guard, own if truth else words.guards.opposite(own))
        found.add(words.settled(lacks, guard).as_integer)
    assert found == {0, 1, 2}


DIVIDED = {
    "i / n": lambda i, n, k, group: i // n,
    "i % n": lambda i, n, k, group: i % n,
    "(i / n)*k + i % n": lambda i, n, k, group: i // n * k + i % n,
    "group / n": lambda i, n, k, group: group // n,
    "n / k": lambda i, n, k, group: n // k,
}


@pytest.mark.parametrize(("kind", "target"), [("int", "gfx90a"), ("unsigned", "gfx942"), ("int", "gfx950")])
def test_a_compiled_division_is_a_quotient(kind, target):
    names = [f"y{number}" for number in range(len(DIVIDED))]
    stores = "".join(f"{y}[{one}] = 1;" for y, one in zip(names, DIVIDED, strict=True))
    arguments = ", ".join(f"float* {y}" for y in names)
    text = f"""({arguments}, {kind} n, {kind} k) {{
        {kind} group = blockIdx.x, i = group*256 + threadIdx.x;
        {stores}
    }}"""
    found = {store.buffer: store for store in vectors(lifted(text, SIZES, target))}
    assert found.keys() == set(names)
    for y, expected in zip(names, DIVIDED.values(), strict=True):
        for n, k, group in ((1, 1, 63), (7, 5, 3), (65536, 1000, 1), (641, 3, 40)):
            at, active = found[y].offsets(wave=2, workgroup_x=group, n=n, k=k)
            assert active.all()
            assert (at == 4 * expected(group * 256 + 2 * 64 + np.arange(64), n, k, group)).all()


@pytest.mark.parametrize("ends", [[0, 65536], [1, 2**24], [1, 2**32 - 1]])
def test_a_divisor_of_which_the_lemma_does_not_speak_is_named(ends):
    text = "(float* y, unsigned n) { y[threadIdx.x / n] = 1.0f; }"
    (store,) = vectors(lifted(text, SIZES | {"sizes": {"n": ends}}))
    assert not store.is_understood
    assert store.missing[0].startswith("divisor not shown to be from 1 to 2**24 - 1: ")


@pytest.fixture(scope="module")
def division():
    """The compiled division, launched."""
    made = compile_source(HEAD + DIVISION, "gfx942")
    values = [Output(np.zeros(1024, np.float32)), np.uint32(7)]
    return prepared_launch(made.code_object, (3,), (256,), values)


def agreement(made, assembly):
    return compared(replace(made, assembly=assembly), Assumed(SIZE, (), (256,)), names=("y", "n"))


@pytest.mark.slow
def test_a_division_that_was_changed_is_lifted_as_what_it_is(division):
    """What mends an estimate is executed and not assumed."""
    assert agreement(division, division.assembly).agreeing
    lifted_ones = 0
    for mutant in mutants(division.assembly):
        try:
            found = agreement(division, mutant.assembly)
        except (LayoutError, ExecutionFaultError):
            continue
        assert not found.differing, f"{mutant.before} -> {mutant.after}"
        lifted_ones += not found.opaque
    assert lifted_ones


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0x4f7ffffe", "0x4f800000"),
        ("0x4f7ffffe", "0x4f7ffffd"),
        (r"v_rcp_iflag_f32_e32 (v\d+), (v\d+)", r"v_rcp_iflag_f32_e64 \1, -\2"),
        (r"v_rcp_iflag_f32_e32", "v_rcp_f32_e32"),
        (r"s_waitcnt .*", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1"),
    ],
)
def test_what_only_looks_like_a_division_is_none(division, old, new):
    """Another scale, a sign, another reciprocal, another way of rounding."""
    code = division.assembly
    place = next(n for n, one in enumerate(code.instructions) if re.search(old, one.text))
    other = changed(code, place, re.sub(old, new, code.instructions[place].text))
    walk = Walk(KernelStart(other.assembly, division.resources, Assumed(SIZE, (), (256,))))
    (store,) = [one for one in walk.run() if one.access.form.space == "global"]
    opaque = {
        walk.words.opaque[x].name
        for _, p in store.access.addresses[0]
        for x in walk.words.bases(p) & walk.words.opaque.keys()
    }
    assert any(name.startswith("v_cvt_u32_f32") for name in opaque)
