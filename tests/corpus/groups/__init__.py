"""What other people's texts ask of a simplifier, in groups: a text, and the cheapest form known of it.

The forms were written and searched for before the simplifier was taught the groups; `README.md` says how.
"""

from __future__ import annotations

import ast
import itertools
import random
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg import Domain

__all__ = ["GroupCase", "group_cases", "python_function"]

HERE = Path(__file__).parent
OPEN_END = 400  # how far from the other end points of an open axis lie
MOST = 1500


def trunc_div(number: int, divisor: int) -> int:
    whole = abs(number) // abs(divisor)
    return whole if (number < 0) == (divisor < 0) else -whole


def trunc_mod(number: int, divisor: int) -> int:
    return number - divisor * trunc_div(number, divisor)


def cdiv(number: int, divisor: int) -> int:
    return -(-number // divisor)


MEANINGS: dict[str, Any] = {
    "min": min,
    "max": max,
    "select": lambda condition, first, second: first if condition else second,
    "trunc_div": trunc_div,
    "trunc_mod": trunc_mod,
    "cdiv": cdiv,
    "round_up": lambda number, divisor: cdiv(number, divisor) * divisor,
    "clz": lambda number: 32 - number.bit_length(),
    "ffs": lambda number: (number & -number).bit_length(),
}


class _Truncating(ast.NodeTransformer):
    """C's ``/`` and ``%`` as calls."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = {ast.Div: "trunc_div", ast.Mod: "trunc_mod"}.get(type(node.op))
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], []) if name else node


def python_function(text: str, syntax: str = "python") -> Callable[[dict[str, int]], int | bool]:
    """What Python itself computes: the oracle."""
    spelled = text.replace("&&", " and ").replace("||", " or ") if syntax == "c" else text
    tree: Any = ast.parse(spelled.strip(), mode="eval")
    if syntax == "c":
        tree = ast.fix_missing_locations(_Truncating().visit(tree))
    code = compile(tree, text, "eval")
    return lambda point: eval(code, MEANINGS, point)  # noqa: S307  our own data


@dataclass(frozen=True)
class GroupCase:
    """A text over axes and sizes, and the cheapest form known where the facts hold."""

    group: str
    number: int
    given: str
    expected: str
    axes: dict[str, list[Any]]
    sizes: dict[str, list[Any]] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    syntax: str = "python"

    def __str__(self) -> str:
        return f"{self.group}-{self.number}"

    def domain(self) -> Domain:
        axes = {name: (_end(low), _end(high)) for name, (low, high) in self.axes.items()}
        sizes = {name: (_end(low), _end(high)) for name, (low, high) in self.sizes.items()}
        return Domain.of(axes, sizes, self.facts)

    def points(self) -> list[dict[str, int]]:
        """All points of a small domain; of a larger one its ends and a scatter."""
        facts = [python_function(fact) for fact in self.facts]
        found = (p for p in self._candidates() if all(fact(p) for fact in facts))
        return list(itertools.islice(found, MOST))

    def _candidates(self) -> Iterator[dict[str, int]]:
        ends = {name: _numbers(pair) for name, pair in (self.axes | self.sizes).items()}
        count = 1
        for low, high in ends.values():
            count *= high - low
        if count <= MOST:
            for values in itertools.product(*(range(*pair) for pair in ends.values())):
                yield dict(zip(ends, values, strict=True))
            return
        draw = random.Random(str(self))
        for _ in range(20 * MOST):
            width = draw.choice((3, 20, 10**6))
            yield {
                name: draw.choice(
                    (low, high - 1, draw.randrange(low, min(high, low + width)), draw.randrange(low, high))
                )
                for name, (low, high) in ends.items()
            }


def _end(given: Any) -> int | None:
    return None if isinstance(given, str) else given


def _numbers(pair: list[Any]) -> tuple[int, int]:
    low, high = map(_end, pair)
    if low is None:
        low = -OPEN_END if high is None else high - OPEN_END
    return low, low + 2 * OPEN_END if high is None else high


@cache
def group_cases() -> tuple[GroupCase, ...]:
    """Every case of every group, in the order of the files."""
    found = []
    for path in sorted(HERE.glob("*.toml")):
        for number, row in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["case"]):
            row["facts"] = tuple(row.get("facts", ()))
            found.append(GroupCase(path.stem, number, **row))
    return tuple(found)
