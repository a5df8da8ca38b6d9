"""Random index texts that strain C's types: shifts and choices of literals, sizes near 2**31."""

from __future__ import annotations

from layoutalg import Domain

__all__ = ["wide_condition", "wide_point", "wide_space", "wide_text"]

LARGE = (2**30, 2**31 - 1, 2**31, 2**31 + 7, 2**32 - 1, 2**32)
LITERALS = (1, 2, 3, 5, 7, 1000, 65536, 1048576, 1000003, *LARGE)
SMALL = (1, 2, 3, 4, 5, 7, 8, 12, 1000)
LENGTHS = (8, 40, 1000, 65536, 2**31 - 2, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**33)
COUNTS = (1, 4, 16, 20, 31, 32, 33, 40, 63, 64)


def wide_space(draw):
    """Ranges by name, both ends included: ``k`` counts shifts, ``S`` is a size; and their domain."""
    is_small = draw.random() < 0.6  # so that literals alone make what is large
    lowest, highest = draw.choice((0, -5, -(2**31), -(2**31) - 1)), draw.choice((40, 2**31 - 1))
    least = draw.choice((1, 2, 9) if is_small else (1, 2**31 - 9, 2**31))
    ranges = {
        "a": (0, draw.choice((4, 8, 40, 1000) if is_small else LENGTHS) - 1),
        "b": (0, 7) if is_small else (lowest, highest),
        "k": (0, draw.choice(COUNTS) - 1),
        "S": (least, least + draw.choice((1, 9) if is_small else (1, 9, 2**31))),
    }
    axes = {name: (low, high + 1) for name, (low, high) in ranges.items() if name != "S"}
    return ranges, Domain.of(axes, {"S": ranges["S"]})


def wide_point(draw, ranges):
    """A point of a space; most values are ends."""
    return {name: draw.choice((*ends, *ends, draw.randint(*ends))) for name, ends in ranges.items()}


def wide_text(draw, depth):
    """An index text."""
    if depth == 0:
        if draw.random() < 0.25:
            first, second = draw.sample(LITERALS, 2)  # no name, but not the same everywhere
            return f"({first} if {draw.choice('abk')} < {draw.choice((1, 3, 4))} else {second})"
        return draw.choice(("a", "b", "k", "S")) if draw.random() < 0.4 else str(draw.choice(LITERALS))
    first = f"({wide_text(draw, depth - 1)})"
    second = f"({wide_text(draw, draw.randrange(depth))})"
    kind = draw.random()
    if kind < 0.25:
        return f"{first} {draw.choice(('<<', '<<', '>>'))} {_count(draw)}"
    if kind < 0.5:
        return f"{first} {draw.choice('+-')} {second}"
    if kind < 0.58:
        return f"{first}*{draw.choice((*SMALL, second))}"
    if kind < 0.68:
        return f"{first} {draw.choice(('//', '%'))} {draw.choice((*SMALL, 'S', 65536, 2**31))}"
    if kind < 0.76:
        return f"{first} {draw.choice('&|^')} {second}"
    if kind < 0.84:
        return f"{draw.choice(('min', 'max'))}({first}, {second})"
    return f"({first} if {wide_condition(draw, depth - 1)} else {second})"


def wide_condition(draw, depth):
    """A condition over index texts."""
    left, right = (wide_text(draw, draw.randrange(depth + 1)) for _ in range(2))
    return f"({left}) {draw.choice(('<', '<=', '==', '!='))} ({right})"


def _count(draw):
    return draw.choice(("k", "k", "k", "min(k, 31)", "(k % 32)", "(31 - k % 32)", "3", "16", "31", "40"))
