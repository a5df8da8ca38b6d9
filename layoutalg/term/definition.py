"""Names for expressions in text: what stands behind a name is the expression, as if in parentheses.

>>> definition = Definition.of("group", "pid // (8*num_n)", known=("pid", "num_n"))
>>> definition.name, definition.syntax, definition.is_condition
('group', 'python', False)
>>> print(definition.term())
pid // (8*num_n)
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from layoutalg.term.parse import Syntax, parsed
from layoutalg.term.term import CONDITIONS, Term

__all__ = ["Definition"]


@dataclass(frozen=True)
class Definition:
    """A name, the text it stands for, and the syntax that says what the text means.

    ``conditions`` are the names in the text that stand for conditions.
    """

    name: str
    text: str
    syntax: Syntax
    is_condition: bool
    conditions: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        text: str,
        known: Collection[str],
        before: Collection[Definition] = (),
        syntax: Syntax | None = None,
    ) -> Definition:
        """A definition over known names and the definitions before it; refused where the text is none."""
        conditions = tuple(one.name for one in before if one.is_condition)
        names = (*known, *(one.name for one in before))
        term, found = parsed(text, names, syntax, conditions)
        return cls(name, text, found, term.op in CONDITIONS, conditions)

    def term(self) -> Term:
        """The text as a term, with names in it left as they are."""
        return parsed(self.text, None, self.syntax, self.conditions)[0]
