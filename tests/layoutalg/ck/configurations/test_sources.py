"""Configurations read from what people keep them in; what is read equals what executing it would give."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from typing import Any

import pytest

from layoutalg.ck.configurations import Choices, configurations_of
from layoutalg.ck.configurations.python_tables import python_configurations
from layoutalg.ck.configurations.tuned_name import configuration_of_name
from layoutalg.errors import LayoutError
from tests.layoutalg.ck.headers import index_of
from tests.refusals import refused

INDEX = index_of("enum struct GemmPipeline { COMPUTE_V3, COMPUTE_V4, MEMORY }; using half_t = _Float16;")


def read(path, **choices):
    return configurations_of([str(path)], INDEX, Choices(**choices))


# the tile engine

ENGINE: dict[str, dict[str, dict[str, Any]]] = {
    "tile_config": {
        "tile_m": {"min": 64, "max": 192, "step": 64},
        "tile_n": {"values": [32, 128]},
        "tile_k": {"values": [32, 64, 192]},
        "warp_m": {"values": [1, 2]},
        "warp_n": {"values": [2]},
        "warp_k": {"values": [1]},
        "warp_tile_m": {"values": [16, 32]},
        "warp_tile_n": {"values": [16]},
        "warp_tile_k": {"values": [16, 32]},
    },
    "trait_config": {
        "pipeline": {"values": ["mem", "compv4"]},
        "scheduler": {"values": ["intrawave"]},
        "epilogue": {"values": ["cshuffle"]},
    },
}


def admissible(sizes, pipeline, size):
    """Whether the warps divide the tile, and A and B fit shared memory, told once more."""
    m, n, k, rows, columns, deep, tile_m, tile_n, tile_k = sizes
    divides = m % (rows * tile_m) == n % (columns * tile_n) == k % (deep * tile_k) == 0
    return divides and (m + n) * k * size <= (2**15 if pipeline == "compv4" else 2**16)


@pytest.mark.parametrize(("kind", "size"), [("fp16", 2), ("fp8", 1), ("bf16", 2)])
def test_the_tile_engine_is_multiplied_out(tmp_path, kind, size):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(ENGINE))
    values = [range(64, 193, 64), *(row["values"] for row in list(ENGINE["tile_config"].values())[1:])]
    wanted = {
        (*sizes, pipeline)
        for sizes in itertools.product(*values)
        for pipeline in ("mem", "compv4")
        if admissible(sizes, pipeline, size)
    }
    found = read(path, types=(kind,), layouts=("rcr",)).configurations
    names = list(ENGINE["tile_config"])
    assert {(*(one.parameters[n] for n in names), one.parameters["pipeline"]) for one in found} == wanted
    assert len(found) == len(wanted) > 0
    assert {one.kernel for one in found} == {"gemm mem", "gemm compv4"}


def test_its_own_rules_leave_combinations_out(tmp_path):
    folder = tmp_path / "ops" / "gemm" / "configs"
    folder.mkdir(parents=True)
    (tmp_path / "ops" / "commons").mkdir()
    rules = (
        "import os\nBROKEN = os.environ\n"
        "WARP_SUPPORTED_COMBINATIONS = {'gfx942': [[2, 2, 1]]}\n"
        "WARP_TILE_SUPPORTED_COMBINATIONS = {'gfx942': {'fp16_fp16_fp16': [[32, 16, 16]]}}\n"
        "TRAIT_UNSUPPORTED_COMBINATIONS = {('compv4', 'cshuffle', 'intrawave')}\n"
    )
    (tmp_path / "ops" / "commons" / "validation_utils.py").write_text(rules)
    (folder / "config.json").write_text(json.dumps(ENGINE))
    found = read(folder / "config.json").configurations
    assert found
    assert {one.parameters["warp_m"] for one in found} == {2}
    assert {one.parameters["warp_tile_m"] for one in found} == {32}
    assert {one.kernel for one in found} == {"gemm mem"}


# names of kernels


def shape(chosen, *names):
    return "x".join(str(chosen[name]) for name in names)


@pytest.mark.parametrize("seed", range(40))
def test_a_name_tells_what_it_was_made_of(seed):
    draw = random.Random(seed)
    tile = {name: draw.choice([16, 48, 128, 256]) for name in ("tile_m", "tile_n", "tile_k")}
    warps = {name: draw.choice([1, 2, 4]) for name in ("warp_m", "warp_n", "warp_k")}
    inner = {name: draw.choice([16, 32, 128]) for name in ("warp_tile_m", "warp_tile_n", "warp_tile_k")}
    shapes = [shape(tile, *tile), shape(warps, *warps), shape(inner, *inner)]
    scheduler = draw.choice(["intrawave", "interwave", "default"])
    for head, kernel in {
        "a8w8_blockscale_cktile": "gemm blockscale",
        "a8w8_blockscale_bpreshuffle_cktile": "gemm blockscale preshuffle",
        "a8w8_bpreshuffle_cktile": "gemm preshuffle",
        "a8w8_cktile": "gemm compv3",
    }.items():
        found = configuration_of_name("_".join([head, *shapes, scheduler, "0x1x0", "2"]))
        assert found is not None
        assert found.kernel == kernel
        assert tile | warps | inner == {name: found.parameters[name] for name in tile | warps | inner}
        assert found.parameters["scheduler"] == scheduler
    flags = "_".join(str(draw.random() < 1 / 2) for _ in range(4))
    layout = draw.choice(["rcr", "crr"])
    found = configuration_of_name(f"gemm_bf16_{layout}_compv4_cshuffle_intrawave_{flags}_{'_'.join(shapes)}")
    assert found is not None
    assert found.kernel == "gemm compv4"
    assert [found.parameters[f"{name}_layout"] for name in "abc"] == list(layout)
    assert [str(found.parameters[n]) for n in ("pad_m", "pad_n", "pad_k", "persistent")] == flags.split("_")


def test_tuned_rows_are_counted_and_others_named(tmp_path):
    good = "moe_cktile2stages_gemm1_256x32x128x256_1x4_16x16x32_2perCU_per_1x32_silu"
    path = tmp_path / "tuned.csv"
    rows = [f"256,{good},_ZN5aiter_asm", f"304,{good},{good}", "256,,nan", f"80,{good},_ZN5aiter_asm"]
    path.write_text("cu_num,kernelName1,kernelName2\n" + "\n".join(rows) + "\n")
    found = read(path)
    assert {one.arch for one in found.configurations} == {"gfx950", "gfx942"}
    assert found.rows == {good: 4}
    assert found.unread == {"_ZN5aiter_asm": 2}
    assert [one.line for one in found.configurations] == [2, 3]
    assert found.configurations[0].parameters["tile_k"] == 256


# Python tables

TABLE = """
from dataclasses import dataclass, field

