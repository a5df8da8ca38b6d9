"""The CK wrapper's GEMMs: all its traits proved, executed, and C where the wrapper has it."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from layoutalg import LayoutError, Proved, Refuted
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernels.gemm import gemm
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.text import GemmText
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.kernels.gemm.traits import TRAITS, partition_claim, wrapper_config, wrapper_gemm
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.schedule import BARRIER, LOAD, MULTIPLY, STORE, Schedule
from layoutalg.codegen.text.parameters import parameters
from layoutalg.codegen.text.single_turns import without_single_turns
from layoutalg.codegen.text.source import function
from layoutalg.distribution import make_static_tile_distribution
from layoutalg.layout import make_layout
from layoutalg.machine import Target
from layoutalg.memory import k_first
from layoutalg.proofs import prove
from layoutalg.tensor import GemmTraits, make_blockwise_gemm_xdl_c_local_partition, make_tensor
from tests.codegen.kernels.broken import refuted, require_caught
from tests.refusals import refused

TUTORIAL = "BlockwisGemmXdlTraits_32x32Xdl_4x2XdlPerWave_8K1"
WAYS = [*itertools.product(("mk", "k0mk1"), (False, True))]
# The traits take turns along the tiles in LDS, basic and optimized; `test_all_traits_on_all_targets` has all.
CASES = [(name, *WAYS[(number + number // 3) % len(WAYS)]) for number, name in enumerate(TRAITS)]


def run(kernel, sizes, target="gfx942"):
    compiled = compile_hip(kernel.text, Target.named(target))
    assert compiled.resources.spills == 0
    task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes))
    result = CpuExecutor().run(task)
    return compare_outputs(task, result.outputs)["c"], result.counters


def sizes_of(config, turns=(2, 1, 3)):
    return {name: count * tile for name, count, tile in zip("MNK", turns, config.tile, strict=True)}


def test_there_are_the_traits_of_the_header():
    assert len(TRAITS) == 9
    assert TRAITS[TUTORIAL] == GemmTraits(32, 32, 4, 2, 8)
    assert TRAITS["BlockwisGemmXdlTraits_32x32Xdl_2x4XdlPerWave_16K1"] == GemmTraits(32, 32, 2, 4, 16)


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize(("name", "lds", "is_optimized"), CASES)
def test_every_trait_is_proved_and_multiplies_exactly(name, lds, is_optimized):
    config = wrapper_config(name, lds=lds, is_optimized=is_optimized)
    kernel = wrapper_gemm(name, lds=lds, is_optimized=is_optimized)
    assert emit(kernel, prove) == kernel.text
    assert "same partition as CK's" in {claim.name for claim in kernel.claims}
    found, _ = run(kernel, sizes_of(config))
    assert (found.is_good, found.largest_error) == (True, 0)


@pytest.mark.slow_sample(128)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("lds", ["mk", "k0mk1", "padded", "xor"])
@pytest.mark.parametrize("name", TRAITS)
def test_all_traits_on_all_targets(name, lds, target):
    for order in ("simple", "prefetch", "double", "pipelined"):
        fields = {"lds": lds, "order": order, "target": target}
        try:
            config = wrapper_config(name, **fields)
        except LayoutError:
            assert target == "gfx950"  # whose instruction takes 8 neighbours of a lane
            continue
        kernel = wrapper_gemm(name, **fields)
        refuted = {c.name for c in kernel.claims if not isinstance(prove(c), Proved)}
        assert refuted <= ({"conflict-free"} if lds == "xor" else set())
        assert run(kernel, sizes_of(config), target)[0].is_good


@pytest.mark.slow
@pytest.mark.parametrize("element", ["bf16", "i8", "f32"])
def test_other_types_have_the_same_traits(element):
    kernel = wrapper_gemm(TUTORIAL, element=element, lds="k0mk1")
    assert emit(kernel, prove) == kernel.text
    found, _ = run(kernel, {"M": 256, "N": 128, "K": 192})
    assert found.largest_error == 0


@pytest.mark.slow
def test_the_tutorials_are_these_kernels():
    sizes = {"M": 3840, "N": 4096, "K": 4096}
    for is_optimized, space in ((False, 256 * 32), (True, 4 * 257 * 8 - 8)):
        kernel = wrapper_gemm(TUTORIAL, is_optimized=is_optimized)
        assert (kernel.block, kernel.grid_for(sizes)) == ((256,), (32, 15))
        tiles = GemmTiles(wrapper_config(TUTORIAL, is_optimized=is_optimized))
        assert tiles.a.lds.element_space_size == space
    _, basic = run(wrapper_gemm(TUTORIAL), {"M": 256, "N": 128, "K": 96})
    _, optimized = run(wrapper_gemm(TUTORIAL, is_optimized=True), {"M": 256, "N": 128, "K": 96})
    assert basic["lds_read_conflict_cycles"] > 0
    assert optimized["lds_read_conflict_cycles"] == 0


def test_the_tile_of_three_dimensions_is_k0_m_k1():
    for k1 in (4, 8, 16):
        name = TUTORIAL.replace("8K1", f"{k1}K1")
        lds = GemmTiles(wrapper_config(name, lds="k0mk1")).a.lds
        assert lds.lengths == (256, 32)
        for row, k in itertools.product((0, 1, 7, 255), range(32)):
            assert lds.calculate_offset((row, k)) == (k // k1) * 256 * k1 + row * k1 + k % k1


# C in 8 dimensions


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("name", TRAITS)
def test_c_lies_in_registers_as_in_the_wrapper(name):
    """Thread by thread and register by register, by numbers, beside the claim."""
    config = wrapper_config(name)
    assert isinstance(prove(partition_claim(config, TRAITS[name])), Proved)
    rows, columns, _ = config.tile
    whole = make_tensor("Global", np.empty(rows * columns), make_layout((rows, columns), (columns, 1)))
    held = make_static_tile_distribution(config.block.c)
    m_rounds, n_rounds, groups, size = map(int, held.y_lengths)
    for thread in (0, 31, 32, 63, 64, config.threads // 2 + 5, config.threads - 1):
        part = make_blockwise_gemm_xdl_c_local_partition(
            whole, "f16", TRAITS[name], config.threads, thread
        ).layout
        assert part.shape == (m_rounds, n_rounds, 1, 1, groups, 1, size, 1)
        for i, j, group, register in itertools.product(*map(range, held.y_lengths)):
            values = dict(
                zip((*held.ps, *held.ys), (*divmod(thread, 64), i, j, group, register), strict=True)
            )
            row, column = (int(x.xreplace(values)) for x in held.index_map().outputs)
            assert part(i, j, 0, 0, group, 0, register, 0) == row * columns + column


def test_a_transposed_c_is_not_the_wrappers():
    config = wrapper_config(TUTORIAL, is_c_transposed=True)
    assert isinstance(prove(partition_claim(config, TRAITS[TUTORIAL])), Refuted)
    names = {claim.name for claim in wrapper_gemm(TUTORIAL, is_c_transposed=True).claims}
    assert "same partition as CK's" not in names


def test_other_rounds_are_another_partition():
    config = wrapper_config(TUTORIAL)
    other = replace(TRAITS[TUTORIAL], m_xdl_per_wave=2, n_xdl_per_wave=4)
    assert isinstance(prove(partition_claim(config, other)), Refuted)


# broken ones


def other_pack(tiles: GemmTiles) -> None:
    """The reader takes the tile for one with packs of 4."""
    read = replace(tiles.a.read, descriptor=k_first(256, 32, 4, padding=0))
    tiles.__dict__["a"] = replace(tiles.a, read=read)


def as_the_tutorial_has_it(tiles: GemmTiles) -> None:
    """The loop of the basic tutorial: nothing waits between a product and the next tile's stores."""
    tiles.config.__dict__["schedule"] = Schedule((LOAD, STORE, BARRIER, MULTIPLY))


