"""What moves cost in memory: bytes a lane, segments done against needed, vector instructions an element.

``python -m tests.benchmarks.moves`` prints the table for gfx942 and gfx950, from the counters of the CPU
executor; every result is compared with NumPy first. Bytes a lane: the mean over all lanes of all loads
(stores) of global memory. Segments: 64 bytes each, that accesses touched, against the fewest that their
bytes would fit in, loads and stores together. VALU: vector instructions times lanes, an element.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.copy import ConvolutionShape, copy, image_to_column
from layoutalg.codegen.kernels.transpose import permute
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
from layoutalg.machine import Target
from layoutalg.machine.global_memory import GlobalMemory

TARGETS = ("gfx942", "gfx950")
SEGMENT = 64
LANES = 64
Make = Callable[[str], Kernel]
SHORT = [  # lengths and orders of which the fastest dimensions are short
    ((500, 7, 4, 3), (0, 2, 1, 3)),
    ((100, 100, 3), (1, 0, 2)),
    ((100, 100, 17), (1, 0, 2)),
    ((23, 11, 320), (1, 2, 0)),
    ((5, 23, 11, 32), (3, 1, 0, 2)),
]


def padded(lengths: tuple[int, ...], pads: tuple[int, ...]) -> TensorDescriptor:
    """A packed tensor with so many zeros at both ends of each dimension."""
    found = packed(lengths)
    for dimension, zeros in enumerate(pads):
        found = found.pad(dimension, zeros, zeros) if zeros else found
    return found


def copied(source: TensorDescriptor) -> Make:
    """A copy of a tensor to a packed one."""
    return lambda element: copy(source, packed(source.lengths), element)


def permuted(lengths: tuple[int, ...], order: tuple[int, ...], target: str) -> Make:
    """A permutation."""
    return lambda element: permute(lengths, order, element, target=target)


def convolved(n: int, c: int, pixels: tuple[int, int], strides: tuple[int, int] = (1, 1)) -> Make:
    """Image to column for a filter of 3 x 3 that keeps the size."""
    shape = ConvolutionShape(n, c, pixels, (3, 3), strides, (1, 1), (1, 1), (1, 1))
    return lambda element: image_to_column(shape, element)


def moves(target: str) -> Iterator[tuple[str, tuple[str, ...], Make]]:
    """What is measured: a name, element types, and how the kernel is made."""
    kinds = ("f16", "f32", "i8")
    yield "copy 511x513", kinds, copied(packed((511, 513)))
    yield "copy 200x136 pads 1x1", kinds, copied(padded((200, 136), (1, 1)))
    yield "copy 5x50x71 pads 0x1x2", kinds, copied(padded((5, 50, 71), (0, 1, 2)))
    yield "copy 60x70x65 to 102", kinds, copied(packed((60, 70, 65)).permute(1, 0, 2))
    yield "copy 200x200 pads 1x1 to 10", kinds, copied(padded((200, 200), (1, 1)).permute(1, 0))
    turned = padded((64, 128, 96), (1, 1, 1)).permute(2, 0, 1)
    yield "copy 64x128x96 pads 1x1x1 to 201", ("f16",), copied(turned)
    yield "copy 96x80x72 to 120", kinds, copied(packed((96, 80, 72)).permute(1, 2, 0))
    yield "copy 95x81x73 to 120", ("f16",), copied(packed((95, 81, 73)).permute(1, 2, 0))
    yield "im2col 2x28x28x3", kinds, convolved(2, 3, (28, 28))
    yield "im2col 2x28x28x3 strides 2", ("f16",), convolved(2, 3, (28, 28), (2, 2))
    yield "im2col 2x28x28x16", ("f16",), convolved(2, 16, (28, 28))
    yield "permute 511x513 to 10", kinds, permuted((511, 513), (1, 0), target)
    yield "permute 512x512 to 10", kinds, permuted((512, 512), (1, 0), target)
    yield "permute 33x65x95 to 201", ("f16", "f32"), permuted((33, 65, 95), (2, 0, 1), target)
    yield "permute 40x9x31x65 to 1023", ("f16", "f32"), permuted((40, 9, 31, 65), (1, 0, 2, 3), target)
    for lengths, order in SHORT:
        name = f"permute {'x'.join(map(str, lengths))} to {''.join(map(str, order))}"
        yield name, kinds, permuted(lengths, order, target)
    yield "permute 64x6x5x36x8 to 42031", ("f16",), permuted((64, 6, 5, 36, 8), (4, 2, 0, 3, 1), target)


def figures(kernel: Kernel, target: str) -> dict[str, float]:
    """What a run of a kernel cost: ``load`` and ``store`` bytes a lane, ``segments``, ``valu`` an element."""
    counts, elements = counters_of(kernel, target)
    measured = {
        way: counts[f"global_{way}_bytes"] / max(1, counts[f"global_{way}_lanes"])
        for way in ("load", "store")
    }
    done, needed = (
        sum(counts[f"global_{way}_{what}"] for way in measured) for what in ("segments", "segments_needed")
    )
    return measured | {"segments": done / needed, "valu": counts["valu_instructions"] * LANES / elements}


def counters_of(kernel: Kernel, target: str) -> tuple[Mapping[str, int], int]:
    """What a run counted, in segments of memory that all targets have, and elements of the result."""
    compiled = compile_hip(kernel.text, Target.named(target))
    task = Launch(kernel, compiled, {}, inputs_of(kernel, {}, "integers", 0))
    row = replace(GlobalMemory.of(target), line_bytes=SEGMENT)
    with patch.object(GlobalMemory, "of", lambda _: row):
        result = CpuExecutor().run(task)
    found = compare_outputs(task, result.outputs)["out"]
    assert found.is_good, found
    return result.counters, int(result.outputs["out"].size)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--targets", nargs="*", default=TARGETS)
    parser.add_argument("--only", default="", help="moves whose name has this in it")
    given = parser.parse_args()
    console = Console(width=110)
    for target in given.targets:
        table = Table(title=f"Moves on {target}, counted by the CPU executor")
        for title in (
            "move",
            "type",
            "bytes a lane, load",
            "store",
            "segments done / needed",
            "VALU an element",
        ):
            table.add_column(title)
        for name, kinds, make in moves(target):
            for element in kinds if given.only in name else ():
                found = figures(make(element), target)
                table.add_row(
                    name, element, *(f"{found[n]:.2f}" for n in ("load", "store", "segments", "valu"))
                )
        console.print(table)


if __name__ == "__main__":
    main()
