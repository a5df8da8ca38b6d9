"""Tensor adaptors: maps from a top index (what a kernel sees) to a bottom index.

>>> from layoutalg.descriptor.make_adaptor import make_single_stage_tensor_adaptor
>>> from layoutalg.transforms import Merge, PassThrough
>>> adaptor = make_single_stage_tensor_adaptor(
...     [Merge((4, 8)), PassThrough(5)], [(0, 1), (2,)], [(1,), (0,)]
... )
>>> adaptor.lengths, adaptor.calculate_bottom_index((3, 17))
((5, 32), (2, 1, 3))
>>> adaptor.bottom
(i1 // 8, i1 % 8, i0)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray
from sympy import Basic, true

from layoutalg.claim import IndexMap
from layoutalg.descriptor.chain import TransformChain
from layoutalg.descriptor.rearrange import rearrangement
from layoutalg.descriptor.stage import Stage
from layoutalg.errors import LayoutError, LengthError, shortened
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import sequence
from layoutalg.reading.signature_note import noted_methods
from layoutalg.rules import NormalForm, closed_forms, simplify
from layoutalg.rules.polynomial import Polynomial
from layoutalg.term import Term, interpret_term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sympy import Expr

__all__ = ["Integers", "TensorAdaptor", "Truths"]

Integers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]


@noted_methods
@dataclass(frozen=True)
class TensorAdaptor(TransformChain):
    """A chain of transforms evaluated on integers, as CK's C++ does, or in closed form.

    Integer indices may be arrays that broadcast together; results then are arrays.

    >>> import layoutalg as la
    >>> tile = la.make_single_stage_tensor_adaptor([la.make_merge_transform((4, 8))], [(0, 1)], [(0,)])
    >>> tile.lengths, tile.bottom, tile(17)
    ((32,), (i0 // 8, i0 % 8), (2, 1))
    """

    @overload
    def __call__(self, *index: int) -> tuple[int, ...]: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, *index: int | Integers) -> tuple[Integers, ...]: ...
    @overload
    def __call__(self, *index: Expr) -> tuple[Expr, ...]: ...
    def __call__(self, *index: Any) -> tuple[Any, ...]:
        """The bottom index of an index within the lengths: integers, arrays, or expressions.

        Integers and arrays are computed as CK does, expressions are put into the closed form (where lengths
        or strides are symbols, integers too: the result is an expression then). Whether pads vouch for the
        element is asked of :meth:`is_valid_index`.

        >>> from sympy import Symbol
        >>> from layoutalg.descriptor.make_adaptor import make_identity_tensor_adaptor
        >>> tile = make_identity_tensor_adaptor((4, 8)).rearrange("a b -> (a b)")
        >>> tile(17), tile(Symbol("tid", integer=True))
        ((2, 1), (tid // 8, tid % 8))
        >>> tile(32)
        Traceback (most recent call last):
            ...
        layoutalg.errors.LengthError: index (32) lies outside the lengths (32) (calculate_bottom_index ...
        """
        given = self._of_rank(index[0] if len(index) == 1 and isinstance(index[0], tuple | list) else index)
        if not self.free_symbols and not any(isinstance(v, Basic) and not v.is_Integer for v in given):
            self._require_in_range(given)
            return self.calculate_bottom_index(given)
        if any(isinstance(value, np.ndarray) for value in given):
            what = "index: wanted arrays in a layout of numbers, got them with symbols"
            raise LengthError(what, hint="bind(...) gives the symbols values")
        at = dict(zip(self.index, map(as_expression, given), strict=True))
        return tuple(part.xreplace(at) for part in self.bottom)

    def __array__(self, *_: object, **__: object) -> NoReturn:
        """A map is no array; NumPy would wrap it as one object without a word."""
        what = f"wanted numbers for an array, got a {type(self).__name__}, which is a map"
        raise LayoutError(what, hint="rows(*np.indices(rows.lengths)) gives all values of rows")

    @property
    def bottom(self) -> tuple[Expr, ...]:
        """The bottom index in closed form, in the symbols of ``index``.

        It holds for every index within the lengths. Only where a padded index would reach an
        operation that is undefined for it (an xor of a negative number), it holds for the indices
        that are valid.
        """
        domain = self.domain
        return tuple(
            interpret_term(program, SYMBOLIC, domain.__getitem__) for program in self.bottom_programs
        )

    @property
    def bottom_programs(self) -> tuple[Term, ...]:
        """The bottom index as the cheapest programs found: what :attr:`bottom` is written from."""
        return _bottom_programs(self)

    def index_map(self, index: IndexMap | None = None) -> IndexMap:
        """The map from the top index to the bottom index, as transforms compose it, where it is valid.

        ``index``: another map whose outputs are the top index (of a thread, say); else every index within
        the lengths. For a descriptor the one output is the offset. ``simplify`` makes it short.

        >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
        >>> found = make_naive_tensor_descriptor((6, 8), (8, 1)).pad(0, 0, 2).index_map()
        >>> found.domain, found.outputs, found.when
        (Domain: 0 <= i0 < 8, 0 <= i1 < 8, (8*i0 + i1,), (i0 < 6,))
        """
        found = self.hidden_map(index)
        outputs = tuple(found.outputs[i] for i in self.bottom_dimension_hidden_ids)
        return IndexMap(found.domain, outputs, found.when, self if index is None else None)

    def hidden_map(self, index: IndexMap | None = None) -> IndexMap:
        """The same with the index at every hidden dimension as outputs, in the order of hidden ids."""
        top = IndexMap(self.domain, self.index) if index is None else index
        valid = self.interpret_validity(top.outputs, SYMBOLIC)
        when = top.when if valid == true else (*top.when, valid)
        return IndexMap(top.domain.joined(self.parameters), self.hidden_expressions(top.outputs), when)

    @property
    def validity(self) -> Any:
        """The condition on ``index`` under which every pad of the chain vouches for it."""
        return interpret_term(self.validity_program, SYMBOLIC, self.domain.__getitem__)

    @property
    def validity_program(self) -> Term:
        """The same as a program."""
        return simplify(self.interpret_validity(self.index, SYMBOLIC), self.domain).program

    @overload
    def calculate_bottom_index(self, index: Sequence[int]) -> tuple[int, ...]: ...  # type: ignore[overload-overlap]
    @overload
    def calculate_bottom_index(self, index: Sequence[int | Integers]) -> tuple[Integers, ...]: ...
    def calculate_bottom_index(self, index: Sequence[Any]) -> tuple[Any, ...]:
        """The bottom index of a top index, outside the lengths too, as CK computes it."""
        hidden = self.calculate_hidden_index(index)
        return tuple(hidden[i] for i in self.bottom_dimension_hidden_ids)

    @overload
    def calculate_hidden_index(self, index: Sequence[int]) -> tuple[int, ...]: ...  # type: ignore[overload-overlap]
    @overload
    def calculate_hidden_index(self, index: Sequence[int | Integers]) -> tuple[Integers, ...]: ...
    def calculate_hidden_index(self, index: Sequence[Any]) -> tuple[Any, ...]:
        """The index at every hidden dimension, in the order of hidden ids."""
        hidden = self.interpret_hidden_index(self._components(index), C_INTEGERS)
        return tuple(_plain(value) for value in hidden)

    @overload
    def is_valid_index(self, index: Sequence[int]) -> bool: ...  # type: ignore[overload-overlap]
    @overload
    def is_valid_index(self, index: Sequence[int | Integers]) -> Truths: ...
    def is_valid_index(self, index: Sequence[Any]) -> Any:
        """Whether every pad of the chain vouches for the index: it maps to a real element."""
        return _plain(self.interpret_validity(self._components(index), C_INTEGERS))

    @overload
    def is_index_in_range(self, index: Sequence[int]) -> bool: ...  # type: ignore[overload-overlap]
    @overload
    def is_index_in_range(self, index: Sequence[int | Integers]) -> Truths: ...
    def is_index_in_range(self, index: Sequence[Any]) -> Any:
        """Whether every component of the index lies within its length."""
        inside: Any = True
        for component, length in zip(self._components(index), self.lengths, strict=True):
            limit = C_INTEGERS.lift(length)
            inside = np.logical_and(inside, np.logical_and(component >= 0, component < limit))
        return _plain(inside)

    def rearrange(self, pattern: str, /, **lengths: Any) -> Self:
        """Dimensions split, joined and reordered, as einops spells it.

        >>> from layoutalg.descriptor.make_adaptor import make_identity_tensor_adaptor
        >>> make_identity_tensor_adaptor((256, 128)).rearrange("(m1 m2) k -> m1 (m2 k)", m2=64).bottom
        (64*i0 + i1 // 128, i1 % 128)
        """
        result = self
        for rows in rearrangement(self.lengths, pattern, lengths):
            transforms, below, above = ([row[i] for row in rows] for i in range(3))
            stage = Stage.of(transforms, below, above, old_lengths=result.lengths, where="rearrange")
            result = result.extended(stage)
        return result

    def _of_rank(self, index: Any) -> tuple[Any, ...]:
        found = tuple(sequence(index, "index"))
        if len(found) != self.rank:
            msg = f"index: wanted {self.rank} components, got {len(found)}: {found}"
            raise LengthError(msg)
        return found

    def _components(self, index: Any) -> tuple[Any, ...]:
        return tuple(_component(value, f"index[{i}]") for i, value in enumerate(self._of_rank(index)))

    def _require_in_range(self, index: tuple[Any, ...]) -> None:
        if not np.all(self.is_index_in_range(index)):
            inside, shown = ", ".join(map(str, self.lengths)), ", ".join(map(str, index))
            raise LengthError(
                shortened(f"index ({shown}) lies outside the lengths ({inside})", 200),
                hint="calculate_bottom_index computes what CK does outside, too",
            )


@lru_cache(maxsize=256)
def _bottom_programs(adaptor: TensorAdaptor) -> tuple[Term, ...]:
    """The bottom index in closed form, worked out once: expressions and emitted code are made of it."""
    domain = adaptor.domain

    def bottom(form: NormalForm) -> tuple[Polynomial, ...]:
        hidden = adaptor.interpret_hidden_index([form.symbol(axis.name) for axis in domain.axes], form)
        return tuple(hidden[i] for i in adaptor.bottom_dimension_hidden_ids)

    return closed_forms(bottom, domain, lambda: adaptor.validity_program)


def _component(value: Any, where: str) -> Any:
    array = np.asarray(value if isinstance(value, np.ndarray | np.generic | int | list | Basic) else None)
    if array.dtype == object and array.ndim == 0 and getattr(value, "is_Integer", False):
        return int(value)
    if not np.issubdtype(array.dtype, np.integer):
        msg = f"{where}: wanted an integer or an array of integers, got {value!r}"
        raise LengthError(msg, hint="for symbols use .bottom or .offset")
    return array.astype(np.int64) if array.ndim else int(array)


def _plain(value: Any) -> Any:
    """Python's own number or truth value where the result is no array."""
    return value.item() if isinstance(value, np.generic) else value
