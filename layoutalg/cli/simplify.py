"""``layoutalg simplify``: one expression in, its cheapest form out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from sympy import latex

from layoutalg.cli.domain_options import domain_of, options_declare
from layoutalg.index_code import IndexFunction, to_python
from layoutalg.index_code.c_text import c_expression
from layoutalg.machine import known_target
from layoutalg.reading.near_names import not_one_of
from layoutalg.rules import Simplified, simplify
from layoutalg.term.cost import PRICES

__all__ = ["FORMS", "simplified_text"]


def _json(found: Simplified) -> str:
    content = {
        "text": str(found),
        "cost": found.cost,
        "cost_before": found.cost_before,
        "steps": [str(step) for step in found.steps],
    }
    return json.dumps(content, indent=1)


FORMS: dict[str, Callable[[Simplified], str]] = {
    "text": str,
    "latex": lambda found: str(latex(found.expr)),
    "c": lambda found: c_expression(found.program, found.domain),
    "hip": lambda found: IndexFunction.of_expression(found.program, found.domain).text("hip").rstrip(),
    "python": to_python,
    "json": _json,
}


def simplified_text(  # noqa: PLR0913  one argument an option
    expression: str,
    variables: Sequence[str],
    parameters: Sequence[str],
    facts: Sequence[str],
    *,
    to: str,
    explain: bool,
    target: str,
    assume_defined: bool,
) -> str:
    """What the command prints."""
    if to not in FORMS:
        raise not_one_of("one", to, FORMS, where="--to")
    known_target(target, PRICES, where="--target")
    domain = domain_of(variables, parameters, facts)
    with options_declare():
        found = simplify(
            expression, domain, target=target, explain=explain or to == "json", assume_defined=assume_defined
        )
    lines = [FORMS[to](found)]
    if explain and to != "json":
        lines += ["", f"cost {found.cost_before} -> {found.cost} ({target})", *map(str, found.steps)]
    return "\n".join(lines)
