"""One value of every kind that has a picture."""

from __future__ import annotations

from typing import Any

from layoutalg import Domain, simplify
from layoutalg.codegen.kernels import transpose
from layoutalg.descriptor.coordinate import make_tensor_coordinate
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.layout import make_layout
from layoutalg.length import sizes
from layoutalg.memory import WaveAccess, bank_conflicts
from layoutalg.pictures.views.mma import instruction_named
from layoutalg.proofs import prove
from layoutalg.properties import covers, memory_bounds, one_to_one
from layoutalg.verdict import Unknown

M1, M2, K = sizes("M1 M2 K")
BLOG = make_naive_tensor_descriptor((256, 128), (128, 1)).unmerge(0, (4, 64))
PADDED = make_naive_tensor_descriptor((3, 5), (8, 1)).pad(0, 1, 2)
SYMBOLIC = make_naive_tensor_descriptor((M1 * M2, K), (K, 1)).unmerge(0, (M1, M2))
A_TILE = read_encoding(
    "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>, "
    "tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>, sequence<1, 2>, sequence<0, 1>>"
)
CONFLICTS = bank_conflicts(
    WaveAccess.of_expression("lane*32", Domain.of({"lane": 64}), "f16", 4, "read"), "gfx942"
)
OVERLAPPING = make_naive_tensor_descriptor((4, 8), (7, 1))

VALUES: dict[str, Any] = {
    "descriptor": BLOG,
    "padded descriptor": PADDED,
    "symbolic descriptor": SYMBOLIC,
    "adaptor": make_static_tile_distribution(A_TILE).ps_ys_to_xs,
    "coordinate": make_tensor_coordinate(BLOG, (1, 3, 2)),
    "distribution": make_static_tile_distribution(A_TILE),
    "encoding": A_TILE,
    "layout": make_layout((4, (2, 4)), (2, (1, 8))),
    "instruction": instruction_named("v_mfma_f32_32x32x8_f16"),
    "banks": CONFLICTS,
    "claim": one_to_one(BLOG),
    "proved": prove(one_to_one(BLOG)),
    "refuted": prove(one_to_one(OVERLAPPING)),
    "refuted bounds": prove(memory_bounds(make_naive_tensor_descriptor((4, 8), (8, 1)), "rows")),
    "not covered": prove(covers(make_naive_tensor_descriptor((4, 7), (8, 1)))),
    "unknown": Unknown("first reason; second reason"),
    "kernel": transpose("f32"),
    "transform": BLOG.transforms[1],
    "map": one_to_one(BLOG).map,
    "simplified": simplify("x // 28 * 28 + x % 28 + y // 3", Domain.of({"x": 420, "y": 9}), explain=True),
    "domain": Domain.of({"x": 8}, {"K": (1, 8)}),
}
