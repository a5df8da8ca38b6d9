"""Small headers of our own, in CK's manner, for tests of the interpreter."""

from __future__ import annotations

from typing import Any

from layoutalg.ck import Index, import_layout
from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter


def index_of(text: str, arch: str = "gfx942") -> Index:
    index = Index(arch, {})
    index.add("a.hpp", f"namespace ck_tile {{\n{text}\n}}")
    return index


def value(expression: str, text: str = "") -> Any:
    """An expression in the namespace of a header."""
    interp = interpreter(index_of(text))
    with nested_code():
        return interp.evaluate(read_expression(expression), interp.space("ck_tile"))


def policy(body: str, bindings: dict[str, Any] | None = None, before: str = "") -> Any:
    """The import of a policy's function with this body."""
    head = "template <typename Problem> static constexpr auto Make()"
    text = f"{before}\nstruct Policy {{ {head} {{ {body} }} }};"
    return import_layout("a.hpp::Policy::Make", bindings or {}, index=index_of(text))
