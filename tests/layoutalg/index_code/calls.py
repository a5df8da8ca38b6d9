"""How the functions of an emitted C or HIP text are called."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Calls", "calls", "has_sizes"]


class Calls(NamedTuple):
    """A statement that makes the sizes (or none), and the calls."""

    made: str
    offset: str
    valid: str
    advance: str
    hold: str


def has_sizes(made, to):
    """Whether the functions take sizes."""
    return f"{made.formulas.name}_make_sizes(" in made.text(to)


def calls(made, to, arguments, tables=()):
    """The calls for arguments in the order of the inputs: axes, then sizes; then the tables."""
    name, axes = made.formulas.name, len(made.formulas.domain.axes)
    given, sizes = list(arguments[:axes]), ", ".join(arguments[axes:])
    statement, hold = "", "true"
    if has_sizes(made, to):
        struct = f"struct {name}_sizes" if to == "c" else f"{name}_sizes"
        statement, hold = f"const {struct} sizes = {name}_make_sizes({sizes});", f"{name}_sizes_hold({sizes})"
        given.append("&sizes" if to == "c" else "sizes")
    given += tables
    offset, valid, advance = (f"{name}_{f}({', '.join(given)})" for f in ("offset", "valid", "advance"))
    return Calls(statement, offset, valid, advance, hold)
