"""A macro in front of a declaration, with no semicolon: the declaration is read, and the macro is listed."""

from __future__ import annotations

import itertools

import pytest
import tree_sitter_cpp
from tree_sitter import Language, Parser

from layoutalg.ck import Index
from tests.layoutalg.ck.test_another_parser import ours, theirs

PARSER = Parser(Language(tree_sitter_cpp.language()))
MACROS = ["NAME(a, b)", "NAME()", "CK_MACRO(int, (3, 4), {1})", "NAME"]
DECLARATIONS = [
    "namespace n { int f() { return 1; } }",
    "namespace n::m { struct S { int a; }; }",
    "inline namespace n { struct S { int a; }; }",
    "template <typename T> struct S { int a; };",
    "template <typename T> int f(T) { return 1; }",
    "template <> struct S<1> { int a; };",
    "struct S { int a; };",
    "struct S : B<int> { int a; };",
    "class C final { };",
    "enum class E { a, b };",
    "using U = int;",
    "typedef int U;",
    "int f() { return 1; }",
    "auto f() -> int { return 1; }",
    "static constexpr int x = 3;",
    "const auto v = f(3);",
    'static_assert(1 == 1, "text");',
    "#pragma once\nstruct S { int a; };",
    "[[nodiscard]] int f() { return 1; }",
    "__attribute__((noinline)) int f() { return 1; }",
    'extern "C" { int f() { return 1; } }',
    'extern "C" int f() { return 1; }',
    "using namespace n;",
]
AFTER = "\nstruct After { int b; };\n"


def index_of(text):
    index = Index("gfx942", {})
    source = index.add("a.hpp", text)
    return index, source


@pytest.mark.sample(5)
@pytest.mark.parametrize(("macro", "declared"), list(itertools.product(MACROS, DECLARATIONS)))
def test_what_follows_a_macro_is_read_and_the_macro_is_told(macro, declared):
    plain, _ = index_of(declared + AFTER)
    index, source = index_of(f"{macro}\n{declared}{AFTER}")
    for space, names in plain.spaces.items():
        for name in names:
            assert name in index.spaces[space], (space, name)
    root = PARSER.parse((declared + AFTER).encode()).root_node
    wanted = {(kind, name) for kind, name, _ in theirs(root)}
    from layoutalg.ck.cpp.declarations import scanned  # noqa: PLC0415

    assert wanted <= {(kind, name) for kind, name, _ in ours(scanned(source), source)}
    reads_as_type = macro == "NAME" and not index.unread  # a lone word may be an attribute of what follows
    assert reads_as_type or any(
        "a.hpp:1:1" in line and macro.partition("(")[0] in line for line in index.unread
    )


@pytest.mark.parametrize(
    "text",
    [
        "tuple(int, int) -> tuple<int, int>;",
        "struct S { S(int a) : b(a) {} S() = default; S(S) noexcept {} int b; };",
    ],
)
def test_guides_and_constructors_are_no_macros(text):
    index, _ = index_of(text + AFTER)
    assert index.unread == []
    assert "After" in index.spaces[""]


def test_the_end_inside_of_something_is_told():
    for text in (
        "namespace ck_tile",
        "struct S {",
        "NAME(",
        "NAME(a)",
        "template <",
        "enum",
        "using",
        "namespace n {",
    ):
        index, _ = index_of(f"struct Before {{}};\n{text}")
        assert "Before" in index.spaces[""]
