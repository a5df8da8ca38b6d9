"""The second kernel of a split K: the parts of C summed, what becomes of the sums, and stored in C's type.

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
from layoutalg.codegen.kernels.gemm.approximate import Approximate
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, SCALED, Epilogue
from layoutalg.codegen.kernels.gemm.gemm_problem import LDC, M, N
from layoutalg.codegen.kernels.gemm.reference import ROUNDING, as_stored, becoming
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

__all__ = ["becoming_of", "parts_sum"]

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
    epilogue: str = "",
    has_leading_dimensions: bool = False,
    vector: int = 4,
) -> Kernel:
    """``C = P[0] + P[1] + ...``, or what an epilogue makes of that sum; ``has_scale``: alpha C + beta D.

    ``parts``: as many matrices M x N below each other, of type ``summed``. Any M, and N a multiple of
    ``vector``, the elements of a thread: 1, 2 or 4. ``epilogue``: an expression of ``c``, the sum, as a GEMM
    takes it, or two; its arrays have the type of C.
    ``has_leading_dimensions``: rows of the parts begin ``ld_parts`` elements apart, those of C and D ``ldc``.
    """
    becomes = becoming_of(parts, summed, output, has_scale=has_scale, epilogue=epilogue)
    if vector not in (1, 2, 4):
        raise LayoutError(f"parts_sum: wanted 1, 2 or 4 elements a thread, got {vector}")
    held, stored = DataType.named(summed), DataType.named(output)
    matrices = _matrices(parts, vector, has_leading_dimensions)
    ends = f"_by_{vector}" * (vector != 4) + "_scaled" * has_scale + "_leading" * has_leading_dimensions
    ends += f"_epilogue_{becomes.slug}" if epilogue else ""
    name = f"gemm_parts_sum_{parts}_{summed}_to_{output}{ends}"
    head = _head(parts, becomes, has_scale=has_scale)
    beside = (name for name in (*becomes.outputs[1:], *becomes.arrays) if name in "de")
    words = leading_words((*matrices, *(replace(matrices[1], name=n) for n in beside)), vector * held.bytes)
    sizes, text = _sizes(matrices), _statements(matrices, parts, (held, stored), becomes)
    return make_kernel(
        name,
        head,
        _arguments(matrices, (held, stored), becomes),
        LaunchShape((M, _blocks(vector)), (THREADS,), sizes),
        SourceText(
            "\n".join([head, *words]),
            [*_types(held, stored, vector), *becomes.definitions(_factor(held).hip)],
            text,
        ),
        claims=_claims(matrices, sizes, becomes),
        accesses=_accesses(matrices, sizes, (held, stored), becomes),
        reference=PartsReference(parts, held, stored, becomes),
    )


def _arguments(
    matrices: Sequence[StoredMatrix], kinds: tuple[DataType, DataType], becomes: Epilogue
) -> tuple[ArrayArgument | ScalarArgument, ...]:
    (source, target), (held, stored) = matrices, kinds
    return (
        source.argument(held),
        *(replace(target, name=name).argument(stored, is_output=True) for name in becomes.outputs),
        *(ScalarArgument(size) for size in ("M", "N")),
        *leading_scalars(matrices),
        *(_beside(name, target, stored) for name in becomes.arrays),
        *(ScalarArgument(name, _factor(held).name) for name in becomes.scalars),
    )


def _factor(held: DataType) -> DataType:
    """The type of what becomes of a sum before it is stored."""
    return DataType.named("f64" if held.name == "f64" else "f32")


def _head(parts: int, becomes: Epilogue, *, has_scale: bool) -> str:
    """What the kernel does, in a line."""
    if becomes.is_plain:
        return f"C = sum of {parts} parts."
    if has_scale:
        return f"C = alpha * sum of {parts} parts + beta * D."
    both = "C and E" if len(becomes.outputs) > 1 else "C"
    return f"{both} = {becomes.expression}, where c is the sum of {parts} parts."


def _beside(name: str, c: StoredMatrix, stored: DataType) -> ArrayArgument:
    """An array that the epilogue reads."""
    if name == "d":
        return replace(c, name=name).argument(stored)
    return ArrayArgument(name, stored, (M if ARRAYS[name] == "m" else N,))


def becoming_of(parts: int, summed: str, output: str, *, has_scale: bool, epilogue: str) -> Epilogue:
    """What becomes of the sum of so many parts; refused where that cannot be."""
    if parts < 1:
        raise LayoutError(f"parts_sum: wanted at least one part, got {parts}")
    becomes = Epilogue(epilogue or (SCALED if has_scale else "c"))
    for one, other, why in (
        (has_scale, epilogue, "an epilogue says itself what is scaled"),
        (not becomes.is_plain, output == "i32", "an epilogue or factors, and sums that are integers"),
        (summed == "f64", becomes.needs_floats, "exponentials, and sums of 64 bits"),
    ):
        if one and other:
            raise LayoutError(f"parts_sum: these do not go together: {why}")
    return becomes


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
    matrices: Sequence[StoredMatrix], parts: int, kinds: tuple[DataType, DataType], becomes: Epilogue
) -> list[str]:
    (source, target), (held, stored) = matrices, kinds
    vector = source.multiple_of
    is_led = target.leading is not None
    of_c = "c_place" if is_led else "place"
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
        *(_loaded(array, of_c, stored) for array in becomes.arrays),
        *(
            line
            for output in becomes.outputs
            for line in (
                f"stored {output}_result;",
                *each,
                *indented([_element(output, vector, _factor(held), stored, becomes)], len(each) // 2),
                f"*reinterpret_cast<stored*>({output} + {of_c}) = {output}_result;",
            )
        ),
    ]


def _loaded(array: str, of_c: str, stored: DataType) -> str:
    """The statement that loads what the epilogue reads of an array."""
    if ARRAYS[array] == "m":
        return f"const {stored.hip} of_{array} = {array}[blockIdx.x];"
    place = of_c if array == "d" else "column"
    return f"const stored of_{array} = *reinterpret_cast<const stored*>({array} + {place});"


def _element(output: str, vector: int, factor: DataType, stored: DataType, becomes: Epilogue) -> str:
    """The statement that makes an element of an output."""
    number = "[v]" if vector > 1 else ""
    values = {name: name for name in becomes.scalars} | {"c": f"sum{number}"}
    for array in becomes.arrays:
        values[array] = f"({factor.hip})of_{array}{number if 'n' in ARRAYS[array] else ''}"
    value = becomes.text(values, "f" if factor.name == "f32" else "", output)
    return f"{output}_result{number} = ({stored.hip})({value});"


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
    becomes: Epilogue,
) -> Iterator[ClaimedAccess]:
    """All parts and what the epilogue names are read, C and E are stored."""
    reads, stores = _offsets(matrices, sizes)
    names = {BLOCK_M: "blockIdx.x", BLOCK_N: "blockIdx.y", THREAD: "threadIdx.x"}
    launch = {symbol.name: built_in(name) for symbol, name in names.items()}
    yield ClaimedAccess("parts", "load", kinds[0], reads, launch)
    for output in becomes.outputs:
        yield ClaimedAccess(output, "store", kinds[1], stores, launch)
    for array in becomes.arrays:
        yield ClaimedAccess(array, "load", kinds[1], _read_beside(array, stores, matrices[1]), launch)


def _read_beside(array: str, stores: IndexMap, target: StoredMatrix) -> IndexMap:
    """Where an array that the epilogue reads is read for the elements that are stored."""
    if array == "d":
        return stores
    if ARRAYS[array] == "n":
        return IndexMap(stores.domain, (_column(target.multiple_of),), stores.when)
    return IndexMap(stores.domain, (BLOCK_M,), stores.when).bind({str(V): 0})  # once a thread


def _claims(matrices: Sequence[StoredMatrix], sizes: Domain, becomes: Epilogue) -> tuple[Claim, ...]:
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
    for array in becomes.arrays:
        if array != "d":  # which lies as C does
            read, what = _read_beside(array, stores, target), f"reads of {array}"
            found.append(memory_bounds_map(read, M if ARRAYS[array] == "m" else N, what))
            found += vector_access_map(read, V, vector, what) if ARRAYS[array] == "n" else []
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
    becomes: Epilogue

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        numbers = to_numbers(inputs["parts"], self.held)
        pieces = np.array(np.split(numbers, self.parts))
        step = ROUNDING.get(self.held.name, 0.0)
        wanted, allowed = pieces.sum(axis=0), self.parts * step * np.abs(pieces).sum(axis=0)
        made = {"c": (wanted, allowed)}
        if not self.becomes.is_plain:
            made = dict(becoming(self.becomes, Approximate(wanted, allowed, step), inputs, self.stored))
        stored = {name: as_stored(*found, self.stored, is_exact=not step) for name, found in made.items()}
        return Result(
            {n: number for n, (number, _) in stored.items()}, {n: e for n, (_, e) in stored.items()}
        )
