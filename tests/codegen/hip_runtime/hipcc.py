"""``hipcc`` by zig: C++ with kernels to a program, linked against the library that has no GPU.

Clang makes the host's side of each launch itself, as under ROCm. zig knows no HIP as a language of its C++
driver, so that its clang compiles, with the headers that the driver would take, and the driver links.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.toolchain import STAND_IN
from layoutalg.codegen.gfx9.assembly import target_of_assembly
from tests.codegen.hip_runtime.library import FOLDER, ZIG, library

__all__ = ["main"]

HOST = "x86_64-linux-gnu"
WARNINGS = ("-Werror", "-Wconversion", "-Wno-sign-conversion", "-Wparentheses", "-Wshadow")
HIP = ("-x", "hip", "-nogpulib", "-nogpuinc", "-nostdinc", "-fms-extensions")


def run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)
    return done.stdout + done.stderr


def host_headers() -> list[str]:
    """The headers of the host, and what zig's driver defines for its C++ library, as the driver tells."""
    with tempfile.TemporaryDirectory() as place:
        empty = Path(place) / "empty.cpp"
        empty.write_text("")
        told = run(*ZIG, "c++", "-target", HOST, "-v", "-c", empty, "-o", empty.with_suffix(".o"))
    command = next(line for line in told.splitlines() if " -cc1 " in line)
    found = re.findall(r"-(isystem|D) (\S+)", command)
    return [f"-{kind}{value}" for kind, value in dict.fromkeys(found)]


def compiled(source: Path, flags: list[str], place: Path) -> Path:
    """The object of a source: code for the GPU inside the host's."""
    include = ["-isystem", FOLDER / "include", "-isystem", STAND_IN, *host_headers()]
    clang = [*ZIG, "clang", *HIP, "-target", HOST, *flags, *WARNINGS, *include]
    assembly, made, found = (place / f"{source.stem}{end}" for end in (".s", ".co", ".o"))
    run(*clang, "--offload-device-only", "--no-gpu-bundle-output", "-S", source, "-o", assembly)
    text = assembly.read_text(encoding="utf-8")
    made.write_bytes(link(assemble(text, target_of_assembly(text))))
    embedded = ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", made]
    run(*clang, "--offload-host-only", "-fPIE", "-fno-exceptions", *embedded, "-c", source, "-o", found)
    return found


def main(arguments: list[str]) -> None:
    output = Path(arguments[arguments.index("-o") + 1])
    sources = [Path(one) for one in arguments if one.endswith(".cpp")]
    flags = [one for one in arguments if one.startswith("-") and one != "-o"]
    with tempfile.TemporaryDirectory() as place:
        objects = [compiled(source, flags, Path(place)) for source in sources]
        operators = FOLDER / "operators.c"
        linked = [*objects, operators, library(), "-lm", "-o", output]
        run(*ZIG, "cc", "-target", HOST, *linked)


if __name__ == "__main__":
    main(sys.argv[1:])
