"""No emitted text has a name that its language keeps; what is proved and evaluated may be called anything."""

from __future__ import annotations

import ast
import keyword
import re
import subprocess
import sys

import pytest
import tree_sitter
import tree_sitter_cpp

from layoutalg import Domain, LayoutError, Proved, evaluate, parse, simplify
from layoutalg.codegen.kernel import ArrayArgument, ScalarArgument
from layoutalg.codegen.text.speller import Speller
from layoutalg.data_type import DataType
from layoutalg.index_code import IndexFunction, to_python
from layoutalg.index_code.c_text import c_expression
from layoutalg.index_code.emitted_names import C11, C_FAMILY, CPP17, PYTHON
from layoutalg.proofs import prove
from layoutalg.properties import fits_integer
from layoutalg.term.parse import parse_term
from tests.refusals import refused

C_NAMES = (
    "int",
    "for",
    "xor",
    "this",
    "bool",
    "int32_t",
    "threadIdx",
    "hipBlockIdx_x",
    "_Bool",
    "__x",
    "linux",
)


def function(name, length=3):
    return IndexFunction.of_expression(parse_term(f"2*{name} + 1"), Domain.of({name: length}))


@pytest.mark.parametrize("name", C_NAMES)
@pytest.mark.parametrize("to", ["c", "hip"])
def test_c_and_hip_text_refuse_names_that_c_keeps(name, to):
    with refused(LayoutError, name, hint=f"{name.strip('_')}_"):
        function(name).text(to)
    with refused(LayoutError, name):
        c_expression(parse_term(f"2*{name}"), Domain.of({name: 3}))


@pytest.mark.parametrize("name", ["lambda", "class", "None", "min"])
def test_python_text_refuses_names_that_python_keeps(name):
    with refused(LayoutError, name, "Python", hint=f"{name}_"):
        function(name).text("python")
    with refused(LayoutError, name, "Python"):
        to_python(parse_term(f"2*{name}"))


def test_a_name_that_is_not_used_is_a_parameter_all_the_same():
    made = IndexFunction.of_expression("x", Domain.of({"x": 3, "while": 2}, {"new": (1, 2)}))
    for to in ("c", "hip", "python"):
        with refused(LayoutError, "while"):
            made.text(to)


def test_each_language_keeps_its_own():
    assert "lambda" in function("lambda").text("c")
    assert "def index_offset(int):" in function("int").text("python")
    assert '"int"' in function("int").text("json")


def test_names_of_functions_are_checked_as_they_are_emitted():
    domain = Domain.of({"x": 3})
    assert " int_offset(" in IndexFunction.of_expression("x", domain, "int").text("c")
    with refused(LayoutError, "__f_offset"):
        IndexFunction.of_expression("x", domain, "__f").text("hip")
    with refused(LayoutError, "f_mulhi"):
        IndexFunction.of_expression("f_mulhi // 7", Domain.of({"f_mulhi": 99}), "f").text("c")


def test_kernels_refuse_them_too():
    with refused(LayoutError, "for"):
        ScalarArgument("for")
    with refused(LayoutError, "double"):
        ArrayArgument("double", DataType.named("f32"), ())
    domain = Domain.of({"int": 3})
    with refused(LayoutError, "int"):
        Speller(domain)(2 * domain["int"])


def test_an_index_named_with_a_keyword_is_simplified_evaluated_and_proved():
    domain = Domain.of({"int": 3, "for": 3})
    offset = parse("2*for + int", domain)
    assert str(simplify(offset, domain)) == "2*for + int"
    assert evaluate(offset, {"int": 2, "for": 1}) == 4
    assert isinstance(prove(fits_integer((offset,), domain, "int32", "offset")), Proved)


def test_python_keeps_what_its_grammar_does():
    assert PYTHON.words >= set(keyword.kwlist)
    for word in sorted(PYTHON.words - {"min", "max"}):
        with pytest.raises(SyntaxError):
            ast.parse(f"def f({word}): return 1")


def not_taken(words, language, standard, tmp_path):
    """The words that a compiler does not take as the name of a parameter; an error may hide the next."""
    left = list(words)
    while told := _told(left, language, standard, tmp_path / "names.c"):
        left = [word for word in left if word not in told]
    return set(words) - set(left)


def _told(words, language, standard, source):
    lines = [f"static int f{place}(int {word}) {{ return {word}; }}" for place, word in enumerate(words)]
    source.write_text("#include <stdbool.h>\n#include <stdint.h>\n" + "\n".join(lines), encoding="utf-8")
    flags = ["-x", language, f"-std={standard}", "-fsyntax-only", "-ferror-limit=0", str(source)]
    command = [sys.executable, "-m", "ziglang", "cc", *flags]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {int(line) for line in re.findall(r"names\.c:(\d+):\d+: error", ran.stderr)}
    return {word for line, word in enumerate(words, start=3) if line in found}


@pytest.mark.slow
def test_every_word_that_a_compiler_keeps_is_refused(tmp_path):
    """The words are those of a C++ grammar that others maintain; what is let through compiles."""
    grammar = tree_sitter.Language(tree_sitter_cpp.language())
    kinds = {grammar.node_kind_for_id(i) or "" for i in range(grammar.node_kind_count)}
    words = sorted(kind for kind in kinds if re.fullmatch(r"[A-Za-z]\w*", kind)) + sorted(C_FAMILY.words)
    assert len(words) > 200
    for language, standard in (("c", "gnu11"), ("c++", "gnu++17"), ("c++", "gnu++20")):
        assert not_taken(words, language, standard, tmp_path) <= C_FAMILY.words
    kept_by_c, kept_by_cpp = (set(text.split()) for text in (C11, CPP17))
    assert not_taken(sorted(kept_by_c), "c", "c11", tmp_path) == kept_by_c
    assert not_taken(sorted(kept_by_cpp), "c++", "c++17", tmp_path) == kept_by_cpp
