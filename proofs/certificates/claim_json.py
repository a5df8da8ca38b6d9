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
from layoutalg.index.table import MONOTONE, Table
from layoutalg.properties.covers import covers_map
from layoutalg.properties.one_to_one import paired
from layoutalg.properties.together import disjoint_halves, disjoint_outputs
from layoutalg.reading.near_names import not_one_of
from layoutalg.term import interpret_term
from layoutalg.term.as_terms import to_term
from layoutalg.term.parse import parse_term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["claim_of", "expression_of", "json_of", "text_of"]


def json_of(claim: Claim) -> dict[str, Any]:
    """The claim as a JSON value; a claim about a map is written as the map and the property's name."""
    found: dict[str, Any] = {"name": claim.name, "subject": claim.subject}
    if claim.tables:
        found["tables"] = [_table(table) for table in claim.tables]
    if claim.map is not None and claim.kind != "comparisons":
        found |= {"kind": claim.kind, "domain": _domain(claim.map.domain), "when": _texts(claim.map.when)}
        found |= {"outputs": _texts(claim.map.outputs)}
        if claim.kind == "pairs":
            found["told"] = _texts(claim.told)
        else:
            targets = claim.domain.axes[: len(claim.map.outputs)]
            found |= {"lengths": _texts(target.upper for target in targets)}
        return found
    if claim.map is not None and (halves := disjoint_halves(claim)):
        found |= {"kind": "disjoint", "domain": _domain(claim.domain), "when": _texts(claim.map.when)}
        return found | {"outputs": [_texts(outputs) for outputs in halves]}
    then = [[text_of(c.left), c.op, text_of(c.right)] for c in claim.then]
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
    return interpret_term(
        parse_term(text, names=domain.known_names, syntax="python"), SYMBOLIC, domain.__getitem__
    )


def _claim(content: Mapping[str, Any]) -> Claim:
    domain = _domain_of(content["domain"], content.get("tables", ()))
    when = tuple(expression_of(text, domain) for text in content["when"])
    kind, subject = content["kind"], str(content["subject"])
    if kind == "comparisons":
        then = []
        for left, op, right in content["then"]:
            if op not in ("==", "<=", "<"):
                raise not_one_of("one", op, ("==", "<=", "<"))
            then.append(Comparison(expression_of(left, domain), op, expression_of(right, domain)))
        return Claim(str(content["name"]), subject, domain, tuple(then), when)
    if kind == "disjoint":
        one, other = ([expression_of(text, domain) for text in texts] for texts in content["outputs"])
        return disjoint_outputs(domain, (one, other), when, subject)
    outputs = tuple(expression_of(text, domain) for text in content["outputs"])
    index_map = IndexMap(domain, outputs, when)
    if kind == "pairs":
        return paired(
            str(content["name"]),
            index_map,
            tuple(expression_of(text, domain) for text in content["told"]),
            subject,
        )
    if kind == "covers":
        return covers_map(index_map, tuple(expression_of(t, domain) for t in content["lengths"]), subject)
    msg = f"wanted comparisons, pairs or covers; got {kind!r}"
    raise LayoutError(msg)


def _domain(domain: Domain) -> dict[str, Any]:
    return {
        "variables": [
            {
                "name": variable.name,
                "lower": None if variable.lower is None else text_of(variable.lower),
                "upper": None if variable.upper is None else text_of(variable.upper),
                "multiple_of": variable.multiple_of,
                "is_parameter": variable.is_parameter,
                "is_nonnegative": bool(variable.symbol.is_nonnegative),
                "is_positive": bool(variable.symbol.is_positive),
            }
            for variable in domain.variables
        ],
        "facts": _texts(domain.facts),
    }


def _table(table: Table) -> dict[str, Any]:
    ends = {"lower": table.lower, "upper": table.upper, "first": table.first, "last": table.last}
    return {
        "name": table.name,
        "lengths": _texts(table.lengths),
        **{key: text_of(end) for key, end in ends.items() if end is not None},
        "one_to_one": bool(table.args[7]),
        "monotone": MONOTONE[int(table.args[8])],
        "multiple_of": table.multiple_of,
        "entries": None if table.entries is None else list(table.entries),
    }


def _table_of(row: Mapping[str, Any], sizes: Domain) -> Table:
    facts = {key: expression_of(row[key], sizes) for key in ("lower", "upper", "first", "last") if key in row}
    return Table.of(
        str(row["name"]),
        [expression_of(text, sizes) for text in row["lengths"]],
        one_to_one=bool(row["one_to_one"]),
        monotone=row["monotone"],
        multiple_of=int(row["multiple_of"]),
        entries=row["entries"],
        **facts,
    )


def _domain_of(content: Mapping[str, Any], tables: Sequence[Mapping[str, Any]] = ()) -> Domain:
    rows = content["variables"]
    symbols: dict[str, Any] = {row["name"]: _symbol(row) for row in rows}
    sizes = Domain(tuple(Variable(symbols[row["name"]], None, None, is_parameter=True) for row in rows))
    for row in tables:
        symbols[row["name"]] = _table_of(row, sizes)

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
    bare = Domain(variables, (), tuple(symbols[row["name"]] for row in tables))
    facts = tuple(expression_of(text, bare) for text in content["facts"])
    return Domain(variables, facts, bare.tables)


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
    return [text_of(expression) for expression in expressions]


def text_of(expression: Any) -> str:
    """An expression or condition in Python's syntax, as :func:`expression_of` reads it."""
    return str(to_term(expression))
