"""When a move goes in boxes: where that touches less of memory than another kernel, or in wider accesses.

>>> from layoutalg.codegen.kernels import permute
>>> from layoutalg.data_type import DataType
>>> direct = permute((500, 7, 4, 3), (0, 2, 1, 3), "f16", path="direct")
>>> move = StridedMove.of((500, 7, 4, 3), (84, 12, 3, 1), (84, 3, 21, 1))
>>> y = direct.accesses[0].map.domain["y3"]
>>> better_box(move, DataType.named("f16"), direct, (Vectors(y, 1), Vectors(y, 1))).lengths
(24, 4, 7, 3)
"""

from __future__ import annotations

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.boxes.box import ELEMENT, Box
from layoutalg.codegen.kernels.boxes.boxed_kernel import accesses_of
from layoutalg.codegen.kernels.boxes.planner import planned_box
from layoutalg.codegen.kernels.boxes.strided_move import StridedMove
from layoutalg.codegen.kernels.memory_traffic import SEGMENT, Traffic, Vectors, traffic_of
from layoutalg.data_type import DataType

__all__ = ["better_box"]

SMALL = 4096  # bytes of a target that is moved at once, however it is
ENOUGH = 1.15  # segments touched for each that is needed, of which no other way is asked
FAR = 1.3  # and of which any gain is one
WIDE = {1: 4}  # bytes of an access that is wide enough, by those of an element; of others
WIDE_ENOUGH = 8
MORE_IF_WIDER = 1.1  # what a box may touch more where accesses become wide
WORTH = {1: 0.85}  # a box reads elements one by one: it must touch so much less; of others
USUALLY_WORTH, WORTH_IF_FAR = 0.92, 0.97
WORTH_IF_ALIGNED = 0.85  # where no vector may begin anywhere: caches of NVIDIA's GPUs join what tiles move


def better_box(
    move: StridedMove,
    kind: DataType,
    kernel: Kernel,
    vectors: tuple[Vectors, Vectors],
    *,
    anywhere: bool = True,
    splits_zeros: bool = True,
) -> Box | None:
    """The box that is better than a kernel that does the move; None if none is.

    ``vectors``: what a lane loads at once in the kernel, and what it stores; ``anywhere`` and
    ``splits_zeros``: as in :func:`planned_box`.
    """
    is_plain = len(move.dimensions) == 1 and not move.dimensions[0].has_zeros
    if is_plain or move.elements * kind.bytes < SMALL:
        return None
    wide = WIDE.get(kind.bytes, WIDE_ENOUGH)
    before = traffic_of(kernel.accesses, kernel.grid, kernel.block, vectors)
    needed = 2 * move.elements * kind.bytes / SEGMENT
    if before.segments <= ENOUGH * needed and before.bytes_a_lane >= wide:
        return None
    box = planned_box(move, kind, anywhere=anywhere, splits_zeros=splits_zeros)
    if box is None:
        return None
    own = Vectors(ELEMENT, box.loaded.vector), Vectors(ELEMENT, box.stored.vector)
    after = traffic_of(accesses_of(box), (box.blocks,), (box.threads,), own)
    most = _most(kind, before, after, needed) if anywhere else WORTH_IF_ALIGNED
    return box if after.segments < most * before.segments else None


def _most(kind: DataType, before: Traffic, after: Traffic, needed: float) -> float:
    """What a box may touch of what the other kernel does."""
    wide = WIDE.get(kind.bytes, WIDE_ENOUGH)
    if before.bytes_a_lane < wide <= after.bytes_a_lane:
        return MORE_IF_WIDER
    is_far = before.segments > FAR * needed
    return WORTH_IF_FAR if is_far else WORTH.get(kind.bytes, USUALLY_WORTH)
