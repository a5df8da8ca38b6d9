"""LLVM's own disassembler, where there is one: the oracle of the decoder.

``LAYOUTALG_LLVM_OBJDUMP`` names the program, or is ``required``: then its absence is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from layoutalg.codegen.compile.assemble import assemble

__all__ = ["SLOT", "disassembled", "version"]

PROGRAMS = ("llvm-objdump-22", "llvm-objdump-19")
SLOT = 16  # bytes, filled up with s_nop
NOP = 0xBF800000
_LINE = re.compile(r"^\s+(\S.*?)\s*// ([0-9A-F]{12}):")


@cache
def program() -> str:
    told = os.environ.get("LAYOUTALG_LLVM_OBJDUMP", "")
    names = (told,) if told not in {"", "required"} else PROGRAMS
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None and told:
        pytest.fail(f"LAYOUTALG_LLVM_OBJDUMP={told}, and there is no {' or '.join(names)}")
    if found is None:
        pytest.skip(f"no {' or '.join(PROGRAMS)}: Debian's packages have them")
    return found


@cache
def version() -> int:
    done = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True)
    (found,) = re.findall(r"LLVM version (\d+)", done.stdout)
    return int(found)


def disassembled(words: list[tuple[int, ...]], target: str) -> list[str]:
    """LLVM's text for each instruction; empty where it has none."""
    if target == "gfx950" and version() < 20:
        pytest.skip(f"{program()} does not know {target}: LLVM 20 and later do")
    filled = [(*given, *[NOP] * (SLOT // 4 - len(given))) for given in words]
    lines = [f".long {', '.join(map(hex, slot))}" for slot in filled]
    made = assemble("\n".join(lines) + "\n", target)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.o"
        file.write_bytes(made)
        command = [program(), "-d", f"--mcpu={target}", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {int(m[2], 16): " ".join(m[1].split()) for m in map(_LINE.match, done.stdout.splitlines()) if m}
    texts = [found.get(SLOT * number, "") for number in range(len(words))]
    return ["" if text.startswith(".long") or "/*" in text else text for text in texts]
