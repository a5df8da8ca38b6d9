"""``libamdhip64.so`` for tests, built by zig: HIP's runtime, whose GPU is a device of ours."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

__all__ = ["FOLDER", "ZIG", "library"]

FOLDER = Path(__file__).parent
ZIG = (sys.executable, "-m", "ziglang")
WARNINGS = ("-std=gnu11", "-Wall", "-Wextra", "-Werror")


@cache
def library() -> Path:
    """The library, in a folder of its own; built once a process."""
    found = Path(mkdtemp(prefix="layoutalg-hip-")) / "libamdhip64.so"
    source = FOLDER / "libamdhip64.c"
    command = [*ZIG, "cc", "-O1", *WARNINGS, "-shared", "-fPIC", str(source), "-o", str(found)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return found
