"""Every operation of an emitted text has a type that holds it: compiled with traps for what C leaves open."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

import pytest

from layoutalg import Domain, LayoutError, MissingFactError, evaluate, parse, simplify
from layoutalg.codegen.compile.toolchain import run as run_tool
from layoutalg.index_code import IndexFunction
from layoutalg.index_code.c_text import CText, c_expression
from layoutalg.index_code.width import Widths, bits_of
from layoutalg.term.parse import parse_term
from tests.fuzz.oracle import UndefinedError, value
from tests.fuzz.wide_texts import wide_condition, wide_point, wide_space, wide_text
from tests.layoutalg.index_code.calls import calls
from tests.refusals import refused

POINTS = 24
EVALUATED = 63  # shifts that the plain evaluator goes along with
TRAPS = ["-fsanitize=undefined,implicit-signed-integer-truncation", "-fsanitize-trap=all", "-O1"]
COMPILERS = {
    "c": ["cc", "-std=c11", "-x", "c"],
    # not c++, which would build a C++ library first: nothing of it is used
    "hip": ["cc", "-std=c++17", "-x", "c++", "-D__host__=", "-D__device__="],
}
HEAD = "#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n"


def emitted(seed, to, count):
    """Functions of random texts, with what they are made of; texts that no type holds are refused."""
    draw, refused = random.Random(seed), 0
    found: list[tuple[IndexFunction, str, str, dict[str, tuple[int, int]]]] = []
    while len(found) < count:
        ranges, domain = wide_space(draw)
        text, condition = wide_text(draw, draw.choice((1, 2, 2, 3))), wide_condition(draw, 2)
        name = f"f{len(found)}"
        try:
            valid = simplify(parse(condition, domain), domain).program
            made = IndexFunction.of_expression(parse(text, domain), domain, name, valid=valid)
            made.text(to)
        except LayoutError:
            refused += 1
            continue
        if made.formulas.offset.parts:
            found.append((made, text, condition, ranges))
    assert refused < 60 * count
    return found


def points_at(draw, ranges, *texts):
    """Corners of a space, and points inside, where texts mean something: bits of ``-1`` do not."""
    corners = [dict(zip(ranges, corner, strict=True)) for corner in itertools.product(*ranges.values())]
    points = [*corners, *(wide_point(draw, ranges) for _ in range(POINTS - len(corners)))]
    return [point for point in points if all(is_defined(text, point) for text in texts)]


def is_defined(text, point):
    try:
        value(text, point)
    except UndefinedError:
        return False
    return True


def checked(number, to, made, points):
    """C that calls a function at points and prints what it gives."""
    count = len(made.formulas.inputs)
    rows = ", ".join("{" + ", ".join(f"{n}ll" for n in point) + "}" for point in points)
    call = calls(made, to, [f"p[i][{place}]" for place in range(count)])
    return f"""static void check{number}(void) {{
    static const long long p[][{count}] = {{{rows}}};
    for (int i = 0; i < {len(points)}; ++i) {{
        {call.made}
        const bool is_there = {call.valid};
        printf("{number} %lld %d\\n", (long long){call.offset}, is_there);
        fflush(stdout);
    }}
}}"""


CASE = ("c", 1, 30)  # the language, a seed, how many functions
MORE = [("hip", 3, 30), ("c", 1, 250), ("c", 2, 250), ("hip", 3, 250)]


@pytest.mark.slow
@pytest.mark.sample(5, slow=40)
@pytest.mark.parametrize(("to", "seed", "count"), [CASE, MORE[1], MORE[0], *MORE[2:]])
def test_no_operation_overflows_its_type(to, seed, count, tmp_path):
    draw = random.Random(seed)
    drawn = [(each, points_at(draw, each[3], *each[1:3])) for each in emitted(seed, to, count)]
    functions, points = zip(*[(each, at) for each, at in drawn if at], strict=True)
    assert len(functions) > 0.9 * count
    parts = [HEAD]
    for number, ((made, *_), at) in enumerate(zip(functions, points, strict=True)):
        inputs = [tuple(point[name] for name in made.formulas.inputs) for point in at]
        parts += [made.text(to), checked(number, to, made, inputs)]
    calls = " ".join(f"check{number}();" for number in range(len(functions)))
    source, built = tmp_path / "f.c", tmp_path / "f"
    source.write_text("\n".join([*parts, f"int main(void) {{ {calls} return 0; }}"]), encoding="utf-8")
    run_tool([sys.executable, "-m", "ziglang", *COMPILERS[to], str(source), *TRAPS, "-o", str(built)])
    ran = subprocess.run([str(built)], capture_output=True, text=True, check=False)
    lines = iter(ran.stdout.splitlines())
    for number, ((made, text, condition, _), at) in enumerate(zip(functions, points, strict=True)):
        parsed, code = parse(text, made.formulas.domain), made.text(to)
        for named in at:
            wanted = f"{number} {value(text, named)} {int(value(condition, named))}"
            assert next(lines, "trapped") == wanted, f"{text}; {condition}\n{named}\n{code}"
            if named["k"] < EVALUATED:
                assert evaluate(parsed, named) == value(text, named)
    assert ran.returncode == 0


def offset(text, axes, parameters=None):
    """The returned expression and its type."""
    code = IndexFunction.of_expression(text, Domain.of(axes, parameters)).text("c")
    kind = code.split(" index_offset")[0].rpartition(" ")[2]
    return kind, code.split("return ")[1].split(";")[0]


@pytest.mark.parametrize(
    ("text", "axes", "wanted"),
    [
        ("1 << k", {"k": 40}, "(int64_t)1 << k"),
        ("1 << k", {"k": 31}, "1 << k"),
        ("(1 << k) + a", {"k": 31, "a": 2**40}, "(1 << k) + a"),
        ("(1000003 << k) // 1000", {"k": 40}, "((int64_t)1000003 << k) / 1000"),
        ("a & ((1 << k) - 1)", {"a": 1000, "k": 40}, "(int32_t)(a & (((int64_t)1 << k) - 1))"),
        (
            "((2147483647 << k) + 1000*a*a << 5) >> 14",
            {"k": 4, "a": 9},
            "(int32_t)(((((int64_t)2147483647 << k) + 1000 * a * a) << 5) >> 14)",
        ),
        ("a >> k", {"a": 1000, "k": 40}, "(int32_t)((int64_t)a >> k)"),
        ("min(a, 3) >> k", {"a": 1000, "k": 32}, "((a < 3) ? a : 3) >> k"),
        (
            "(2000000000 if a < 3 else 1) + (2000000000 if b < 3 else 5)",
            {"a": 8, "b": 8},
            "(int64_t)((a <= 2) ? 2000000000 : 1) + ((b <= 2) ? 2000000000 : 5)",
        ),
        ("(b if a < 3 else 1)*2000000000", {"a": 8, "b": 8}, "(int64_t)2000000000 * ((a <= 2) ? b : 1)"),
        ("(b if a < 3 else 1) + 4294967296", {"a": 8, "b": 8}, "((a <= 2) ? b : 1) + 4294967296"),
    ],
)
def test_casts_stand_where_c_would_compute_in_int_and_nowhere_else(text, axes, wanted):
    kind, found = offset(text, axes)
    needs = bits_of(Widths(Domain.of(axes)).range(parse_term(text)))
    assert (kind, found) == (f"int{needs}_t", wanted)


def test_a_shift_decides_the_width_as_values_do():
    def bits(text, k):
        return Widths(Domain.of({"a": 1000, "k": k})).of([parse_term(text)]).bits

    assert bits("a >> k", 32) == 32
    assert bits("a >> k", 33) == 64
    assert bits("min(a % 4, a >> k)", 33) == 64
    assert bits("a >> k if k < 32 else 0", 64) == 32
    with refused(MissingFactError, "a >> k", "64"):
        bits("a >> k", 65)
    with refused(MissingFactError, "99"):
        c_expression(parse_term("a >> k"), Domain.of({"a": 8, "k": 100}))


def test_what_is_taken_away_is_counted_by_its_size():
    """``y - 2*x`` may reach -2**31, but 2*x is 2**31 before it is taken away."""
    domain = Domain.of({"x": 2**30 + 1, "y": 8})
    assert Widths(domain).of([parse_term("y - 2*x")]).bits == 64


def test_names_in_expressions_are_as_wide_as_needed():
    term = parse_term("1 << k")
    assert c_expression(term, Domain.of({"k": 8})) == "1 << k"
    assert c_expression(term, Domain.of({"k": 33})) == "(int64_t)1 << k"
    assert c_expression(term, Domain.of({}, {"k": (0, None)})) == "(int64_t)1 << k"
    assert CText(Domain.of({"k": 33}), wide="long long").text(term) == "(long long)1 << k"
    assert c_expression(parse_term("x*K"), Domain.of({"x": 8}, {"K": (0, None)})) == "x * K"


def test_the_lowest_number_is_spelled_as_c_can():
    kind, found = offset("-9223372036854775808 if a < 3 else a", {"a": 8})
    assert (kind, found) == ("int64_t", "(a <= 2) ? (-9223372036854775807 - 1) : a")
