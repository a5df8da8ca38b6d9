"""All matrix instructions, and the search for one.

>>> find("v_mfma_f32_16x16x16f16", "gfx90a").cycles
32
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from layoutalg.errors import LayoutError
from layoutalg.machine import known_target
from layoutalg.mma import cdna1, cdna2, cdna3, cdna4, rdna3, rdna4
from layoutalg.mma.matrix_instruction import MatrixInstruction

__all__ = ["MATRIX_INSTRUCTIONS", "find", "of_target"]

_ARCHITECTURES = (cdna1, cdna2, cdna3, cdna4, rdna3, rdna4)
MATRIX_INSTRUCTIONS: tuple[MatrixInstruction, ...] = tuple(
    row for architecture in _ARCHITECTURES for row in architecture.INSTRUCTIONS
)


def of_target(target: str) -> tuple[MatrixInstruction, ...]:
    """All instructions of a target."""
    where = f"there are no matrix instructions of {target!r} here"
    wanted = known_target(target, dict.fromkeys(row.target for row in MATRIX_INSTRUCTIONS), where=where)
    return tuple(row for row in MATRIX_INSTRUCTIONS if row.target == wanted)


def find(name: str, target: str | None = None, wave_size: int | None = None) -> MatrixInstruction:
    """The one instruction with this name, on this target and wave size where they are given."""
    wanted = " ".join(name.lower().split())
    rows = MATRIX_INSTRUCTIONS if target is None else of_target(target)
    found = [row for row in rows if row.name == wanted]
    if not found:
        raise _unknown(wanted, target)
    targets = _listed(row.target for row in found)
    if target is None and "," in targets:
        msg = f"{wanted}: several targets have it, wanted one of {targets}"
        raise LayoutError(msg, hint="they may differ in cycles and in the meaning of FP8")
    waves = _listed(row.wave_size for row in found)
    fitting = [row for row in found if wave_size in (None, row.wave_size)]
    if len(fitting) == 1:
        return fitting[0]
    got = "" if wave_size is None else f"; got {wave_size}"
    msg = f"{wanted}: on {targets} wanted a wave size of {waves}{got}"
    raise LayoutError(msg)


def _unknown(wanted: str, target: str | None) -> LayoutError:
    elsewhere = [row.target for row in MATRIX_INSTRUCTIONS if row.name == wanted]
    if elsewhere:
        return LayoutError(f"{wanted}: {target} does not have it", hint=f"{_listed(elsewhere)} do")
    rows = MATRIX_INSTRUCTIONS if target is None else of_target(target)
    near = get_close_matches(wanted, [row.name for row in rows], n=5, cutoff=0.5)
    where = "" if target is None else f" on {target}"
    hint = f"near names: {_listed(near)}" if near else "MatrixInstruction.of_target(...) lists them"
    return LayoutError(f"there is no dense matrix instruction {wanted!r}{where} here", hint=hint)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(dict.fromkeys(map(str, values)))
