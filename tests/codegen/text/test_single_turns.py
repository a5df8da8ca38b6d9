"""Loops of one turn disappear from texts, and a C compiler still makes the same of them."""

from __future__ import annotations

import random

import pytest

from layoutalg.codegen.kernels import permute
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.text.single_turns import LOOP, without_single_turns
from layoutalg.codegen.text.source import INDENT, indented, unrolled
from tests.layoutalg.index_code.compilers import built, ran

NESTS = 60


def nest(chance, depth, counters):
    """Random statements: loops with and without braces, of one turn and more, what is told and declared."""
    lines = []
    for _ in range(chance.randint(1, 3)):
        kind = chance.choice(("loop", "loop", "tell", "if")) if depth < 4 else "tell"
        inner = [f"told({' + '.join([*(f'{3**i} * {c}' for i, c in enumerate(counters)), '7'])});"]
        if kind == "loop":
            name = "ijkl"[depth]
            first, turns = chance.randint(0, 2), chance.choice((1, 1, 2))
            inner = nest(chance, depth + 1, [*counters, name])
            opens = len([one for one in inner if not one.startswith((INDENT, "}"))]) > 1
            if opens and chance.random() < 0.5:
                inner = [f"const int own_{name} = {name};", *inner, f"told(own_{name});"]
            head = list(unrolled(name, first + turns, first=first, opens=opens))
            lines += [*head[1:], *indented(inner), *(["}"] if opens else [])]
        elif kind == "if" and counters:
            inner = nest(chance, depth + 1, counters)
            lines += [f"if ({counters[-1]} < 2) {{", *indented(inner), "}"]
        else:
            lines += inner
    return lines


def program(nests):
    bodies = ["\n".join(["{", *indented(lines), "}", 'printf("|");']) for lines in nests]
    head = '#include <stdio.h>\nstatic void told(int value) { printf("%d ", value); }\nint main(void) {\n'
    return head + "\n".join(bodies) + "\nreturn 0;\n}\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_a_compiler_makes_the_same_of_both(name, tmp_path):
    chance = random.Random(5)
    nests = [nest(chance, 0, []) for _ in range(NESTS)]
    shorter = [without_single_turns(lines) for lines in nests]
    assert sum(map(len, shorter)) < sum(map(len, nests))
    told = []
    for number, texts in enumerate((nests, shorter)):
        source = tmp_path / f"{number}.c"
        source.write_text(program(texts), encoding="utf-8")
        told.append(ran(built(name, "c", source, "-Wno-shadow", "-Wno-unused-variable")))
    assert told[0] == told[1]


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "kernel",
    [
        lambda: gemm("pipelined"),
        lambda: gemm(configured("xor", element="i8", target="gfx90a")),
        lambda: gemm(configured("pipelined", order="streamed", target="gfx950", tile=(256, 256, 64))),
        lambda: permute((2, 40, 5, 130), (1, 0, 3, 2), "f16"),
        lambda: permute((16, 20), (1, 0)),
    ],
)
def test_no_kernel_has_one(kernel):
    loops = [found for line in kernel().text.splitlines() if (found := LOOP.fullmatch(line))]
    assert all(int(one["end"]) - int(one["first"]) > 1 for one in loops)


def test_a_head_that_takes_one_statement_gets_a_block():
    lines = [
        "for (int i = 0; i < 2; ++i)",
        "    for (int j = 0; j < 1; ++j) {",
        "        a();",
        "        b(j);",
        "    }",
    ]
    assert without_single_turns(lines) == ["for (int i = 0; i < 2; ++i) {", "    a();", "    b(0);", "}"]
    asked = [
        "if (i < 2)",
        *(INDENT + line for line in ("for (int j = 0; j < 1; ++j) {", "    a();", "    b();", "}")),
    ]
    assert without_single_turns(asked) == ["if (i < 2)", "    {", "        a();", "        b();", "    }"]


def test_what_is_added_times_0_is_gone():
    lines = ["for (int i = 0; i < 1; ++i)", "    a[i * 4 + g] = *(b + i * (128 * K) + i * 4 % 3);"]
    assert without_single_turns(lines) == ["a[g] = *(b + 0 * 4 % 3);"]


@pytest.mark.parametrize("term", ["stride * 3", "16 % 3", "f(x)", "tab[k]", "16 / 3", "(a + b) * 2", "v.x"])
def test_what_is_more_than_a_number_stays(term):
    lines = ["for (int i = 0; i < 1; ++i)", f"    a[j + i * {term}] = 0;"]
    assert without_single_turns(lines) == [f"a[j + 0 * {term}] = 0;"]


LEFT = [  # bodies, and what becomes of them after a head that takes one statement
    (["break;"], None),
    (["for (int i = 0; i < 3; ++i)", "    a(i);"], None),
    (["unsigned int z = 3;"], ["{", "    unsigned int z = 3;", "}"]),
    (["const vec p[2] = {", "    1,", "};"], ["{", "    const vec p[2] = {", "        1,", "    };", "}"]),
    (["if (b)", "    x(v.i, i);"], ["{", "    if (b)", "        x(v.i, 0);", "}"]),
]


@pytest.mark.parametrize(("body", "wanted"), LEFT)
def test_what_would_mean_something_else_keeps_its_braces_or_its_loop(body, wanted):
    loop = ["for (int i = 0; i < 1; ++i) {", *(INDENT + line for line in body), "}"]
    found = without_single_turns(["if (a)  // asked", *(INDENT + line for line in loop)])
    assert found == ["if (a)  // asked", *(INDENT + line for line in (loop if wanted is None else wanted))]
