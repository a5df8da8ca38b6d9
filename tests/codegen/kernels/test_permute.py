"""Permutations of dimensions: proved, compiled, executed against NumPy, and caught when broken."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.transpose import Permutation, PermuteConfig, planned
from layoutalg.codegen.kernels.transpose.shared_tile import lds_accesses, shared_tile
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import refuted, require_caught
from tests.refusals import refused

TARGETS = ("gfx90a", "gfx942", "gfx950")
BYTES = {"i8": 1, "f8_fnuz": 1, "f16": 2, "bf16": 2, "f32": 4, "i32": 4, "f64": 8}
TURN = (1, 0)


def launched(kernel, target="gfx942", sizes=None):
    """A run on arrays of distinct patterns, compared with the kernel's reference."""
    argument, sizes = kernel.arguments[0], sizes or {}
    shape, kind = kernel.shape_of(argument, sizes), np.dtype(argument.element.numpy)
    values = np.random.default_rng(7).permutation(int(np.prod(shape))).reshape(shape) % (1 << 10)
    given = values.astype(kind) if kind.itemsize > 1 else (values % 100).astype(kind)
    compiled = compile_hip(kernel.text, Target.named(target))
    task = Launch(kernel, compiled, sizes, {"in": given})
    result = CpuExecutor().run(task)
    assert compiled.resources.spills == compiled.resources.scratch_bytes == 0
    return compare_outputs(task, result.outputs)["out"], result, (given, result.outputs["out"])


def is_right(kernel, target="gfx942", sizes=None):
    return launched(kernel, target, sizes)[0].is_good


# permutations

CASES = [
    ((96, 80), (1, 0)),
    ((12, 34, 20), (2, 0, 1)),
    ((12, 34, 20), (1, 2, 0)),
    ((12, 34, 20), (0, 2, 1)),
    ((12, 34, 20), (2, 1, 0)),
    ((12, 34, 20), (1, 0, 2)),
    ((6, 8, 10, 12), (3, 1, 2, 0)),
    ((6, 8, 10, 12), (0, 3, 1, 2)),
    ((6, 8, 10, 12), (2, 1, 0, 3)),
    ((3, 5, 4, 7, 6), (4, 2, 0, 3, 1)),
    ((3, 5, 4, 7, 6), (2, 0, 3, 1, 4)),
    ((3, 1, 4, 1, 6), (4, 1, 2, 3, 0)),
    ((50, 60), (0, 1)),
    ((1, 1), (1, 0)),
]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("lengths", "order"), CASES)
def test_any_permutation_is_moved_exactly(lengths, order):
    kernel = permute(lengths, order)
    assert emit(kernel, prove) == kernel.text
    found, _, (given, moved) = launched(kernel)
    assert found.is_good
    assert np.array_equal(moved, given.transpose(order))


@pytest.mark.slow_sample(26)
@pytest.mark.parametrize("order", [o for n in (2, 3, 4, 5) for o in itertools.permutations(range(n))])
def test_all_permutations(order):
    kernel = permute((5, 8, 3, 6, 7)[: len(order)], order, "f16")
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel)


def test_dimensions_that_stay_neighbours_are_merged():
    assert Permutation.of((2, 3, 4, 5), (2, 3, 0, 1)).merged.lengths == (6, 20)
    assert Permutation.of((2, 3, 4, 5), (0, 1, 2, 3)).merged.lengths == (120,)
    assert Permutation.of((2, 3, 4, 5), (3, 2, 1, 0)).merged.lengths == (2, 3, 4, 5)
    assert Permutation.of((2, 1, 4), (2, 1, 0)).merged.lengths == (2, 4)
    assert Permutation.of(("A", "B", 3), (1, 2, 0)).merged.groups == ((0,), (1, 2))


