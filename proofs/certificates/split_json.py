"""How a proof took a claim apart, as JSON and back: a cut, a count, cases, or an order.

The claims of the parts are not written down: who checks makes them anew from the claim and what stands here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.proofs.certificates.claim_json import expression_of, text_of
from layoutalg.proofs.cut.counting import Counting
from layoutalg.proofs.cut.cut import Cut, Value
from layoutalg.proofs.cut.groups import Groups
from layoutalg.proofs.cut.parts import CutInParts, claims_of_cut
from layoutalg.proofs.digits.inverse_map import inverse_domain
from layoutalg.proofs.members.by_cases import Cases, case_of, claims_of_cases
from layoutalg.proofs.members.by_order import Order, claims_of_order
from layoutalg.reading.near_names import not_one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.claim import Claim

__all__ = ["Split", "json_of_split", "parts_of", "split_of"]

Split = CutInParts | Cases | Order
KINDS = ("cut", "counting", "groups", "cases", "order")


def json_of_split(split: Split) -> dict[str, Any]:
    """A split as a JSON value."""
    match split:
        case Cut():
            values = [[v.symbol.name, text_of(v.expression), text_of(v.length)] for v in split.values]
            written = {"outputs": split.outputs, "left": split.left, "told": split.told}
            texts = {key: list(map(text_of, expressions)) for key, expressions in written.items()}
            when = [[text_of(old), text_of(new)] for old, new in split.when]
            return {"kind": "cut", "values": values, **texts, "when": when}
        case Counting():
            return {"kind": "counting"}
        case Groups():
            return {"kind": "groups", "first": list(split.first)}
        case Cases():
            inverses = [{name: text_of(e) for name, e in inverse.items()} for inverse in split.inverses]
            return {"kind": "cases", "axis": split.axis, "inverses": inverses}
        case Order():
            return {
                "kind": "order",
                "scale": text_of(split.scale),
                "highs": list(map(text_of, split.highs)),
                "rests": list(map(text_of, split.rests)),
                "is_rest": split.is_rest,
                "is_less": split.is_less,
            }


def split_of(content: Mapping[str, Any], claim: Claim) -> Split:
    """The split a JSON value stands for, of a claim; refused where it is none."""
    domain = claim.speaks_of.domain
    match content["kind"]:
        case "cut":
            return _cut(content, domain)
        case "counting":
            return Counting()
        case "groups":
            return Groups(tuple(map(int, content["first"])))
        case "cases":
            axis = str(content["axis"])
            parts = [case_of(claim, axis, number) for number in range(len(content["inverses"]))]
            inverses = [
                {name: expression_of(text, inverse_domain(part)) for name, text in row.items()}
                for part, row in zip(parts, content["inverses"], strict=True)
            ]
            return Cases(axis, tuple(inverses))
        case "order":
            highs, rests = ([expression_of(t, domain) for t in content[key]] for key in ("highs", "rests"))
            (one, two), (low, other) = highs, rests
            flags = bool(content["is_rest"]), bool(content["is_less"])
            return Order(expression_of(content["scale"], domain), (one, two), (low, other), *flags)
        case kind:
            raise not_one_of("a split", kind, KINDS)


def _cut(content: Mapping[str, Any], domain: Domain) -> Cut:
    values = []
    for name, expression, length in content["values"]:
        if name in domain:
            raise LayoutError(f"the cut names {name}, which the claim has already")
        symbol = sympy.Symbol(str(name), integer=True, nonnegative=True)
        values.append(Value(symbol, expression_of(expression, domain), expression_of(length, domain)))
    variables = (*domain.variables, *(value.axis for value in values))
    known = Domain(variables, (), domain.tables)
    outputs, left, told = (
        tuple(expression_of(text, known) for text in content[key]) for key in ("outputs", "left", "told")
    )
    when = tuple((expression_of(old, domain), expression_of(new, known)) for old, new in content["when"])
    return Cut(tuple(values), outputs, left, told, when)


def parts_of(claim: Claim, split: Split) -> tuple[Claim, ...]:
    """The claims from which a claim follows that is taken apart so."""
    match split:
        case Cases():
            return claims_of_cases(claim, split)
        case Order():
            return claims_of_order(claim, split)
        case _:
            return claims_of_cut(claim, split)
