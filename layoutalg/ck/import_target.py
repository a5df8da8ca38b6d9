"""Targets of imports: ``FILE.hpp::Class::Function``, with or without C++ arguments."""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.ck.builders import Builder, builders, functions
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.headers import Index
from layoutalg.reading.near_names import near_hint

__all__ = ["Target", "found_builder", "ordinals", "split_last"]


@dataclass(frozen=True)
class Target:
    """The function to import: a file, and the name or call of a function in it."""

    file: str
    name: str

    @classmethod
    def of(cls, text: str) -> Target:
        """The target that a text names; ``NotUnderstoodError`` for another form."""
        head, mark, name = text.partition(".hpp::")
        if not mark or not name:
            raise NotUnderstoodError(f"wanted FILE.hpp::Class::Function, got {text}")
        return cls(f"{head}.hpp", name.strip())

    @property
    def has_arguments(self) -> bool:
        return any(c in self.name for c in "<(")


def ordinals(found: list[Builder]) -> dict[Builder, int]:
    """For each function its number among those of its name in its file, from 1."""
    counts: dict[tuple[str, str], int] = {}
    result: dict[Builder, int] = {}
    for entry in sorted(found, key=lambda b: (b.file, b.declared.begin)):
        name = (entry.file, entry.name)
        counts[name] = counts.get(name, 0) + 1
        result[entry] = counts[name]
    return result


def _named(numbered: dict[Builder, int], name: str) -> list[tuple[Builder, int]]:
    return [(b, n) for b, n in numbered.items() if b.name == name or b.name.endswith(f"::{name}")]


def found_builder(index: Index, target: Target) -> tuple[Builder, int]:
    """The function that a target names; ``#2`` behind the name is the second of that name."""
    name, _, wanted = target.name.partition("#")
    source = index.file(target.file)
    numbered = ordinals(builders(index, source.name))
    found = _named(numbered, name) or _named(ordinals(functions(index, source.name)), name)
    if wanted:
        found = [(b, n) for b, n in found if str(n) == wanted]
    if not found:
        known = sorted({b.name for b in numbered})
        hint = near_hint(name, known) if known else "it has no function that makes a layout"
        raise NotUnderstoodError(f"{source.name} has no {name}", hint=hint)
    if len(found) > 1:
        places = ", ".join(f"{b.name}#{n} (line {b.line})" for b, n in found)
        raise NotUnderstoodError(f"{name} is {len(found)} functions", hint=f"say which: {places}")
    return found[0]


def split_last(name: str) -> tuple[str, str, str]:
    """Class, ``::`` and function of a qualified name that may have template arguments; "" without a class."""
    depth, cut = 0, -1
    for i, character in enumerate(name):
        depth += (character in "<(") - (character in ">)")
        if depth == 0 and name.startswith("::", i):
            cut = i
    return (name[:cut], "::", name[cut + 2 :]) if cut >= 0 else ("", "", name)
