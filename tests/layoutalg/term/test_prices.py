"""Prices are those of compiled code: what a division takes more than an addition on each target."""

from __future__ import annotations

import re

import pytest

from layoutalg import Domain, simplify
from layoutalg.codegen.compile.toolchain import find_toolchain, run
from layoutalg.term.cost import PRICES

TARGETS = {
    **{
        name: ("--target=amdgcn-amd-amdhsa", f"-mcpu={name}", "-nogpulib")
        for name in ("gfx90a", "gfx942", "gfx950")
    },
    "x86-64": ("--target=x86_64-linux-gnu",),
}
NO_WORK = {"s_waitcnt", "s_setpc_b64", "s_nop", "retq", "movl", "xorl"}  # moves are renamed away
FUNCTIONS = {
    "divide_by_constant": "x / 1000",
    "remainder_by_constant": "x % 1000",
    "divide": "x / y",
    "remainder": "x % y",
    "remainder_beside_quotient": "x / 1000 ^ x % 1000",
}
DIVISION_TAKES = {"x86-64": 11}  # additions that pass while a division does, itself not counted


def instructions(target, tmp_path):
    """The instructions of each function of what is not negative."""
    told = "__builtin_assume(x >= 0); __builtin_assume(y > 0);"
    source = tmp_path / "f.c"
    source.write_text(
        "\n".join(f"int {name}(int x, int y) {{ {told} return {e}; }}" for name, e in FUNCTIONS.items()),
        encoding="utf-8",
    )
    flags = (*TARGETS[target], "-x", "c", "-w", "-O3", "-S", "-o", "-")
    found: dict[str, list[str]] = {}
    for line in run([*find_toolchain().clang, *flags, str(source)]).splitlines():
        label = re.match(r"(\w+):", line)
        if label:
            found[label[1]] = []
        elif found and re.match(r"\s+[a-z]", line) and line.split()[0] not in NO_WORK:
            list(found.values())[-1].append(line.split()[0])
    return {name: found[name] for name in FUNCTIONS}


@pytest.mark.parametrize("target", TARGETS)
def test_divisions_cost_what_compilers_make_of_them(target, tmp_path):
    found, prices = instructions(target, tmp_path), PRICES[target]
    for name, names in found.items():
        waits = DIVISION_TAKES.get(target, 0) * any(word.startswith(("div", "idiv")) for word in names)
        made = len(names) + waits
        if name == "remainder_beside_quotient":
            made -= len(found["divide_by_constant"]) + 1
        stated = getattr(prices, name)
        assert abs(made - stated) <= max(1, stated // 4), (name, names)


def test_gfx950_makes_the_same_of_them_as_gfx942(tmp_path):
    assert instructions("gfx950", tmp_path) == instructions("gfx942", tmp_path)


def test_the_target_chooses_between_two_forms():
    axes = Domain.of({"x": 1000, "y": (1, 50)})
    text = "x % y + (x // y)*7"
    assert str(simplify(text, axes, target="gfx9")) == "x // y*(-y + 7) + x"
    assert str(simplify(text, axes, target="cuda")) == "7*(x // y) + x % y"
    with pytest.raises(Exception, match="x86-64"):
        simplify("x", axes, target="x86")
