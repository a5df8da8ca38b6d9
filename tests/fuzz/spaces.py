"""Random domains: open sizes, facts, axes bounded by sizes and axes, negative lows, single values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from layoutalg import Domain, parse
from tests.fuzz.oracle import UndefinedError, value

__all__ = ["Space", "spaces"]

LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 33, 60, 64, 100, 127, 128, 256, 420, 1000, 4096)
LARGE = (1 << 16, 10**6 + 3, 1 << 20, (1 << 31) - 1, 1 << 40, 1 << 62)
REACH = (1, 2, 5, 17, 130, 5000, 1 << 20)


@dataclass
class Space:
    """Names with ends as text or numbers; ``axes`` have exclusive, ``sizes`` inclusive upper ends."""

    sizes: dict[str, Any] = field(default_factory=dict)
    axes: dict[str, Any] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)

    @property
    def names(self):
        return [*self.axes, *self.sizes]

    def domain(self):
        """The project's domain."""
        bare = Domain.of(self.axes, self.sizes)
        return bare.where(*(parse(fact, bare) for fact in self.facts))

    def point(self, draw, tries=12):
        """A random point, or None where none was found."""
        for _ in range(tries):
            found = self._try(draw)
            if found is not None and all(value(fact, found) for fact in self.facts):
                return found
        return None

    def _try(self, draw):
        point = {}
        for name, (low, high, step) in self.sizes.items():
            least = -(-(-50 if low is None else low) // step)
            most = least + draw.choice(REACH) if high is None else high // step
            if most < least:
                return None
            point[name] = _between(draw, least, most) * step
        for name, (low, high) in self.axes.items():
            try:
                least, end = (value(str(e), point) if e is not None else None for e in (low, high))
            except UndefinedError:
                return None
            least = -draw.choice(REACH) if least is None else least
            end = least + 1 + draw.choice(REACH) if end is None else end
            if end <= least:
                return None
            point[name] = _between(draw, least, end - 1)
        return point


def _between(draw, low, high):
    """An end as often as something inside."""
    pick = draw.random()
    if pick < 0.2:
        return low
    if pick < 0.4:
        return high
    return draw.randint(low, high if pick > 0.7 else min(high, low + 40))


def spaces(draw):
    """A random space; half of them have no size, the others mostly open ones."""
    space = Space()
    if draw.random() < 0.55:
        _sizes(draw, space)
    for name in draw.sample(["x", "y", "z", "lane", "row"], draw.choice((1, 1, 2, 2, 3))):
        space.axes[name] = _axis(draw, space)
    _facts(draw, space)
    return space


def _sizes(draw, space):
    for name in draw.sample(["M", "N", "K", "H", "W"], draw.choice((1, 2, 2, 3))):
        step = draw.choice((1, 1, 1, 2, 4, 8, 64))
        low = draw.choice((1, 1, 1, 0, 2, 8, None, -3))
        low = None if low is None else -(-low // step) * step
        high = draw.choice((None, None, None, 16, 255, 4096, 1 << 20))
        if high is not None and low is not None:
            high = max(high, low)
        space.sizes[name] = (low, high, step)


def _axis(draw, space):
    positive = [name for name, (low, _, _) in space.sizes.items() if low is not None and low >= 1]
    kind = draw.random()
    if positive and kind < 0.45:
        name = draw.choice(positive)
        return draw.choice(
            [(0, name), (0, f"4*{name}"), (0, f"{name}*{draw.choice(positive)}"), (f"-{name}", name)]
        )
    if space.axes and kind < 0.52:
        other = draw.choice(list(space.axes))
        return draw.choice([(0, f"{other} + 9"), (other, f"{other} + 5")])
    if kind < 0.58:
        low = draw.choice((-7, -1, 3, 4, 1000))
        return (low, low + draw.choice((1, 1, 2, 8, 30)))
    if kind < 0.62:
        return draw.choice([(0, None), (None, 5), (1, None)])
    return (0, draw.choice(LENGTHS if kind < 0.92 else LARGE))


def _facts(draw, space):
    names = list(space.sizes)
    if len(names) > 1 and draw.random() < 0.5:
        first, second = draw.sample(names, 2)
        shapes = ("{a} <= {b}", "{a} < {b}", "{b} <= 3*{a} + 1", "{a}*{a} <= {b}", "{a} + 2 <= {b}")
        space.facts.append(draw.choice(shapes).format(a=first, b=second))
    if names and draw.random() < 0.2:
        name = draw.choice(names)
        space.facts.append(
            draw.choice((f"{name} >= 1", f"{name} >= 7", f"{name} % 4 == 2", f"{name} % 3 != 0"))
        )
    axes = list(space.axes)
    if draw.random() < 0.12:
        axis = draw.choice(axes)
        other = draw.choice(space.names)
        space.facts.append(
            draw.choice((f"{axis} <= {other}", f"{axis} % 2 == 1", f"{axis} != 3", f"{axis} >= 2"))
        )
