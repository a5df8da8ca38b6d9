"""The interpreter with CK's and std's libraries."""

from __future__ import annotations

from functools import partial
from typing import Any

from layoutalg.ck.cpp.ck_library import CK_TILE, OLD_CK
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.calls import call
from layoutalg.ck.interpreter.conversions import convert
from layoutalg.ck.interpreter.cpp_values import (
    ClassType,
    Constant,
    Native,
    NativeTemplate,
    Overloads,
    Sequence,
    Template,
    Tuple,
)
from layoutalg.ck.interpreter.expressions import EXPRESSIONS
from layoutalg.ck.interpreter.interpreter_state import Handler, Interpreter
from layoutalg.ck.interpreter.lookup import Library, lookup_in, space_member
from layoutalg.ck.interpreter.native_arguments import native_arguments
from layoutalg.ck.interpreter.objects import constructed, initialized
from layoutalg.ck.interpreter.statements import STATEMENTS
from layoutalg.ck.interpreter.templates import instantiate
from layoutalg.ck.library.layout_functions import LAYOUT_FUNCTIONS
from layoutalg.ck.library.library_functions import CK_FUNCTIONS, STANDARD_FUNCTIONS
from layoutalg.ck.library.library_templates import CK_TYPES
from layoutalg.ck.library.old_ck_members import OLD_MEMBERS
from layoutalg.ck.library.old_ck_names import OLD_MATH, OLD_NAMES, old_spelling
from layoutalg.ck.library.standard_templates import STANDARD_TYPES
from layoutalg.ck.library.value_members import MEMBERS, member_in
from layoutalg.distribution import TileDistributionEncoding

__all__ = ["interpreter"]

STANDARD = {"std": STANDARD_TYPES | STANDARD_FUNCTIONS}
TILE = Library(CK_TILE.space, CK_TYPES | CK_FUNCTIONS | LAYOUT_FUNCTIONS, STANDARD)
OLD = Library(OLD_CK.space, OLD_NAMES, STANDARD | {f"{OLD_CK.space}::math": OLD_MATH})
SOURCE_CLASSES = {
    Sequence: "sequence",
    Tuple: "tuple",
    TileDistributionEncoding: "tile_distribution_encoding",
}


class CkHandlers:
    """The tables of handlers, and the functions that need the library."""

    expressions: dict[type[Node], Handler] = EXPRESSIONS
    statements: dict[type[Node], Handler] = STATEMENTS

    def __init__(self, library: Library) -> None:
        is_old = library is OLD
        self.call = call
        self.convert = convert
        self.constructed = constructed
        self.initialized = initialized
        self.lookup = lookup_in(library)
        self.apply = apply
        self.spelled = old_spelling if is_old else lambda name: name
        tables = OLD_MEMBERS if is_old else MEMBERS
        self.member = member_in(partial(_in_space, library=library), _class_behind, tables)


def interpreter(index: Index) -> Interpreter:
    """An interpreter of these headers."""
    return Interpreter(index, CkHandlers(OLD if index.library is OLD_CK else TILE))


def apply(interp: Interpreter, found: Any, arguments: tuple[Any, ...], node: Node) -> Any:
    """What a template, a function or a library name is with template arguments."""
    if isinstance(found, Template):
        return instantiate(interp, found, arguments, node.place)
    if isinstance(found, NativeTemplate):
        return found.function(interp, arguments, node)
    if isinstance(found, Overloads):
        return Overloads(found.name, found.declared, found.scope, found.owner, found.this, arguments)
    if isinstance(found, Native):
        return Native(found.name, found.function, arguments)
    if isinstance(found, ClassType) and found.template is not None:
        return instantiate(interp, found.template, arguments, node.place)
    raise NotUnderstoodError(f"template arguments for a {type(found).__name__}", node.place)


def _in_space(interp: Interpreter, space: str, name: str, *, library: Library) -> Any:
    return space_member(interp, space, name, library)


def _class_behind(interp: Interpreter, value: Any) -> ClassType | None:
    """The class of the headers that a library value stands for; None if there is none."""
    name, space = SOURCE_CLASSES.get(type(value)), interp.index.library.space
    spelled = interp.handlers.spelled(name or "")
    declared = interp.index.spaces.get(space, {}).get(spelled)
    if isinstance(value, Constant) or name is None or not declared:
        return None
    made_by = Template(spelled, declared, interp.space(space))
    template = interp.templates.setdefault(("behind", name), made_by)
    made = instantiate(interp, template, native_arguments(name, value) or (), "")
    return made if isinstance(made, ClassType) else None
