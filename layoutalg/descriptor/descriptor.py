"""Tensor descriptors: adaptors whose bottom is one memory offset, counted in elements.

The example of the CK blog: a (256, 128) tensor whose rows are seen as (4, 64):

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((256, 128), (128, 1)).unmerge(0, (4, 64))
>>> rows.lengths, rows.calculate_offset((1, 3, 2))
((4, 64, 128), 8578)
>>> rows.calculate_hidden_index((1, 3, 2))
(8578, 67, 2, 1, 3, 2)
>>> rows.merge(1, 2).offset
8192*i0 + i1
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, overload

import sympy

from layoutalg.descriptor.adaptor import Integers, TensorAdaptor
from layoutalg.descriptor.stage import Stage
from layoutalg.errors import LengthError
from layoutalg.index.node import as_expression
from layoutalg.length import Length, lengths, sequence
from layoutalg.reading.signature_note import noted_methods
from layoutalg.transforms import (
    Freeze,
    Merge,
    MergeVariant,
    Offset,
    Pad,
    PassThrough,
    Slice,
    Transform,
    Unmerge,
    VectorHint,
    Xor,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sympy import Expr, Symbol

    from layoutalg.index_code import IndexFunction

__all__ = ["TensorDescriptor"]


@noted_methods
@dataclass(frozen=True)
class TensorDescriptor(TensorAdaptor):
    """An adaptor from a tensor index to the offset of an element.

    ``element_space_size``: how many elements the memory must hold, never changed by transforms.
    ``guaranteed_vectors``: for each hidden dimension, what its maker promised of vectors along it.

    >>> import layoutalg as la
    >>> rows = la.make_naive_tensor_descriptor((256, 128), (136, 1)).unmerge(0, (4, 64))
    >>> rows.lengths, rows.offset, rows(1, 3, 2)
    ((4, 64, 128), 8704*i0 + 136*i1 + i2, 9114)
    """

    element_space_size: Length = 1
    guaranteed_vectors: tuple[VectorHint, ...] = ()

    @overload  # type: ignore[override]  # one offset where an adaptor has a bottom index
    def __call__(self, *index: int) -> int: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, *index: int | Integers) -> Integers: ...
    @overload
    def __call__(self, *index: Expr) -> Expr: ...
    def __call__(self, *index: Any) -> Any:
        """The offset, in elements, of an index within the lengths: integers, arrays, or expressions.

        >>> from sympy import Symbol
        >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
        >>> rows = make_naive_tensor_descriptor((4, 8), (10, 1))
        >>> rows(1, 3), rows(1, Symbol("tid", integer=True))
        (13, tid + 10)
        """
        return super().__call__(*index)[0]

    @property
    def offset(self) -> Expr:
        """The offset in closed form, in the symbols of ``index``."""
        return self.bottom[0]

    @property
    def base_offset(self) -> Expr:
        """Where the tensor starts: what ``make_naive_tensor_descriptor_with_offset`` was given."""
        first = self.transforms[0]
        return as_expression(first.offset_length if isinstance(first, Offset) else 0)

    @overload
    def calculate_offset(self, index: Sequence[int]) -> int: ...  # type: ignore[overload-overlap]
    @overload
    def calculate_offset(self, index: Sequence[int | Integers]) -> Integers: ...
    def calculate_offset(self, index: Sequence[Any]) -> Any:
        """The offset of an index of integers or integer arrays, in elements; outside the lengths too."""
        return self.calculate_bottom_index(index)[0]

    @property
    def safe_vectors(self) -> tuple[VectorHint, ...]:
        """For each top dimension, how many neighbours may move in one access (CK's rules)."""
        return self.top_vectors(dict(enumerate(self.guaranteed_vectors)))

    def code(
        self,
        to: str = "hip",
        *,
        name: str = "index",
        step: Mapping[str, int] | Mapping[int, int] | None = None,
        guard: str | None = None,
    ) -> str:
        """Functions from an index to the offset and to whether the element exists, as source text.

        ``to`` is ``hip``, ``c``, ``python`` or ``json``. ``step`` maps dimensions to distances and adds
        a function that gives what to add to the offset when the index moves by them. ``guard`` makes the
        text a header file of C or HIP with such an include guard. Where the functions depend on sizes that
        are symbols, they take what ``NAME_make_sizes`` makes of them once.

        >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
        >>> rows = make_naive_tensor_descriptor((4, 8), (8, 1))
        >>> rows.code("c", name="rows", guard="ROWS_H").splitlines()[0]
        '#ifndef ROWS_H'
        """
        return self.index_function(name, step).text(to, guard=guard)

    def index_function(
        self, name: str = "index", step: Mapping[str, int] | Mapping[int, int] | None = None
    ) -> IndexFunction:
        """The function that :meth:`code` writes."""
        from layoutalg.index_code import IndexFunction  # noqa: PLC0415  few who import the package want code

        (offset,), valid = self.bottom_programs, self.validity_program
        self.domain.check(offset)  # code computes the offset of every index, valid or not
        moved = None if step is None else {self._axis(key): distance for key, distance in step.items()}
        return IndexFunction.of_programs(offset, valid, self.domain, name, step=moved)

    def _axis(self, key: Any) -> str:
        return str(self.index[key].name) if isinstance(key, int) else str(key)

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> Self:
        """The descriptor with numbers in place of symbols."""
        bound = super().bind(values)
        size = self.element_space_size
        if not isinstance(size, int):
            named = {str(name): sympy.Integer(value) for name, value in values.items()}
            size = size.xreplace({s: named[s.name] for s in size.free_symbols if s.name in named})
            size = int(size) if size.is_Integer else size
        return replace(bound, element_space_size=size)

    def transform(
        self,
        transforms: Sequence[Transform],
        lower: Sequence[Sequence[int]],
        upper: Sequence[Sequence[int]],
        *,
        check_lengths: bool = True,
    ) -> Self:
        """The descriptor with transforms on top: CK's ``transform_tensor_descriptor``."""
        where = "transform_tensor_descriptor"
        stage = Stage.of(
            transforms, lower, upper, old_lengths=self.lengths, where=where, check_lengths=check_lengths
        )
        return self.extended(stage)

    def merge(self, *dimensions: int, variant: MergeVariant = MergeVariant.V2_MAGIC_DIVISION) -> Self:
        """Several dimensions as one, in the place of the first; the last one listed is fastest."""
        for place, dimension in enumerate(dimensions):
            self._existing(dimension, "merge")
            if dimension in dimensions[:place]:
                raise LengthError(f"merge: dimension {dimension} is listed twice")
        found = Merge(tuple(self.lengths[i] for i in dimensions), variant)
        return self._replaced(found, dimensions, 1)

    def unmerge(self, dimension: int, up_lengths: Sequence[Length]) -> Self:
        """One dimension as several, in its place."""
        self._existing(dimension, "unmerge")
        found = Unmerge(lengths(up_lengths, "unmerge: up_lengths"))
        return self._replaced(found, (dimension,), len(found.up_lengths))

    def pad(self, dimension: int, left: Length = 0, right: Length = 0) -> Self:
        """Elements before and after along one dimension."""
        return self._replaced(Pad(self._existing(dimension, "pad"), left, right), (dimension,), 1)

    def slice(self, dimension: int, begin: Length, end: Length) -> Self:
        """Only the indices ``begin`` to ``end - 1`` of one dimension."""
        found = Slice(self._existing(dimension, "slice"), begin, end)
        return self._replaced(found, (dimension,), 1)

    def freeze(self, dimension: int, index: Length) -> Self:
        """One dimension held at an index and seen no more."""
        return self._replaced(Freeze(index), (dimension,), 0)

    def xor(self, row: int, column: int) -> Self:
        """The column index swizzled by the row index."""
        rows, columns = self._existing(row, "xor"), self._existing(column, "xor")
        others = [i for i in range(self.rank) if i not in (row, column)]
        passed = [PassThrough(self.lengths[i]) for i in others]
        ids = [(row, column), *((i,) for i in others)]
        return self.transform([Xor((rows, columns)), *passed], ids, ids)

    def permute(self, *order: int) -> Self:
        """The dimensions in another order: new dimension ``i`` is old dimension ``order[i]``."""
        is_one = len(order) == 1 and not isinstance(order[0], int)
        found = sequence(order[0] if is_one else order, "permute")
        if len(found) != self.rank:
            msg = f"permute: wanted all {self.rank} dimensions in another order, got {len(found)}"
            raise LengthError(msg, hint=f"such as {tuple(reversed(range(self.rank)))}")
        passed = [PassThrough(self._existing(i, "permute")) for i in found]
        return self.transform(passed, [(i,) for i in found], [(i,) for i in range(len(found))])

    def _existing(self, dimension: Any, where: str) -> Length:
        if not isinstance(dimension, int) or not 0 <= dimension < self.rank:
            msg = f"{where}: there is no dimension {dimension}: they are 0 to {self.rank - 1}"
            hint = "dimensions are counted from 0, the slowest"
            if isinstance(dimension, tuple | list):
                is_variadic = where in ("merge", "permute")
                hint = f"{where}{tuple(dimension)}" if is_variadic else "a dimension is one number"
            raise LengthError(msg, hint=hint)
        return self.lengths[dimension]

    def _replaced(self, transform: Transform, old: Sequence[int], count: int) -> Self:
        """One transform in place of some dimensions; the others pass through and keep their order."""
        for dimension in old:
            self._existing(dimension, transform.kind)
        transforms, lower, upper = [], [], []
        following = 0
        for dimension in range(self.rank):
            if dimension == old[0]:
                transforms.append(transform)
                lower.append(tuple(old))
                upper.append(tuple(range(following, following + count)))
                following += count
            elif dimension not in old:
                transforms.append(PassThrough(self.lengths[dimension]))
                lower.append((dimension,))
                upper.append((following,))
                following += 1
        return self.transform(transforms, lower, upper)
