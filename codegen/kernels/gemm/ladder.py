"""The ladder of GEMMs, each rung a step faster: from CK Tile's naive tutorial to a pipelined kernel.

>>> configured("xor", element="i8").tile, configured("xor", element="i8").output
((256, 128, 64), 'i32')
"""

from __future__ import annotations

from typing import Any

from layoutalg.codegen.kernels.gemm.builtins import accumulator
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.data_type import DataType
from layoutalg.machine import Target
from layoutalg.reading.near_names import not_one_of

__all__ = ["ELEMENTS", "RUNGS", "configured"]

TILE_K_BYTES = {1: 64, 3: 192}  # of a row of a tile, by the words that hold whole numbers

RUNGS: dict[str, dict[str, Any]] = {
    "naive": {},
    "padded": {"lds": "padded"},
    "16x16": {"lds": "padded", "instruction": (16, 16)},
    "xor": {"lds": "xor", "instruction": (16, 16), "reads_whole_vectors": True},
    "prefetch": {"lds": "xor", "instruction": (16, 16), "reads_whole_vectors": True, "order": "prefetch"},
    "double": {"lds": "xor", "instruction": (16, 16), "reads_whole_vectors": True, "order": "double"},
    "pipelined": {"lds": "xor", "instruction": (16, 16), "reads_whole_vectors": True, "order": "pipelined"},
    "staged": {
        "lds": "xor",
        "instruction": (16, 16),
        "reads_whole_vectors": True,
        "order": "pipelined",
        "stages_result": True,
    },
}
# Element: what C is stored as, M and N of the tile.
ELEMENTS: dict[str, tuple[str, tuple[int, int]]] = {
    "f16": ("f16", (256, 128)),
    "bf16": ("bf16", (256, 128)),
    "i8": ("i32", (256, 128)),
    "f8": ("f32", (256, 128)),
    "bf8": ("f32", (256, 128)),
    "f6_word": ("f32", (128, 128)),
    "bf6_word": ("f32", (128, 128)),
    "f4x2": ("f32", (256, 128)),
    "f32": ("f32", (256, 128)),
    "f64": ("f64", (128, 128)),
}


def configured(
    rung: str = "naive", *, target: str = "gfx942", element: str = "f16", **fields: Any
) -> GemmConfig:
    """The configuration of a rung for a target and a type; ``fields`` change what they name.

    Refused: a type for which the target has no matrix instruction, naming those that it has.
    """
    if rung not in RUNGS:
        raise not_one_of("a rung", rung, RUNGS, where="gemm")
    if element not in ELEMENTS:
        raise not_one_of("an element type", element, ELEMENTS, where="gemm")
    output, (tile_m, tile_n) = ELEMENTS[element]
    kind = DataType.named(element)
    made: dict[str, Any] = {
        "target": target,
        "element": kind.on(target).name if kind.by_target else element,
        "output": output,
        "tile": (tile_m, tile_n, TILE_K_BYTES[kind.unpacked[2]] // kind.bytes),
        **RUNGS[rung],
    }
    if element == "f64":  # there is no 32x32 instruction, and C takes much of shared memory
        made["instruction"] = (16, 16)
        if fields.get("stages_result", made.get("stages_result")):
            made["waves"] = (2, 2)
    if Target.named(target).wave_size == 32:  # nor here, and a lane holds twice as much of C
        made |= {"instruction": (16, 16), "tile": (128, 128, made["tile"][2]), "waves": (4, 2)}
    if fields.get("order") == "direct":  # through buffer resources
        made["has_tails"] = True
    if fields.get("split_k", 1) > 1 or fields.get("adds_atomically"):
        made["output"] = accumulator(element)
    if fields.get("adds_atomically"):  # lanes side by side add to neighbours
        made |= {"is_c_transposed": False, "stages_result": False}
    return GemmConfig(**{**made, **fields})
