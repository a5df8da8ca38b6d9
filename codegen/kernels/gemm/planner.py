"""The configuration of a GEMM for given sizes, by what a model of the compute unit expects of each.

Tiles, waves and instructions that fit are tried: what a turn of the loop is expected to be goes through the
model with all waves that share a compute unit, at the usual latency of memory, at twice that, and with half
of the LDS, since nobody knows which of these hold. The cycles of the whole product follow from the numbers of
workgroups and of compute units. The least on average over the three is taken, where rows that are shorter
than a line of memory count for a tenth more, and so does one wave a SIMD; of those that are as good as that
the one that reads least, since caches are no part of the model.

>>> plan = planned()
>>> plan.config.tile, plan.config.waves, plan.config.instruction
((256, 256, 32), (4, 2), (32, 32))
>>> planned({"M": 4001, "N": 4096, "K": 4096}, tile=(256, 256, 32), waves=(4, 2)).config.has_tails
True
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from layoutalg.codegen.kernels.gemm.candidate import PLANNED_FOR, Candidate
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem, K, M, N
from layoutalg.codegen.kernels.gemm.ladder import RUNGS, configured
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.machine.occupancy import ComputeUnit

__all__ = ["AS_GOOD", "ORDERS", "GemmPlan", "planned"]

RUNG = "pipelined"
ORDERS = ("pipelined", "streamed", "direct")
SIDES = (256, 128, 64)  # of a tile
# tiles of one wave a SIMD, with twice the registers:
WIDE = ((320, 192), (256, 192), (192, 256), (384, 160), (160, 384))
WAVES = ((4, 2), (2, 4), (2, 2), (4, 1), (1, 4))
INSTRUCTIONS = ((32, 32), (16, 16))
K_BYTES = {1: (64, 128), 3: (96, 192)}  # of a row of a tile, by the words that hold whole numbers
NEARLY_ALL = 240  # registers, from which on a compiler may take a few too many
MOST_SUMS = 240  # registers: where they are all that an instruction can name, compilers move them about
FEW_LEFT = 64  # of 512 registers: so many compilers may take that nothing here foresees
MORE_LEFT = 128  # and so many of kernels with block scales, where clang 22 moves sums about or spills
AS_GOOD = 1.01  # so much more is no difference, to this model
FEWEST, MOST = 4, 24  # configurations that are looked at, if there are so many
ROWS_TOGETHER = (
    4  # of blocks, at most: nearly as many as columns that a die of 38 compute units has at a time
)
LARGE = 30720  # a size that is not known: whole tiles of each kind, equally many for each die
LONG_K = 4096  # worth to be shared among workgroups


DECIDED = (  # for each shape, if they are not what they are by default
    "has_tails",
    "stages_result",
    "waves_per_simd",
    "size_multiples",
    "masks_every_tile",
    "xcds",
    "group_m",
)


@dataclass(frozen=True)
class GemmPlan:
    """Configurations for given sizes, the best first; ``others`` cannot be better and were not looked at.

    ``given``: the fields that were fixed.
    """

    sizes: Mapping[str, int]
    candidates: tuple[Candidate, ...]
    others: tuple[Candidate, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def config(self) -> GemmConfig:
        return self.candidates[0].config

    @property
    def options(self) -> Iterator[dict[str, Any]]:
        """Of each, with what was given: the fields that differ from those of its rung.

        After those that are as good as each other come the same with tails, if they are of whole tiles:
        through buffer resources they need fewer registers. After all that were looked at, the others.
        """
        for config in self._in_order():
            yield dict(self.given) | {"rung": RUNG} | _chosen(config)

    def _in_order(self) -> Iterator[GemmConfig]:
        for _, tier in itertools.groupby(self.candidates, lambda one: round(math.log(one.cost, AS_GOOD))):
            good = [one.config for one in tier]
            yield from good
            if "has_tails" not in self.given:
                yield from (_bounded(one) for one in good if _may_be_bounded(one))
        for one in self.others:
            with contextlib.suppress(LayoutError):
                yield _admitted(one, self.given).config

    def rows(self, count: int = 8) -> Iterator[tuple[str, ...]]:
        """What is expected of the best ones: a head, then a row of text for each."""
        yield (
            "tile", "waves", "instruction", "order", "registers", "waves/SIMD", "workgroups", "rounds",
            *PLANNED_FOR, "share of peak",
        )  # fmt: skip
        for one in self.candidates[:count]:
            config, loop = one.config, one.loop
            yield (
                *("x".join(map(str, part)) for part in (config.tile, config.waves, config.instruction)),
                config.order,
                str(loop.registers),
                str(loop.occupancy.waves),
                str(one.workgroups),
                str(one.rounds),
                *(f"{one.shares[name]:.3f}" for name in PLANNED_FOR),
                f"{one.share_of_peak:.3f}",
            )

    def reasons(self) -> list[str]:
        """Why the first is the first, in words."""
        best = self.candidates[0]
        config = best.config
        sizes = " x ".join(str(self.sizes[name]) for name in "MNK")
        sizes += f", {self.sizes['batch_count']} times" if "batch_count" in self.sizes else ""
        said = [
            f"{sizes}: tiles of {config.tile[0]} x {config.tile[1]}, {best.workgroups} workgroups.",
            f"On {best.units} compute units, {best.resident} on each at a time: {best.rounds} rounds.",
            f"Of the cycles of a turn the matrix cores work in {best.shares['usual']:.1%}.",
            f"What goes through the LDS allows {best.loop.bound():.1%}.",
        ]
        if config.schedule.copies:
            said.append("Tiles go straight to the LDS, by no register, three of them on their way at a time.")
        elif config.has_tails:
            said.append("Sizes are no whole tiles: the hardware bounds what is read (buffer loads).")
        if config.xcds > 1:
            said.append(
                f"Each of {config.xcds} dies makes neighbouring blocks, {config.group_m} rows at a time."
            )
        if config.stages_result:
            said.append("C goes through the LDS, so that whole lines are stored.")
        may_split = "batch_count" not in self.sizes and self.sizes["K"] >= LONG_K
        if may_split and best.workgroups * 2 <= best.units:
            said.append(
                "Few workgroups for so long a K: --split-k shares it, with --atomic-add or parts_sum."
            )
        return said


def planned(
    sizes: Mapping[str, int] | None = None, *, target: str = "gfx942", element: str = "f16", **changes: Any
) -> GemmPlan:
    """The plan for sizes M, N and K (a size left out counts as a large one); ``changes`` fix fields.

    Refused: targets without a model (RDNA: take a rung of the ladder), and sizes that no kernel takes, saying
    which multiples are wanted.
    """
    if not Target.named(target).is_cdna:
        msg = f"gemm: {target} has no model by which to plan"
        raise LayoutError(msg, hint=f"choose a rung: --rung {RUNG}")
    if "size_multiples" in changes or changes.get("masks_every_tile"):
        changes = {"has_tails": True} | changes
    usual = dict.fromkeys("MNK", LARGE)
    usual |= {"batch_count": 1} if changes.get("is_batched") else {}
    known = {name: (sizes or {}).get(name, size) for name, size in usual.items()}
    for name, size in known.items():
        if size < 1:
            raise LayoutError(f"gemm: wanted {name} of at least 1, got {size}")
    found, refusals = [], []
    for fields in _shapes(target, element, changes):
        try:
            made = Candidate(configured(RUNG, target=target, element=element, **fields), known)
        except LayoutError as error:
            refusals.append(error)
            continue
        if _has_registers(made):
            found.append(made)
    kept = [one for one in found if _keeps_its_order(one.config)] or found
    every = sorted(kept, key=lambda one: (round(math.log(one.least_cost, AS_GOOD)), one.reading))
    looked_at, refused = _looked_at(every, changes)
    if not looked_at:
        raise (refused or refusals or [LayoutError(f"gemm: no tile for {element} on {target}")])[0]
    best = _ranked(looked_at)
    return GemmPlan(known, best, tuple(every[len(looked_at) + len(refused) :]), changes)


def _keeps_its_order(config: GemmConfig) -> bool:
    """Whether compilers leave products in their phases: not those of one sum, each behind another."""
    rows, columns = config.block.rounds
    products = (step for step in config.schedule.turn if step.what == "multiply")
    return min(len(step.rows(rows)) * columns for step in products) > 1


def _has_registers(one: Candidate) -> bool:
    """Whether registers suffice for the waves of a workgroup that share a SIMD."""
    unit = ComputeUnit.of(one.config.target)
    own = max(1, one.config.threads // one.config.lanes // unit.simds)
    each = unit.vgprs // own
    left = MORE_LEFT if one.config.has_block_scales else FEW_LEFT
    return one.loop.sums <= MOST_SUMS and one.loop.registers <= max(each - left, unit.vgprs // 2)


def _chosen(config: GemmConfig) -> dict[str, Any]:
    asked = {n: getattr(config, n) for n in DECIDED if getattr(config, n) != getattr(GemmConfig, n)}
    order = {} if config.order == RUNGS[RUNG]["order"] else {"order": config.order}
    return {"tile": config.tile, "waves": config.waves, "instruction": config.instruction} | order | asked


def _may_be_bounded(config: GemmConfig) -> bool:
    """Whether registers may be saved so: not where so few are left that the code is poor even if it fits."""
    return not (config.has_tails or config.waves_per_simd)


def _bounded(config: GemmConfig) -> GemmConfig:
    """The same through buffer resources."""
    return replace(config, has_tails=True)


def _waves_wanted(one: Candidate) -> int | None:
    """How many waves of a SIMD to leave registers for: where a few too many would keep out a workgroup."""
    own = one.config.threads // one.config.lanes // ComputeUnit.of(one.config.target).simds
    waves = one.loop.occupancy.waves
    return waves if waves > own and one.loop.registers > NEARLY_ALL else None


def _ranked(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """By cost; those that are as good as the least by what they read of A and B for a product.

    Where sizes are no whole tiles, rows of C begin anywhere in a line: then by how long those are that are
    stored, since a longer one touches fewer lines more than it fills.
    """
    least = min(one.cost for one in candidates) * AS_GOOD

    def key(one: Candidate) -> tuple[bool, float, int, float]:
        is_worse = one.cost > least
        row = one.stored_row if one.config.has_tails and not is_worse else 0
        return is_worse, one.cost if is_worse else one.reading, -row, one.cost

    return tuple(sorted(candidates, key=key))


def _looked_at(
    candidates: Iterable[Candidate], changes: Mapping[str, Any]
) -> tuple[list[Candidate], list[LayoutError]]:
    """Those that may be the best, others cost more whatever their order; and what was refused."""
    found: list[Candidate] = []
    refused: list[LayoutError] = []
    for one in candidates:
        least = min((other.cost for other in found), default=math.inf)
        is_enough = len(found) == MOST or (len(found) >= FEWEST and one.least_cost > least)
        if is_enough or (not found and len(refused) >= 2 * FEWEST):
            break
        try:
            found.append(_admitted(one, changes))
        except LayoutError as error:
            refused.append(error)
    return found, refused


def _shapes(target: str, element: str, changes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Tiles, waves, instructions and orders, those that are fixed as they are.

    Tiles are copied straight to the LDS where a lane copies as much at once as it loads.
    """
    memory = GlobalMemory.of(target)
    orders = [one for one in ORDERS if one != "direct" or memory.to_lds_bytes == memory.widest_bytes]
    kind = DataType.named(element)
    lengths = [length // kind.bytes for length in K_BYTES[kind.unpacked[2]]]
    sides = (*itertools.product(SIDES, SIDES), *WIDE)
    tiles = [(m, n, k) for k in lengths for m, n in sides]
    every = (
        [changes["tile"]] if "tile" in changes else tiles,
        [changes["waves"]] if "waves" in changes else WAVES,
        [changes["instruction"]] if "instruction" in changes else INSTRUCTIONS,
        [changes["order"]] if "order" in changes else orders,
    )
    for tile, waves, instruction, order in itertools.product(*every):
        yield dict(changes) | {"tile": tile, "waves": waves, "instruction": instruction, "order": order}


def _ends(one: Candidate, changes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Sizes are whole tiles, whole vectors, multiples of what they are, or rows of fewer than a word."""
    order = _block_order(one, changes)
    if not changes.get("has_tails"):
        yield {"has_tails": False} | order
    if changes.get("has_tails", True):
        ragged = {"has_tails": True} | order
        yield ragged
        widest = one.config.vector_bytes
        multiples = changes.get("size_multiples") or tuple(math.gcd(one.sizes[n], widest) for n in "MNK")
        yield ragged | {"size_multiples": multiples}
        yield ragged | {"size_multiples": multiples, "masks_every_tile": True}


def _block_order(one: Candidate, changes: Mapping[str, Any]) -> dict[str, int]:
    """Neighbouring blocks for each die of the GPU, where no die is longer at work than all are together.

    Of those the dies make some rows of blocks at a time, since what a cache holds of B serves them all.
    """
    dies, (tile_m, tile_n, _) = ComputeUnit.of(one.config.target).dies, one.config.tile
    is_asked = not {"xcds", "group_m"}.isdisjoint(changes) or changes.get("split_k", 1) > 1
    if is_asked or changes.get("is_batched") or dies == 1:
        return {}
    rows = -(-one.sizes["M"] // (tile_m * dies))  # of the die that has most
    blocks = rows * -(-one.sizes["N"] // tile_n)
    if blocks * dies > one.rounds * one.units * one.resident:
        return {}
    return {"xcds": dies, "group_m": -(-rows // -(-rows // ROWS_TOGETHER))}


def _admitted(one: Candidate, changes: Mapping[str, Any]) -> Candidate:
    """With tails where sizes need them, and C through shared memory where that is possible."""
    staged = [changes["stages_result"]] if "stages_result" in changes else [True, False]
    missing = ""
    for ends, stages_result in itertools.product(_ends(one, changes), staged):
        try:
            made = replace(one.config, stages_result=stages_result, **ends)
            wanted = _sizes_wanted(one, GemmProblem(made))
            if wanted:
                missing = wanted
                continue
            found = Candidate(replace(made, waves_per_simd=_waves_wanted(one)), one.sizes)
            _ = found.tiles.a, found.tiles.b, found.tiles.stage
        except LayoutError as error:
            missing = missing or str(error)
            continue
        return found
    raise LayoutError(missing)


def _sizes_wanted(one: Candidate, problem: GemmProblem) -> str:
    """Which sizes a kernel wants that these are not; empty where it takes them."""
    multiples = dict(zip("MNK", problem.multiples, strict=True))
    least = {size.name: problem.least(size) for size in (M, N, K)}
    if all(one.sizes[n] % part == 0 and one.sizes[n] >= least[n] for n, part in multiples.items()):
        return ""
    wanted = ", ".join(f"{name} a multiple of {part}" for name, part in multiples.items() if part > 1)
    return f"gemm: wanted {wanted}; got {', '.join(f'{n} = {one.sizes[n]}' for n in multiples)}"
