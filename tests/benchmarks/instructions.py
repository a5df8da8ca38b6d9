"""How many gfx942 instructions a compiler makes of an index expression whose ranges it is told."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from layoutalg import Domain
from layoutalg.codegen.compile.toolchain import find_toolchain, run
from layoutalg.index_code.c_text import CText
from layoutalg.term.parse import parse_term

__all__ = ["instructions"]

NOT_COUNTED = {"s_waitcnt", "s_setpc_b64", "s_nop"}
FLAGS = ("--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-x", "c", "-w", "-O3", "-S", "-o", "-")


def instructions(case: Mapping[str, Any], text: str) -> int:
    """The instructions of a function of 32-bit integers, without waits and the return."""
    spelled = CText(Domain.from_corpus(case))
    parameters = [f"int {row['name']}" for row in (*case["params"], *case["vars"])]
    lines = [f"int f({', '.join(parameters)}) {{"]
    for row in case["params"]:
        name = row["name"]
        ranges = [f"{name} >= {row['lo']}", f"{name} <= {row['hi']}", f"{name} % {row['multiple_of']} == 0"]
        lines += [f"  __builtin_assume({fact});" for fact in ranges]
    for row in case["vars"]:
        ends = [
            f"{row['name']} >= {row['lo']}",
            f"{row['name']} < {spelled.text(parse_term(str(row['hi'])))}",
        ]
        lines += [f"  __builtin_assume({fact});" for fact in ends]
    lines += [f"  return {spelled.text(parse_term(text))};", "}"]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "f.c"
        source.write_text("\n".join(lines), encoding="utf-8")
        assembly = run([*find_toolchain().clang, *FLAGS, str(source)])
    body = assembly.split("\nf:", 1)[1].split(".Lfunc_end", 1)[0]
    words = [line.split(";")[0].split() for line in body.splitlines()]
    names = [word[0] for word in words if word and not word[0].startswith(".") and not word[0].endswith(":")]
    return sum(name not in NOT_COUNTED for name in names)