BROKEN = {  # what spoils it, the claim that says so, the fault (none: a wrong result)
    "packs of another length": (other_pack, "same map", ""),
    "one barrier a turn": (as_the_tutorial_has_it, "barrier between", "no barrier between"),
}


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_kernel_is_refused_and_caught(name):
    spoil, claim, fault = BROKEN[name]
    config = wrapper_config(TUTORIAL, lds="k0mk1")
    kernel, tiles = gemm(config), GemmTiles(replace(config))
    spoil(tiles)
    assert claim in refuted(claims_of(tiles))
    bodies = (without_single_turns(GemmText(made).statements()) for made in (GemmTiles(config), tiles))
    old, new = (
        "\n".join(function(kernel.name, parameters(kernel.arguments, body), config.threads, body))
        for body in bodies
    )
    assert old in kernel.text
    broken = replace(kernel, text=kernel.text.replace(old, new))
    require_caught(lambda: run(broken, sizes_of(config))[0].is_good, fault or None)


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (
            lambda: wrapper_gemm("BlockwisGemmXdlTraits_16x16"),
            TUTORIAL,
        ),
        (lambda: wrapper_gemm(TUTORIAL, tile=(200, 128, 32)), "128 64 C"),
        (lambda: wrapper_gemm(GemmTraits(32, 32, 4, 2, 2)), "K1 4 2"),
        (lambda: wrapper_gemm(GemmTraits(32, 32, 4, 2, 12)), "12"),
        (lambda: wrapper_gemm(TUTORIAL, tile=(256, 128, 8)), "K 16"),
        (lambda: wrapper_gemm(TUTORIAL, lds="mk0"), ""),
    ],
)
def test_what_cannot_be_is_refused(call, facts):
    with refused(LayoutError, *facts.split()):
        call()
