"""C's division of what may be negative is spelled in each language as C means it."""

from __future__ import annotations

import pytest

from layoutalg import Domain, simplify, to_python
from layoutalg.cli.simplify import simplified_text
from layoutalg.index_code import IndexFunction
from tests.corpus.groups import python_function
from tests.layoutalg.index_code.compilers import built, ran
from tests.layoutalg.index_code.test_emitted_texts import executed

TEXTS = ("x / 8 * 3 + (x - 1) % 5", "x % 12 / 7", "(x - 9) / 4 + x / -3", "min(x / 6, x % 6)")
RANGE = range(-70, 70)
DOMAIN = Domain.of({"x": (RANGE.start, RANGE.stop)})


@pytest.mark.parametrize("text", TEXTS)
def test_python_computes_what_c_means(text):
    wanted = python_function(text, "c")
    computed = python_function(to_python(simplify(text, DOMAIN)))
    offset = executed(IndexFunction.of_expression(text, DOMAIN))["index_offset"]
    for x in RANGE:
        assert computed({"x": x}) == offset(x) == wanted({"x": x})


def test_c_compiles_to_what_it_means(tmp_path):
    """As the command spells one expression, and as a function of the index."""
    lines = ["#include <stdio.h>", "#include <stdint.h>", "#include <stdbool.h>"]
    for number, text in enumerate(TEXTS):
        lines.append(IndexFunction.of_expression(text, DOMAIN, f"f{number}").text("c"))
    calls = []
    for number, text in enumerate(TEXTS):
        spelled = simplified_text(
            text, ["x=-70:70"], [], [], to="c", explain=False, target="gfx9", assume_defined=False
        )
        calls.append(f'printf("%d %d\\n", (int)({spelled}), (int)f{number}_offset(x));')
    body = "".join(calls)
    lines.append(
        f"int main(void) {{ for (int x = {RANGE.start}; x < {RANGE.stop}; ++x) {{ {body} }} return 0; }}"
    )
    (tmp_path / "main.c").write_text("\n".join(lines), encoding="utf-8")
    printed = ran(built("clang", "c", tmp_path / "main.c", "-Wno-unused-function")).splitlines()
    wanted = [python_function(text, "c")({"x": x}) for x in RANGE for text in TEXTS]
    assert printed == [f"{number} {number}" for number in wanted]
