"""Which way elements go where nothing else is said: interleaved in registers, by tiles, or in boxes.

A tile is one run of the source by one of the target; where these are short, or hardly longer than a vector,
more of memory is touched than is needed. Then a box of several dimensions is moved, if that touches less.

>>> short = Permutation.of((500, 7, 4, 3), (0, 2, 1, 3))
>>> boxed_kernel(short, asked_box(short, "f16", {"path": "box"})).name
'permute_f16_500x7x4x3_to_0213_in_boxes_of_24x4x7x3_256_8x8'
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.boxes import (
    SIDES,
    Box,
    BoxMeaning,
    StridedMove,
    better_box,
    box_kernel,
    planned_box,
)
from layoutalg.codegen.kernels.memory_traffic import Vectors
from layoutalg.codegen.kernels.transpose.claims import claims_of_permutation
from layoutalg.codegen.kernels.transpose.config import PermuteConfig, moved
from layoutalg.codegen.kernels.transpose.interleaving import Interleaving
from layoutalg.codegen.kernels.transpose.moved_tensors import (
    listed,
    meaning,
    order_words,
    reference_of,
    tensor_arguments,
)
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.text.kernel_name import kernel_name
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError

__all__ = ["asked_box", "asked_interleaving", "boxed_kernel", "instead_of_interleaving", "instead_of_tiles"]

# on an H200, where vectors of boxes must be aligned:
SINGLE = 4  # bytes: boxes were slower than tiles with wider vectors
FOLLOWING = 3  # dimensions of pieces that follow each other on both sides: caches join what they share
SMALL_MATRIX = 24576  # bytes
LONG_RUN = 2048  # bytes


def asked_interleaving(
    permutation: Permutation, element: DataType | str, changes: Mapping[str, Any]
) -> Interleaving | None:
    """The move of a short dimension beside a long one, if that is to be done and nothing else is said."""
    is_asked = changes.get("path") == "interleaved"
    others = changes.keys() - {"target", "begins_anywhere", "path"}
    anywhere = changes.get("begins_anywhere") is not False
    target = changes.get("target", PermuteConfig.target)
    found = Interleaving.of(permutation, moved(element), begins_anywhere=anywhere, target=target)
    if is_asked:
        _require_alone("interleaved", others)
    if is_asked and found is None:
        msg = "permute: path interleaved: wanted a dimension of at most 16 beside a long one, whose accesses"
        msg += " would be narrow, and lengths that are numbers of packed rows;"
        hint = "without a path the widest accesses are taken"
        raise LayoutError(f"{msg} got lengths {listed(permutation.merged.lengths)}", hint=hint)
    return found if is_asked or not (others or "path" in changes) else None


def asked_box(permutation: Permutation, element: DataType | str, changes: Mapping[str, Any]) -> Box | None:
    """The best box, if boxes are asked for."""
    if changes.get("path") != "box":
        return None
    _require_alone("box", changes.keys() - {"target", "begins_anywhere", "path"})
    anywhere = changes.get("begins_anywhere") is not False
    move = _move(permutation)
    found = None if move is None else planned_box(move, moved(element), anywhere=anywhere)
    if found is None:
        msg = (
            "permute: path box: wanted lengths that are numbers of packed rows, and neighbours on both sides;"
        )
        hint = "without a path the widest accesses are taken"
        raise LayoutError(f"{msg} got lengths {listed(permutation.merged.lengths)}", hint=hint)
    return found


def _require_alone(path: str, others: Collection[str]) -> None:
    if others:
        msg = f"permute: path {path}: wanted no option beside it, got {', '.join(sorted(others))}"
        raise LayoutError(msg, hint="its tile follows from the lengths")


def _move(permutation: Permutation) -> StridedMove | None:
    merged = permutation.merged
    return StridedMove.of(merged.lengths, merged.source, merged.target)


def instead_of_tiles(
    permutation: Permutation,
    kind: DataType,
    kernel: Kernel,
    vectors: tuple[Vectors, Vectors],
    *,
    anywhere: bool,
) -> Kernel:
    """The kernel in boxes, if that is better; else the given one by tiles, which moves ``vectors`` at once.

    ``anywhere``: whether vectors of boxes may begin at any element.
    """
    if anywhere or min(vector.width for vector in vectors) * kind.bytes <= SINGLE:
        box = _better_box(permutation, kind, kernel, vectors, anywhere=anywhere)
    else:
        box = _box_of_long_runs(permutation, kind)
    return kernel if box is None else boxed_kernel(permutation, box)


def instead_of_interleaving(
    permutation: Permutation, kind: DataType, kernel: Kernel, vector: Vectors, *, anywhere: bool
) -> Kernel:
    """The same of an interleaved kernel, which loads and stores vectors that are as long."""
    box = None
    if anywhere or len(permutation.merged.lengths) > FOLLOWING:
        box = _better_box(permutation, kind, kernel, (vector, vector), anywhere=anywhere)
    return kernel if box is None else boxed_kernel(permutation, box)


def _better_box(
    permutation: Permutation,
    kind: DataType,
    kernel: Kernel,
    vectors: tuple[Vectors, Vectors],
    *,
    anywhere: bool,
) -> Box | None:
    move = _move(permutation)
    return None if move is None else better_box(move, kind, kernel, vectors, anywhere=anywhere)


def _box_of_long_runs(permutation: Permutation, kind: DataType) -> Box | None:
    """The box of small matrices that follow each other, on both sides, where vectors must be aligned.

    On an H200 it is as fast as a copy, and tiles of such matrices are partly empty; bytes are read one by
    one from shared memory, of which tiles have whole words.
    """
    move, matrix = _move(permutation), permutation.extent
    if move is None or kind.bytes == 1 or math.prod(map(int, matrix)) * kind.bytes > SMALL_MATRIX:
        return None
    box = planned_box(move, kind, anywhere=False)
    is_long = box and all(box.runs(side).length * kind.bytes >= LONG_RUN for side in SIDES)
    return box if is_long else None


def boxed_kernel(permutation: Permutation, box: Box) -> Kernel:
    """The permutation moved in boxes."""
    name = kernel_name(
        "permute",
        box.kind.name,
        permutation.lengths,
        *order_words(permutation),
        "in_boxes_of",
        box.lengths,
        box.threads,
        box.vectors,
        "anywhere" if any(map(box.begins_anywhere, SIDES)) else "",
    )
    source, target = map(box.begins_anywhere, SIDES)
    says = BoxMeaning(
        name,
        f"{meaning(permutation)}, {box.kind.word}, in boxes",
        tensor_arguments(permutation, box.kind, (source, target)),
        reference_of(permutation, box.kind),
        tuple(claims_of_permutation(permutation, Domain())),
    )
    return box_kernel(box, says)