@dataclass
class FmhaFwdTileSize:
    F_bm0: int
    F_bn0: int  # along k
    F_rm0: int
    F_occupancy: int = -1
    F_constraint: object = field(default_factory=list)
    @property
    def name(self): raise SystemExit

class Gfx9:
    def tiles(self, dtype):
        if dtype in ["fp16", "bf16"]:
            return {(32, 32): [FmhaFwdTileSize(128, 64, 4), FmhaFwdTileSize(16, 32, 1, F_occupancy=2)]}
        elif dtype == "fp8bf16":
            return {(64, 64): [FmhaFwdTileSize(F_bn0=64, F_bm0=128, F_rm0=2)]}
        else:
            return {(48, 48): [FmhaFwdTileSize(48, 48, 48)]}  # of no type that is said

class Gfx12:
    def tiles(self, dtype):
        return {(32, 32): [FmhaFwdTileSize(7, 7, 7)]} if dtype == "fp16" else {}
"""


def test_rows_of_a_python_table_are_those_that_executing_it_gives(tmp_path):
    path = tmp_path / "fmha_fwd.py"
    path.write_text(TABLE)
    names: dict[str, Any] = {"__name__": "table"}
    import sys  # noqa: PLC0415  dataclasses look their module up
    from types import ModuleType  # noqa: PLC0415

    sys.modules["table"] = ModuleType("table")
    exec(TABLE, names)  # noqa: S102  our own text
    wanted: Counter[tuple[Any, ...]] = Counter()
    usual = "fp16"  # where no branch says a type
    for kind, c_type in (("fp16", None), ("bf16", None), ("fp8bf16", "bf16"), ("other", None)):
        for rows in names["Gfx9"]().tiles(kind).values():
            for row in rows:
                wanted[
                    kind[:3] if c_type else usual if kind == "other" else kind,
                    c_type,
                    row.F_bm0,
                    row.F_bn0,
                    row.F_rm0,
                    row.F_occupancy,
                ] += 1
    keys = ("a_type", "c_type", "bm0", "bn0", "rm0", "occupancy")
    found = Counter(
        tuple(one.parameters.get(key) for key in keys)
        for one in python_configurations(path)
        if not one.arch and not one.parameters["async"]
    )
    assert found == wanted
    assert read(path).elsewhere == {"gfx12": 2}  # once a way to load


OLD_CK = """
from dataclasses import dataclass
@dataclass
class kernelInstance:
    BLOCK_SIZE: int
    MPerBLOCK: int
    NPerBLOCK: int
    KPerBLOCK: int
    AK1: int
    BK1: int
    MPerXDL: int
    NPerXDL: int
    WAVE_MAP_M: int
    WAVE_MAP_N: int
    ABLOCK_TRANSFER: list[int]
    BBLOCK_TRANSFER: list[int]
    CSHUFFLE_MX_PER_WAVE_PERSHUFFLE: int
    CSHUFFLE_NX_PER_WAVE_PERSHUFFLE: int
    CBLOCK_TRANSFER: list[int]
    CBLOCK_SPV: list[int]
    PIPELINE_Sched: str
    PIPELINE_VERSION: int
