"""Device kernels of CK Tile, compiled from its own headers as its examples compose them."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from layoutalg.ck.compiled.translation_unit import flags
from layoutalg.ck.fetch import find_root
from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.toolchain import run

__all__ = ["GEMMS", "OPERATIONS", "TRANSPOSE", "CkTileKernel"]

HERE = Path(__file__).parent
OPTIMISED = (
    "-O3",
    "-DSTAND_IN_KERNELS",
    "-mllvm",
    "-enable-post-misched=0",
)  # the last as CK's CMakeLists.txt
NO_ALIAS = ("-mllvm", "-enable-noalias-to-md-conversion=0")
UNWANTED = ("-fsyntax-only", "-fno-access-control")


@dataclass(frozen=True)
class CkTileKernel:
    """A source beside this file, and the macros that choose the kernel."""

    source: str
    macros: tuple[tuple[str, str], ...] = ()

    def code_object(self, target: str) -> bytes:
        """What the compiler of the ziglang wheel makes of it for a GPU."""
        return _compiled(self.source, self.macros, target)


@cache
def _compiled(source: str, macros: tuple[tuple[str, str], ...], target: str) -> bytes:
    found = [flag for flag in flags(target, host=False) if flag not in UNWANTED]
    more = [f"-D{name}={value}" for name, value in macros]
    command = [sys.executable, "-m", "ziglang", "clang", *found, *OPTIMISED, *NO_ALIAS, *more]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "kernel.s"
        parts = [
            "--no-gpu-bundle-output",
            "-S",
            f"-I{find_root()}/include",
            str(HERE / source),
            "-o",
            str(made),
        ]
        run([*command, *parts])
        return link(assemble(made.read_text(encoding="utf-8"), target))


def _gemm(pipeline: int, tail: str = "Full", **more: str) -> CkTileKernel:
    usual: Mapping[str, str] = {"TILE": "256,128,32", "WAVES": "2,2,1", "WARP_TILE": "32,32,16"}
    macros = {"PIPELINE": str(pipeline), "TAIL": tail, **usual, **more}
    return CkTileKernel("ck_tile_gemm.hip", tuple(macros.items()))


GEMMS = {
    "V1": _gemm(1),
    "V3": _gemm(3),
    "V4": _gemm(4, "Three"),
    "V3 128x128x64": _gemm(3, TILE="128,128,64", WARP_TILE="16,16,32"),
}
TRANSPOSE = CkTileKernel("ck_tile_transpose.hip")
OPERATIONS = {
    "elementwise": CkTileKernel("ck_tile_elementwise.hip"),
    "reduce": CkTileKernel("ck_tile_reduce.hip"),
    "layer norm": CkTileKernel("ck_tile_layernorm.hip"),
    "add, RMS norm, quantise": CkTileKernel("ck_tile_add_rmsnorm.hip", (("ROWS", "4"),)),
    "add, RMS norm, quantise over waves": CkTileKernel("ck_tile_add_rmsnorm.hip", (("ROWS", "1"),)),
    "smooth, quantise": CkTileKernel("ck_tile_smoothquant.hip"),
    "permute": CkTileKernel("ck_tile_permute.hip"),
    "image to column": CkTileKernel("ck_tile_image_to_column.hip"),
    "top k of softmax": CkTileKernel("ck_tile_topk_softmax.hip"),
    "attention": CkTileKernel("ck_tile_attention.hip", (("DIRECT", "0"),)),
    "attention straight into the LDS": CkTileKernel("ck_tile_attention.hip", (("DIRECT", "1"),)),
}