def test_a_permutation_that_keeps_the_fastest_dimension_is_a_plain_move():
    kernel = permute((30, 20, 64), (1, 0, 2), "f16")
    assert "__shared__" not in kernel.text
    assert "half_x8" in kernel.text
    found, result, _ = launched(kernel)
    assert found.is_good
    for way in ("load", "store"):
        assert result.counters[f"global_{way}_segments"] == result.counters[f"global_{way}_segments_needed"]
    with refused(LayoutError, "lds"):
        permute((30, 20, 64), (1, 0, 2), config=PermuteConfig())
    with refused(LayoutError, "direct"):
        permute((30, 64), TURN, config=PermuteConfig(path="direct"))


# descriptor pairs


def test_a_pair_of_descriptors_says_the_same():
    source = make_naive_tensor_descriptor((24, 6, 40), (240, 40, 1))
    target = make_naive_tensor_descriptor((24, 6, 40), (1, 960, 24))
    kernel = permute(source, target, "f16")
    assert emit(kernel, prove) == kernel.text
    _, _, (given, moved) = launched(kernel)
    assert np.array_equal(moved.reshape(6, 40, 24), given.reshape(24, 6, 40).transpose(1, 2, 0))


@pytest.mark.slow
def test_rows_of_the_source_may_lie_apart():
    source = make_naive_tensor_descriptor((24, 40), (52, 1))
    target = make_naive_tensor_descriptor((40, 24), (24, 1)).permute(1, 0)
    kernel = permute(source, target)
    assert emit(kernel, prove) == kernel.text
    _, _, (given, _) = launched(kernel)
    assert given.shape == (23 * 52 + 40,)
    assert is_right(kernel)
    odd = permute(make_naive_tensor_descriptor((24, 40), (53, 1)), target)
    assert "float_x4*>(source" not in odd.text.replace("const ", "")
    assert emit(odd, prove) == odd.text
    assert is_right(odd)


def test_descriptors_through_transforms_count_as_what_they_are():
    source = make_naive_tensor_descriptor((24, 40), (40, 1)).unmerge(0, (4, 6))
    target = make_naive_tensor_descriptor((40, 6, 4), (24, 4, 1)).permute(2, 1, 0)
    kernel = permute(source, target)
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel)


PACKED = make_naive_tensor_descriptor((4, 6), (6, 1))


@pytest.mark.parametrize(
    ("source", "target", "facts"),
    [
        (PACKED, make_naive_tensor_descriptor((4, 6), (1, 5)), ""),
        (PACKED, make_naive_tensor_descriptor((4, 6), (12, 1)), "24"),
        (PACKED, make_naive_tensor_descriptor((6, 4), (4, 1)), "1 5"),
        (PACKED.merge(0, 1).pad(0, 0, 8).unmerge(0, (4, 8)), PACKED, ""),
        (
            make_naive_tensor_descriptor((4, 8), (8, 1)).xor(0, 1),
            make_naive_tensor_descriptor((4, 8), (1, 4)),
            "",
        ),
        (
            make_naive_tensor_descriptor((4, 6), (12, 2)),
            make_naive_tensor_descriptor((4, 6), (1, 4)),
            "",
        ),
    ],
)
def test_descriptors_that_are_not_for_it_are_refused(source, target, facts):
    with refused(LayoutError, *facts.split()):
        permute(source, target)


# elements, layouts, targets


@pytest.mark.sample(18)
@pytest.mark.parametrize("element", BYTES)
@pytest.mark.parametrize("lds", ["xor", "padded", "plain"])
def test_every_element_size_through_every_layout(element, lds):
    target = TARGETS[(list(BYTES).index(element) + len(lds)) % 3]
    kernel = permute((256, 128), TURN, element, lds=lds, target=target)
    assert emit(kernel, prove) == kernel.text
    found, result, _ = launched(kernel, target)
    assert found.is_good
    conflicts = [result.counters[f"lds_{way}_conflict_cycles"] for way in ("read", "write")]
    is_claimed = "conflict-free" in {claim.name for claim in kernel.claims}
    assert (conflicts == [0, 0]) == is_claimed
    assert is_claimed or lds != "xor"


