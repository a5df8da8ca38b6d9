"""Old CK's own transfers, compiled for the host and run thread by thread: where each goes in shared memory.

The functions of the device are compiled for the host too. Nothing is told of the interpreter: the classes are
CK's, and so are the transfers; buffers print the offsets that they are asked for.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from layoutalg.ck.compiled.translation_unit import flags
from tests.layoutalg.ck.oracle.executed import FIRST, FOLDER, _run

BOTH = "#undef __device__\n#define __device__ __attribute__((device)) __attribute__((host))\n"
ONCE = "#undef __device__\n#define __device__ __attribute__((device))\n"
UTILITY = "include/ck/utility"
ON_BOTH = ("thread_group", "static_buffer")  # headers that others include early
TARGET = ["-target", "x86_64-linux-musl"]

# Blocks of A and B: the kernel's transfer into shared memory, the copies of its block GEMM out of it.
OPERAND = """
for_every_thread("{letter} write", {threads}, [] {{
    constexpr auto d = Owner::{function}();
    ThreadGroupTensorSliceTransfer_v4r1<typename Owner::ThisThreadBlock, Same, Same,
        InMemoryDataOperationEnum::Set, {slice}, {cluster}, {order}, {type}, {type}, decltype(d), decltype(d),
        Sequence<0, 1, 2>, Sequence<0, 1, 2>, 2, 2, {scalars}, {scalars}, 1, 1, false, true>
        copy(d, make_multi_index(0, 0, 0), Same{{}}, d, make_multi_index(0, 0, 0), Same{{}});
    Recorder<{type}> lds;
    copy.RunWrite(d, lds);
}});
for_every_thread("{letter} read", {threads}, [] {{
    typename P::{letter}ThreadCopy copy{{P::Calculate{letter}ThreadOriginDataIndex()}};
    constexpr auto to = P::{lower}_thread_desc_;
    using Data = typename P::ComputeDataTypeBuf;
    auto regs = make_static_buffer<AddressSpaceEnum::Vgpr, Data>(to.GetElementSpaceSize());
    Recorder<{type}> lds;
    constexpr auto I0 = Number<0>{{}};
    static_for<0, P::KRepeat, 1>{{}}([&](auto k) {{
        static_for<0, to.GetLength(Number<0>{{}}), 1>{{}}([&](auto i) {{
            copy.Run(P::{desc}, make_tuple(i, I0, I0, Number<k * P::{letter}MmaKStride>{{}}), lds, to,
                     make_tuple(i, I0, k, I0), regs);
        }});
    }});
}});
"""
# C: each element of a wave's registers at its row and column; the kernel's transfer out of shared memory.
C_WRITE = """
for_every_thread("C write", {threads}, [] {{
    constexpr auto d = Owner::{function}();
    constexpr auto gemm = P::xdlops_gemm.mfma_instr;
    static_for<0, {m}, 1>{{}}([&](auto m) {{ static_for<0, {n}, 1>{{}}([&](auto n) {{
        const auto at = P::CalculateCThreadOriginDataIndex(m, n, Number<0>{{}}, Number<0>{{}});
        for(int g = 0; g < gemm.num_groups_per_blk; ++g)
            for(int r = 0; r < gemm.group_size; ++r)
            {{
                const int row = at[Number<0>{{}}] + g * gemm.group_size * gemm.num_input_blks + r;
                std::printf(" %d", int(d.CalculateOffset(make_multi_index(0, row, 0, at[Number<1>{{}}]))));
            }}
    }}); }});
}});
"""
C_READ = """
for_every_thread("C read", {threads}, [] {{
    constexpr auto d = Owner::{function}();
    constexpr auto I1 = Number<1>{{}};
    using Slice = Sequence<1, d.GetLength(I1), 1, d.GetLength(Number<3>{{}})>;
    ThreadGroupTensorSliceTransfer_v6r1<typename Owner::ThisThreadBlock, Same, InMemoryDataOperationEnum::Set,
        Slice, {cluster}, Sequence<0, 1, 2, 3>, {type}, {type}, decltype(d), decltype(d),
        Sequence<0, 1, 2, 3>, 3, {scalars}, true, false>
        copy(d, make_multi_index(0, 0, 0, 0), d, make_multi_index(0, 0, 0, 0), Same{{}});
    Recorder<{type}> lds;
    Recorder<{type}, false> other;
    copy.Run(d, lds, d, other);
}});
"""


def program(owner: str, header: str, parts: list[str]) -> str:
    """The text of a program that records some accesses of a kernel's class."""
    included = [*FIRST, "ck/tensor_operation/gpu/element/unary_element_wise_operation.hpp"]
    first = "".join(f'#include "{name}"\n' for name in included)
    heads = f'{first}{BOTH}#include "{header}"\n#include "recorder.h"\n'
    same = "using Same = ck::tensor_operation::element_wise::PassThrough;"
    gemm = "using P = typename Owner::BlockwiseGemmPipe;"
    inside = f"{same} {gemm} static void run() {{ {''.join(parts)} }}"
    probe = f"using Owner = {owner};\nstruct Probe : Owner {{ {inside} }};"
    return f"{heads}using namespace ck;\n{probe}\nint main() {{ Probe::run(); }}\n"


def recorded(text: str, root: Path, arch: str) -> dict[str, list[list[int]]]:
    """What a program prints: by access the sorted offsets of each thread; fails with the compiler's words."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cases.hip").write_text(text, encoding="utf-8")
        own = [f for f in flags(arch, host=True) if f not in {"-fsyntax-only", "-DSTAND_IN_CONSTEXPR"}]
        own += ["-DSTAND_IN_RUNS", "-ivfsoverlay", str(_overlay(root, folder))]
        own += [f"-I{root}/include", f"-I{root}/library/include", f"-I{FOLDER}/old_ck"]
        compiler = [sys.executable, "-m", "ziglang"]
        made, program_file = folder / "cases.o", folder / "cases"
        done = _run(
            [*compiler, "clang", *own, "-c", "-O0", *TARGET, str(folder / "cases.hip"), "-o", str(made)]
        )
        assert done.returncode == 0, done.stderr[:4000]
        stubs = str(FOLDER / "old_ck/hip_stubs.c")
        done = _run([*compiler, "c++", *TARGET, str(made), stubs, "-o", str(program_file)])
        assert done.returncode == 0, done.stderr[:4000]
        return _read(_run([str(program_file)]).stdout)


def _overlay(root: Path, folder: Path) -> Path:
    """Headers in the place of CK's: the numbers of threads, and device functions that the host has too."""
    texts = {"get_id": (FOLDER / "old_ck/thread_ids.h").read_text(encoding="utf-8")}
    for name in ON_BOTH:
        own = (root / UTILITY / f"{name}.hpp").read_text(encoding="utf-8")
        texts[name] = own.replace("#pragma once", f"#pragma once\n{BOTH}") + f"\n{ONCE}"
    rows = []
    for name, text in texts.items():
        (folder / f"{name}.hpp").write_text(text, encoding="utf-8")
        place = str(root / UTILITY / f"{name}.hpp")
        rows.append({"name": place, "type": "file", "external-contents": str(folder / f"{name}.hpp")})
    made = folder / "overlay.yaml"
    made.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": rows}), encoding="utf-8")
    return made


def _read(printed: str) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for line in printed.splitlines():
        head, _, offsets = line.partition(":")
        found.setdefault(head.rpartition(" ")[0], []).append(sorted(set(map(int, offsets.split()))))
    return found
