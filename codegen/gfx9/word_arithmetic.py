"""Arithmetic as a function of words: which words an instruction reads, which it writes, and how they depend.

Vector arithmetic works on each lane by itself, scalar arithmetic on each wave. Either way words go in and
words come out, by operations that NumPy's arrays and whatever imitates them understand: the same function
computes on the registers of many waves (here) and is written out as C (``native``).

>>> import numpy as np
>>> from layoutalg.codegen.gfx9.operands import Operand
>>> a, b, sum_ = (Word(Operand.of(text)) for text in ("v1", "s2", "v3"))
>>> add = Arithmetic((a, b), (sum_,), ((0, 1),), lambda a, b: (a + b,), is_scalar=False)
>>> add.compute(np.uint32([1, 2]), np.uint32([5]))[0].tolist()
[6, 7]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import UnknownInstructionError
from layoutalg.codegen.gfx9.lane_moves import LaneMove
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group, lane_mask, pack_lanes
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["Arithmetic", "Execute", "Word", "executed", "pair_of", "words_of"]

Execute = Callable[[Waves, Group], None]
U32, U64 = np.uint32, np.uint64


@dataclass(frozen=True)
class Word:
    """32 bits of an operand, its ``number``-th; or, of a mask, a bit for each lane in two scalar registers.

    In arithmetic a word is a ``uint32``, a mask and the condition code ``scc`` are truth values.
    """

    operand: Operand
    number: int = 0
    is_mask: bool = False


@dataclass(frozen=True)
class Arithmetic:
    """What an instruction computes: ``compute`` takes a value for each source and gives one for each target.

    ``depends``: for each target the sources that must have been set for it to count as set; ``moved``: how
    the first sources, so many, come from other lanes; ``chooses``: it takes the second source where the third
    is true, else the first, so that the other one need not have been set.
    """

    sources: tuple[Word, ...]
    targets: tuple[Word, ...]
    depends: tuple[tuple[int, ...], ...]
    compute: Callable[..., tuple[Any, ...]]
    is_scalar: bool
    moved: tuple[LaneMove, int] | None = None
    chooses: bool = False


def words_of(operand: Operand, count: int) -> tuple[Word, ...]:
    """The first words of an operand, low ones first."""
    return tuple(Word(operand, number) for number in range(count))


def pair_of(low: Any, high: Any) -> Any:
    """Two words as one of 64 bits."""
    return low.astype(U64) | high.astype(U64) << U64(32)


def executed(arithmetic: Arithmetic) -> Execute:
    """The execution on the registers of many waves."""
    sources, targets = arithmetic.sources, arithmetic.targets
    read, write = (_read_wave, _write_wave) if arithmetic.is_scalar else (_read_lanes, _write_lanes)
    for word in targets:
        if arithmetic.is_scalar and word.operand.bank not in ("s", "m0", "scc", "vskip"):
            msg = f"{word.operand.text} is no scalar register these tables can write"
            raise UnknownInstructionError(msg)

    def execute(waves: Waves, group: Group) -> None:
        read_words = [read(word, waves, group) for word in sources]
        keep: Any = None
        if arithmetic.moved is not None:
            move, count = arithmetic.moved
            active = waves.active(group)
            read_words[:count] = [move.moved(values, known, active) for values, known in read_words[:count]]
            keep = ~move.written(active)
        results = arithmetic.compute(*(values for values, _ in read_words))
        marks = [known for _, known in read_words]
        for word, result, depends in zip(targets, results, arithmetic.depends, strict=True):
            known: Any = np.True_
            for number in depends:
                known = known & marks[number]
            if arithmetic.chooses:
                known = np.where(read_words[2][0], marks[1], marks[0]) & marks[2]
            if keep is not None:
                result, known = _kept(word, result, known, keep, waves, group)  # noqa: PLW2901
            write(word, result, known, waves, group)

    return execute


def _kept(word: Word, result: Any, known: Any, keep: Any, waves: Waves, group: Group) -> tuple[Any, Any]:
    """A result with what its register holds where lanes keep that; a mask has 0 there."""
    if word.is_mask:
        return result & ~keep, known | keep
    old = word.operand.words(waves, group, word.number)
    return np.where(keep, old.values, result), np.where(keep, old.marks, known)


def _read_lanes(word: Word, waves: Waves, group: Group) -> tuple[Any, Any]:
    if not word.is_mask:
        reading = word.operand.words(waves, group, word.number)
        return reading.values, reading.marks
    low, high = word.operand.scalar_words(waves, group), word.operand.scalar_words(waves, group, 1)
    return lane_mask(pair_of(low.values, high.values)), np.logical_and(low.marks, high.marks)[..., None]


def _read_wave(word: Word, waves: Waves, group: Group) -> tuple[Any, Any]:
    reading = word.operand.scalar_words(waves, group, word.number)
    values = reading.values.astype(bool) if word.operand.bank == "scc" else reading.values
    return values, reading.marks


def _write_lanes(word: Word, result: Any, marks: Any, waves: Waves, group: Group) -> None:
    """Write the lanes that are switched on; the others are 0 in a mask."""
    target = word.operand
    if word.is_mask:
        active = waves.active(group)
        bits = pack_lanes(np.broadcast_to(result, (waves.size(group), LANES)) & active)
        all_set = np.where(active, marks, np.True_).all(axis=1)
        waves.write_scalar(target.first, group, (bits & U64(0xFFFFFFFF)).astype(U32), all_set)
        waves.write_scalar(target.first + 1, group, (bits >> U64(32)).astype(U32), all_set)
        return
    if target.is_indexed:
        _write_indexed(word, result, marks, waves, group)
        return
    write = waves.write_accumulator if target.bank == "a" else waves.write_vector
    write(target.first + word.number, group, result, marks)


def _write_indexed(word: Word, result: Any, marks: Any, waves: Waves, group: Group) -> None:
    """Write the register that each wave's M0 chooses."""
    members, indices = waves.members(group), waves.indices(group)
    shape = (len(members), LANES)
    values, known = np.broadcast_to(result, shape), np.broadcast_to(marks, shape)
    for index in np.unique(indices):
        chosen = indices == index
        number = word.operand.first + word.number + int(index)
        waves.write_vector(number, members[chosen], values[chosen], known[chosen])


def _write_wave(word: Word, result: Any, marks: Any, waves: Waves, group: Group) -> None:
    if word.operand.bank == "scc":
        waves.scc[group] = result
    elif word.operand.bank == "m0":
        waves.m0[group] = result
    elif word.operand.bank == "vskip":
        waves.skips[group] = result
    else:
        waves.write_scalar(word.operand.first + word.number, group, result, marks)
