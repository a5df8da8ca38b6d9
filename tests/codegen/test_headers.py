"""What a kernel says of itself: launched by its printed head it computes all, under its own name."""

from __future__ import annotations

import ast
import itertools
import operator
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernels import blockwise_copy, copy, permute, transpose
from layoutalg.codegen.kernels.gemm import ELEMENTS, RUNGS, GemmConfig, configured, gemm, parts_sum
from layoutalg.codegen.kernels.gemm.builder import _name
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES, Choice, choices
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain
from layoutalg.layout import make_layout
from layoutalg.machine import Target
from layoutalg.machine.target import TARGETS
from layoutalg.proofs import prove

RUN = ("gfx90a", "gfx942", "gfx950")  # those that the executor has
LONGEST = {"M": 300, "N": 140, "K": 72, "batch_count": 2}  # sizes wanted, as near as the head admits
LONGEST |= {f"batch_stride_{name}": 1 << 18 for name in "abc"}  # more than any matrix of these
LEADING = 640  # a leading dimension, longer than any row of these
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
}


def value(text, sizes):
    """What an expression of a head is for sizes; nothing of the package takes part."""

    def of(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return sizes[node.id]
        if isinstance(node, ast.Compare):
            return OPERATORS[type(node.ops[0])](of(node.left), of(node.comparators[0]))
        return OPERATORS[type(node.op)](of(node.left), of(node.right))

    return of(ast.parse(text, mode="eval").body)


def separated(text):
    """Parts between commas outside parentheses."""
    depth, parts = 0, [""]
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def read(text):
    """Grid, block, sizes and facts, as a head says them."""
    lines = itertools.takewhile(lambda line: line.startswith("//"), text.splitlines())
    said = " ".join(line[2:].strip() for line in lines)
    launch = re.search(r"Launch with grid \((.*?)\), block (\(?[\d, ]+\)?)\.", said)
    assert launch, "no launch in the head"
    grid, block = launch.groups()
    proved = re.search(r"Proved for (.*?)(?:, where (.*?))?\.$", said)
    sizes, facts = (separated(part or "") for part in (proved.groups() if proved else ("", "")))
    return separated(grid), [int(n) for n in block.strip("()").split(",")], sizes, facts


def admitted(sizes, facts):
    """A value for each size: the least one admitted from the wanted one on."""
    found = {}
    for text in sizes:
        name, rest = text.split(" ", 1)
        step = int((re.search(r"multiple of (\d+)", rest) or [0, 1])[1])
        least = int((re.search(r"at least (\d+)", rest) or [0, 1])[1])
        found[name] = -(-max(LONGEST.get(name, LEADING), least) // step) * step
    assert all(value(fact, found) for fact in facts)
    return found


def launched_as_told(kernel, target, sizes=None):
    """A run whose grid, block and sizes come from the head alone."""
    grid, block, sizes_told, facts = read(kernel.text)
    sizes = admitted(sizes_told, facts) if sizes is None else sizes
    counts = tuple(value(extent, sizes) for extent in grid)
    given = {scalar.name: 0.5 for scalar in kernel.scalars if scalar.name not in sizes}
    shapes = tuple(
        replace(a, lengths=kernel.shape_of(a, sizes)) if hasattr(a, "lengths") else a
        for a in kernel.arguments
    )
    told = replace(kernel, grid=counts, block=tuple(block), domain=Domain(), arguments=shapes)
    every = {**sizes, **given}
    task = Launch(told, compile_hip(kernel.text, Target.named(target)), every, inputs_of(told, every))
    found = compare_outputs(task, CpuExecutor().run(task).outputs)
    assert found
    assert all(agreement.is_good for agreement in found.values())


def pipelined(**fields):
    return lambda: gemm(configured("pipelined", **fields))


def pair():
    return permute(
        make_naive_tensor_descriptor((24, 40), (52, 1)),
        make_naive_tensor_descriptor((40, 24), (24, 1)).permute(1, 0),
    )


@cache
def sample(name):
    return SAMPLE[name]()


SAMPLE = {
    "naive": lambda: gemm("naive"),
    "tails, groups, staged": pipelined(has_tails=True, group_m=2, stages_result=True),
    "split K": pipelined(split_k=2),
    "scaled": pipelined(has_scale=True, tile=(128, 128, 32)),
    "batch": pipelined(is_batched=True, tile=(128, 128, 32)),
    "sum of parts": lambda: parts_sum(2),
    "transpose": lambda: transpose("f32"),
    "permuted sizes": lambda: permute(("M", "K"), (1, 0)),
    "pair": pair,
    "copy": lambda: Choice("copy", "gfx942", "f16", {"lengths": (5, 50, 70), "pads": (0, 1, 2)}).kernel(),
    "image_to_column": lambda: Choice(
        "image_to_column", "gfx942", "f16", {"image": (2, 50, 8), "filter": (5,)}
    ).kernel(),
    "blockwise": lambda: Choice("blockwise_copy", "gfx942", "f32").kernel(),
    "wrapper": lambda: Choice("wrapper_gemm", "gfx942", "f16").kernel(),
}


@pytest.mark.slow
@pytest.mark.sample(24)
@pytest.mark.parametrize("name", SAMPLE)
def test_a_kernel_launched_by_its_head_computes_all(name):
    launched_as_told(sample(name), "gfx942")


@pytest.mark.slow
def test_a_head_that_says_another_grid_is_caught():
    kernel = sample("tails, groups, staged")
    grid, *_ = read(kernel.text)
    wrong = kernel.text.replace(f"({', '.join(grid)})", "(N // 128, M // 256, 1)")
    assert wrong != kernel.text
    with pytest.raises((AssertionError, RuntimeError, LayoutError)):
        launched_as_told(replace(kernel, text=wrong), "gfx942")


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", SAMPLE)
def test_a_head_states_the_grid_and_the_sizes_of_its_kernel(name):
    kernel = sample(name)
    grid, block, sizes, facts = read(kernel.text)
    chosen = admitted(sizes, facts)
    kernel.check_sizes(chosen)
    assert tuple(value(extent, chosen) for extent in grid) == kernel.grid_for(chosen)
    assert tuple(block) == kernel.block
    assert sorted(facts) == sorted(map(str, kernel.domain.facts))
    for name_of in {text.split(" ", 1)[0] for text in sizes if "at least 0" not in text}:
        with pytest.raises(LayoutError):
            kernel.check_sizes(chosen | {name_of: 0})


def variants(family, target):
    return [c for c in choices(target) if c.family == family and not c.refusal]


@pytest.mark.slow_sample(6)
@pytest.mark.parametrize("family", FAMILIES)
def test_variants_launched_by_their_head_compute_all(family):
    for choice in variants(family, "gfx942")[3::9]:
        launched_as_told(choice.kernel(), "gfx942")


@pytest.mark.long
@pytest.mark.parametrize("target", RUN)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_variant_launched_by_its_head_computes_all(family, target):
    for choice in variants(family, target):
        launched_as_told(choice.kernel(), target)


# names


def gemm_configs(elements, targets):
    """The product of what may be chosen of a GEMM, as far as it can be built."""
    chosen = itertools.product(
        targets, elements, RUNGS, LAYOUTS, (None, 8), (1, 2), (1, 2), *[(False, True)] * 4
    )
    fields = (
        "layouts",
        "k1",
        "group_m",
        "split_k",
        "has_tails",
        "has_scale",
        "stages_result",
        "is_c_transposed",
    )
    for target, element, rung, *rest in chosen:
        try:
            yield configured(rung, target=target, element=element, **dict(zip(fields, rest, strict=True)))
        except LayoutError:
            continue


def names_are_their_own(configs):
    found: dict[str, GemmConfig] = {}
    for config in configs:
        assert found.setdefault(_name(config), config) == config
    return found


def test_configurations_of_a_gemm_have_names_of_their_own():
    found = names_are_their_own(gemm_configs(["f16"], ["gfx942"]))
    assert len(found) > 500
    assert all(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) for name in found)


@pytest.mark.long
def test_all_configurations_of_a_gemm_have_names_of_their_own():
    assert len(names_are_their_own(gemm_configs(ELEMENTS, TARGETS))) > 10_000


OTHERS: dict[str, Any] = {  # fields of a configuration that the product leaves out, and another value of each
    "tile": (128, 128, 32),
    "waves": (2, 2),
    "instruction": (16, 16),
    "lds": "padded",
    "order": "double",
    "output": "f32",
    "element": "bf16",
    "reads_whole_vectors": True,
    "target": "gfx90a",
}


@pytest.mark.parametrize("field", OTHERS)
def test_each_field_of_a_gemm_is_in_its_name(field):
    other = GemmConfig(**{field: OTHERS[field]})
    assert other != GemmConfig()
    assert _name(other) != _name(GemmConfig())


ROWS = make_naive_tensor_descriptor((64, 64), (64, 1))
APART = make_naive_tensor_descriptor((64, 64), (80, 1))
THREADS = make_layout((16, 16), (16, 1))
ALIKE = {  # kernels that once shared a name
    "copies": lambda: [
        copy(ROWS, ROWS),
        copy(APART, ROWS),
        copy(ROWS, ROWS, vector=1),
        copy(ROWS, ROWS, threads=64),
    ],
    "blocks": lambda: [
        blockwise_copy(ROWS, ROWS, (32, 32), THREADS),
        blockwise_copy(APART, ROWS, (32, 32), THREADS),
        blockwise_copy(ROWS, ROWS, (32, 32), make_layout((16, 16), (1, 16))),
        blockwise_copy(ROWS, ROWS, (32, 32), THREADS, scalars=2),
    ],
    "images": lambda: [
        Choice("image_to_column", "gfx942", "f16", {"image": (2, 9, 9, 8), **more}).kernel()
        for more in ({}, {"strides": (2, 1)}, {"dilations": (1, 2)}, {"pads": (0, 0)})
    ],
    "permutations": lambda: [
        permute((64, 96), (1, 0)),
        permute((64, 96), (1, 0), lds="padded"),
        permute((64, 96), (1, 0), path="registers", along="source"),
        permute((64, 96), (1, 0), target="gfx1100"),
        permute(("M", 96), (1, 0)),
        permute(("M", 96), (1, 0), multiples={"M": 32}),
        pair(),
    ],
    "transposes": lambda: [
        transpose(),
        transpose(m=64),
        transpose(k=64),
        transpose(m=64, k=64),
        transpose(threads=(4, 16)),
    ],
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", ALIKE)
def test_kernels_alike_have_names_of_their_own(kind):
    kernels = ALIKE[kind]()
    assert len({kernel.name for kernel in kernels}) == len(kernels)
    assert all(re.search(rf'extern "C"[^;]*\bvoid {kernel.name}\(', kernel.text) for kernel in kernels)


def test_a_name_that_is_given_is_kept():
    assert copy(ROWS, ROWS, name="mine").name == "mine"
    assert gemm("naive", "mine").name == "mine"


# all that is listed


def built(target, found, each=1):
    """Kernels listed for a target that are not refused; texts by name, of which each has one."""
    for choice in [c for c in choices(target) if not c.refusal][each // 2 :: each]:
        kernel = choice.kernel()
        assert found.setdefault(kernel.name, kernel.text) == kernel.text, str(choice)


SHORT_WAVES = [name for name, row in TARGETS.items() if row.wave_size == 32]


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("target", SHORT_WAVES)
def test_a_permutation_is_proved_and_compiled_for_waves_of_32(target):
    is_proved_and_compiled(target, "f16", {})


def is_proved_and_compiled(target, element, options):
    kernel = Choice("permute", target, element, options).kernel()
    assert emit(kernel, prove) == kernel.text
    assert "threadIdx.x % 64" not in kernel.text
    assert compile_hip(kernel.text, Target.named(target)).resources.spills == 0


@pytest.mark.long
@pytest.mark.parametrize("target", SHORT_WAVES)
@pytest.mark.parametrize("element", FAMILIES["permute"].elements)
@pytest.mark.parametrize("options", FAMILIES["permute"].variants)
def test_all_permutations_are_proved_and_compiled_for_waves_of_32(target, element, options):
    is_proved_and_compiled(target, element, options)


@pytest.mark.long
def test_what_is_listed_can_be_built_under_a_name_of_its_own():
    found: dict[str, str] = {}
    for target in TARGETS:
        built(target, found, each=12)
    assert len(set(found.values())) == len(found) > 40


@pytest.mark.long
def test_all_that_is_listed_can_be_built_under_a_name_of_its_own():
    found: dict[str, str] = {}
    for target in TARGETS:
        built(target, found)
    assert len(set(found.values())) == len(found) > 500
