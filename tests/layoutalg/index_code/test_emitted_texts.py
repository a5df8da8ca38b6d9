"""Emitted texts compute what was asked for: compiled by two compilers without a warning, run with traps."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import pytest

from layoutalg import Domain, evaluate
from layoutalg.codegen.compile import compile_hip
from layoutalg.domain.points import contains
from layoutalg.index_code.c_plan import planned
from tests.layoutalg.index_code.calls import calls, has_sizes
from tests.layoutalg.index_code.compilers import TRAPS, built, ran
from tests.layoutalg.index_code.emitted_cases import CASES
from tests.refusals import refused

POINTS, MANY = 20, 3000
COMMON = "#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
MAIN = """\
static void answer(int number, const int64_t *p)
{{
    switch (number)
    {{
{cases}
    }}
}}

int main(void)
{{
    int number;
    while (scanf("%d", &number) == 1)
    {{
        int64_t p[8] = {{0}};
        for (int i = 0; i < 8; ++i)
        {{
            long long value = 0;
            if (scanf("%lld", &value) != 1)
                return 1;
            p[i] = (int64_t)value;
        }}
        answer(number, p);
    }}
    return 0;
}}
"""


def sizes_of(draw, domain):
    """Sizes that fulfil the facts, most of them at an end of their range; open ones end as the text says."""
    while True:
        found = {}
        for size in domain.parameters:
            low, high = int(size.lower), int(size.upper) - 1
            step = size.multiple_of
            first, last = -(-low // step), high // step
            found[size.name] = step * draw.choice(
                (first, last, draw.randint(first, last), draw.randint(first, last))
            )
        if contains(Domain(domain.parameters, domain.facts), found):
            return found


def axes_of(draw, domain, sizes, step):
    """An index for these sizes that a step does not lead outside; None where there is none."""
    at = dict(sizes)
    for axis in domain.axes:
        low, high = (int(evaluate(end, at)) for end in (axis.lower, axis.upper))
        high -= 1 + step.get(axis.name, 0)
        if high < low:
            return None
        at[axis.name] = draw.choice((low, high, draw.randint(low, high), draw.randint(low, high)))
    return at


@cache
def points(name, count):
    """Points, and what the case gives there by plain integers: offset, validity, difference."""
    made, wanted = CASES[name]
    domain, advance = planned(made.formulas).formulas.domain, made.formulas.advance
    draw = random.Random(name)
    found: list[Any] = []
    step: dict[str, int] = dict(advance.step) if advance else {}
    while len(found) < count:
        sizes = sizes_of(draw, domain)
        for _ in range(6):
            at = axes_of(draw, domain, sizes, step)
            if at is not None:
                moved = {axis: value + step.get(axis, 0) for axis, value in at.items()}
                offset, valid = wanted(at)
                found.append((at, (offset, int(valid), wanted(moved)[0] - offset if advance else 0)))
    return found


def program_text(to, names):
    """C that reads the number of a case and a point, and prints what its functions give."""
    rows = []
    for number, name in enumerate(names):
        made = CASES[name].made
        inputs, bits = made.formulas.inputs, argument_bits(made, to)
        call = calls(made, to, [f"(int{bits.get(i, 64)}_t)p[{place}]" for place, i in enumerate(inputs)])
        hold = re.sub(r"\(int\d+_t\)", "", call.hold)
        advance = call.advance if made.formulas.advance else "0"
        values = f"(int){hold}, (long long){call.offset}, (int){call.valid}, (long long){advance}"
        rows.append(f'    case {number}: {{ {call.made} printf("%d %lld %d %lld\\n", {values}); break; }}')
    return COMMON + "".join(f'#include "{name}.h"\n' for name in names) + MAIN.format(cases="\n".join(rows))


def argument_bits(made, to):
    """The types of parameters, as the text states them."""
    heads = re.findall(r"_(?:offset|make_sizes)\(([^)]*)\)", made.text(to).replace("\n", " "))
    return {name: int(bits) for head in heads for bits, name in re.findall(r"int(\d\d)_t (\w+)", head)}


def compiled(folder, by, language, to, names, count):
    """What a compiled text gives at every point, beside what is wanted."""
    (folder / "hip").mkdir()
    (folder / "hip" / "hip_runtime.h").write_text("", encoding="utf-8")
    given, wanted = [], []
    for number, name in enumerate(names):
        made = CASES[name].made
        (folder / f"{name}.h").write_text(made.text(to, guard=made.guard), encoding="utf-8")
        for at, row in points(name, count):
            point = [at[i] for i in made.formulas.inputs]
            given.append(" ".join(map(str, (number, *point, *[0] * (8 - len(point))))))
            wanted.append((name, at, f"1 {row[0]} {row[1]} {row[2]}"))
    source = folder / "main.c"
    source.write_text(program_text(to, names), encoding="utf-8")
    program = built(by, language, source, "-O1", *TRAPS[by], f"-I{folder}")
    return ran(program, "\n".join(given)).splitlines(), wanted


TEXTS = [("gcc", "c", "c"), ("clang", "c", "c"), ("clang", "c++", "c"), ("clang", "hip", "hip")]


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("count", [POINTS, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize(("by", "language", "to"), TEXTS)
def test_compiled_texts_compute_what_plain_integers_do(by, language, to, count, tmp_path):
    found, wanted = compiled(tmp_path, by, language, to, list(CASES), count)
    assert len(found) == len(wanted)
    for line, (name, at, expected) in zip(found, wanted, strict=True):
        assert line == expected, f"{name} at {at}\n{CASES[name].made.text(to)}"


def executed(made):
    functions: dict[str, Any] = {}
    exec(made.text("python"), functions)  # noqa: S102  our own text
    return functions


@pytest.mark.parametrize("name", CASES)
def test_python_computes_the_same(name):
    made = CASES[name].made
    functions = executed(made)
    axes, sizes = made.formulas.domain.axes, made.formulas.domain.parameters
    for at, (offset, valid, difference) in points(name, POINTS):
        given = [at[axis.name] for axis in axes]
        if f"{name}_make_sizes" in functions:
            given.append(functions[f"{name}_make_sizes"](*(at[size.name] for size in sizes)))
        assert functions[f"{name}_offset"](*given) == offset
        assert functions[f"{name}_valid"](*given) == bool(valid)
        if made.formulas.advance:
            assert functions[f"{name}_advance"](*given) == difference


def bodies(text, name):
    """The functions of an index: what a kernel runs."""
    text = re.sub(r"//.*", "", text)
    return [re.split(r"\n}", part)[0] for part in re.split(rf"{name}_(?:offset|valid|advance)\(", text)[1:]]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("to", ["c", "hip"])
def test_no_function_divides_by_a_size(name, to):
    made = CASES[name].made
    text = made.text(to)
    divisors = [d for body in bodies(text, name) for d in re.findall(r"[/%] (\(?[\w>.-]+)", body)]
    left = {d for d in divisors if not d.isdigit()}
    assert bool(left) == ("Divided anew" in text) == (name in {"grouped", "may_be_zero", "by_index"}), text
    assert all(len(line) <= 100 for line in text.splitlines())
    if not made.formulas.domain.parameters:
        assert not has_sizes(made, to)


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", CASES)
def test_the_device_compiles_the_text(name):
    made = CASES[name].made
    inputs = [
        f"({'long' if bits == 64 else 'int'})n"
        for bits in (argument_bits(made, "hip").get(i, 64) for i in made.formulas.inputs)
    ]
    call = calls(made, "hip", inputs)
    given = f", {name}_sizes sizes" if has_sizes(made, "hip") else ""
    text = made.text("hip", guard=made.guard).replace("<stdint.h>", "<stdint.h>")
    kernel = (
        f'{text}\nextern "C" __global__ void k(long* out, long n{given})\n'
        f"{{ out[threadIdx.x] = {call.valid} ? (long){call.offset} : -1; }}\n"
    )
    assert compile_hip(kernel, "gfx942").code_object


def outside(domain):
    """Points that break one fact each, and the fact in words."""
    for size in domain.parameters:
        yield size.name, int(size.lower) - 1
        if size.upper is not None:
            yield size.name, int(size.upper) + size.multiple_of - 1
        if size.multiple_of > 1:
            yield size.name, int(size.lower) + 1


@pytest.mark.parametrize("name", ["merged", "xor", "padded", "bounded_by_fact", "either"])
def test_a_broken_fact_is_named(name, tmp_path):
    made = CASES[name].made
    domain, make = made.formulas.domain, executed(made)[f"{name}_make_sizes"]
    at = {size.name: int(size.lower) for size in domain.parameters}
    broken = [{**at, size: value} for size, value in outside(domain)]
    if name == "bounded_by_fact":
        broken += [{"M": 2**16, "K": 2**15}, {"M": 2**31 - 1, "K": 2}]
    if name == "either":
        broken.append({"M": 64, "K": 7})
    make(**at)
    for sizes in broken:
        with refused(ValueError, name, *(f"{s}={n}" for s, n in sizes.items())):
            make(**sizes)
    rows = [", ".join(f"{n}" for n in sizes.values()) for sizes in (at, *broken)]
    printed = "".join(f'    printf("%d", {name}_sizes_hold({row}));\n' for row in rows)
    source = tmp_path / "hold.c"
    (tmp_path / f"{name}.h").write_text(made.text("c", guard="H"), encoding="utf-8")
    source.write_text(f'{COMMON}#include "{name}.h"\nint main(void)\n{{\n{printed}    return 0;\n}}\n')
    assert ran(built("clang", "c", source, *TRAPS["clang"])) == "1" + "0" * len(broken)
