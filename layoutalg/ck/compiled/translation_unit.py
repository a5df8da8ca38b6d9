"""CK Tile's functions in one translation unit, compiled for a target without generating code.

Clang of the wheel ``ziglang`` reads CK's own headers, with a stand-in for HIP's; what it says of each case
tells whether its assertions hold.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from layoutalg.codegen.compile.toolchain import run
from layoutalg.errors import ToolError
from layoutalg.extras import install_command

__all__ = ["Cases", "Outcome", "flags", "included", "judged", "said_of"]

STAND_IN = Path(__file__).parent
OPS = [
    "gemm",
    "fmha",
    "flatmm",
    "fused_moe",
    "gemm_quant",
    "gemm_group_quant",
    "epilogue",
    "batched_transpose",
    "reduce",
    "pooling",
    "layernorm2d",
    "rmsnorm2d",
    "smoothquant",
    "add_rmsnorm2d_rdquant",
    "topk_softmax",
    "elementwise",
    "image_to_column",
    "grouped_convolution",
]
ON = [
    "THREADS",
    "MONOTONIC_CLOCK",
    "MUSL_LIBC",
    "FILESYSTEM",
    "RANDOM_DEVICE",
    "LOCALIZATION",
    "UNICODE",
    "WIDE_CHARACTERS",
    "TERMINAL",
]


UNIVERSAL = "ops/gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp"
LATE = (  # what gemm.hpp includes behind its use in versions before that file
    "ops/gemm/block/block_gemm_problem.hpp",
    "ops/gemm/block/block_gemm_a*_bsmem_*.hpp",
    "ops/gemm/block/block_gemm_areg_bgmem_creg_v1_default_policy.hpp",
    "ops/gemm/block/*.hpp",
    "ops/gemm/pipeline/*problem.hpp",
    "ops/gemm/pipeline/*default_policy.hpp",
)
FORGIVEN = (  # what comes of the stand-in: its __host__, its functions without bodies
    "deduction guide cannot be declared 'constexpr'",
    "is used but not defined in this translation unit",
)


@dataclass
class Outcome:
    """Which cases agree, which differ, which do not compile for another reason, how many have no text."""

    agree: list[str]
    differ: dict[str, str]
    not_compiled: dict[str, str]
    left_out: Counter[str]


def flags(arch: str, *, host: bool) -> list[str]:
    """The flags that read CK's headers as code of the device, or of the host."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise ToolError("compiling CK's headers needs the wheel ziglang", hint=install_command("compile"))
    lib = Path(spec.origin).parent / "lib"
    folders = ["libcxx/include", "libcxxabi/include", "include", "libc/include/x86_64-linux-musl"]
    folders += ["libc/include/generic-musl", "libc/include/x86-linux-any", "libc/include/any-linux-any"]
    found = ["-x", "hip", f"--offload-arch={arch}", "-fno-access-control", "-nogpulib", "-nogpuinc"]
    device, on_host = ["--offload-device-only", "-std=c++20"], ["--offload-host-only", f"-D__{arch}__"]
    on_host += ["-DSTAND_IN_CONSTEXPR", "-Wno-invalid-constexpr", "-std=c++23"]
    found += on_host if host else device
    found += ["-nostdinc++", "-nostdlibinc", "-nobuiltininc", "-fsyntax-only", "-w"]
    found += [
        "-ferror-limit=0",
        "-Wno-missing-template-arg-list-after-template-kw",
        "-isystem",
        str(STAND_IN),
    ]
    found += [flag for folder in folders for flag in ("-isystem", str(lib / folder))]
    found += [f"-D_LIBCPP_HAS_{name}=1" for name in ON]
    found += ["-D_LIBCPP_ABI_VERSION=1", "-D_LIBCPP_ABI_NAMESPACE=__1", "-D_LIBCPP_PSTL_BACKEND_SERIAL"]
    found += ["-D_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0", "-D_LIBCPP_HAS_TIME_ZONE_DATABASE=1"]
    found += ["-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE"]
    return [*found, "-D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE"]


Cases = dict[int, tuple[str, str]]


def every_operation(root: Path) -> str:
    """The lines that include all of a tree, first what some versions include too late."""
    folder = root / "include/ck_tile"
    patterns = () if (folder / UNIVERSAL).is_file() else LATE
    late = [path.relative_to(folder.parent) for name in patterns for path in sorted(folder.glob(name))]
    first = "".join(f'#include "{path}"\n' for path in late)
    return included([]) + first + included([name for name in OPS if (folder / f"ops/{name}.hpp").is_file()])


def stand_in_for_assembly(root: Path, folder: Path) -> None:
    """An empty text for included assembly that a source distribution leaves out."""
    for path in (root / "include/ck_tile").rglob("*.hpp"):
        for name in re.findall(r'#include "(uk/[^"]*\.inc)"', path.read_text(encoding="utf-8")):
            made = folder / name
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text('""', encoding="utf-8")


def included(ops: Sequence[str]) -> str:
    """The lines that include the core and the headers of these operations."""
    names = ["core", *(f"ops/{name}" for name in ops)]
    return "".join(f'#include "ck_tile/{name}.hpp"\n' for name in names)


def said_of(
    rows: Cases,
    root: Path,
    arch: str,
    *,
    host: bool,
    heads: str = "",
    more: Sequence[str] = (),
) -> str:
    """What the compiler says of a translation unit with these cases; ``more`` are flags."""
    text = heads or every_operation(root) + "#undef VectorLoadSize\n"  # a macro of older versions
    body = "\n".join(case for _, case in rows.values())
    with tempfile.TemporaryDirectory() as folder:
        stand_in_for_assembly(root, Path(folder))
        source = Path(folder) / "cases.hip"
        source.write_text(f"{text}\n{body}\n", encoding="utf-8")
        command = [sys.executable, "-m", "ziglang", "clang", *flags(arch, host=host), *more]
        try:
            run([*command, f"-I{root}/include", f"-I{folder}", str(source)])
        except ToolError as error:
            return error.message
    return ""


def judged(said: str, found: dict[int, tuple[str, str]], left_out: Counter[str]) -> Outcome:
    """Which case each error belongs to: the one its own place or its notes name."""
    outcome = Outcome([], {}, {}, left_out)
    blocks = re.split(r"\n(?=\S+:\d+:\d+: (?:fatal )?error: )", f"\n{said}")
    wrong: dict[int, str] = {}
    for block in blocks[1:]:
        names = re.findall(r"\bcase(\d+)\b", block)
        if not names and any(text in block for text in FORGIVEN):
            continue
        if not names:
            raise AssertionError(f"an error outside of all cases: {block[:400]}")
        number = int(names[0])
        if number not in wrong or (is_mismatch(block) and not is_mismatch(wrong[number])):
            wrong[number] = block
    for number, (target, _) in found.items():
        block = wrong.get(number, "")
        if not block:
            outcome.agree.append(target)
        elif is_mismatch(block):
            outcome.differ[target] = block
        else:
            outcome.not_compiled[target] = block
    return outcome


def is_mismatch(block: str) -> bool:
    """Whether it is one of our assertions that failed, and not CK's own or a missing name."""
    first = block.partition("\n")[0]
    return "static assertion failed" in first and "MISMATCH" in first
