"""Declarations as another parser sees them: tree-sitter's C++, where it reads a file without error."""

from __future__ import annotations

import re

import pytest
import tree_sitter_cpp
from tree_sitter import Language, Parser

from layoutalg.ck.cpp.declarations import scanned
from layoutalg.ck.cpp.reader import BUILTIN, MACRO_WORDS
from tests.golden.ck_import import has_headers, headers

pytestmark = pytest.mark.skipif(
    not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
)
PARSER = Parser(Language(tree_sitter_cpp.language()))
MACROS = re.compile(rf"\b({'|'.join(sorted(MACRO_WORDS))})\b")


def ours(declarations, source):
    """Functions with a body and classes, by name and line, those inside others too."""
    for declared in declarations:
        line = source.text.count("\n", 0, source.starts[declared.begin]) + 1
        if declared.kind == "namespace" and declared.body is not None:
            yield from ours(scanned(source, declared.body + 1, source.closing(declared.body)), source)
        elif declared.kind == "class" and declared.body is not None:
            yield "class", declared.name, line
            yield from ours(declared.members, source)
        elif declared.kind == "function" and declared.body is not None:
            yield "function", declared.name, int(declared.place.split(":")[-2])


def theirs(node):
    """The same of tree-sitter's nodes; nothing inside a function, nothing it could not read."""
    if node.type == "ERROR":
        return
    if node.type == "function_definition":
        named = named_of(node)
        if (
            named is not None
            and named.text.decode() not in BUILTIN
            and node.child_by_field_name("body") is not None
        ):
            yield "function", named.text.decode(), named.start_point[0] + 1
        return
    if node.type in {"struct_specifier", "class_specifier"} and node.child_by_field_name("body"):
        name = node.child_by_field_name("name")
        if name is not None and name.type == "type_identifier":
            yield "class", name.text.decode(), node.start_point[0] + 1
    for child in node.children:
        yield from theirs(child)


def named_of(node):
    """The plain name of a function, under pointers and references of its result; operators have none."""
    while node is not None and node.type not in {"identifier", "field_identifier"}:
        if node.type in {"operator_cast", "operator_name", "destructor_name"}:
            return None
        node = node.child_by_field_name("declarator") or next(
            (c for c in node.children if c.type == "function_declarator"), None
        )
    return node


@pytest.mark.slow
def test_everything_that_tree_sitter_reads_is_declared_here_too():
    index = headers("gfx942")
    compared = whole = 0
    for name, source in index.sources.items():
        clean = MACROS.sub(lambda match: " " * len(match[0]), source.text)
        root = PARSER.parse(clean.encode()).root_node
        if root.has_error:
            continue
        whole += 1
        found = set(ours(scanned(source), source))
        wanted = set(theirs(root))
        assert wanted <= found, (name, sorted(wanted - found)[:5])
        compared += len(wanted)
    assert whole >= 250
    assert compared >= 1400
