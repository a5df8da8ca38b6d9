"""Defects of compilers that would silently give wrong numbers: looked for by a probe, and refused."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from layoutalg.codegen.compile.toolchain import Toolchain, run
from layoutalg.errors import UnfitCompilerError

__all__ = ["refuse_known_defects"]

SCALED = "__builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4"
SECOND_BYTES = "op_sel:[1,1,0]"  # what the instruction says that takes byte 1 of both registers of scales
PROBE = f"""
typedef int operand __attribute__((ext_vector_type(8)));
typedef float sums __attribute__((ext_vector_type(16)));
extern "C" __attribute__((global)) void probe(operand *a, sums *c, int *scales)
{{
    c[0] = {SCALED}(a[0], a[1], c[0], 0, 0, 1, scales[0], 1, scales[1]);
}}
"""


def refuse_known_defects(assembly: str, tools: Toolchain) -> None:
    """Refuse what a compiler made that is known to make such kernels wrong.

    Clang 20 leaves out which byte of a register a block scale is (llvm-project pull request 140183). Versions
    do not tell, since distributions mend older ones: a kernel of one instruction does.
    """
    if "v_mfma_scale_" in assembly and not _names_bytes_of_scales(tools):
        msg = f"{tools.version} takes byte 0 for every block scale, which gives wrong numbers"
        raise UnfitCompilerError(
            msg, hint="take clang 21 or later, which has llvm-project pull request 140183"
        )


@cache
def _names_bytes_of_scales(tools: Toolchain) -> bool:
    with tempfile.TemporaryDirectory(prefix="layoutalg-") as folder:
        hip, assembly = Path(folder) / "probe.hip", Path(folder) / "probe.s"
        hip.write_text(PROBE, encoding="utf-8")
        run(
            [
                *(*tools.clang, "-x", "hip", "--offload-arch=gfx950", "--offload-device-only", "-O3"),
                *(*tools.source_flags, "-S", str(hip), "-o", str(assembly)),
            ]
        )
        return SECOND_BYTES in assembly.read_text(encoding="utf-8")
