"""Chains of transforms: every dimension, visible or not, has a hidden id that connects transforms.

An index is mapped by writing the top index at its hidden ids and applying the transforms from the
last to the first; each writes its lower index at the hidden ids below it. The bottom dimensions come
first in the numbering, then the upper dimensions of each transform.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import sympy
from sympy import Symbol

from layoutalg.display import Displayed
from layoutalg.domain import Domain
from layoutalg.domain.variable import index_symbols
from layoutalg.errors import LengthError, of_kind
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import Length, integer, product
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.near_names import no_such
from layoutalg.reading.signature_note import noted_methods
from layoutalg.transforms import UNKNOWN, VectorHint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from layoutalg.descriptor.stage import Ids, Stage
    from layoutalg.index.arithmetic import Arithmetic
    from layoutalg.transforms import Transform

__all__ = ["TransformChain"]

NO_FACTS = Domain()


@noted_methods
@dataclass(frozen=True)
class TransformChain(NearAttributes, Displayed):
    """Transforms, bottom first, and the hidden ids of the dimensions they connect.

    ``facts`` is a domain of parameters: what is known of the symbols in lengths beyond SymPy's own
    assumptions.
    """

    transforms: tuple[Transform, ...]
    lower_dimension_hidden_idss: tuple[Ids, ...]
    upper_dimension_hidden_idss: tuple[Ids, ...]
    bottom_dimension_hidden_ids: Ids
    top_dimension_hidden_ids: Ids
    facts: Domain = NO_FACTS

    @property
    def links(self) -> list[tuple[Transform, Ids, Ids]]:
        """Each transform with its lower and upper hidden ids, bottom first."""
        below, above = self.lower_dimension_hidden_idss, self.upper_dimension_hidden_idss
        return list(zip(self.transforms, below, above, strict=True))

    @property
    def num_hidden_dimensions(self) -> int:
        return len(self.bottom_dimension_hidden_ids) + sum(map(len, self.upper_dimension_hidden_idss))

    @property
    def hidden_lengths(self) -> tuple[Length | None, ...]:
        """The length of every hidden dimension; None for a bottom no transform states one for."""
        found: dict[int, Length | None] = {}
        for transform, low, up in self.links:
            found |= zip(up, transform.upper_lengths, strict=True)
            for hidden, length in zip(low, transform.lower_lengths, strict=True):
                if hidden in self.bottom_dimension_hidden_ids:
                    found[hidden] = length
        return tuple(found.get(hidden) for hidden in range(self.num_hidden_dimensions))

    @property
    def lengths(self) -> tuple[Length, ...]:
        """Lengths of the top dimensions."""
        hidden = self.hidden_lengths
        found = tuple(hidden[i] for i in self.top_dimension_hidden_ids)
        if any(length is None for length in found):
            msg = "a top dimension of this chain has no known length"
            raise LengthError(msg, hint="add transforms that state lengths")
        return tuple(length for length in found if length is not None)

    @property
    def bottom_lengths(self) -> tuple[Length | None, ...]:
        hidden = self.hidden_lengths
        return tuple(hidden[i] for i in self.bottom_dimension_hidden_ids)

    @property
    def rank(self) -> int:
        """The number of top dimensions."""
        return len(self.top_dimension_hidden_ids)

    @property
    def element_size(self) -> Length:
        """The number of top indices."""
        return product(self.lengths)

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbols in lengths, strides and pads."""
        return frozenset(symbol for part in self.transforms for symbol in part.free_symbols)

    @property
    def parameters(self) -> Domain:
        """The symbols in lengths and strides, with what is known of them."""
        return self.facts.with_sizes(self.free_symbols)

    @property
    def index(self) -> tuple[Symbol, ...]:
        """The symbols ``i0, i1, ...`` of the top index, those of the axes of ``domain``."""
        return index_symbols(self.rank, self.parameters.names)

    @property
    def domain(self) -> Domain:
        """Every top index within its lengths, for all parameters."""
        return Domain.box(self.lengths, self.parameters)

    def assuming(self, facts: Domain) -> Self:
        """The same chain with more known of its symbols."""
        return replace(self, facts=facts)

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> Self:
        """The chain with numbers in place of symbols, named by symbol or by text."""
        of_kind(values, Mapping, "bind", "a mapping such as {'M': 64}")
        named = {str(name): integer(value, f"bind: {name}") for name, value in values.items()}
        symbols = {s: sympy.Integer(named[s.name]) for s in self.free_symbols if s.name in named}
        unknown = sorted(set(named) - {symbol.name for symbol in symbols})
        if unknown:
            known = sorted(symbol.name for symbol in self.free_symbols)
            raise no_such("symbol", unknown[0], known, where="bind", kind=LengthError)
        for symbol in symbols:
            is_free = symbol.name not in self.facts  # else the facts say between which ends it lies
            if is_free and symbol.is_positive and named[symbol.name] < 1:
                msg = f"bind: {symbol.name}: wanted a length >= 1, got {named[symbol.name]}"
                raise LengthError(msg)
        bound = tuple(transform.bind(symbols) for transform in self.transforms)
        declared = {name: value for name, value in named.items() if name in self.facts}
        return replace(self, transforms=bound, facts=self.facts.bind(declared))

    def extended(self, stage: Stage) -> Self:
        """The chain with one more stage on top; hidden ids grow in order of transforms."""
        following = self.num_hidden_dimensions
        above: list[Ids] = []
        tops: dict[int, int] = {}
        for ids in stage.upper_ids:
            hidden = tuple(range(following, following + len(ids)))
            following += len(ids)
            tops |= zip(ids, hidden, strict=True)
            above.append(hidden)
        old_tops = self.top_dimension_hidden_ids
        below = tuple(tuple(old_tops[i] for i in ids) for ids in stage.lower_ids)
        return replace(
            self,
            transforms=self.transforms + stage.transforms,
            lower_dimension_hidden_idss=self.lower_dimension_hidden_idss + below,
            upper_dimension_hidden_idss=self.upper_dimension_hidden_idss + tuple(above),
            top_dimension_hidden_ids=tuple(tops[i] for i in range(len(tops))),
        )

    def interpret_hidden_index(self, index: Iterable[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        """The index at every hidden dimension, in any arithmetic; 0 where nothing sets one."""
        hidden = dict(zip(self.top_dimension_hidden_ids, index, strict=True))
        zero = on.integer(0)
        for transform, low, up in reversed(self.links):
            lower = transform.lower([hidden.get(i, zero) for i in up], on)
            hidden |= zip(low, lower, strict=True)
        return tuple(hidden.get(i, zero) for i in range(self.num_hidden_dimensions))

    def hidden_expressions(self, index: Iterable[Any]) -> tuple[Any, ...]:
        """The same as SymPy expressions of an index of expressions, as transforms compose them.

        >>> from sympy import Symbol
        >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
        >>> rows = make_naive_tensor_descriptor((6, 8), (8, 1))
        >>> rows.hidden_expressions((2, Symbol("tid", integer=True)))
        (tid + 16, 2, tid)
        """
        return self.interpret_hidden_index(tuple(map(as_expression, index)), SYMBOLIC)

    def top_vectors(self, known: Mapping[int, VectorHint]) -> tuple[VectorHint, ...]:
        """For each top dimension, how many neighbours may move in one access (CK's rules).

        ``known``: by hidden id, what is promised of vectors along that dimension.
        """
        found = dict(known)
        for transform, low, up in self.links:
            inferred = transform.upper_vectors([found.get(i, VectorHint()) for i in low])
            for hidden, hint in zip(up, inferred, strict=True):
                found[hidden] = _joined(found.get(hidden, VectorHint()), hint)
        return tuple(found.get(i, VectorHint()) for i in self.top_dimension_hidden_ids)

    def interpret_validity(self, index: Iterable[Any], on: Arithmetic[Any]) -> Any:
        """Whether every pad of the chain vouches for the index, in any arithmetic."""
        hidden = self.interpret_hidden_index(index, on)
        valid = on.truth(True)  # noqa: FBT003  the truth value itself
        for transform, _, up in self.links:
            valid = on.both(valid, transform.is_valid([hidden[i] for i in up], on))
        return valid


def _joined(promised: VectorHint, inferred: VectorHint) -> VectorHint:
    """What was promised of a dimension, and where nothing was, what is inferred."""
    length = inferred.length if promised.length == UNKNOWN else promised.length
    step = inferred.stride if promised.stride == UNKNOWN else promised.stride
    return VectorHint(length, step)
