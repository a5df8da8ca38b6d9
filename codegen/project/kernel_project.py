"""All files of a kernel's project, written together or not at all.

>>> from layoutalg.codegen.matrix.kernel_matrix import Choice
>>> choice = Choice("transpose", "gfx942", "f32")
>>> list(KernelProject(choice.kernel(), "transpose", "gfx942", choice.small_sizes()).files())
['transpose.hip', 'transpose_launcher.h', 'transpose_launcher.cpp', 'main.cpp', 'Makefile', 'README.md']
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from errno import EEXIST, ENOTDIR
from pathlib import Path
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.project.launcher_text import LauncherText
from layoutalg.codegen.project.program_text import program_text
from layoutalg.files import write_text

__all__ = ["KernelProject", "write_project"]

MAKEFILE = """\
# make check: builds the test and runs it on the GPU that is there.
HIPCC ?= hipcc
TARGET ?= {target}
FLAGS ?= -std=c++17 -O3 -Wall -Wextra

check: test
\t./test

test: {name}_launcher.cpp main.cpp {name}_launcher.h {name}.hip
\t$(HIPCC) $(FLAGS) --offload-arch=$(TARGET) {name}_launcher.cpp main.cpp -o $@

clean:
\trm -f test

.PHONY: check clean
"""
README = """\
# {kernel}

{summary}; for {target}.

`{name}.hip` is the kernel; `{function}` in `{name}_launcher.h` checks its arguments and launches it.
`make check` compares it with loops of the host on a GPU. `make HIPCC=...` takes another compiler.
"""


@dataclass(frozen=True)
class KernelProject:
    """A kernel with the name of its files, the GPU its code is for, and the sizes that its test takes."""

    kernel: Kernel
    name: str
    target: str
    sizes: Mapping[str, Any]

    def files(self) -> dict[str, str]:
        """The text of each file by its name."""
        text = LauncherText(self.kernel, self.name)
        words = {
            "kernel": self.kernel.name,
            "summary": self.kernel.summary,
            "target": self.target,
            "name": self.name,
            "function": text.function,
        }
        return {
            f"{self.name}.hip": self.kernel.text,
            f"{self.name}_launcher.h": text.header(),
            f"{self.name}_launcher.cpp": text.source(),
            "main.cpp": program_text(text, self.sizes),
            "Makefile": MAKEFILE.format(**words),
            "README.md": README.format(**words),
        }


def write_project(project: KernelProject, folder: Path) -> Path:
    """Write all files of a project into a folder that is new or empty; refused is any other.

    They are written beside it and take its place at once.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(ENOTDIR, "is a file; wanted a folder", str(folder))
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(EEXIST, "is not empty; wanted a new or an empty folder", str(folder))
    files = project.files()
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, content in files.items():
            write_text(made / name, content)
        made.chmod(0o755)
        made.replace(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return folder
