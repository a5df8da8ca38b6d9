"""CK Tile's own results of small programs: compile, execute on the CPU, record.

``python -m tests.golden.build_tile_programs`` writes ``data/tile_programs.json``; with names of programs,
or of files without their ending, it runs those and prints what they gave. Each file of ``tile_programs/``
holds kernels in CK Tile's C++, beside it a module says the same as data. Encodings and sentences are read
from the C++ alone.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.ck.compiled.translation_unit import flags
from layoutalg.ck.fetch import find_root
from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.toolchain import run
from layoutalg.codegen.executors import Output, run_code_object
from tests.golden.tile_programs.words import ELEMENT, Buffer, Program

__all__ = ["encodings", "main", "record", "sentences"]

HERE = Path(__file__).parent / "tile_programs"
DATA = Path(__file__).parent / "data" / "tile_programs.json"
TARGET = "gfx942"
UNWANTED = ("-fsyntax-only", "-fno-access-control")
OPTIMISED = (
    "-O3",
    "-DSTAND_IN_KERNELS",
    "-mllvm",
    "-enable-post-misched=0",
)  # the last two as CK's CMakeLists.txt
STORED = {
    **ELEMENT,
    "bf16": "uint16, bits",
    "fp8": "uint8, bits of e4m3fnuz",
    "bf8": "uint8, bits of e5m2fnuz",
}
FIELDS = ("Rs", "Hss", "Ps2RHssMajor", "Ps2RHssMinor", "Ys2RHsMajor", "Ys2RHsMinor")


def encodings() -> dict[str, dict[str, Any]]:
    """The encodings of ``encodings.hpp`` by name, in the words of the golden files."""
    text = (HERE / "encodings.hpp").read_text(encoding="utf-8")
    found = {}
    for name, fields in re.findall(r"^using (\w+) = encoding<(.*)>;$", text, re.MULTILINE):
        written = re.sub(r"\b[st]<", "[", fields).replace(">", "]")
        found[name] = dict(zip(FIELDS, json.loads(f"[{written}]"), strict=True))
    return found


def sentences(source: Path) -> dict[str, str]:
    """The comment above each kernel, by the kernel's name."""
    text = source.read_text(encoding="utf-8")
    found = re.findall(r"((?:^//.*\n)+)^PROGRAM (?:THREADS\(\d+\) )?(\w+)\(", text, re.MULTILINE)
    return {
        name: " ".join(line.removeprefix("//").strip() for line in said.splitlines()) for said, name in found
    }


def code_object(source: Path) -> bytes:
    """What the compiler of the ziglang wheel makes of a file."""
    found = [flag for flag in flags(TARGET, host=False) if flag not in UNWANTED]
    command = [sys.executable, "-m", "ziglang", "clang", *found, *OPTIMISED, "--no-gpu-bundle-output", "-S"]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "programs.s"
        run([*command, f"-I{find_root()}/include", str(source), "-o", str(made)])
        return link(assemble(made.read_text(encoding="utf-8"), TARGET))


def content(buffer: Buffer) -> NDArray[Any]:
    """The array a buffer holds before the kernel runs; bf16 and fp8 as their bits."""
    said, dtype = buffer.content, np.dtype(ELEMENT[buffer.dtype])
    if "fill" in said:
        return np.full(buffer.shape, said["fill"], dtype)
    if "values" in said:
        return np.array(said["values"]).astype(dtype)
    counted = np.arange(said["arange"])
    made = (counted % said["modulo"] if "modulo" in said else counted) + said.get("start", 0)
    exact = made.astype(dtype)
    if not np.array_equal(exact.astype(np.int64), made):
        msg = f"{buffer.name}: {said} is not exact in {dtype}"
        raise ValueError(msg)
    return exact


def listed(array: NDArray[Any]) -> list[Any]:
    """Numbers that JSON can hold: infinities and NaN as text, whole numbers without a point."""

    def number(value: float) -> Any:
        if isinstance(value, list):
            return [number(part) for part in value]
        if isinstance(value, float) and not np.isfinite(value):
            return str(value)
        return int(value) if value == int(value) and not (value == 0 and np.signbit(value)) else value

    return [number(value) for value in array.tolist()]


def told(buffer: Buffer) -> dict[str, Any]:
    """What an input holds, in JSON's words."""
    said = dict(buffer.content)
    if "values" in said:
        said["values"] = listed(np.array(said["values"], np.float64))
    return {**said, "dtype": buffer.dtype}


def outputs(program: Program, code: bytes) -> dict[str, NDArray[Any]]:
    """What the program leaves in its outputs."""
    arguments = [
        Output(content(buffer), is_initialised=True) if buffer.shape else content(buffer)
        for buffer in program.buffers
    ]
    done = run_code_object(code, program.grid, [program.block], arguments, kernel=program.name)
    names = [buffer.name for buffer in program.buffers if buffer.shape]
    return dict(zip(names, done.outputs.values(), strict=True))


def named_encodings(value: Any) -> set[str]:
    """The encodings that the steps name."""
    if isinstance(value, dict):
        own = {said for word, said in value.items() if word == "encoding" or word.endswith("_encoding")}
        return own.union(*(named_encodings(part) for part in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(named_encodings(part) for part in value))
    return set()


def record(program: Program, source: Path, doc: str, code: bytes, known: dict[str, Any]) -> dict[str, Any]:
    """One case of the golden file."""
    return {
        "name": program.name,
        "file": source.name,
        "doc": doc,
        "program": {
            "grid": list(program.grid),
            "block": program.block,
            "buffers": [
                {"name": b.name, "dtype": b.dtype} | ({"shape": b.shape, **b.content} if b.shape else {})
                for b in program.buffers
            ],
            "encodings": {name: known[name] for name in sorted(named_encodings(program.steps))},
            "steps": program.steps,
        },
        "inputs": {b.name: told(b) for b in program.buffers if not b.shape},
        "outputs": {name: listed(array) for name, array in outputs(program, code).items()},
    }


def main(arguments: list[str] | None = None) -> int:
    """Compile, run, and write, or print what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.build_tile_programs", description=__doc__)
    parser.add_argument(
        "names", nargs="*", help="programs to run and print, or files' names without their ending"
    )
    wanted = set(parser.parse_args(arguments).names)
    known, cases = encodings(), []
    for source in sorted(HERE.glob("*.hip")):
        programs = importlib.import_module(f"tests.golden.tile_programs.{source.stem}").PROGRAMS
        said = sentences(source)
        if missing := {program.name for program in programs} ^ set(said):
            msg = f"{source.name}: described or written, not both: {', '.join(sorted(missing))}"
            raise ValueError(msg)
        chosen = [p for p in programs if not wanted or p.name in wanted or source.stem in wanted]
        if not chosen:
            continue
        start = time.perf_counter()
        code = code_object(source)
        compiled = time.perf_counter()
        cases += [record(program, source, said[program.name], code, known) for program in chosen]
        print(
            f"{source.name}: {len(chosen)} programs, compiled in {compiled - start:.1f} s, "
            f"run in {time.perf_counter() - compiled:.1f} s",
            file=sys.stderr,
        )
    wheel = find_root().name
    about = {"project": "ROCm composable_kernel, CK Tile", "wheel": wheel, "target": TARGET, "dtypes": STORED}
    written = {"schema": "ck-golden-1/tile_programs", "source": about, "cases": cases}
    text = json.dumps(written, separators=(",", ":"), allow_nan=False)
    if wanted:
        print(text)
    else:
        DATA.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
