"""Forged certificates for the tests of ``recheck``, and an oracle for their claims.

The forger knows the format and the digest. It exchanges parts of certificates, puts proofs under claims of
another kind and changes numbers and texts. The oracle tries all points, with sizes up to ``LARGEST``: Python
reads the texts of a claim, and nothing of the package is used.
"""

from __future__ import annotations

import copy
import random
from itertools import product
from typing import Any

__all__ = ["Forger", "fails_at", "is_false"]

LARGEST = 6  # of a size that has no upper end: enough for each false claim that the forger makes
FUNCTIONS = {
    "min": min,
    "max": max,
    "abs": abs,
    "select": lambda condition, then, otherwise: then if condition else otherwise,
    "__builtins__": {},
}
KINDS = ("comparisons", "pairs", "covers", "disjoint")
TEXTS = ("0", "1", "i", "j", "n", "y0", "y1", "i'", "i + 1", "i // 2", "2*i", "n - 1", "", "?", "i9")
OTHERS: tuple[Any, ...] = (
    None,
    -1,
    0,
    1,
    7,
    True,
    "order",
    "cases",
    "cut",
    "counting",
    "groups",
    [],
    {},
    [[]],
    1.5,
    "8",
    "proved",
)
Point = dict[str, Any]


def value(text: Any, point: Point) -> Any:
    """What Python makes of a text of a certificate."""
    return eval(str(text).replace("'", "_twin"), FUNCTIONS, point)  # noqa: S307  names and operators only


def points(domain: dict[str, Any], tables: Point) -> list[Point]:
    """All points of a domain as a certificate writes it, sizes first."""
    found = [dict(tables)]
    left = sorted(domain["variables"], key=lambda row: not row["is_parameter"])
    for row in left:
        name, step = row["name"].replace("'", "_twin"), row["multiple_of"]
        grown = []
        for point in found:
            low = 0 if row["lower"] is None else value(row["lower"], point)
            high = low + LARGEST if row["upper"] is None else value(row["upper"], point)
            grown += [point | {name: n} for n in range(low, min(high, low + 64)) if n % step == 0]
        found = grown
    return [point for point in found if all(value(fact, point) for fact in domain["facts"])]


def is_false(claim: dict[str, Any]) -> bool:
    """Whether some point, with small sizes, shows that a claim of a certificate does not hold."""
    tables = {table["name"]: table["entries"] for table in claim.get("tables", ())}
    valid = [
        point
        for point in points(claim["domain"], tables)
        if all(value(condition, point) for condition in claim["when"])
    ]
    return _FALSE[claim["kind"]](claim, valid)


def _comparisons(claim: dict[str, Any], valid: list[Point]) -> bool:
    return any(not _holds(row, point) for row in claim["then"] for point in valid)


def _holds(row: list[Any], point: Point) -> bool:
    left, op, right = row
    one, other = value(left, point), value(right, point)
    return {"==": one == other, "<=": one <= other, "<": one < other}[op]


def _pairs(claim: dict[str, Any], valid: list[Point]) -> bool:
    told: dict[Any, Any] = {}
    for point in valid:
        key = (_sizes(claim, point), _values(claim["outputs"], point))
        if told.setdefault(key, mine := _values(claim["told"], point)) != mine:
            return True
    return False


def _covers(claim: dict[str, Any], valid: list[Point]) -> bool:
    reached = {(_sizes(claim, point), _values(claim["outputs"], point)) for point in valid}
    sizes = [row for row in claim["domain"]["variables"] if row["is_parameter"]]
    names = {row["name"] for row in sizes}
    known = [fact for fact in claim["domain"]["facts"] if _names(fact) <= names]
    tables = {table["name"]: table["entries"] for table in claim.get("tables", ())}
    return any(
        (_sizes(claim, point), place) not in reached
        for point in points({"variables": sizes, "facts": known}, tables)
        for place in product(*(range(value(length, point)) for length in claim["lengths"]))
    )


def _disjoint(claim: dict[str, Any], valid: list[Point]) -> bool:
    one, other = claim["outputs"]
    return any(_values(one, point) == _values(other, point) for point in valid)


_FALSE = {"comparisons": _comparisons, "pairs": _pairs, "covers": _covers, "disjoint": _disjoint}


def _values(texts: list[Any], point: Point) -> tuple[int, ...]:
    return tuple(int(value(text, point)) for text in texts)


def _sizes(claim: dict[str, Any], point: Point) -> tuple[int, ...]:
    return tuple(point[row["name"]] for row in claim["domain"]["variables"] if row["is_parameter"])


