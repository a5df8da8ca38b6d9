"""Assembly text to an object file, with the clang that compiles: each text of a process once."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from layoutalg.codegen.compile.toolchain import find_toolchain, run

__all__ = ["assemble"]

TEXTS = 64  # kept


@lru_cache(maxsize=TEXTS)
def assemble(text: str, target: str) -> bytes:
    """The ELF object file of an assembly text, not linked; :class:`ToolError` says what clang refused.

    >>> assemble("v_add_f32 v0, v1, v2", "gfx942")[:4]
    b'\\x7fELF'
    """
    with tempfile.TemporaryDirectory(prefix="layoutalg-") as folder:
        source, made = Path(folder) / "code.s", Path(folder) / "code.o"
        source.write_text(text, encoding="utf-8")
        flags = ("-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-c")
        run([*find_toolchain().clang, *flags, str(source), "-o", str(made)])
        return made.read_bytes()