@pytest.mark.sample(12)
@pytest.mark.parametrize("element", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize("target", TARGETS)
def test_large_tiles_are_free_of_conflicts_and_coalesced(element, target):
    sides = {"i8": (128, 8), "f16": (128, 8), "f32": (64, 4), "f64": (32, 2)}
    side, wide = sides[element]
    config = PermuteConfig(element, side, side, 256, wide, wide, target=target)
    kernel = permute((2 * side, side), TURN, element, config=config)
    assert emit(kernel, prove) == kernel.text
    found, result, _ = launched(kernel, target)
    assert found.is_good
    counters = result.counters
    assert counters["lds_read_conflict_cycles"] == counters["lds_write_conflict_cycles"] == 0
    for way in ("load", "store"):
        assert counters[f"global_{way}_segments"] == counters[f"global_{way}_segments_needed"]
        assert counters[f"global_{way}s_of_{wide * BYTES[element]}_bytes"] == counters[f"global_{way}s"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("element", BYTES)
def test_squares_are_turned_in_registers(element):
    kernel = permute((64, 128), TURN, element, path="registers")
    assert emit(kernel, prove) == kernel.text
    assert "__syncthreads" not in kernel.text
    assert is_right(kernel)


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("lanes", [(64, 1, 1), (64, 4, 1), (128, 1, 4), (256, 2, 2), (256, 4, 4)])
def test_any_vectors_and_threads(lanes):
    threads, *vectors = lanes
    for lds in ("xor", "padded"):
        changes: dict[str, Any] = {"lds": lds, "along": "target"}
        config = replace(PermuteConfig("f32", 64, 64, threads, *vectors), **changes)
        kernel = permute((128, 256), TURN, config=config)
        assert emit(kernel, prove) == kernel.text
        assert is_right(kernel)


# tails and sizes


SIZES = [(100, 36), (101, 36), (100, 37), (101, 37), (3, 500), (500, 3), (1, 7), (33, 64)]
TYPES = ["i8", "f16", "f32", "f64"]


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("size", "element"),
    [(size, TYPES[(at + at // 4 + turn) % 4]) for at, size in enumerate(SIZES) for turn in (0,)],
)
def test_tails_of_any_size(size, element):
    kernel = permute(size, TURN, element)
    assert emit(kernel, prove) == kernel.text
    assert is_right(kernel, TARGETS[size[0] % 3])


@pytest.mark.parametrize(
    ("element", "wanted"),
    [
        ("f32", [(2, 2, ""), (2, 2, ""), (2, 2, ""), (4, 4, "anywhere"), (4, 4, "anywhere")]),
        ("f16", [(8, 8, ""), *[(8, 8, "anywhere")] * 4]),
    ],
)
def test_vectors_are_as_wide_as_the_sizes_allow(element, wanted):
    widths = {
        size: (found.vector_in, found.vector_out, "anywhere" * found.begins_anywhere)
        for size in ((4096, 4096), (4096, 4098), (4098, 4096), (4097, 4096), (4097, 4099))
        for found in (planned(Permutation.of(size, TURN), element),)
    }
    assert list(widths.values()) == wanted


def test_a_width_that_does_not_divide_is_refuted():
    kernel = permute((64, 66), TURN, config=PermuteConfig())
    assert {"vector aligned", "vector valid together"} & refuted(kernel.claims)
    require_caught(lambda: is_right(kernel), r"not aligned|which has")


SYMBOLIC = [
    (("M", "K"), TURN, {"M": 32, "K": 32}, [{"M": 64, "K": 96}]),
    (("M", "K"), TURN, {"M": 4, "K": 4}, [{"M": 100, "K": 36}, {"M": 4, "K": 4}]),
    (("M", "K"), TURN, {}, [{"M": 101, "K": 37}, {"M": 1, "K": 1}]),
    (("B", "M", 24), (0, 2, 1), {"M": 8}, [{"B": 3, "M": 40}]),
    (("A", "B", "C"), (1, 0, 2), {"C": 4}, [{"A": 3, "B": 5, "C": 12}]),
    (("A", "B", "C", "D"), (3, 1, 2, 0), {}, [{"A": 3, "B": 5, "C": 4, "D": 9}]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("lengths", "order", "multiples", "sizes"), SYMBOLIC)
def test_sizes_may_be_arguments_of_the_kernel(lengths, order, multiples, sizes):
    kernel = permute(lengths, order, multiples=multiples)
    assert emit(kernel, prove) == kernel.text
    assert [a.name for a in kernel.arguments[2:]] == [n for n in lengths if isinstance(n, str)]
    assert all(is_right(kernel, sizes=given) for given in sizes)
    with pytest.raises(LayoutError):
        kernel.check_sizes(dict.fromkeys("ABCDMK", 2**16))


def test_sizes_beyond_32_bits_are_refused():
    with refused(LayoutError, "2147483647"):
        permute((1 << 16, 1 << 16), TURN)
    assert planned(Permutation.of((1 << 17, 4, 4), (0, 2, 1))).along == "batch"
    assert permute((1 << 17, 4, 4), (0, 2, 1), path="lds").grid_for({}) == (1 << 17, 1, 1)


@pytest.mark.parametrize(("lengths", "target"), [((480, 595, 669), "gfx950"), ((408, 199, 558), "gfx942")])
def test_stores_far_apart_go_to_claimed_addresses(lengths, target):
    """A carry out of the low word of an address, beside guards of rows that begin at other masks."""
    kernel = permute(lengths, (1, 0, 2), "f64", target=target)
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": 24},
        {"threads": 32},
        {"threads": 2048},
        {"vector_in": 8},
        {"rows": 4, "columns": 4},
        {"rows": 256, "columns": 256},
        {"element": "f8"},
        {"element": "f4"},
        {"element": "bool"},
    ],
)
def test_configurations_that_cannot_be_are_refused(changes):
    with pytest.raises(LayoutError):
        PermuteConfig(**changes).kind  # noqa: B018


@pytest.mark.parametrize("order", [(0, 0), (0, 1, 2), (2, 1)])
def test_orders_that_are_none_are_refused(order):
    with refused(LayoutError):
        permute((4, 8), order)


# layouts in shared memory


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("element", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_swizzle_without_conflicts_is_found_for_all_vectors(element, target):
    side, widest = 128 // BYTES[element], 16 // BYTES[element]
    powers = [1 << i for i in range(5) if 1 << i <= widest]
    for threads, (wide_in, wide_out) in itertools.product((64, 256), itertools.product(powers, powers)):
        if side * side // (wide_in * wide_out) < threads:
            continue
        config = PermuteConfig(element, side, side, threads, wide_in, wide_out, target=target)
        assert shared_tile(config).is_free, config


def quarter_conflicts(addresses, width):
    """Words of one bank wanted at once on NVIDIA's GPUs: 32 banks, consecutive lanes that want 128 bytes."""
    worst = 1
    for first in range(0, 64, 128 // max(width, 4)):
        words = {
            int(address) // 4 + word
            for address in addresses[first : first + 128 // max(width, 4)]
            for word in range(max(1, width // 4))
        }
        banks = np.bincount([word % 32 for word in words])
        worst = max(worst, int(banks.max()))
    return worst


@pytest.mark.parametrize("size", [(2560, 32), (4096, 4096), (32768, 1024)])
def test_planned_floats_are_free_of_conflicts_on_nvidia_too(size):
    config = planned(Permutation.of(size, TURN))
    for access in lds_accesses(shared_tile(config).descriptor, config):
        assert all(quarter_conflicts(row, access.bytes) == 1 for row in access.addresses())


@pytest.mark.parametrize("element", ["f32", "f16"])
def test_the_text_is_the_one_that_was_read(element, snapshot):
    snapshot.check(f"permute_{element}.hip", permute((64, 100, 256), (2, 0, 1), element).text)
