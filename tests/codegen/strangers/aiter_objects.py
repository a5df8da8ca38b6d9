"""AMD's own code objects, as aiter calls them: where they lie, how arguments stand in their blocks."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from layoutalg.ck.fetch import OBJECTS, PACKAGE, PINNED
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors import run_code_object

__all__ = ["IN_C_AND_IN_PYTHON", "Call", "bf16", "code_object", "code_objects", "from_bf16", "run"]

VARIABLE = "LAYOUTALG_CODE_OBJECTS"  # a folder such as hsa/ of the wheel amd-aiter
FOLDER = Path(os.environ.get(VARIABLE) or PINNED.folder / PACKAGE / OBJECTS)
MENDED_BY = f"layoutalg ck fetch --objects, or set {VARIABLE} to a folder that has it"
SLOT = 16  # bytes that each argument takes in the structs of aiter
IN_C_AND_IN_PYTHON = pytest.mark.parametrize("native", [True, False], ids=["C", "Python"])


@dataclass(frozen=True)
class Call:
    """A launch: workgroups along x, y, z, the arguments in slots of 16 bytes, threads of a workgroup."""

    grid: Sequence[int]
    arguments: Sequence[Any]
    threads: int = 256
    unchecked: Collection[str] = ()


def code_object(name: str) -> bytes:
    """An object by its path in hsa/; the test is skipped where there are none."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no {name}: {MENDED_BY}")
    return path.read_bytes()


def code_objects() -> Sequence[Path]:
    """All of them, anybody's if the folder is; the test is skipped where there are none."""
    found = sorted(FOLDER.rglob("*.co"))
    if not found:
        pytest.skip(f"no *.co: {MENDED_BY}")
    return found


def run(name: str, call: Call, *, native: bool) -> Mapping[str, Any]:
    """The outputs of a launch by the names of the arguments; all of each was written."""
    content = code_object(name)
    slots = dict(zip(range(0, SLOT * len(call.arguments), SLOT), call.arguments, strict=True))
    places = load_object(content).kernel().arguments
    assert set(slots) <= {place.offset for place in places}
    passed = [slots.get(place.offset) for place in places]  # what lies between is padding
    found = run_code_object(
        content, call.grid, [call.threads], passed, native=native, unchecked=call.unchecked
    )
    assert set(found.unwritten.values()) == {0}
    return found.outputs


def bf16(numbers: Any) -> Any:
    """The bits of the nearest numbers of bf16."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(bits: Any) -> Any:
    """The numbers that bits of bf16 mean, exactly."""
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
