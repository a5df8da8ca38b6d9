"""What tests are run on: domains, index expressions, transforms, descriptors. Nothing else generates."""

from __future__ import annotations

import math
from typing import Any

import sympy
from hypothesis import strategies as st

from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import (
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
)
from layoutalg.domain import Domain
from layoutalg.index import (
    BitAnd,
    BitOr,
    BitXor,
    FloorDiv,
    FloorMod,
    Max,
    Min,
    Select,
    ShiftLeft,
    ShiftRight,
)
from layoutalg.transforms import (
    Embed,
    Freeze,
    Insert,
    LeftPad,
    Merge,
    MergeVariant,
    Modulo,
    Offset,
    Pad,
    PassThrough,
    RightPad,
    Slice,
    Transform,
    Unmerge,
    Xor,
)

__all__ = ["descriptors", "domains", "expressions", "stages", "transforms"]

AXES = ("x", "y", "z")
SMALL = st.integers(1, 6)


@st.composite
def domains(draw: st.DrawFn, *, with_parameter: bool = False) -> Domain:
    """One to three axes of small length, and perhaps a parameter that bounds the first."""
    count = draw(st.integers(1, 3))
    lengths: list[Any] = [draw(st.sampled_from([1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 60])) for _ in range(count)]
    parameters = {}
    if with_parameter:
        multiple = draw(st.sampled_from([1, 2, 4]))
        parameters = {"N": (multiple, multiple * draw(st.integers(1, 4)), multiple)}
        lengths[0] = draw(st.sampled_from(["N", "N*N", "4*N"]))
    return Domain.of(dict(zip(AXES, lengths, strict=False)), parameters)


@st.composite
def expressions(draw: st.DrawFn, domain: Domain, *, depth: int = 4) -> Any:
    """An index expression that is not negative and defined everywhere on the domain."""
    symbols = [variable.symbol for variable in domain.variables]
    if depth == 0 or (draw(st.booleans()) and depth < 3):
        if draw(st.integers(0, 3)):
            return draw(st.sampled_from(symbols))
        return sympy.Integer(draw(st.sampled_from([0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 64])))
    left = draw(expressions(domain, depth=depth - 1))
    match draw(st.sampled_from(["add", "mul", "div", "mod", "digit", "bits", "extremum", "select", "shift"])):
        case "add":
            return left + draw(expressions(domain, depth=depth - 1))
        case "mul":
            return left * draw(st.sampled_from([2, 3, 4, 5, 8, 16, 24]))
        case "div":
            return FloorDiv.unchecked(left, draw(_divisor(domain)))
        case "mod":
            return FloorMod.unchecked(left, draw(_divisor(domain)))
        case "digit":
            scale, base = draw(_divisor(domain)), draw(_divisor(domain))
            return FloorMod.unchecked(FloorDiv.unchecked(left, scale), base)
        case "bits":
            node = draw(st.sampled_from([BitXor, BitXor, BitAnd, BitOr]))
            return node.unchecked(left, draw(expressions(domain, depth=depth - 1)))
        case "extremum":
            node = draw(st.sampled_from([Min, Max]))
            return node.unchecked(left, draw(expressions(domain, depth=depth - 1)))
        case "shift":
            node = draw(st.sampled_from([ShiftLeft, ShiftRight]))
            return node.unchecked(left, sympy.Integer(draw(st.integers(0, 5))))
        case _:
            other = draw(expressions(domain, depth=depth - 1))
            condition = sympy.Le(left, other, evaluate=False)
            return Select.unchecked(condition, other - left, left)


@st.composite
def _divisor(draw: st.DrawFn, domain: Domain) -> Any:
    numbers = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 28, 32, 64]).map(sympy.Integer)
    parameters = [p.symbol for p in domain.parameters]
    if not parameters:
        return draw(numbers)
    symbolic = st.sampled_from([p * k for p in parameters for k in (1, 2, 4)])
    return draw(numbers | symbolic)


@st.composite
def transforms(draw: st.DrawFn, lengths: tuple[int, ...]) -> Transform:
    """A transform for one lower dimension of the given length, or of all of them for merges."""
    if len(lengths) > 1:
        if len(lengths) == 2 and lengths[1] & (lengths[1] - 1) == 0 and draw(st.booleans()):
            return Xor(lengths)
        return Merge(lengths, draw(st.sampled_from(list(MergeVariant))))
    (length,) = lengths
    factors = [n for n in range(1, length + 1) if length % n == 0]
    factor = draw(st.sampled_from(factors))
    begin = draw(st.integers(0, length - 1))
    return draw(
        st.sampled_from(
            [
                PassThrough(length),
                Pad(length, draw(st.integers(0, 2)), draw(st.integers(0, 2))),
                LeftPad(length, draw(st.integers(0, 2))),
                RightPad(length, draw(st.integers(0, 2))),
                Unmerge((factor, length // factor)),
                Slice(length, begin, draw(st.integers(begin + 1, length))),
                Offset(length, 0),
                Modulo(length, draw(st.integers(1, 2 * length))),
                Freeze(begin),
                Embed((min(2, length), 1), (draw(st.integers(0, 1)), 1)),
            ]
        )
    )


@st.composite
def stages(draw: st.DrawFn, lengths: tuple[int, ...]) -> tuple[list[Transform], list[Any], list[Any]]:
    """Transforms, lower ids and upper ids of one stage on dimensions of these lengths."""
    order = draw(st.permutations(range(len(lengths))))
    groups: list[tuple[int, ...]] = []
    while order:
        size = min(len(order), draw(st.sampled_from([1, 1, 1, 2, 3])))
        groups.append(tuple(order[:size]))
        order = order[size:]
    made = [draw(transforms(tuple(lengths[i] for i in group))) for group in groups]
    if draw(st.integers(0, 4)) == 0:
        groups.append(())
        made.append(Insert(draw(SMALL)))
    count = sum(len(t.upper_lengths) for t in made)
    places = draw(st.permutations(range(count)))
    upper = []
    for transform in made:
        size = len(transform.upper_lengths)
        upper.append(tuple(places[:size]))
        places = places[size:]
    return made, groups, upper


@st.composite
def descriptors(draw: st.DrawFn, *, most: int = 2000) -> TensorDescriptor:
    """A descriptor of up to three stages with at most ``most`` indices."""
    lengths = tuple(draw(st.lists(st.sampled_from([1, 2, 3, 4, 6, 8]), min_size=1, max_size=3)))
    if draw(st.booleans()):
        made = make_naive_tensor_descriptor_packed(lengths)
    else:
        strides = draw(st.lists(st.integers(0, 12), min_size=len(lengths), max_size=len(lengths)))
        made = make_naive_tensor_descriptor(lengths, strides)
    for _ in range(draw(st.integers(0, 3))):
        taller = made.transform(*draw(stages(tuple(int(n) for n in made.lengths))))
        if math.prod(int(n) for n in taller.lengths) > most:
            break
        made = taller
    return made
