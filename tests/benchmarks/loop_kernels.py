"""GEMM kernels of several makers, each compiled and run for one workgroup: what its main loop consists of.

Ours; CK Tile's from its own headers, Triton's from its own compiler. All results are compared with NumPy.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from layoutalg.ck.fetch import find_root
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors import CpuExecutor, Launch, Output
from layoutalg.codegen.executors.passed_arguments import passed_arguments
from layoutalg.codegen.gfx9.access_counts import cycles_of_conflicts
from layoutalg.codegen.gfx9.assembly import Assembly, Instruction, parse_instruction
from layoutalg.codegen.gfx9.compute_unit_timing import compute_unit_time
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.issue_timing import Latencies, class_of, wave_time
from layoutalg.codegen.gfx9.launch import ArrayValue, Dispatch, launch
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.codegen.kernels.gemm.planner import planned
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.errors import ToolError, UnfitCompilerError
from layoutalg.machine import Target
from layoutalg.machine.occupancy import Occupancy, occupancy
from tests.codegen.strangers.ck_tile_kernels import GEMMS, HERE

__all__ = ["KERNELS", "OTHERS", "MainLoop", "ours", "rung", "settled"]

LANES = 64
SIDE, DEPTH = 256, 64  # of Triton's tile
BESIDE = 4  # workgroups along N, of which the last one's columns end early
NAMED = ("ds_read", "ds_write", "v_accvgpr", "s_barrier")
BARRIER = parse_instruction("s_barrier", 0)


@dataclass(frozen=True)
class Run:
    """Where the first wave went, as spans of instructions, and what was counted of all."""

    trace: tuple[tuple[int, int], ...]
    counters: Mapping[str, int]


@dataclass(frozen=True)
class MainLoop:
    """A shorter and a longer run of one workgroup, the second with so many ``tiles`` along K more.

    All waves go the way of the first; the second half of them through ``ahead`` before.
    """

    target: str
    assembly: Assembly
    resources: KernelResources
    lds_bytes: int
    threads: int
    tiles: int
    runs: tuple[Run, Run]
    ahead: tuple[Instruction, ...] = ()

    @property
    def occupancy(self) -> Occupancy:
        needs = self.resources
        return occupancy(
            self.target, vgprs=needs.vgprs, sgprs=needs.sgprs, lds_bytes=self.lds_bytes, threads=self.threads
        )

    @cached_property
    def ways(self) -> list[list[Instruction]]:
        """The instructions of the first wave in both runs."""
        code = self.assembly.instructions
        return [[code[i] for first, end in run.trace for i in range(first, end)] for run in self.runs]

    @cached_property
    def counts(self) -> Mapping[str, float]:
        """Instructions of a wave for a tile along K: of each class, and of those with names of their own."""
        short, long = (Counter(one.mnemonic for one in way) for way in self.ways)
        found: Counter[str] = Counter()
        for name, times in (long - short).items():
            found[class_of(name)] += times
            found.update({start: times for start in NAMED if name.startswith(start)})
        return Counter({name: times / self.tiles for name, times in found.items()})

    @property
    def conflict_cycles(self) -> dict[str, float]:
        """Cycles that bank conflicts add to a read or a write of the loop on average."""
        short, long = (run.counters for run in self.runs)
        return cycles_of_conflicts({name: count - short.get(name, 0) for name, count in long.items()})

    def touched(self, parts: str) -> tuple[float, float]:
        """What loads of the loop and all stores touch of memory, of the fewest that would do.

        ``parts``: ``segments``, which are lines of 128 bytes, or ``transactions`` of 64.
        """
        short, long = (run.counters for run in self.runs)
        loop = {name: count - short.get(name, 0) for name, count in long.items()}
        loads, stores = (
            seen[f"global_{way}_{parts}"] / max(1, seen[f"global_{way}_{parts}_needed"])
            for way, seen in (("load", loop), ("store", long))
        )
        return loads, stores

    def share_of_one_wave(self, latencies: Latencies) -> float:
        """The share of the cycles in which the matrix core works with one wave on each SIMD."""
        short, long = (wave_time(way, self.target, latencies) for way in self.ways)
        return (long - short).mfma_share

    def share(self, latencies: Latencies, *, conflicts: bool = False, oldest_first: bool = False) -> float:
        """The same with all waves that fit; with the bank ``conflicts`` that were counted, or with none."""
        half = self.threads // LANES // 2
        times = [
            compute_unit_time(
                [way] * (self.threads // LANES - half) + [[*self.ahead, *way]] * half,
                self.target,
                workgroups=self.occupancy.workgroups,
                latencies=latencies,
                conflicts=self.conflict_cycles if conflicts else None,
                oldest_first=oldest_first,
            )
            for way in self.ways
        ]
        return (times[1] - times[0]).mfma_share


def ours(config: GemmConfig, tiles: tuple[int, int] = (8, 24), *, is_ragged: bool = False) -> MainLoop:
    """The loop of a configuration of ours; its result is compared on the way.

    One workgroup is looked at, so that the order of blocks says nothing. Ragged sizes are no whole tiles, and
    ``BESIDE`` workgroups lie along N: K ends so much later, and the last one's N so much earlier, as the
    configuration's multiples allow.
    """
    config = replace(config, xcds=1, group_m=1)
    kernel = gemm(config)
    compiled = compile_hip(kernel.text, Target.named(config.target))
    m, n, depth = config.tile
    _, less, more = GemmProblem(config).multiples if is_ragged else (0, 0, 0)
    runs = []
    for count in tiles:
        columns = BESIDE * n - less if is_ragged else n
        sizes = {"M": m, "N": columns, "K": count * depth * config.split_k + more}
        task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", 0))
        done = CpuExecutor().run(task)
        assert compare_outputs(task, done.outputs)["c"].is_good
        runs.append(Run(tuple(done.trace), done.counters))
    assembly = executable(compiled.code_object, kernel.name)
    resources = load_object(compiled.code_object).kernel(kernel.name)
    lds_bytes, threads = resources.lds_bytes + kernel.dynamic_lds, math.prod(kernel.block)
    turns = tiles[1] - tiles[0]
    return MainLoop(config.target, assembly, resources, lds_bytes, threads, turns, (runs[0], runs[1]))


def rung(target: str, **fields: Any) -> MainLoop:
    """The loop of the pipelined rung of the ladder."""
    return ours(configured("pipelined", target=target, **fields))


def settled(target: str, **fields: Any) -> MainLoop:
    """The loop of what a user gets who names no rung, for large sizes: whole tiles, or ragged with tails."""
    is_ragged = not fields.keys().isdisjoint({"has_tails", "size_multiples"})
    for options in planned(None, target=target, **fields).options:
        chosen = dict(options)
        try:
            config = configured(chosen.pop("rung"), target=target, **(fields | chosen))
            return ours(config, is_ragged=is_ragged)
        except UnfitCompilerError:
            raise
        except ToolError:  # no registers for it, or an instruction that the compiler does not know
            continue
    raise AssertionError(f"no plan for {fields} on {target} compiles")


def _ck_tile(target: str, name: str, tiles: tuple[int, int] = (8, 24)) -> MainLoop:
    kernel = GEMMS[name]
    told = (
        repr(kernel),
        (HERE / kernel.source).read_text("utf-8"),
        version("ziglang"),
        find_root().name,
        target,
    )
    content = _kept(told, lambda: kernel.code_object(target))
    loaded = load_object(content)
    entry = next(one.name for one in loaded.kernels if "kentry" in one.name)
    places = np.frombuffer(loaded.bytes_at(loaded.symbol("argument_places"), 4 * 10), np.uint32).tolist()
    m, n, depth = map(int, dict(kernel.macros)["TILE"].split(","))

    def passed(a: Any, b: Any, c: Output) -> list[Any]:
        k = a.shape[1]
        numbers = (np.int32(number) for number in (m, n, k, k, k, n, 1))
        return [dict(zip(places, (a, b, c, *numbers), strict=True))]

    return _of_code_object(target, content, entry, (m, n, depth), tiles, passed)


def _kept(told: Sequence[str], make: Callable[[], bytes]) -> bytes:
    """What was made before of the same sources by the same tools, else what is made now."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    name = sha256("\0".join(told).encode()).hexdigest()[:24]
    place = Path(home) / "layoutalg" / "main_loops" / f"{name}.co"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_suffix(f".{os.getpid()}")
        beside.write_bytes(make())
        beside.replace(place)
    return place.read_bytes()


