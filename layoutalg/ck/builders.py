"""Which functions of the headers make layouts: those that return a call of CK's ``make_...`` functions.

They are found by reading what functions return; nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from layoutalg.ck.cpp import statement_syntax, syntax
from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.syntax import Node
from layoutalg.errors import LayoutError

__all__ = ["Builder", "builders", "functions"]

DESCRIPTORS = frozenset(
    [
        "make_naive_tensor_descriptor",
        "make_naive_tensor_descriptor_packed",
        "make_naive_tensor_descriptor_aligned",
        "make_naive_tensor_descriptor_with_offset",
        "transform_tensor_descriptor",
    ]
)
ADAPTORS = frozenset(
    [
        "make_single_stage_tensor_adaptor",
        "transform_tensor_adaptor",
        "chain_tensor_adaptors",
        "make_cluster_descriptor",
    ]
)
DISTRIBUTIONS = frozenset(("make_static_tile_distribution", "make_tile_distribution"))
ENCODINGS = frozenset(
    [
        "tile_distribution_encoding",
        "make_embed_tile_distribution_encoding",
        "make_reduce_tile_distribution_encoding",
    ]
)
KINDS = {
    **dict.fromkeys(DESCRIPTORS, "descriptor"),
    **dict.fromkeys(ADAPTORS, "adaptor"),
    **dict.fromkeys(DISTRIBUTIONS, "distribution"),
    **dict.fromkeys(ENCODINGS, "encoding"),
}
LIBRARY = ("core/tensor/", "core/container/", "core/utility/", "core/algorithm/c")
WITH_STATEMENTS = (
    statement_syntax.Block,
    statement_syntax.If,
    statement_syntax.For,
    statement_syntax.Each,
    statement_syntax.While,
    statement_syntax.Declarations,
)
LAYOUT_WORDS = ("distribution", "desc", "dist", "dstr", "encod")


@dataclass(frozen=True)
class Builder:
    """One function: its declaration, the classes around it, its namespace, and the kind of what it makes."""

    declared: Declaration
    owner: tuple[Declaration, ...]
    space: str
    kind: str

    @property
    def name(self) -> str:
        return "::".join([d.name for d in self.owner] + [self.declared.name])

    @property
    def file(self) -> str:
        return self.declared.source.name

    @property
    def line(self) -> int:
        return self.declared.source.line(self.declared.head)


def builders(index: Index, file: str = "") -> list[Builder]:
    """All functions that return a layout, in one file if it is named."""
    known = _builders(index)
    return [entry for entry in known if entry.file == file] if file else known


def functions(index: Index, file: str) -> list[Builder]:
    """All functions of a file, whatever they return."""
    return [Builder(*entry, "function") for entry in _functions(index) if entry[0].source.name == file]


@cache
def _builders(index: Index) -> list[Builder]:
    every = [
        entry for entry in _functions(index) if not any(part in entry[0].source.name for part in LIBRARY)
    ]
    returned = [(entry, _returned(entry[0])) for entry in every]
    kinds: dict[tuple[str, str], str] = {}
    found: dict[int, str] = {}
    grows = True
    while grows:
        grows = False
        for i, ((declared, _, __), names) in enumerate(returned):
            if i in found:
                continue
            kind = next((k for n in names if (k := _kind(n, declared, kinds))), None)
            if kind is not None:
                found[i], grows = kind, True
                kinds[declared.source.name.rpartition("/")[0], declared.name] = kind
                if any(word in declared.name.lower() for word in LAYOUT_WORDS):
                    kinds["", declared.name] = kind
    return [Builder(*entry, found[i]) for i, (entry, _) in enumerate(returned) if i in found]


def _kind(name: str, declared: Declaration, kinds: dict[tuple[str, str], str]) -> str | None:
    if name in KINDS:
        return KINDS[name]
    folder = declared.source.name.rpartition("/")[0]
    return kinds.get((folder, name)) or kinds.get(("", name))


def _functions(index: Index) -> Iterator[tuple[Declaration, tuple[Declaration, ...], str]]:
    for space, names in index.spaces.items():
        for declarations in names.values():
            for declared in declarations:
                yield from _within(declared, (), space)


def _within(
    declared: Declaration, owners: tuple[Declaration, ...], space: str
) -> Iterator[tuple[Declaration, tuple[Declaration, ...], str]]:
    if declared.kind == "function" and declared.body is not None:
        yield declared, owners, space
    if declared.kind == "class":
        try:
            members = declared.members
        except (LayoutError, IndexError):
            return
        for member in members:
            yield from _within(member, (*owners, declared), space)


def _returned(declared: Declaration) -> set[str]:
    """The names of what is called or constructed in a function's ``return`` statements."""
    tokens, body = declared.source.tokens, declared.body
    end = declared.source.closing(body) if body is not None else 0
    if body is None or "return" not in tokens[body:end]:
        return set()
    try:
        with nested_code():
            statements = declared.statements
    except (LayoutError, IndexError):  # what cannot be read makes nothing
        return set()
    variables: dict[str, set[str]] = {}
    found: set[str] = set()
    for node in _walk(statements):
        if isinstance(node, statement_syntax.Variable) and node.value is not None:
            variables[node.name] = _makers(node.value)
        elif isinstance(node, statement_syntax.Alias):
            variables[node.name] = _makers(node.type)
        elif isinstance(node, statement_syntax.Return) and node.value is not None:
            found |= _makers(node.value)
    for _ in range(8):
        found |= {made for name in found for made in variables.get(name, ())}
    return found


def _makers(node: Node) -> set[str]:
    """The names of the functions, classes and variables that an expression's value comes from."""
    match node:
        case syntax.Call():
            return _last(node.callee)
        case syntax.Construct():
            return _last(node.type)
        case syntax.Name() | syntax.Qualified():
            return _last(node)
        case syntax.Choice():
            return _makers(node.yes) | _makers(node.no)
        case syntax.Paren():
            return _makers(node.inner)
    return set()


def _last(node: Node) -> set[str]:
    return {node.name} if isinstance(node, syntax.Named | syntax.Member) else set()


def _walk(nodes: Any) -> Iterator[Node]:
    for node in nodes if isinstance(nodes, list | tuple) else [nodes]:
        if isinstance(node, Node):
            yield node
            if isinstance(node, WITH_STATEMENTS):
                yield from _walk(node.parts)
        elif isinstance(node, list):
            yield from _walk(node)
