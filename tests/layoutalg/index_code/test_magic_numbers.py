"""Prepared divisors give every quotient: all of them for small words, those at risk for 32 and 64 bits.

The text is the one that is emitted, made for words of 8 and 16 bits too.
"""

from __future__ import annotations

import random

import pytest

from layoutalg.index_code.c_divisors import divisor_text
from layoutalg.index_code.c_language import C
from layoutalg.transforms.magic_division import MagicDivision
from tests.layoutalg.index_code.compilers import TRAPS, built, ran

ALL = """\
int main(void)
{{
    for (int32_t d = 1; d <= {end}; d += {step})
    {{
        const struct m_divisor{word} by = m_make_divisor{word}((uint{word}_t)d);
        for (int32_t n = 0; n < {end}; ++n)
            if (m_divide{word}((int{word}_t)n, by) != n / d)
            {{
                printf("%d / %d", (int)n, (int)d);
                return 0;
            }}
    }}
    printf("exact");
    return 0;
}}
"""
SOME = """\
int main(void)
{{
    long long d, n;
    while (scanf("%lld %lld", &d, &n) == 2)
    {{
        const struct m_divisor{suffix} by = m_make_divisor{suffix}((uint{word}_t)d);
        if ((int64_t)m_divide{suffix}((int{word}_t)n, by) != n / d)
            printf("%lld / %lld\\n", n, d);
    }}
    return 0;
}}
"""
HEAD = "#include <stdint.h>\n#include <stdio.h>\n\n"


def program(folder, by, word, main):
    source = folder / "magic.c"
    source.write_text(f"{HEAD}{divisor_text('m', word, C)}\n\n{main}", encoding="utf-8")
    return built(by, "c", source, "-O2", "-Wno-conversion", *TRAPS[by])


@pytest.mark.parametrize("by", ["gcc", "clang"])
@pytest.mark.parametrize(("word", "step"), [(8, 1), (16, 37), pytest.param(16, 1, marks=pytest.mark.slow)])
def test_every_quotient_of_a_small_word_is_exact(by, word, step, tmp_path):
    """The largest divisor, ``2**(word - 1)``, is one beyond what a dividend may be."""
    main = ALL.format(end=1 << word - 1, word=word, step=step)
    assert ran(program(tmp_path, by, word, main)) == "exact"


def divisors(draw, word, count):
    """1, 2, 3, powers of two and their neighbours, the largest, and any."""
    largest = (1 << word - 1) - 1
    near = [(1 << k) + d for k in range(1, word - 1) for d in (-1, 0, 1)]
    return [
        1,
        2,
        3,
        largest,
        largest - 1,
        *near,
        *(draw.randint(1, 1 << draw.randint(1, word - 2)) for _ in range(count)),
    ]


def dividends(draw, divisor, word):
    """Where a quotient changes, near both ends and between: there a wrong multiplier shows."""
    largest = (1 << word - 1) - 1
    last = largest // divisor
    multiples = {divisor * q for q in (1, 2, 3, last, last - 1, last // 2, draw.randint(0, last))}
    found = {multiple + d for multiple in multiples for d in (-1, 0, 1)} | {0, largest, largest - 1}
    return sorted(n for n in found if 0 <= n <= largest)


@pytest.mark.parametrize("by", ["gcc", "clang"])
@pytest.mark.parametrize("word", [32, 64])
@pytest.mark.parametrize("count", [3000, pytest.param(200_000, marks=pytest.mark.long)])
def test_quotients_at_risk_are_exact(by, word, count, tmp_path):
    draw = random.Random(word)
    rows = [f"{d} {n}" for d in divisors(draw, word, count) for n in dividends(draw, d, word)]
    main = SOME.format(word=word, suffix="" if word == 32 else word)
    assert ran(program(tmp_path, by, word, main), "\n".join(rows)) == ""


def test_the_numbers_are_those_of_composable_kernel(tmp_path):
    draw = random.Random(1)
    chosen = divisors(draw, 32, 500)
    main = SOME.format(word=32, suffix="").replace("!= n / d", ">= 0")
    main = main.replace('printf("%lld / %lld\\n", n, d)', 'printf("%u %u\\n", by.multiplier, by.shift)')
    found = ran(program(tmp_path, "clang", 32, main), "\n".join(f"{d} 0" for d in chosen)).splitlines()
    for divisor, line in zip(chosen, found, strict=True):
        theirs = MagicDivision.of(divisor)
        assert line == f"{theirs.multiplier} {theirs.shift}"
