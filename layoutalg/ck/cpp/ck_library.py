"""The two libraries of layouts in CK's tree: CK Tile and the one before it, which is called old CK here.

Each has a namespace, a folder of headers, and a header that configures the others. A path is written as C++
includes it, ``ck/...`` or ``ck_tile/...``; without either it is one of CK Tile.

>>> library_of("ck/tensor_operation/gpu/grid/gridwise_gemm_xdl_cshuffle_v3.hpp").space
'ck'
>>> library_of("ops/gemm/pipeline").space
'ck_tile'
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CK_TILE", "OLD_CK", "CkLibrary", "library_of"]


@dataclass(frozen=True)
class CkLibrary:
    """A library of CK's tree: its namespace, its folder, and the header that is read before the others."""

    space: str
    folder: str
    configuration: str
    shown: str = "include/"  # what lists leave out of the names of files


CK_TILE = CkLibrary("ck_tile", "include/ck_tile", "include/ck_tile/core/config.hpp", "include/ck_tile/")
OLD_CK = CkLibrary("ck", "include/ck", "include/ck/ck.hpp")


def library_of(path: str) -> CkLibrary:
    """The library that a path, or a target that starts with one, belongs to."""
    inside = path.removeprefix("include/")
    return OLD_CK if inside.split("/", 1)[0] == OLD_CK.space else CK_TILE
