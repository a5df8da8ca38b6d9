"""An index function as JSON: its programs as trees, for other tools."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from layoutalg.index.table import Table
from layoutalg.index_code.formulas import Formulas
from layoutalg.term import Term

__all__ = ["json_text"]


def json_text(formulas: Formulas) -> str:
    """``schema`` 1: name, inputs with their ranges as text, and programs as ``[operation, operand...]``.

    Where programs look tables up, ``tables`` says what is known of them: ``["entry", table, position]``.
    """
    content: dict[str, Any] = {
        "schema": 1,
        "name": formulas.name,
        "inputs": [
            {
                "name": variable.name,
                "kind": "parameter" if variable.is_parameter else "axis",
                "lowest": None if variable.lower is None else str(variable.lower),
                "highest": None if variable.upper is None else str(variable.upper - 1),
                "multiple_of": variable.multiple_of,
            }
            for variable in (*formulas.domain.axes, *formulas.domain.parameters)
        ],
        "facts": [str(fact) for fact in formulas.domain.facts],
        "offset": {"text": str(formulas.offset), "program": _tree(formulas.offset)},
        "valid": {"text": str(formulas.valid), "program": _tree(formulas.valid)},
    }
    if formulas.tables:
        content["tables"] = [_about(table, name) for table, name in _named(formulas)]
    if formulas.advance is not None:
        difference = formulas.advance.difference
        content["advance"] = {
            "step": dict(formulas.advance.step),
            "text": str(difference),
            "program": _tree(difference),
        }
    return json.dumps(content, indent=1) + "\n"


def _named(formulas: Formulas) -> Iterator[tuple[Table, str]]:
    return ((table, formulas.table_names[table.name]) for table in formulas.tables)


def _about(table: Table, parameter: str) -> dict[str, Any]:
    """A table that programs look up by one position, all its entries in a row."""
    return {
        "name": table.name,
        "parameter": parameter,
        "lengths": [str(length) for length in table.lengths],
        "lowest": None if table.lowest is None else str(table.lowest),
        "highest": None if table.highest is None else str(table.highest),
        "multiple_of": table.multiple_of,
    }


def _tree(term: Term) -> Any:
    if term.op == "table":
        return term.args[0].name
    if not term.parts:
        return term.args[0]
    return [term.op, *map(_tree, term.parts)]
