"""The second kernel of a split K: the parts of C summed, scaled if that is wanted, and stored in C's type.

A workgroup has up to 1024 neighbours of one row, a thread four of them, or fewer where rows are no multiple.

>>> kernel = parts_sum(3, output="f16")
>>> kernel.name, kernel.grid_for({"M": 256, "N": 132})
('gemm_parts_sum_3_f32_to_f16', (256, 1))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernel import ArrayArgument, Kernel, Result, ScalarArgument
from layoutalg.codegen.kernels.gemm.gemm_problem import LDC, M, N
from layoutalg.codegen.kernels.gemm.reference import ROUNDING, SMALLEST
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix, leading_scalars, leading_words
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.codegen.text.source import INDENT, indented, typedef, unrolled
from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.data_type import DataType, to_numbers
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.length import sizes as make_sizes
from layoutalg.properties import (
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    vector_access_map,
)

__all__ = ["parts_sum"]

THREADS = 256
LD_PARTS = make_sizes("ld_parts")
BLOCK_M, BLOCK_N, THREAD, V, PART = sympy.symbols(
    "block_m block_n thread v part", integer=True, nonnegative=True
)


def parts_sum(
    parts: int,
    summed: str = "f32",
    output: str = "f16",
    *,
    has_scale: bool = False,
    has_leading_dimensions: bool = False,
    vector: int = 4,
) -> Kernel:
    """``C = alpha (P[0] + P[1] + ...) + beta D``, plainly the sum without ``has_scale``.

    ``parts``: as many matrices M x N below each other, of type ``summed``. Any M, and N a multiple of
    ``vector``, the elements of a thread: 1, 2 or 4.
    ``has_leading_dimensions``: rows of the parts begin ``ld_parts`` elements apart, those of C and D ``ldc``.
    """
    _require_possible(parts, vector, output, has_scale)
    held, stored = DataType.named(summed), DataType.named(output)
    factor = "f64" if summed == "f64" else "f32"
    matrices = source, target = _matrices(parts, vector, has_leading_dimensions)
    of_d = replace(target, name="d")
    scale: tuple[ArrayArgument | ScalarArgument, ...] = ()
    if has_scale:
        scale = (of_d.argument(stored), *(ScalarArgument(x, factor) for x in ("alpha", "beta")))
    arguments = (
        source.argument(held),
        target.argument(stored, is_output=True),
        *(ScalarArgument(size) for size in ("M", "N")),
        *leading_scalars(matrices),
        *scale,
    )
    ends = f"_by_{vector}" * (vector != 4) + "_scaled" * has_scale + "_leading" * has_leading_dimensions
    name = f"gemm_parts_sum_{parts}_{summed}_to_{output}{ends}"
    head = f"C = {'alpha * ' if has_scale else ''}sum of {parts} parts{' + beta * D' if has_scale else ''}."
    words = leading_words((*matrices, of_d) if has_scale else matrices, vector * held.bytes)
    sizes, text = _sizes(matrices), _statements(matrices, parts, stored, has_scale)
    return make_kernel(
        name,
        head,
        arguments,
        LaunchShape((M, _blocks(vector)), (THREADS,), sizes),
        SourceText("\n".join([head, *words]), _types(held, stored, vector), text),
        claims=_claims(matrices, sizes),
        accesses=_accesses(matrices, sizes, (held, stored), has_scale),
        reference=PartsReference(parts, held, stored, has_scale),
    )


def _require_possible(parts: int, vector: int, output: str, has_scale: bool) -> None:  # noqa: FBT001
    if parts < 1 or (has_scale and output == "i32"):
        msg = f"parts_sum: wanted at least one part, and no factors of integers; got {parts} to {output}"
        raise LayoutError(msg)
    if vector not in (1, 2, 4):
        raise LayoutError(f"parts_sum: wanted 1, 2 or 4 elements a thread, got {vector}")


def _types(held: DataType, stored: DataType, vector: int) -> list[str]:
    return [typedef(held.hip, vector, "held"), typedef(stored.hip, vector, "stored")]


def _matrices(parts: int, vector: int, is_led: bool) -> tuple[StoredMatrix, StoredMatrix]:  # noqa: FBT001
    """The parts, one below the other, and C."""
    source, target = (LD_PARTS, LDC) if is_led else (None, None)
    return StoredMatrix("parts", parts * M, N, source, vector), StoredMatrix("c", M, N, target, vector)


def _sizes(matrices: Sequence[StoredMatrix]) -> Domain:
    """The admissible sizes: offsets fit 32 bits, those of threads beyond the end of a row included."""
    vector = matrices[0].multiple_of
    parameters: dict[sympy.Symbol, tuple[int | None, ...]] = {M: (1, None), N: (vector, None, vector)}
    facts = [fact for matrix in matrices for fact in matrix.facts]
    for matrix in matrices:
        parameters |= matrix.parameters
        if matrix.leading is not None or matrix.name == "parts":
            facts.append(sympy.Le(matrix.rows * (matrix.step + THREADS * vector), LARGEST_OFFSET))
    return Domain.of({}, parameters, facts)


def _blocks(vector: int) -> sympy.Expr:
    row = THREADS * vector  # elements of a workgroup
    return FloorDiv.unchecked(N + row - 1, sympy.Integer(row))


def _column(vector: int) -> sympy.Expr:
    """The column of an element of a thread."""
    return THREADS * vector * BLOCK_N + vector * THREAD + V


def _statements(
    matrices: Sequence[StoredMatrix],
    parts: int,
    stored: DataType,
    has_scale: bool,  # noqa: FBT001
) -> list[str]:
    source, target = matrices
    vector = source.multiple_of
    of_vector = "[v]" if vector > 1 else ""
    is_led = target.leading is not None
    of_c = "c_place" if is_led else "place"
    element = f"sum{of_vector}"
    if has_scale:
        element = f"alpha * {element} + beta * of_d{of_vector}"
    each = list(unrolled("v", vector)) if vector > 1 else []
    return [
        f"const int column = {THREADS * vector} * blockIdx.y + {vector} * threadIdx.x;",
        "if (column >= N)",
        f"{INDENT}return;",
        f"const int place = {source.step} * blockIdx.x + column;",
        *([f"const int c_place = {target.step} * blockIdx.x + column;"] if is_led else []),
        "held sum = *reinterpret_cast<const held*>(parts + place);",
        *unrolled("part", parts, first=1),
        f"{INDENT}sum += *reinterpret_cast<const held*>(parts + place + part * (M * {source.step}));",
        *([f"const stored of_d = *reinterpret_cast<const stored*>(d + {of_c});"] if has_scale else []),
        "stored result;",
        *each,
        *indented([f"result{of_vector} = ({stored.hip})({element});"], len(each) // 2),
        f"*reinterpret_cast<stored*>(c + {of_c}) = result;",
    ]


def _offsets(matrices: Sequence[StoredMatrix], sizes: Domain) -> tuple[IndexMap, IndexMap]:
    """Where the threads read the parts, and where they store C."""
    source, target = matrices
    vector = source.multiple_of
    column, threads = _column(vector), sympy.Integer(THREADS)
    ends = {BLOCK_M: M, BLOCK_N: _blocks(vector), THREAD: threads, V: sympy.Integer(vector)}
    axes = tuple(Variable(symbol, sympy.Integer(0), end) for symbol, end in ends.items())
    domain = Domain((*axes, *sizes.variables), sizes.facts)
    part = Variable(PART, sympy.Integer(0), sympy.sympify(source.rows / M))
    read = Domain((*axes, part, *sizes.variables), sizes.facts)
    inside = (sympy.Lt(column, N, evaluate=False),)
    return (
        IndexMap(read, (sympy.expand((M * PART + BLOCK_M) * source.step) + column,), inside),
        IndexMap(domain, (BLOCK_M * target.step + column,), inside),
    )


def _accesses(
    matrices: Sequence[StoredMatrix],
    sizes: Domain,
    kinds: tuple[DataType, DataType],
    has_scale: bool,  # noqa: FBT001
) -> Iterator[ClaimedAccess]:
    """All parts and D are read, C is stored."""
    reads, stores = _offsets(matrices, sizes)
    names = {BLOCK_M: "blockIdx.x", BLOCK_N: "blockIdx.y", THREAD: "threadIdx.x"}
    launch = {symbol.name: built_in(name) for symbol, name in names.items()}
    yield ClaimedAccess("parts", "load", kinds[0], reads, launch)
    yield ClaimedAccess("c", "store", kinds[1], stores, launch)
    if has_scale:
        yield ClaimedAccess("d", "load", kinds[1], stores, launch)


def _claims(matrices: Sequence[StoredMatrix], sizes: Domain) -> tuple[Claim, ...]:
    source, target = matrices
    found: list[Claim] = []
    vector = source.multiple_of
    column = _column(vector)
    reads, stores = _offsets(matrices, sizes)
    for offsets, row, matrix, what in (
        (reads, M * PART + BLOCK_M, source, "reads of parts"),
        (stores, BLOCK_M, target, "C stores"),
    ):
        found.append(memory_bounds_map(offsets, matrix.space, what))
        found += matrix.right_places(offsets, (row, column), what)
        found += vector_access_map(offsets, V, vector, what)
        found.append(fits_integer(offsets.outputs, offsets.domain, "int32", what))
    elements = IndexMap(stores.domain, (BLOCK_M, column))
    found += [
        one_to_one_map(elements, "C elements"),
        covers_map(elements, (M, THREADS * vector * _blocks(vector)), "C elements"),
    ]
    if target.leading is not None:
        in_memory = make_naive_tensor_descriptor((M, N), (target.step, 1))
        found.append(one_to_one(in_memory.assuming(sizes), "C in memory"))
    return tuple(found)


@dataclass(frozen=True)
class PartsReference:
    """The sum in NumPy's 64 bits; allowed are a rounding for each operation and one for the result."""

    parts: int
    held: DataType
    stored: DataType
    has_scale: bool

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        numbers = to_numbers(inputs["parts"], self.held)
        pieces = np.array(np.split(numbers, self.parts))
        wanted, sizes = pieces.sum(axis=0), np.abs(pieces).sum(axis=0)
        if self.has_scale:
            alpha, beta = float(inputs["alpha"]), float(inputs["beta"])
            added = beta * to_numbers(inputs["d"], self.stored)
            wanted, sizes = alpha * wanted + added, abs(alpha) * sizes + np.abs(added)
        step = ROUNDING.get(self.held.name, 0.0)
        allowed = (self.parts + 3) * step * sizes
        if step:
            allowed = allowed + ROUNDING.get(self.stored.name, 0.0) * (np.abs(wanted) + allowed)
            allowed += SMALLEST.get(self.stored.name, 0.0)
        return Result({"c": wanted}, {"c": allowed})