def _triton(target: str) -> MainLoop:
    """Its second half of the waves stands at one barrier more before the loop, the first behind it."""
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # read when Triton is imported, which else warns
    from triton import compile as compiled_by_triton  # noqa: PLC0415
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415
    from triton.compiler import ASTSource  # noqa: PLC0415

    from tests.benchmarks import triton_gemm  # noqa: PLC0415  not everybody has Triton

    function = triton_gemm.gemm
    kinds = {"a": "*fp16", "b": "*fp16", "c": "*fp16", "n": "i32", "k": "i32"}
    source = ASTSource(
        fn=function,
        signature={name: kinds.get(name, "constexpr") for name in function.arg_names},
        constexprs={(5,): SIDE, (6,): DEPTH},
        attrs={(place,): [["tt.divisibility", 16]] for place in range(len(kinds))},
    )
    made = compiled_by_triton(source, target=GPUTarget("hip", target, LANES), options={"num_warps": 8})
    loop = _of_code_object(
        target,
        bytes(made.asm["hsaco"]),
        "gemm",
        (SIDE, SIDE, DEPTH),
        (8, 24),
        lambda a, b, c: [a, b, c, SIDE, a.shape[1]],
        threads=8 * LANES,
        dynamic_lds=made.metadata.shared,
    )
    return replace(loop, ahead=(BARRIER,))


