"""Index functions in Python, for integers and (without selections) NumPy arrays.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> domain = Domain.of({"x": 64})
>>> python_source(Formulas("rows", domain, parse_term("x // 8"), parse_term("x < 9"))).splitlines()[:3:2]
['def rows_offset(x):', '    return x // 8']
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.index_code.emitted_names import PYTHON
from layoutalg.index_code.field_names import free_name
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.hoisting import Hoisted, hoisted
from layoutalg.index_code.line_breaks import LINE, broken, comment
from layoutalg.index_code.python_sizes import divisor_parts, sizes_parts
from layoutalg.index_code.python_text import to_python
from layoutalg.index_code.subexpressions import named
from layoutalg.term import Term

__all__ = ["python_source"]

IMPORT = "from dataclasses import dataclass"
OWN = ("offset", "valid", "advance", "sizes", "make_sizes", "divisor", "make_divisor", "divide", "run_of")
RUN_OF = """\
def {name}_run_of(table, value):
    return bisect_right(table, value) - 1"""


def python_source(formulas: Formulas) -> str:
    """Functions ``NAME_offset``, ``NAME_valid`` and, with a step, ``NAME_advance``.

    Where they depend on sizes they take a ``NAME_sizes``, which ``NAME_make_sizes`` makes. Where they look
    tables up they take the entries of each, all in a row; a search for a run takes integers alone.
    """
    own = [f"{formulas.name}_{what}" for what in OWN]
    PYTHON.require((*formulas.inputs, *formulas.table_names.values()), taken=own)
    source = _Source(
        hoisted(formulas, words=(32,), is_typed=False)
    )  # an int64 of NumPy holds no product of more bits
    return "\n\n\n".join(source.parts) + "\n"


@dataclass(frozen=True)
class _Source:
    """The parts of one text."""

    found: Hoisted

    @property
    def parts(self) -> list[str]:
        """Sizes, then functions."""
        formulas, parts = self.found.formulas, []
        if self.found.has_sizes:
            parts = [IMPORT, *sizes_parts(self.found)]
        if self.found.divisors:
            parts[1:1] = divisor_parts(formulas.name)
        if self._searches:
            parts[:0] = ["from bisect import bisect_right"]
            parts.append(RUN_OF.format(name=formulas.name))
        where = str(formulas.domain).removeprefix("Domain: ")
        parts.append(self._function("offset", formulas.offset, f"The offset for {where}."))
        parts.append(self._function("valid", formulas.valid, "Whether the element exists."))
        if formulas.advance is not None:
            step = ", ".join(f"{axis} by {distance}" for axis, distance in formulas.advance.step)
            said = f"What to add to the offset when the index moves: {step}."
            parts.append(self._function("advance", formulas.advance.difference, said))
        return parts

    @property
    def _searches(self) -> bool:
        formulas = self.found.formulas
        programs = [formulas.offset, formulas.valid]
        programs += [] if formulas.advance is None else [formulas.advance.difference]
        return any(part.op == "run_of" for program in programs for part in program.walk())

    def _function(self, what: str, term: Term, docstring: str) -> str:
        formulas = self.found.formulas
        axes = [axis.name for axis in formulas.domain.axes]
        tables = list(formulas.table_names.values())
        sizes = free_name("sizes", (*axes, *tables))
        parameters = ", ".join([*axes, *([sizes] if self.found.has_sizes else []), *tables])
        values, (last,) = named([term], taken=(*formulas.inputs, *tables, *self.found.members))
        lines = [f"def {formulas.name}_{what}({parameters}):", *broken(f'    """{docstring}"""')]
        if what == "offset" and self.found.left:
            divisions = ", ".join(map(str, self.found.left))
            said = f"Divided by Python, since no magic number is shown to be exact: {divisions}."
            lines.append(comment(said, "    # "))
        lines += [line for name, value in values for line in self._statement(f"{name} = ", value, sizes)]
        return "\n".join([*lines, *self._statement("return ", last, sizes)])

    def _statement(self, before: str, term: Term, sizes: str) -> list[str]:
        """A statement, in parentheses where it takes more than a line."""
        text = to_python(self._spelled(term, sizes))
        if len(before) + len(text) + 4 <= LINE:
            return [f"    {before}{text}"]
        return [f"    {before}(", *(f"        {line.strip()}" for line in broken(text, LINE - 8)), "    )"]

    def _spelled(self, term: Term, sizes: str) -> Term:
        """Members of the sizes as attributes, division by one of them and the search for a run as calls."""
        if term.op == "symbol":
            return Term.symbol(f"{sizes}.{term.args[0]}") if term.args[0] in self.found.members else term
        if term.op == "table":
            return Term.symbol(self.found.formulas.table_names[term.args[0].name])
        if not term.parts:
            return term
        parts = tuple(self._spelled(part, sizes) for part in term.args)
        if term.op == "//" and term.args[1].op == "symbol" and term.args[1].args[0] in self.found.divisors:
            return Term.symbol(f"{self.found.formulas.name}_divide({to_python(parts[0])}, {parts[1]})")
        if term.op == "run_of":
            return Term.symbol(f"{self.found.formulas.name}_run_of({parts[0]}, {to_python(parts[1])})")
        return Term(term.op, parts)
