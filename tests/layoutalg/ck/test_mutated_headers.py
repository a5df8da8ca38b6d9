# ruff: noqa: E501, ISC004  C++ as it is written
"""Headers that are no C++: a result or one line of error, in bounded time, whatever the text."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from layoutalg.ck import Index, builders
from layoutalg.ck.cpp.preprocessor import holds
from layoutalg.ck.import_run import Run
from layoutalg.ck.importer import EXAMPLE, attempt
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.errors import LayoutError, LimitError
from layoutalg.pictures.view import view_of
from tests.golden.ck_import import has_headers, headers
from tests.layoutalg.ck.headers import value
from tests.refusals import refused

SAMPLES = [
    EXAMPLE,
    "namespace ck_tile { template <typename C, typename... T> struct any { static constexpr int v = 0; };\n"
    "template <typename C, typename F, typename... R> struct any<C, F, R...> { static constexpr int v = any<C, R...>::v; };\n"
    "static constexpr auto f() { return make_naive_tensor_descriptor(make_tuple(1, any<int, int>::v), make_tuple(2, 1)); } }",
    "#define A (B + 1)\n#if A > 2 && defined(B)\nnamespace ck_tile { struct P { static auto Make() {\n"
    "array<int, 4> a{-1}; for(int i = 0; i < 4; i++) { a(i) = i; } return make_naive_tensor_descriptor_packed(a); } }; }\n#endif",
]
INSERTED = [
    "(",
    ")",
    "<",
    ">",
    "{",
    "}",
    "[",
    "]",
    "'",
    '"',
    "'''",
    "#if A\n",
    "#endif\n",
    "template <",
    "...",
    "::",
    "namespace",
]
INSERTED += [
    "NAME(a)",
    "0x",
    "1e",
    "operator",
    "=",
    ";",
    ",",
    "~",
    "?",
    "//",
    "/*",
    "requires",
    "<<",
    "-",
    "\\",
    "union",
    "using",
]
SECONDS = 20


def mutated(chosen: random.Random, text: str) -> str:
    for _ in range(chosen.randint(1, 4)):
        at = chosen.randrange(len(text) + 1)
        to = min(len(text), at + chosen.randint(1, 30))
        match chosen.randrange(6):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:]
            case 2:
                text = f"{text[:at]} {chosen.choice(INSERTED)} {text[at:]}"
            case 3:
                text = text[:at]
            case 4:
                text = text[:at] + chosen.choice("(<[{") * chosen.choice([3, 30, 600]) + text[at:]
            case _:
                part = text[at:to]
                text = text[:at] + part * chosen.randint(2, 20) + text[to:]
    return text


@contextmanager
def bounded(seconds: int):
    def late(*_):
        raise AssertionError(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def texts() -> list[str]:
    found = list(SAMPLES)
    if has_headers():
        rows = sorted(headers("gfx942").sources.items())
        found += [s.text for name, s in rows if "policy" in name and len(s.text) < 12_000]
    return found


def outcome(text: str) -> str:
    """How reading, listing and importing one text ends."""
    index = Index("gfx942", {})
    try:
        index.add("a.hpp", text)
        found = builders(index)
    except LayoutError:
        return "refused"
    for builder in found[:3]:
        verdict = attempt(f"a.hpp::{builder.name}#1", {}, index=index).verdict
        assert verdict
    return "read in part" if index.unread else "read"


def mutations(seed: int, count: int) -> tuple[Counter[str], float]:
    chosen, sources = random.Random(seed), texts()
    counts: Counter[str] = Counter()
    slowest = 0.0
    for number in range(count):
        text = mutated(chosen, chosen.choice(sources[: len(SAMPLES)] if number % 2 else sources))
        begin = time.perf_counter()
        try:
            with bounded(SECONDS):
                counts[outcome(text)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}, mutation {number}: {error!r}\n{text[:3000]}") from error
        slowest = max(slowest, time.perf_counter() - begin)
    return counts, slowest


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "count"), [(1, 150), pytest.param(2, 3000, marks=pytest.mark.slow)])
def test_every_mutation_ends_in_a_result_or_an_error(seed, count):
    counts, slowest = mutations(seed, count)
    assert counts.total() == count
    assert slowest < SECONDS


@pytest.mark.parametrize(
    "text",
    [
        "namespace ck_tile",
        "struct S { int f() { return " + "(" * 5000 + "1" + ")" * 5000 + "; } };",
        "struct S { static auto f() { return " + "a<" * 3000 + "1" + ">" * 3000 + "{}; } };",
        "struct S { static auto f() { return " + "a<" * 60 + "; } };",
        "struct S { static auto f() { return '''; } };",
        "struct S { static auto f() { return '; } };",
        "struct S { static auto f() { return " + "-" * 20000 + "1; } };",
        "{" * 100_000,
        "template <" * 20_000,
    ],
)
def test_texts_that_hung_or_exploded(text):
    with bounded(SECONDS):
        assert outcome(text)


@pytest.mark.parametrize("depth", [16, 18, 40, 400])
def test_a_macro_that_doubles_is_read_once(depth):
    macros = {f"A{i}": f"(A{i + 1} + A{i + 1})" for i in range(depth)} | {f"A{depth}": "1"}
    with bounded(5):
        if depth <= 18:
            assert holds(f"A0 == {2**depth}", macros)
            return
        with refused(LimitError, "CK_MACROS"):
            holds("A0 == A0", macros)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("typename arithmetic_sequence_gen<0, 100000000, 1>::type{}", "CK_ELEMENTS"),
        ("make_index_sequence<1000000000>{}", "CK_ELEMENTS"),
        ("typename uniform_sequence_gen<1000000000, 4>::type{}", "CK_ELEMENTS"),
        ("generate_tuple([](auto i) { return i; }, number<100000000>{})", "CK_ELEMENTS"),
        ("array<int, 1000000000>{}", "CK_ELEMENTS"),
        ("[]() { int n = 0; while(true) { n++; } return n; }()", "CK_LOOP"),
    ],
)
def test_a_limit_is_named(text, limit):
    with bounded(SECONDS), refused(LayoutError, limit):
        value(text)


def test_a_run_stands_for_one_import():
    assert Run(Index("gfx942", {}), {}).unused == set()


def test_an_encoding_too_large_to_draw_is_refused_before_it_is_drawn():
    huge = "tile_distribution_encoding<sequence<>, tuple<sequence<2000000, 4000000>>, tuple<sequence<1>>, tuple<sequence<0>>, sequence<1>, sequence<1>>"
    with refused(LayoutError, "ENCODING_ELEMENTS"):
        view_of(make_static_tile_distribution(read_encoding(huge)))
