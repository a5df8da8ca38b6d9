"""Name lookup: scopes from the inside out, in each namespace the library before the headers, then macros."""

from __future__ import annotations

import itertools
from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, UndeclaredError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.literals import number
from layoutalg.ck.interpreter.class_members import class_member
from layoutalg.ck.interpreter.cpp_values import ABSENT, Overloads, Scope, Template
from layoutalg.ck.interpreter.declared_values import declared_value
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["Library", "lookup_in"]


class Library:
    """The names that Python implements: those of a namespace of CK, and by space those of others."""

    def __init__(self, space: str, names: dict[str, Any], others: dict[str, dict[str, Any]]) -> None:
        self.space = space
        self.names = names
        self.others = others

    def find(self, space: str, name: str) -> Any:
        """What a name of a namespace means; ``ABSENT`` if the headers have to say it."""
        if space in self.others:
            return self.others[space].get(name, ABSENT)
        if space in {self.space, ""} or (space == f"{self.space}::detail" and name.startswith("make_")):
            return self.names.get(name, ABSENT)
        return ABSENT


def lookup_in(library: Library) -> Any:
    """The function that looks up unqualified names, with the names of a library."""

    def lookup(interp: Interpreter, name: str, scope: Scope, node: Any) -> Any:
        at: Scope | None = scope
        this: Any = None
        while at is not None:
            this = at.this if this is None else this
            found = at.names.get(name, ABSENT)
            if found is ABSENT and at.owner is not None:
                found = class_member(interp, at.owner, name, this=this)
                if found is ABSENT and name == at.owner.declared.name and name not in library.names:
                    found = at.owner
            if found is ABSENT and at.space is not None:
                found = space_member(interp, at.space, name, library)
            if found is not ABSENT:
                return found
            at = at.parent
        if name in interp.builtins:
            return interp.builtins[name]
        own = node.source.macros if node is not None else {}  # of the file that names it
        macro = interp.index.macros.get(name, own.get(name))
        if macro is not None and macro[:1].isdigit():
            return _number(name, macro, node.place if node else "")
        raise UndeclaredError(name, node.place if node else "")

    return lookup


def _number(name: str, macro: str, place: str) -> int | float:
    """The number that a macro stands for."""
    try:
        return number(macro)
    except ValueError:
        raise NotUnderstoodError(f"the macro {name}, which is {macro}", place) from None


def space_member(interp: Interpreter, space: str, name: str, library: Library) -> Any:
    """A name in a namespace: the library's, else what the headers declare; ``ABSENT`` if neither has it."""
    own = library.find(space, name)
    if own is not ABSENT:
        return own
    scope = interp.space(space)
    if name in scope.names:
        return scope.names[name]
    found = interp.index.spaces.get(space, {}).get(name)
    if found is None:
        full = name if name in {"std", library.space} else f"{space}::{name}".removeprefix("::")
        if full in interp.index.names_of_spaces or full in library.others:
            return interp.space(full)
        found = _of_used_spaces(interp, space, name)
        if found is None:
            return ABSENT
    made = meaning(interp, name, found, scope, space)
    if not isinstance(made, Overloads):
        scope.names[name] = made
    return made


def _of_used_spaces(interp: Interpreter, space: str, name: str) -> list[Declaration] | None:
    """What a namespace has by ``using namespace``, whose name may be one inside of those around."""
    spaces = interp.index.spaces
    around = [*itertools.accumulate(space.split("::"), "{}::{}".format)]
    for used in dict.fromkeys(
        d.name for d in spaces.get(space, {}).get("", []) if d.kind == "using namespace"
    ):
        for full in (used, *(f"{outer}::{used}" for outer in around)):
            found = spaces.get(full, {}).get(name)
            if found is not None:
                return found
    return None


def meaning(interp: Interpreter, name: str, found: list[Declaration], scope: Scope, space: str) -> Any:
    """What all declarations of one name in a namespace make together: overloads, a template, or one value."""
    first = next((d for d in found if d.kind != "class" or d.body is not None), found[0])
    if first.kind == "function":
        return Overloads(name, [d for d in found if d.kind == "function"], scope)
    chosen = [d for d in found if d.kind == first.kind]
    if any(d.headers for d in chosen):
        key = (space, name)
        if key not in interp.templates:
            interp.templates[key] = Template(name, chosen, scope)
        return interp.templates[key]
    declared = _preferred(interp, chosen)
    made = declared_value(interp, name, declared, scope)
    if made is ABSENT:
        raise NotUnderstoodError(f"{name}: a declaration of kind {declared.kind}", declared.place)
    return made


def _preferred(interp: Interpreter, found: list[Declaration]) -> Declaration:
    bodies = [d for d in found if d.kind != "class" or d.body is not None] or found
    if len(bodies) > 1:
        bodies = interp.index.seen(bodies, interp.preferred)
    here = [d for d in bodies if d.source.name == interp.preferred]
    texts = {d.source.span(d.head, d.end) for d in bodies}
    if len(bodies) > 1 and len(here) != 1 and bodies[0].kind != "enum" and len(texts) > 1:
        places = ", ".join(d.place for d in bodies[:3])
        raise NotUnderstoodError(f"{bodies[0].name} is defined more than once: {places}")
    return here[0] if len(here) == 1 else bodies[0]