def _of_code_object(
    target: str,
    content: bytes,
    name: str,
    tile: tuple[int, int, int],
    tiles: tuple[int, int],
    passed: Callable[[Any, Any, Output], list[Any]],
    *,
    threads: int = 4 * LANES,
    dynamic_lds: int = 0,
) -> MainLoop:
    """C of f16 by rows from A by rows and B by columns."""
    assembly, resources = executable(content, name), load_object(content).kernel(name)
    m, n, depth = tile
    generator = np.random.default_rng(0)
    runs = []
    for count in tiles:
        a, b = (generator.integers(-3, 4, (rows, count * depth)).astype(np.float16) for rows in (m, n))
        given = passed(a, b, Output(np.zeros((m, n), np.float16)))
        values, places = passed_arguments(resources, given, pads=True)
        dispatch = Dispatch((1,), (threads,), dynamic_lds)
        report = launch(assembly, values, places, resources.argument_bytes, dispatch)
        (c,) = (value.array for value in values if isinstance(value, ArrayValue) and value.is_output)
        wanted = (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16)
        assert (c.view(np.float16).reshape(m, n) == wanted).all(), name
        runs.append(Run(report.trace, report.work))
    lds_bytes = resources.lds_bytes + dynamic_lds
    return MainLoop(target, assembly, resources, lds_bytes, threads, tiles[1] - tiles[0], (runs[0], runs[1]))


WIDE: dict[str, Any] = {"tile": (256, 256, 32), "instruction": (32, 32)}
OURS: dict[str, Callable[[str], MainLoop]] = {
    "ours, default": rung,
    "ours 256x256x32, 2x2": lambda target: rung(target, **WIDE, waves=(2, 2)),
    "ours 256x256x32, 4x2": lambda target: rung(target, **WIDE, waves=(4, 2)),
}
OTHERS: dict[str, Callable[[str], MainLoop]] = {
    "CK Tile V3 256x128x32": lambda target: _ck_tile(target, "V3"),
    "CK Tile V4 256x128x32": lambda target: _ck_tile(target, "V4", (9, 25)),
    "CK Tile V3 128x128x64": lambda target: _ck_tile(target, "V3 128x128x64"),
    "Triton 256x256x64": _triton,
}
KERNELS = OURS | OTHERS
