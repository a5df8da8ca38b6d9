"""Kernels that are right, as text: this package's own as HIP, CK Tile's as assembly.

An edit replaces one piece of the text; what it puts in marks the lines as the files in ``broken`` do.
"""

from __future__ import annotations

import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from layoutalg.ck.compiled.translation_unit import flags
from layoutalg.ck.fetch import find_root
from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.compile.toolchain import run
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.transpose import Permutation, PermuteConfig, PermuteTiles, kernel_of
from tests.codegen.strangers.ck_tile_kernels import GEMMS, HERE, NO_ALIAS, OPTIMISED, TRANSPOSE, UNWANTED

__all__ = ["TARGET", "assembly", "edited", "own", "places"]

CK_TILE = {"transpose": TRANSPOSE, "gemm": GEMMS["V1"]}
TARGET = "gfx942"


@cache
def own(name: str) -> Any:
    """A kernel of this package: two transposes, with a tail and of several waves, and a GEMM.

    >>> own("waves").block
    (256,)
    """
    if name == "gemm":
        return gemm(configured("xor", target=TARGET, element="f16"))
    size, config = {
        "tail": ((100, 100), PermuteConfig("f32", 32, 32, 64)),
        "waves": ((128, 128), PermuteConfig("f32", 64, 64, 256)),
    }[name]
    return kernel_of(PermuteTiles(Permutation.of(size, (1, 0)), config))


@cache
def assembly(name: str) -> str:
    """CK Tile's kernel as assembly, compiled as the strangers' are."""
    kernel = CK_TILE[name]
    found = [flag for flag in flags(TARGET, host=False) if flag not in UNWANTED]
    macros = [f"-D{key}={value}" for key, value in kernel.macros]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "kernel.s"
        command = [sys.executable, "-m", "ziglang", "clang", *found, *OPTIMISED, *NO_ALIAS, *macros]
        run([*command, "--no-gpu-bundle-output", "-S", f"-I{find_root()}/include", str(HERE / kernel.source),
             "-o", str(made)])  # fmt: skip
        return made.read_text(encoding="utf-8")


@cache
def places(name: str) -> tuple[int, ...]:
    """Where the members of the argument of CK Tile's kernel lie, in bytes."""
    found = load_object(link(assemble(assembly(name), TARGET)))
    count = {"transpose": 6, "gemm": 10}[name]
    return tuple(
        np.frombuffer(found.bytes_at(found.symbol("argument_places"), 4 * count), np.uint32).tolist()
    )


def edited(text: str, *edits: tuple[str, str]) -> str:
    """A text after replacements of patterns, each of which has to be there.

    >>> edited("a\\nb", ("^b$", "c"))
    'a\\nc'
    """
    for old, new in edits:
        text, count = re.subn(old, new, text, flags=re.MULTILINE)
        assert count, old
    return text
