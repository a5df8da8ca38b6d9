"""C compiled for this machine, kept by its content, and loaded.

The compiler is the clang that compiles kernels (``compile.toolchain``); no C library is linked: what is
called (``malloc``, ``memcpy``, mathematics) is there in the Python process.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from layoutalg.codegen.compile.toolchain import find_toolchain, run
from layoutalg.codegen.gfx9.native.row_source import RowSource
from layoutalg.errors import ToolError
from layoutalg.files import user_cache, write_bytes

__all__ = ["is_compiled", "machine_library", "rows_library"]

HERE = Path(__file__).parent
FLAGS = (
    "-O2", "-march=native", "-std=c11", "-ffp-contract=off", "-fwrapv", "-fno-math-errno",
    "-fno-strict-aliasing", "-fPIC", "-w",
)  # fmt: skip
CPU_INFO = Path("/proc/cpuinfo")


def folder() -> Path:
    """Where compiled C is kept."""
    return user_cache() / "native"


@cache
def machine_library() -> ctypes.CDLL:
    """The machine that runs programs (``machine.c``)."""
    headers = sorted(HERE.glob("*.h"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*headers, HERE / "machine.c"])
    return _loaded(_compiled(HERE / "machine.c", text))


def rows_library(rows: Sequence[RowSource]) -> ctypes.CDLL:
    """The functions ``row0``, ``row1``, ... of rows, in their order."""
    text = _text_of(rows)
    return _loaded(_compiled(None, text))


def is_compiled(rows: Sequence[RowSource]) -> bool:
    """Whether these rows lie there already."""
    return _place(_text_of(rows)).exists()


def _text_of(rows: Sequence[RowSource]) -> str:
    header = (HERE / "rows.h").read_text(encoding="utf-8")
    tables = dict(table for row in rows for table in row.tables)
    functions = [row.text.replace("NAME", f"row{number}", 1) for number, row in enumerate(rows)]
    return "\n".join([header, *tables.values(), *functions]) + "\n"


@cache
def _cpu() -> str:
    """What the code that the compiler makes for this machine depends on."""
    try:
        lines = CPU_INFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return f"{platform.machine()} {platform.processor()} {flags}"


def _place(text: str) -> Path:
    digest = hashlib.sha256("\0".join((text, *FLAGS, _cpu(), *find_toolchain().clang)).encode()).hexdigest()
    return folder() / f"{digest[:32]}.so"


def _compiled(file: Path | None, text: str) -> Path:
    """The shared object of a file, or of a text; compiled where it is not there yet."""
    place = _place(text)
    if place.exists():
        return place
    tools = find_toolchain()
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        source = file
        if source is None:
            source = made / "rows.c"
            source.write_text(text, encoding="utf-8")
        run([*tools.clang, *FLAGS, "-x", "c", "-c", str(source), "-o", str(made / "code.o")])
        run([*tools.linker, "-shared", str(made / "code.o"), "-o", str(made / "code.so")])
        _keep(place, (made / "code.so").read_bytes())
    return place


def _keep(place: Path, content: bytes) -> None:
    try:
        write_bytes(place, content)
    except OSError as error:
        msg = f"cannot keep compiled C in {place.parent}: {error.strerror}"
        raise ToolError(msg, hint="XDG_CACHE_HOME names another folder") from None


def _loaded(place: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(place))
    except OSError as error:  # a function that this processor has no instruction for
        raise ToolError(str(error)) from None
