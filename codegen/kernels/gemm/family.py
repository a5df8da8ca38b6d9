"""The GEMMs that are shipped: the ladder of CK Tile, CK's wrapper, and the sum of the parts of a split K."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.builtins import accumulator
from layoutalg.codegen.kernels.gemm.config import LAYOUTS, GemmConfig
from layoutalg.codegen.kernels.gemm.ladder import ELEMENTS, RUNGS, configured
from layoutalg.codegen.kernels.gemm.parts_sum import becoming_of, parts_sum
from layoutalg.codegen.kernels.gemm.planner import ORDERS, GemmPlan, planned
from layoutalg.codegen.kernels.gemm.small_sizes import first_small_sizes, other_small_sizes
from layoutalg.codegen.kernels.gemm.traits import wrapper_config, wrapper_kernel
from layoutalg.codegen.kernels.kernel_family import KernelChoice, KernelFamily, Sizes, no_operations
from layoutalg.codegen.kernels.kernel_options import LDS, LEADING_DIMENSIONS, Option, count, extents
from layoutalg.codegen.schedule import SCHEDULES
from layoutalg.data_type import DataType
from layoutalg.machine import Target

__all__ = ["FAMILIES"]

OF_LADDER = frozenset({"rung", "lds", "k1"})  # fields that the planner does not choose
PREFIX = "BlockwisGemmXdlTraits_"  # as CK spells it
TILE = Option("tile", "tile", extents(3), "MxNxK, such as 256x128x32", "GEMM: the tile of a workgroup.")
ORDER = Option("order", "order", str, "/".join(SCHEDULES), "GEMM: order of loads, barriers and products.")
SPLIT_K = Option("split-k", "split_k", count, "a number", "GEMM: workgroups that share K, a part of C each.")
ATOMIC_ADD = Option(
    "atomic-add", "adds_atomically", bool, "", "GEMM: workgroups that share K add to C, which holds zeros."
)
SCALE = Option("scale", "has_scale", bool, "", "GEMM: C = alpha A B + beta D.")
BATCHED = Option(
    "batched", "is_batched", bool, "", "GEMM: batch_count products; batch_stride_a, _b, _c are arguments."
)
EPILOGUE = Option(
    "epilogue",
    "epilogue",
    str,
    "an expression of c",
    "GEMM, parts_sum: what is stored, such as 'relu(c + bias_n)'; after a semicolon, what E gets.",
)

VECTOR = Option(
    "vector", "vector", count, "1, 2 or 4", "parts_sum: elements of a thread, which N is a multiple of."
)
SIZE_MULTIPLES = Option(
    "size-multiples",
    "size_multiples",
    extents(3),
    "MxNxK, such as 1x1x1",
    "GEMM with tails: what M, N and K are multiples of, if not of whole vectors.",
)


def _config(choice: KernelChoice) -> GemmConfig:
    chosen = dict(choice.options)
    rung = chosen.pop("rung", "naive")
    return configured(rung, target=choice.target, element=choice.element, **chosen)


def _plan(choice: KernelChoice, sizes: Sizes) -> GemmPlan | None:
    """By what a model of the GPU expects; not where a rung is named, or what only rungs differ in."""
    is_of_ladder = not OF_LADDER.isdisjoint(choice.options)
    is_of_ladder |= choice.options.get("order", ORDERS[0]) not in ORDERS
    if is_of_ladder or not Target.named(choice.target).is_cdna:
        return None
    return planned(sizes, target=choice.target, element=choice.element, **choice.options)


def _wrapper_config(choice: KernelChoice) -> GemmConfig:
    chosen = dict(choice.options)
    name = chosen.pop("traits", "32x32Xdl_4x2XdlPerWave_8K1")
    return wrapper_config(
        PREFIX + name.removeprefix(PREFIX), target=choice.target, element=choice.element, **chosen
    )


def _in_whole_numbers(choice: KernelChoice, sizes: Mapping[str, Any]) -> Sizes:
    """Default sizes with a K that ends with a whole number."""
    return {**sizes, "K": DataType.named(choice.element).of_row(sizes["K"])}


def _parts(choice: KernelChoice) -> Callable[[], Kernel]:
    """The sum of so many parts, of their type, to the type of C."""
    fields = dict(choice.options)
    parts, output = fields.pop("split_k", 2), ELEMENTS[choice.element][0]
    summed, has_scale = accumulator(choice.element), bool(fields.get("has_scale"))
    becoming_of(parts, summed, output, has_scale=has_scale, epilogue=fields.get("epilogue", ""))
    return partial(parts_sum, parts, summed, output, **fields)


def _operations(choice: KernelChoice, sizes: Mapping[str, Any]) -> int:
    products = sizes["M"] * sizes["N"] * sizes.get("batch_count", 1)
    return 2 * products * DataType.named(choice.element).numbers(sizes["K"])


def _matmul(torch: Any, kind: Any, sizes: Mapping[str, int]) -> tuple[str, Callable[[], Any]]:
    batch = [sizes["batch_count"]] if "batch_count" in sizes else []
    a = torch.randn(*batch, sizes["M"], sizes["K"], device="cuda").to(kind)
    b = torch.randn(*batch, sizes["N"], sizes["K"], device="cuda").to(kind)
    library = "rocBLAS or hipBLASLt" if torch.version.hip else "cuBLAS"
    right = b.transpose(1, 2) if batch else b.t()
    return f"matmul ({library})", lambda: torch.matmul(a, right)


OF_TUTORIAL = {"M": 3328, "N": 4096, "K": 4096}  # CK Tile's
STREAMED = {"rung": "pipelined", "order": "streamed", "instruction": (32, 32)}
GEMM = KernelFamily(
    name="gemm",
    configure=_config,
    build=gemm,
    small_sizes=first_small_sizes,
    other_sizes=other_small_sizes,
    elements=tuple(ELEMENTS),
    options=(
        Option(
            "rung",
            "rung",
            str,
            "a rung's name",
            "Rung of the GEMM ladder: naive, xor, double, ...; without one, planned for the sizes.",
        ),
        Option("layouts", "layouts", str, "rcr", "GEMM: A, B and C by rows (r) or columns (c), as CK names."),
        TILE,
        Option("waves", "waves", extents(2), "MxN, such as 2x2", "GEMM: waves of a workgroup along M, N."),
        Option("instruction", "instruction", extents(2), "MxN, such as 16x16", "GEMM: its M and N."),
        LDS,
        ORDER,
        Option("group-m", "group_m", count, "a number", "GEMM: blocks along M that are launched in a row."),
        Option("xcds", "xcds", count, "a number", "GEMM: dies, each of which gets neighbouring blocks."),
        SPLIT_K,
        ATOMIC_ADD,
        Option("tails", "has_tails", bool, "", "GEMM: sizes need not be whole tiles."),
        SIZE_MULTIPLES,
        Option(
            "masks-every-tile", "masks_every_tile", bool, "", "GEMM with tails: no tile is taken as whole."
        ),
        Option("block-scales", "has_block_scales", bool, "", "GEMM: 32 along K share a power of two (MX)."),
        Option("k1", "k1", count, "a number", "GEMM: neighbours along K that stay together in LDS."),
        SCALE,
        EPILOGUE,
        Option(
            "stages-result", "stages_result", bool, "", "GEMM: C through shared memory, 16 bytes a store."
        ),
        LEADING_DIMENSIONS,
        BATCHED,
        Option(
            "waves-per-simd", "waves_per_simd", count, "a number", "GEMM: waves that registers are left for."
        ),
    ),
    variants=(
        *({"rung": rung} for rung in RUNGS),
        *({"rung": "xor", "layouts": layouts} for layouts in LAYOUTS[1:]),
        {"rung": "pipelined", "has_tails": True},
        {"rung": "pipelined", "has_tails": True, "size_multiples": (2, 1, 2)},
        {"rung": "pipelined", "has_tails": True, "split_k": 2},
        {"rung": "pipelined", "group_m": 2, "stages_result": True},
        {"rung": "pipelined", "split_k": 2},
        {"rung": "pipelined", "split_k": 3, "adds_atomically": True},
        {"rung": "pipelined", "split_k": 2, "adds_atomically": True, "has_tails": True},
        {"rung": "pipelined", "xcds": 8},
        {"rung": "pipelined", "xcds": 8, "group_m": 2, "has_tails": True},
        {"rung": "pipelined", "has_scale": True},
        {"rung": "pipelined", "epilogue": "gelu(scale_m * scale_n * c + bias_n)", "stages_result": True},
        {"rung": "pipelined", "epilogue": "relu(c + bias_m) + beta * d", "has_tails": True},
        {"rung": "pipelined", "has_leading_dimensions": True},
        {"rung": "pipelined", "is_batched": True, "has_tails": True, "epilogue": "relu(c + bias_n) + d"},
        STREAMED,
        STREAMED | {"has_tails": True, "layouts": "rrr"},
        STREAMED | {"order": "direct", "tile": (64, 64, 32), "waves": (2, 2)},
        {"rung": "pipelined", "has_block_scales": True, "tile": (128, 128, 128), "waves": (2, 2)},
        STREAMED | {"has_block_scales": True, "has_tails": True, "tile": (128, 128, 128), "waves": (2, 2)},
        {"rung": "pipelined", "has_block_scales": True, "tile": (128, 128, 48), "waves": (2, 2)},
        STREAMED | {"has_block_scales": True, "has_tails": True, "tile": (128, 128, 48), "waves": (2, 2)},
    ),
    default_sizes=OF_TUTORIAL | {"alpha": 1.5, "beta": -0.5, "batch_count": 8},
    usual_sizes=_in_whole_numbers,
    operations=_operations,
    is_portable=False,
    torch_call=_matmul,
    plan=_plan,
)
WRAPPER_GEMM = KernelFamily(
    name="wrapper_gemm",
    configure=_wrapper_config,
    build=wrapper_kernel,
    small_sizes=first_small_sizes,
    other_sizes=other_small_sizes,
    elements=("f16", "bf16", "i8", "f32"),
    options=(
        Option("traits", "traits", str, "32x32Xdl_4x2XdlPerWave_8K1", "wrapper_gemm: CK's name of traits."),
        LDS,
        Option("optimized", "is_optimized", bool, "", "wrapper_gemm: tiles are loaded ahead."),
        TILE,
        ORDER,
        LEADING_DIMENSIONS,
    ),
    variants=(
        {},
        {"is_optimized": True},
        {"lds": "k0mk1", "traits": "32x32Xdl_2x4XdlPerWave_8K1"},
        {"lds": "k0mk1", "is_optimized": True, "traits": "32x32Xdl_2x2XdlPerWave_16K1"},
    ),
    default_sizes={"M": 3840, "N": 4096, "K": 4096},  # of both of the wrapper's examples
    operations=_operations,
    is_portable=False,
)
PARTS_SUM = KernelFamily(
    name="parts_sum",
    configure=_parts,
    build=lambda made: made(),
    small_sizes=lambda _: {"M": 5, "N": 1100},  # two workgroups a row, the second with threads left over
    elements=("f16", "bf16", "i8", "f32", "f64"),
    options=(SPLIT_K, SCALE, EPILOGUE, LEADING_DIMENSIONS, VECTOR),
    variants=(
        {},
        {"split_k": 5},
        {"has_scale": True},
        {"epilogue": "relu(scale_m * c + bias_n) + beta * d; c"},
        {"has_leading_dimensions": True},
        {"vector": 1},
    ),
    default_sizes={"M": 3328, "N": 4096, "alpha": 1.5, "beta": -0.5},
    operations=no_operations,
    is_portable=False,
)
FAMILIES = (GEMM, WRAPPER_GEMM, PARTS_SUM)
