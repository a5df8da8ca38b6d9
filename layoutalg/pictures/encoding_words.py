r"""A tile distribution encoding in plain English, with one thread worked out by hand.

Every number is computed from the encoding. The heart of it, for a wave of 64 lanes:

>>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
>>> print(encoding_words(make_static_tile_distribution(read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>, tuple<sequence<1, 2>>,"
...     " tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
... ))))
tile_distribution_encoding<...>
...
Worked example: lane 37, register 0 (all Y = 0)
  lane = 37 counts H0[0] = 16, H1[0] = 4, the last fastest
    37 = 9 * 4 + 1, so H1[0] = 1
    9 is left, so H0[0] = 9
  Y0 = 0, so H1[1] = 0
  x0 = 9 * 1 = 9
  x1 = 1 * 8 + 0 * 1 = 8
  Register 0 holds element (9, 8).
...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from layoutalg.distribution import TileDistribution, TileDistributionEncoding, cpp_text
from layoutalg.distribution.encoding import RhId
from layoutalg.errors import LengthError
from layoutalg.length import Length, product
from layoutalg.pictures.worked_lane import WorkedLane, factor_steps, register_steps, vector

__all__ = ["encoding_words", "thread_of"]

WAVE, LANE = 1, 37  # of the example, where they exist: neither begins nor ends anything
MOST_TWINS = 4


def encoding_words(made: TileDistribution, *, wave: int | None = None, lane: int | None = None) -> str:
    """The whole explanation; ``wave`` and ``lane`` choose the thread that is worked out."""
    parts = [[cpp_text(made.encoding)], _short(made), _arguments(made), _factors(made)]
    if not made.encoding.free_symbols:
        ps = thread_of(made, wave=wave, lane=lane)
        parts += [_example(made, ps), _register_steps(made, ps)]
    elif wave is not None or lane is not None:
        msg = "a lane is worked out with numbers, the lengths of this encoding have symbols"
        raise LengthError(msg, hint="bind(...) gives them numbers")
    else:
        parts.append(["A lane can be worked out once the symbols in the lengths have numbers."])
    return "\n\n".join("\n".join(part) for part in parts)


def thread_of(made: TileDistribution, *, wave: int | None = None, lane: int | None = None) -> tuple[int, ...]:
    """The P of a lane in a wave; wave 1 and lane 37, or what there is of them, where none is asked for."""
    counts = tuple(map(int, made.p_lengths))
    asked = {len(counts) - 2: ("wave", wave, WAVE), len(counts) - 1: ("lane", lane, LANE)}
    found = [0] * len(counts)
    for place, (name, given, usual) in asked.items():
        if place < 0:
            if given:
                msg = f"{name}: this encoding has no {name}s, its P are {_list(made.ps) or 'none'}"
                raise LengthError(msg)
        elif given is not None and not 0 <= given < counts[place]:
            raise LengthError(f"{name}: wanted 0 to {counts[place] - 1}, got {given}")
        else:
            found[place] = usual % counts[place] if given is None else given
    return tuple(found)


def _short(made: TileDistribution) -> Iterator[str]:
    encoding = made.encoding
    counts = zip(made.p_lengths, made.ps, strict=True)
    threads = " of ".join(_count(n, str(p)) for n, p in counts)
    total = f" ({product(made.p_lengths)} threads)" if len(made.ps) > 1 else ""
    yield "In short"
    tile = " x ".join(map(str, made.lengths)) or "1"
    yield f"  A tile of {tile} elements is divided among {threads or 'one thread'}{total}."
    registers = product(made.y_lengths)
    if registers == 1:
        yield "  Each thread holds 1 element, in its register 0."
    else:
        number = " + ".join(_scaled(f"Y{y}", step) for y, step in enumerate(register_steps(encoding)))
        yield f"  Each thread holds {registers} elements, in registers numbered {number}."
    idle = [factor for factor in _nobodys(encoding) if factor[0]]
    who = "1 thread" if made.copies == 1 else f"{made.copies} threads, which differ in R alone"
    which = f"Every element that has {_list(f'{_name(f)} = 0' for f in idle)}" if idle else "Every element"
    yield f"  {which} is held by {who}."
    if idle:
        yield f"  All others are held by no thread: no P and no Y has {_list(map(_name, idle))}."
    yield from _vector_sentences(encoding)


def _vector_sentences(encoding: TileDistributionEncoding) -> Iterator[str]:
    count, along, step = vector(encoding)
    sizes = "  Where every symbol is above 1: registers" if encoding.free_symbols else "  Registers"
    if along < 0:
        yield "  With one register there is nothing to move as a vector."
    elif count == 1:
        yield f"{sizes} 0 and 1 hold elements {step} apart along X{along}: no vector of neighbours moves."
    else:
        yield f"{sizes} 0 to {count - 1}, and every next {count}, hold neighbours along X{along}:"
        yield f"  where X{along} is contiguous in memory, they move as one vector of {count}."


def _arguments(made: TileDistribution) -> Iterator[str]:
    encoding = made.encoding
    yield "The six arguments"
    yield "  A factor has a major number, 0 for R and k + 1 for Xk, and a minor number: which one of it."
    factors = _list(f"R[{r}] = {n}" for r, n in enumerate(encoding.rs_lengths)) or "no R"
    yield "  1    R, factors of no X: threads that differ in them alone hold the same elements."
    yield f"         {_sequence(encoding.rs_lengths)}: {factors}"
    yield "  2    Hs, the factors of each dimension X of the tile, the first slowest."
    for x, row in enumerate(encoding.hs_lengthss):
        names = " * ".join(_name((x + 1, minor)) for minor in range(len(row))) or "1"
        yield f"         {_sequence(row)}: X{x} = {made.lengths[x]} = {names}"
    yield "  3, 4 Ps, the place of a thread: the major and minor numbers of the factors it counts through."
    for p, rows in enumerate(zip(encoding.ps_to_rhss_major, encoding.ps_to_rhss_minor, strict=True)):
        counted = _list(map(_name, encoding.ps_factors[p]))
        fastest = ", the last fastest" if len(encoding.ps_factors[p]) > 1 else ""
        yield f"         {' and '.join(map(_sequence, rows))}: {made.ps[p]} counts {counted}{fastest}"
    yield "  5, 6 Ys, the registers of a thread: the major and minor number of the factor that each Y is."
    numbers = f"{_sequence(encoding.ys_to_rhs_major)} and {_sequence(encoding.ys_to_rhs_minor)}"
    each = _list(f"Y{y} is {_name(factor)}" for y, factor in enumerate(encoding.ys_factors))
    yield f"         {numbers}: {each or 'no Y'}"


def _factors(made: TileDistribution) -> Iterator[str]:
    encoding = made.encoding
    owners = _owners(made)
    yield "Who indexes what"
    for major, row in enumerate(encoding.rhs_lengthss):
        steps = factor_steps(encoding, major)
        if major:
            yield f"  X{major - 1} = {made.lengths[major - 1]}, and x{major - 1} = {made.x[major - 1]}"
        elif row:
            yield "  R, which moves no x"
        for minor, length in enumerate(row):
            moves = f" in steps of {steps[minor]}" if major else ""
            owner = owners.get((major, minor), "nobody, always 0")
            yield f"    {_name((major, minor))}, {length} long{moves}: {owner}"


def _owners(made: TileDistribution) -> dict[RhId, str]:
    """For each factor who indexes it, and how."""
    found = {factor: f"register index Y{y}" for y, factor in enumerate(made.encoding.ys_factors)}
    for p, factors in zip(made.ps, made.encoding.ps_factors, strict=True):
        lengths = [made.encoding.factor_length(factor) for factor in factors]
        for place, factor in enumerate(factors):
            below = product(lengths[place + 1 :])
            text = str(p) if below == 1 else f"{p} // {_operand(below)}"
            found[factor] = f"{text} % {_operand(lengths[place])}" if place else text
    return found


def _example(made: TileDistribution, ps: tuple[int, ...]) -> Iterator[str]:
    encoding = made.encoding
    worked = WorkedLane(encoding, ps, (0,) * encoding.num_y)
    yield f"Worked example: {_thread(made, ps)}, register 0{' (all Y = 0)' * (encoding.num_y > 0)}"
    for p, factors in enumerate(encoding.ps_factors):
        counted = _list(f"{_name(factor)} = {encoding.factor_length(factor)}" for factor in factors)
        first = _name(factors[0])
        if len(factors) == 1:
            yield f"  {made.ps[p]} = {ps[p]} counts {first} alone, so {first} = {ps[p]}"
            continue
        yield f"  {made.ps[p]} = {ps[p]} counts {counted}, the last fastest"
        for peel in worked.peels(p):
            division = f"{peel.of} = {peel.left} * {peel.length} + {peel.digit}"
            yield f"    {division}, so {_name(peel.factor)} = {peel.digit}"
        left = worked.digits[factors[0]]
        yield f"    {left} is left, so {first} = {left}"
    for y, factor in enumerate(encoding.ys_factors):
        yield f"  Y{y} = 0, so {_name(factor)} = 0"
    for x, value in enumerate(worked.element):
        sums = " + ".join(f"{digit} * {step}" for digit, step in worked.terms(x)) or "0"
        yield f"  x{x} = {sums} = {value}"
    yield f"  Register {worked.register} holds element {_tuple(worked.element)}."
    if worked.twins:
        others = "; ".join(_thread(made, twin) for twin in worked.twins[:MOST_TWINS])
        more = len(worked.twins) - MOST_TWINS
        yield f"  R moves no x, so the same is held by {others}{f'; and {more} more' if more > 0 else ''}."


def _register_steps(made: TileDistribution, ps: tuple[int, ...]) -> Iterator[str]:
    encoding = made.encoding
    yield "From register to register, one Y at a time"
    moving = [y for y, length in enumerate(encoding.y_lengths) if length != 1]
    if not moving:
        yield "  There is one register."
    for y in reversed(moving):
        ys = tuple(int(i == y) for i in range(encoding.num_y))
        worked = WorkedLane(encoding, ps, ys)
        major, minor = encoding.ys_factors[y]
        step = factor_steps(encoding, major)[minor]
        yield (
            f"  Y{y} = 1, so {_name((major, minor))} = 1, which adds {step} to x{major - 1}:"
            f" register {worked.register} holds element {_tuple(worked.element)}."
        )


def _nobodys(encoding: TileDistributionEncoding) -> list[RhId]:
    """Factors longer than 1 that belong to no P and no Y."""
    taken = {*encoding.ys_factors, *(factor for factors in encoding.ps_factors for factor in factors)}
    rows = enumerate(encoding.rhs_lengthss)
    every = [((major, minor), length) for major, row in rows for minor, length in enumerate(row)]
    return [factor for factor, length in every if factor not in taken and length != 1]


def _thread(made: TileDistribution, ps: tuple[int, ...]) -> str:
    return _list(f"{name} {value}" for name, value in zip(made.ps, ps, strict=True)) or "the thread"


def _name(factor: RhId) -> str:
    major, minor = factor
    return f"H{major - 1}[{minor}]" if major else f"R[{minor}]"


def _scaled(name: str, step: Length) -> str:
    return name if step == 1 else f"{name} * {_operand(step)}"


def _operand(value: Length) -> str:
    return str(value) if isinstance(value, int) or value.is_Symbol else f"({value})"


def _count(number: Length, name: str) -> str:
    many = "" if number == 1 else "s"
    return f"{number} {name}{many}" + (f" (wave{many})" if name == "warp" else "")


def _list(parts: Any) -> str:
    return ", ".join(map(str, parts))


def _sequence(values: Any) -> str:
    return f"sequence<{_list(values)}>"


def _tuple(values: Any) -> str:
    return f"({_list(values)})"