def _names(text: str) -> set[str]:
    return set(compile(str(text).replace("'", "_twin"), "", "eval").co_names) - set(FUNCTIONS)


def fails_at(claim: dict[str, Any], point: Point) -> bool:
    """Whether a claim of a certificate fails where a refutation says so."""
    given = {name.replace("'", "_twin"): number for name, number in point.items()}
    fixed = copy.deepcopy(claim)
    for row in fixed["domain"]["variables"]:
        if row["is_parameter"] or claim["kind"] in ("comparisons", "disjoint"):
            row |= {"lower": str(given[row["name"].replace("'", "_twin")]), "upper": None}
            row["upper"] = str(int(row["lower"]) + 1)
    return is_false(fixed)


class Forger:
    """Changed certificates, made of honest ones by the numbers of a seed."""

    def __init__(self, honest: list[dict[str, Any]], seed: int) -> None:
        self.honest = honest
        self.draw = random.Random(seed)

    def forged(self) -> dict[str, Any]:
        """An honest certificate with one to five changes; the caller computes its digest."""
        draw = self.draw
        found = copy.deepcopy(draw.choice(self.honest))
        fields = draw.choice((0, 1, 1, 2, 4))
        if not fields or draw.random() < 0.5:
            draw.choice((self._of_kind, self._proof_of_another))(found)
        for _ in range(fields):
            self._field(found)
        return found

    def _proof_of_another(self, content: dict[str, Any]) -> None:
        """The proof of another certificate, or the claim."""
        other = copy.deepcopy(self.draw.choice(self.honest))
        keys = self.draw.choice((("claim",), ("verdict", "by", "proof", "point", "values", "reason")))
        for key in keys:
            content.pop(key, None)
            if key in other:
                content[key] = other[key]

    def _of_kind(self, content: dict[str, Any]) -> None:
        """The same map under a claim of another kind, as the proof there may not ask which one it is."""
        claim, kind = content["claim"], self.draw.choice(KINDS)
        outputs = _flat(claim.pop("outputs", None)) or ["i", "0"]
        axes = [row["name"] for row in claim["domain"]["variables"] if not row["is_parameter"]]
        for key in ("told", "lengths", "then"):
            claim.pop(key, None)
        half = (len(outputs) + 1) // 2
        claim |= {"kind": kind}
        claim |= {
            "comparisons": {"then": [[each, "<", self._number()] for each in outputs]},
            "pairs": {"outputs": outputs, "told": axes},
            "covers": {"outputs": outputs, "lengths": [self._number() for _ in outputs]},
            "disjoint": {"outputs": [outputs[:half], outputs[half:]]},
        }[kind]
        if self.draw.random() < 0.5:
            claim["name"] = self.draw.choice(("one-to-one", "covers", "disjoint", "in bounds"))

    def _number(self) -> str:
        return str(self.draw.choice((1, 2, 4, 8)))

    def _field(self, content: dict[str, Any]) -> None:
        """Any one field, however deep: another text or number, a value of another type, or nothing."""
        at: Any = content
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                return
            key = self.draw.choice(keys)
            if isinstance(at[key], dict | list) and at[key] and self.draw.random() < 0.85:
                at = at[key]
                continue
            self._change(at, key)
            return

    def _change(self, at: Any, key: Any) -> None:
        draw, old = self.draw, at[key]
        how = draw.random()
        if how < 0.1:
            del at[key]
        elif how < 0.2:
            at[key] = draw.choice(OTHERS)
        elif isinstance(old, bool):
            at[key] = not old
        elif isinstance(old, int):
            at[key] = old + draw.choice((-1, 1, 2, 1000))
        elif isinstance(old, list) and old:
            at[key] = old[:-1] if draw.random() < 0.5 else [*old, old[-1]]
        elif isinstance(old, str):
            at[key] = self._text(old)
        else:
            at[key] = draw.choice(OTHERS)

    def _text(self, old: str) -> str:
        draw = self.draw
        numbers = [n for n, letter in enumerate(old) if letter.isdigit()]
        if numbers and draw.random() < 0.5:
            at = draw.choice(numbers)
            return old[:at] + str(draw.randrange(10)) + old[at + 1 :]
        return draw.choice((*TEXTS, old + " + 1"))


def _flat(outputs: Any) -> list[str]:
    if not isinstance(outputs, list):
        return []
    return [str(each) for one in outputs for each in (one if isinstance(one, list) else [one])]
