"""Claims as JSON and back: expressions are text in Python's syntax, so a certificate can be read by anyone.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> from layoutalg.properties import one_to_one
>>> claim = one_to_one(make_naive_tensor_descriptor_packed((4, 8)))
>>> claim_of(json_of(claim)) == claim
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties.covers import covers_map
from layoutalg.properties.one_to_one import paired
from layoutalg.reading.near_names import not_one_of
from layoutalg.term import interpret_term
from layoutalg.term.as_terms import to_term
from layoutalg.term.parse import parse_term

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["claim_of", "expression_of", "json_of"]


def json_of(claim: Claim) -> dict[str, Any]:
    """The claim as a JSON value; a claim about a map is written as the map and the property's name."""
    found: dict[str, Any] = {"name": claim.name, "subject": claim.subject}
    if claim.map is not None and claim.kind != "comparisons":
        found |= {"kind": claim.kind, "domain": _domain(claim.map.domain), "when": _texts(claim.map.when)}
        found |= {"outputs": _texts(claim.map.outputs)}
        if claim.kind == "pairs":
            found["told"] = list(claim.told)
        else:
            targets = claim.domain.axes[: len(claim.map.outputs)]
            found |= {"lengths": _texts(target.upper for target in targets)}
        return found
    then = [[_text(c.left), c.op, _text(c.right)] for c in claim.then]
    found |= {"kind": "comparisons", "domain": _domain(claim.domain)}
    return found | {"when": _texts(claim.when), "then": then}


def claim_of(content: Mapping[str, Any]) -> Claim:
    """The claim a JSON value stands for; refused, with the place named, where it is none."""
    try:
        return _claim(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, LayoutError):
            raise
        msg = f"not a claim: {type(error).__name__}: {error}"
        raise LayoutError(msg, hint="certificates are written by layoutalg check --certificates") from None


def expression_of(text: str, domain: Domain) -> Any:
    """The expression or condition a text stands for, with the symbols of the domain."""
    return interpret_term(parse_term(text, names=domain.names, syntax="python"), SYMBOLIC, domain.__getitem__)


def _claim(content: Mapping[str, Any]) -> Claim:
    domain = _domain_of(content["domain"])
    when = tuple(expression_of(text, domain) for text in content["when"])
    kind, subject = content["kind"], str(content["subject"])
    if kind == "comparisons":
        then = []
        for left, op, right in content["then"]:
            if op not in ("==", "<=", "<"):
                raise not_one_of("one", op, ("==", "<=", "<"))
            then.append(Comparison(expression_of(left, domain), op, expression_of(right, domain)))
        return Claim(str(content["name"]), subject, domain, tuple(then), when)
    outputs = tuple(expression_of(text, domain) for text in content["outputs"])
    index_map = IndexMap(domain, outputs, when)
    if kind == "pairs":
        return paired(str(content["name"]), index_map, tuple(domain[a] for a in content["told"]), subject)
    if kind == "covers":
        return covers_map(index_map, tuple(expression_of(t, domain) for t in content["lengths"]), subject)
    msg = f"wanted comparisons, pairs or covers; got {kind!r}"
    raise LayoutError(msg)


def _domain(domain: Domain) -> dict[str, Any]:
    return {
        "variables": [
            {
                "name": variable.name,
                "lower": None if variable.lower is None else _text(variable.lower),
                "upper": None if variable.upper is None else _text(variable.upper),
                "multiple_of": variable.multiple_of,
                "is_parameter": variable.is_parameter,
                "is_nonnegative": bool(variable.symbol.is_nonnegative),
                "is_positive": bool(variable.symbol.is_positive),
            }
            for variable in domain.variables
        ],
        "facts": _texts(domain.facts),
    }


def _domain_of(content: Mapping[str, Any]) -> Domain:
    rows = content["variables"]
    symbols = {row["name"]: _symbol(row) for row in rows}

    def end(text: str | None) -> Any:
        if text is None:
            return None
        return interpret_term(parse_term(text, names=symbols, syntax="python"), SYMBOLIC, symbols.__getitem__)

    variables = tuple(
        Variable(
            symbols[row["name"]],
            end(row["lower"]),
            end(row["upper"]),
            int(row["multiple_of"]),
            bool(row["is_parameter"]),
        )
        for row in rows
    )
    bare = Domain(variables)
    return Domain(variables, tuple(expression_of(text, bare) for text in content["facts"]))


def _symbol(row: Mapping[str, Any]) -> sympy.Symbol:
    """The symbol with what its range lets SymPy assume; nothing is believed that the ends do not say."""
    lower = row["lower"]
    least = int(lower) if lower is not None and str(lower).lstrip("-").isdigit() else None
    if row["is_positive"] and least is not None and least >= 1:
        return sympy.Symbol(row["name"], integer=True, positive=True)
    if row["is_nonnegative"] and least is not None and least >= 0:
        return sympy.Symbol(row["name"], integer=True, nonnegative=True)
    return sympy.Symbol(row["name"], integer=True)


def _texts(expressions: Any) -> list[str]:
    return [_text(expression) for expression in expressions]


def _text(expression: Any) -> str:
    return str(to_term(expression))
