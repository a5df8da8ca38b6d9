"""Assembly text to an object file and on to a code object, with the tools that compile."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from layoutalg.codegen.compile.toolchain import Toolchain, find_toolchain, run

__all__ = ["assemble", "link"]

TEXTS = 64  # kept


def assemble(text: str, target: str, toolchain: Toolchain | None = None) -> bytes:
    """The ELF object file of an assembly text, not linked; :class:`ToolError` says what clang refused.

    A text of this process is assembled once.

    >>> assemble("v_add_f32 v0, v1, v2", "gfx942")[1:4]
    b'ELF'
    """
    return _assembled(text, target, toolchain or find_toolchain())


@lru_cache(maxsize=TEXTS)
def _assembled(text: str, target: str, tools: Toolchain) -> bytes:
    with tempfile.TemporaryDirectory(prefix="layoutalg-") as folder:
        source, made = Path(folder) / "code.s", Path(folder) / "code.o"
        source.write_text(text, encoding="utf-8")
        flags = ("-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-c")
        run([*tools.clang, *flags, str(source), "-o", str(made)])
        return made.read_bytes()


def link(unlinked: bytes, toolchain: Toolchain | None = None) -> bytes:
    """The code object of one object file."""
    tools = toolchain or find_toolchain()
    with tempfile.TemporaryDirectory(prefix="layoutalg-") as folder:
        source, made = Path(folder) / "code.o", Path(folder) / "code.co"
        source.write_bytes(unlinked)
        run([*tools.linker, "-shared", str(source), "-o", str(made)])
        return made.read_bytes()
