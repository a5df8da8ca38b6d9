"""All accesses to a layout of shared memory that a class of old CK makes.

Its functions are called ``Get...BlockDescriptor...``. Their names do not say who accesses the layouts; the
class does: it makes objects that transfer slices, and gives its layouts to a block GEMM.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from layoutalg.ck.block_accesses.block_gemm import accesses_by_block_gemm
from layoutalg.ck.block_accesses.kernel_class import FAILURES, KernelClass, words_of
from layoutalg.ck.block_accesses.thread_access import NotKnown, ThreadAccess
from layoutalg.ck.block_accesses.transfers import accesses_by_transfers
from layoutalg.ck.builders import Builder
from layoutalg.ck.cpp.ck_library import OLD_CK, library_of
from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.errors import LayoutError

__all__ = ["block_accesses", "is_block_layout"]

NAME = re.compile(r"Get\w*Block(Descriptor|Desc)(_\w+)?")
KERNELS = re.compile(r"(^|/)(grid/|gridwise_)")
BOTH = {"write": "writes", "read": "reads"}


def is_block_layout(target: str) -> bool:
    """Whether a function of old CK makes a layout of shared memory, by its name and its file.

    >>> is_block_layout("ck/tensor_operation/gpu/grid/gridwise_a.hpp::Gridwise::GetABlockDescriptor_K0_M_K1")
    True
    >>> is_block_layout("ck/tensor_operation/gpu/block/blockwise_a.hpp::Blockwise::GetCBlockDescriptor_M_N")
    False
    """
    parsed = Target.of(target)
    last = parsed.name.rpartition("::")[2].partition("#")[0]
    is_kernel = library_of(target) is OLD_CK and KERNELS.search(parsed.file) is not None
    return is_kernel and NAME.fullmatch(last) is not None


def block_accesses(
    target: str, bindings: Mapping[str, Any], index: Index
) -> tuple[list[ThreadAccess | NotKnown], frozenset[str]]:
    """The accesses to the layout that a function makes, each once, and the bindings that were read for them.

    What is not known has a reason; a direction in which nothing of the class goes has one too.
    """
    builder, _ = found_builder(index, Target.of(target))
    try:
        with nested_code():
            kernel = KernelClass.of(builder, bindings, index)
            _require_instructions(kernel, index)
            found = list(dict.fromkeys(_every(kernel, builder)))
    except FAILURES as error:
        return [NotKnown("", "access", words_of(error))], frozenset()
    return [*found, *_silent(found)], kernel.read


def _every(kernel: KernelClass, builder: Builder) -> Iterator[ThreadAccess | NotKnown]:
    yield from accesses_by_transfers(kernel, builder.declared.name)
    yield from accesses_by_block_gemm(kernel, builder.declared.name)


def _silent(found: list[ThreadAccess | NotKnown]) -> Iterator[NotKnown]:
    told = {one.direction for one in found}
    for direction, word in BOTH.items():
        if direction not in told:
            yield NotKnown("", direction, f"no transfer or block GEMM that its class names {word} it")


def _require_instructions(kernel: KernelClass, index: Index) -> None:
    """Refuse classes of another family of GPUs: their waves have other lanes."""
    names = [p.name for p in kernel.owner.declared.parameters]
    if index.arch.startswith("gfx9") and any("wmma" in name.lower() for name in names):
        raise LayoutError(f"its class multiplies by WMMA, which {index.arch} does not have")
