"""An index function in Python, for integers and, without selections, for NumPy arrays."""

from __future__ import annotations

from layoutalg.index_code.emitted_names import PYTHON
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.python_text import to_python
from layoutalg.index_code.subexpressions import named
from layoutalg.term import Term

__all__ = ["python_source"]


def python_source(formulas: Formulas) -> str:
    """Functions ``NAME_offset``, ``NAME_valid`` and, with a step, ``NAME_advance``."""
    PYTHON.require(formulas.inputs)
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
    lines += [f"    {name} = {to_python(value)}" for name, value in values]
    lines.append(f"    return {to_python(last)}")
    return "\n".join(lines)
