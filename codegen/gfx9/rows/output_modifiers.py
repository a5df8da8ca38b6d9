"""What modifiers and modes make of a row: results times a power of two, kept in a range, denormals as 0.

``mul:2``, ``mul:4`` and ``div:2`` scale a float result, where neither IEEE mode nor denormal results are on
(else they change nothing): denormals and minus zero then become 0. ``clamp`` keeps a float in 0 to 1 (0 if
it is no number, as DX10_CLAMP = 1 says) and an integer in its type's range.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 6.2 (output modifiers, clamping).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.rows.float_rows import maximum, minimum
from layoutalg.codegen.gfx9.rows.row import TYPES, VectorRow

__all__ = ["OUTPUT_MODIFIERS", "clamped", "with_modes"]

OUTPUT_MODIFIERS = {"clamp", "mul", "div"}
FACTORS = {("mul", "2"): 2.0, ("mul", "4"): 4.0, ("div", "2"): 0.5}
TINY = np.finfo(np.float32).tiny


def with_modes(
    row: VectorRow, instruction: Instruction, *, flushes: bool, scaled_kinds: frozenset[str] = frozenset()
) -> Callable[..., Any] | None:
    """The meaning of a row under an instruction's output modifiers; None if they have none there."""
    given = instruction.modifiers
    kind = row.results[0]
    changes = OUTPUT_MODIFIERS & set(given)
    is_float = kind.startswith("f")
    if any((name, given[name]) not in FACTORS for name in changes - {"clamp"}):
        return None
    if is_float and len(row.results) == 1 and kind not in scaled_kinds:
        changes &= {"clamp"}
        given = {name: value for name, value in given.items() if name not in ("mul", "div")}
    if changes and not is_float:
        return row.saturated if changes == {"clamp"} else None
    if changes and len(row.results) > 1:
        return None
    flushed = flushes and "f32" in (
        *row.results,
        *row.sources,
        *(name.removeprefix("old.") for name in row.sources),
    )
    if not changes and not flushed:
        return row.meaning
    kinds = [name.removeprefix("old.") for name in row.sources]

    def meaning(*values: Any) -> Any:
        if flushed:
            values = tuple(_flushed(v) if name == "f32" else v for v, name in zip(values, kinds, strict=True))
        found = row.meaning(*values)
        if changes:
            found = _changed(found.astype(TYPES[kind]), given)
        if not flushed:
            return found
        results = found if len(row.results) > 1 else (found,)
        done = tuple(
            _flushed(r.astype(np.float32)) if name == "f32" else r
            for r, name in zip(results, row.results, strict=True)
        )
        return done if len(row.results) > 1 else done[0]

    return meaning


def _flushed(value: Any) -> Any:
    """0, of the same sign, for floats that are not normal."""
    return np.where(np.abs(value) < TINY, value * np.float32(0), value)


def _changed(value: Any, given: Mapping[str, str]) -> Any:
    for (name, by), factor in FACTORS.items():
        if given.get(name) == by:
            number = value.dtype.type
            value = value * number(factor)
            value = np.where(np.abs(value) < np.finfo(number).tiny, number(0), value)
    return clamped(value) if "clamp" in given else value


def clamped(value: Any) -> Any:
    """A float kept in 0 to 1, 0 if it is no number."""
    zero, one = value.dtype.type(0), value.dtype.type(1)
    return np.where(np.isnan(value), zero, minimum(maximum(value, zero), one))
