"""An index function in Python, for integers and, without selections, for NumPy arrays."""

from __future__ import annotations

from layoutalg.as_terms import FALSE, TRUE
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.named import named
from layoutalg.term import Term

__all__ = ["python_source"]


def python_source(formulas: Formulas) -> str:
    """Functions ``NAME_offset``, ``NAME_valid`` and, with a step, ``NAME_advance``."""
    where = str(formulas.domain).removeprefix("Domain: ")
    functions = [_function(formulas, "offset", formulas.offset, f"The offset for {where}.")]
    functions.append(_function(formulas, "valid", formulas.valid, "Whether the element exists."))
    if formulas.advance is not None:
        step = ", ".join(f"{axis} by {distance}" for axis, distance in formulas.advance.step)
        text = f"What to add to the offset when the index moves: {step}."
        functions.append(_function(formulas, "advance", formulas.advance.difference, text))
    return "\n\n\n".join(functions) + "\n"


def _function(formulas: Formulas, what: str, term: Term, docstring: str) -> str:
    values, (last,) = named([term], taken=formulas.inputs)
    lines = [f"def {formulas.name}_{what}({', '.join(formulas.inputs)}):", f'    """{docstring}"""']
    lines += [f"    {name} = {_text(value)}" for name, value in values]
    lines.append(f"    return {_text(last)}")
    return "\n".join(lines)


def _text(term: Term) -> str:
    if term in (TRUE, FALSE):
        return str(term == TRUE)
    return str(_with_choices(term)) if term.op != "select" else _choice(term)


def _with_choices(term: Term) -> Term:
    """Selections become names that are Python's own ``a if c else b`` in parentheses."""
    if not term.parts:
        return term
    if term.op == "select":
        return Term.symbol(f"({_choice(term)})")
    return Term(term.op, tuple(_with_choices(part) for part in term.args))


def _choice(term: Term) -> str:
    condition, first, second = (_text(part) for part in term.args)
    return f"{first} if {condition} else {second}"
