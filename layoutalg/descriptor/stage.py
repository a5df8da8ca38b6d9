"""One stage of a chain: which transform takes which dimensions and gives which.

The checks here are the ones Composable Kernel leaves to ``static_assert(..., "wrong!")``, or to luck.

>>> from layoutalg.transforms import Merge
>>> Stage.of([Merge((4, 8))], [(0, 1)], [(0,)], old_lengths=(4, 8), where="demo").new_lengths
(32,)
>>> Stage.of([Merge((4, 8))], [(0, 0)], [(0,)], old_lengths=(4, 8), where="demo")
Traceback (most recent call last):
    ...
layoutalg.errors.LengthError: demo: lower ids: dimension 0 is used twice
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from layoutalg.errors import LengthError
from layoutalg.length import Length
from layoutalg.transforms import Transform

__all__ = ["Ids", "Stage"]

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Stage:
    """Transforms side by side: ``lower_ids[i]`` of the old dimensions become ``upper_ids[i]`` of the new."""

    transforms: tuple[Transform, ...]
    lower_ids: tuple[Ids, ...]
    upper_ids: tuple[Ids, ...]

    @classmethod
    def of(
        cls,
        transforms: Any,
        lower_ids: Any,
        upper_ids: Any,
        *,
        old_lengths: Sequence[Length | None],
        where: str,
        check_lengths: bool = True,
    ) -> Stage:
        """A checked stage on top of dimensions with these lengths."""
        given = _transforms(transforms, where)
        lower = _idss(lower_ids, len(given), f"{where}: lower ids")
        upper = _idss(upper_ids, len(given), f"{where}: upper ids")
        for transform, low, up in zip(given, lower, upper, strict=True):
            _arity(transform, low, len(transform.lower_lengths), f"{where}: lower ids")
            _arity(transform, up, len(transform.upper_lengths), f"{where}: upper ids")
        _cover(lower, len(old_lengths), f"{where}: lower ids")
        _cover(upper, sum(map(len, upper)), f"{where}: upper ids")
        if check_lengths:
            for transform, low in zip(given, lower, strict=True):
                _fit(transform, [old_lengths[i] for i in low], where)
        return cls(given, lower, upper)

    @property
    def new_lengths(self) -> tuple[Length, ...]:
        """Lengths of the new dimensions, in their order."""
        found = {
            dimension: length
            for transform, ids in zip(self.transforms, self.upper_ids, strict=True)
            for dimension, length in zip(ids, transform.upper_lengths, strict=True)
        }
        return tuple(found[i] for i in range(len(found)))


def _transforms(transforms: Any, where: str) -> tuple[Transform, ...]:
    if isinstance(transforms, Transform) or not isinstance(transforms, Iterable):
        msg = f"{where}: transforms: wanted a list of transforms, got {transforms!s}"
        hint = "a single one is written [transform]" if isinstance(transforms, Transform) else ""
        raise LengthError(msg, hint=hint)
    found = tuple(transforms)
    for position, transform in enumerate(found):
        if not isinstance(transform, Transform):
            msg = f"{where}: transforms[{position}]: wanted a transform, got {transform!r}"
            raise LengthError(msg, hint="make one with make_merge_transform(...) and its like")
    return found


def _idss(idss: Any, number: int, where: str) -> tuple[Ids, ...]:
    if isinstance(idss, str | int) or not isinstance(idss, Iterable):
        msg = f"{where}: wanted a tuple of dimension ids for each transform, got {idss!r}"
        raise LengthError(msg)
    found = tuple(_ids(ids, f"{where}[{i}]") for i, ids in enumerate(idss))
    if len(found) != number:
        msg = f"{where}: wanted a tuple of ids for each of {_count(number)}, got {len(found)}"
        one = f"the ids of one transform stand in parentheses: [{tuple(i for ids in found for i in ids)}]"
        raise LengthError(msg, hint=one if number == 1 else "")
    return found


def _count(transforms: int) -> str:
    return f"{transforms} transform{'s' if transforms != 1 else ''}"


def _ids(ids: Any, where: str) -> Ids:
    if isinstance(ids, int) and not isinstance(ids, bool):
        return (ids,)
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        msg = f"{where}: wanted a tuple of dimension ids, got {ids!r}"
        raise LengthError(msg)
    found = tuple(ids)
    for dimension in found:
        if not isinstance(dimension, int) or isinstance(dimension, bool):
            msg = f"{where}: wanted dimension ids, got {dimension!r}"
            raise LengthError(msg)
    return found


def _arity(transform: Transform, ids: Ids, wanted: int, where: str) -> None:
    if len(ids) != wanted:
        msg = f"{where}: {transform} takes {wanted} of them, got {len(ids)}: {ids}"
        raise LengthError(msg)


def _cover(idss: tuple[Ids, ...], number: int, where: str) -> None:
    """Every dimension from 0 to ``number - 1`` exactly once."""
    seen: set[int] = set()
    for dimension in (dimension for ids in idss for dimension in ids):
        if not 0 <= dimension < number:
            msg = f"{where}: there is no dimension {dimension}: they are 0 to {number - 1}"
            raise LengthError(msg if number else f"{where}: there are no dimensions")
        if dimension in seen:
            msg = f"{where}: dimension {dimension} is used twice"
            raise LengthError(msg)
        seen.add(dimension)
    missing = sorted(set(range(number)) - seen)
    if missing:
        msg = f"{where}: dimension {missing[0]} of {number} is not handled by any transform"
        raise LengthError(msg, hint="pass it through with make_pass_through_transform")


def _fit(transform: Transform, lengths: list[Length | None], where: str) -> None:
    try:
        transform.fit(lengths)
    except LengthError as error:
        msg = f"{where}: {error.message}"
        raise LengthError(msg, hint=error.hint) from None