kernels = {
    0: kernelInstance(256, 64, 256, 128, 16, 16, 16, 16, 2, 8, [8, 32, 1], [8, 32, 1], 2, 1,
                      [1, 32, 1, 8], [8, 8, 1], "Intrawave", 3),
    1: kernelInstance(256, 128, 256, 128, 16, 16, 16, 16, 4, 8, [8, 32, 1], [8, 32, 1], 2, 1,
                      [1, 32, 1, 8], [8, 8, 1], "Intrawave", 3),
    2: kernelInstance(128, 128, 256, 128, 16, 16, 16, 16, 8, 8, [8, 16, 1], [8, 16, 1], 2, 1,
                      [1, 16, 1, 8], [8, 8, 1], "Interwave", 1),
}
"""
SHORT = "a8w8_bpreshuffle_256x128x256x128_16x16_16x16_8x32x1_8x32x1_1x32x1x8_8x8x1_2x1_intrawave_v3"


def test_names_of_old_ck_are_completed_by_the_tables_beside_them(tmp_path):
    folder = tmp_path / "package" / "csrc" / "ck_gemm"
    folder.mkdir(parents=True)
    (folder / "gemm_a8w8_bpreshuffle_common.py").write_text(OLD_CK)
    (tmp_path / "tuned.csv").write_text(f"cu_num,kernelName\n304,{SHORT}\n")
    assert "MXdlPerWave" not in read(tmp_path / "tuned.csv").configurations[0].parameters
    index = index_of("")
    index.root = tmp_path
    (found,) = configurations_of([str(tmp_path / "tuned.csv")], index).configurations
    assert found.kernel == "DeviceGemmMultiD_Xdl_CShuffle_V3_BPreshuffle"
    assert (found.parameters["MXdlPerWave"], found.parameters["NXdlPerWave"]) == ("4", "8")
    assert found.parameters["BlkGemmPipeSched"] == "ck::BlockGemmPipelineScheduler::Intrawave"
    rows = configurations_of([str(folder)], index).configurations
    assert [row.parameters["BlockSize"] for row in rows] == ["256", "256", "128"]
    assert rows[1].parameters == found.parameters


def test_broken_python_is_told_with_its_line(tmp_path):
    path = tmp_path / "fmha_fwd.py"
    path.write_text("x = 1\nFmhaFwdTileSize(\n")
    with refused(LayoutError, "fmha_fwd.py:2"):
        read(path)


# structs

STRUCTS = """
#pragma once
template <typename T, ck_tile::index_t M> constexpr int deep() { return M == 32 ? 16 : 32 * (4 - sizeof(T)); }
struct Base {
    static constexpr bool kPadM = true;
    static constexpr auto Pipeline = ck_tile::GemmPipeline::COMPUTE_V3;
};
template <typename T> struct GemmConfigA : public Base {
    static constexpr int M_Tile = 16; static constexpr int N_Tile = 64;
    static constexpr int K_Tile = 256 / sizeof(T);
    static constexpr int M_Warp = 1; static constexpr int N_Warp = 4; static constexpr int K_Warp = 1;
    static constexpr int M_Warp_Tile = 16; static constexpr int N_Warp_Tile = 16;
    static constexpr int K_Warp_Tile = deep<T, M_Warp_Tile>();
    static constexpr auto Pipeline = ck_tile::GemmPipeline::COMPUTE_V4;
};
struct Other { static constexpr int M_Tile = 1; };
"""


def test_structs_are_evaluated(tmp_path):
    path = tmp_path / "gemm_utils.hpp"
    path.write_text(STRUCTS)
    (found,) = read(path).configurations
    assert (found.name, found.kernel, found.line) == ("GemmConfigA<fp16>", "gemm compv4", 8)
    assert found.parameters["tile_k"] == 128
    assert found.parameters["warp_tile_k"] == 64
    assert found.parameters["pad_m"] is True
    assert "GemmConfigA" not in INDEX.spaces[""]  # the headers stay as they are


# bindings


def test_tables_of_bindings(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("name,target,kM,Problem.kPad\nfirst,a.hpp::Policy::Make,64,true\nlast,a.hpp::P::M,,\n")
    first, last = read(path).configurations
    assert first.targets == ("a.hpp::Policy::Make",)
    assert first.bindings == {"kM": 64, "Problem.kPad": True}
    assert (last.name, last.line, dict(last.bindings)) == ("last", 3, {})
    toml = tmp_path / "mine.toml"
    toml.write_text(
        '[[configuration]]\ntarget = "a.hpp::Policy::Make"\narch = "gfx950"\nbind.Problem.kM = 64\n'
        '\n[[configuration]]\nname = "g"\nkernel = "gemm mem"\ntile_m = 64\nparameters.tile_k = 32\n'
    )
    one, other = read(toml).configurations
    assert (one.bindings, one.arch, one.line) == ({"Problem.kM": 64}, "gfx950", 1)
    assert (other.kernel, other.parameters, other.line) == ("gemm mem", {"tile_m": 64, "tile_k": 32}, 6)


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        ("a.toml", "[[configuration]]\nname = 'x'\n", "a.toml:1"),
        ("a.toml", "[[configuration]\n", "a.toml:1"),
        ("a.toml", "configuration = 3\n", "[[configuration]]"),
        ("a.json", "{", ""),
        (
            "a.json",
            '{"tile_config": {"tile_m": {"values": 3}}}',
            "tile_m",
        ),
        ("a.csv", "M,N\n1,2\n", ""),
        ("a.txt", "", ".csv"),
    ],
)
def test_what_cannot_be_read_says_so(tmp_path, name, text, facts):
    path = tmp_path / name
    path.write_text(text)
    with refused(LayoutError, *facts.split()):
        read(path)


def test_no_such_source():
    with refused(LayoutError, "nowhere"):
        read("nowhere")
