"""What a row of the table of vector arithmetic says: types of results and sources, and the meaning on arrays.

Types: ``u32 i32 f32 u16 i16 f16`` one register, ``u64 i64 f64`` two, ``mask`` a bit a lane in two scalar
registers, ``exec`` the lanes that are on. In no operand stand ``lane``, the number of the lane, ``vcc``, its
bit there, ``old`` and ``old1``, the first and second register written, as they were (``old.f32`` names their
type).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["TYPES", "VectorRow", "row"]

TYPES: dict[str, Any] = {
    "u32": np.uint32,
    "i32": np.int32,
    "f32": np.float32,
    "u64": np.uint64,
    "i64": np.int64,
    "f64": np.float64,
    "u16": np.uint16,
    "i16": np.int16,
    "f16": np.float16,
}


@dataclass(frozen=True)
class VectorRow:
    """Result types (usually one), source types, and the meaning on arrays.

    ``low_from_low``: the low word of a 64-bit result depends on low words alone, so a compiler may
    leave the high word of a source without a value where only the low word is used. ``saturated``: an
    integer's meaning with ``clamp``.
    """

    results: tuple[str, ...]
    sources: tuple[str, ...]
    meaning: Callable[..., Any]
    low_from_low: bool = False
    saturated: Callable[..., Any] | None = None


def row(
    signature: str,
    meaning: Callable[..., Any],
    *,
    low_from_low: bool = False,
    saturated: Callable[..., Any] | None = None,
) -> VectorRow:
    """A row from ``"results = sources"`` and a meaning.

    >>> row("u32 mask = u32 u32", max).results
    ('u32', 'mask')
    """
    results, _, sources = signature.partition("=")
    return VectorRow(tuple(results.split()), tuple(sources.split()), meaning, low_from_low, saturated)
