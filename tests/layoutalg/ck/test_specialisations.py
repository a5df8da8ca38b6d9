# ruff: noqa: E501  C++ as it is written
"""Which partial specialisation is taken: generated templates, and a C++ compiler's answers in one program."""

from __future__ import annotations

import random

import pytest

from layoutalg.ck.cpp.cpp_errors import AmbiguousError, ImportFailedError, NotUnderstoodError, nested_code
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter
from tests.layoutalg.ck.clang import constants, needs_compiler, wrong_lines
from tests.layoutalg.ck.headers import index_of, value
from tests.refusals import refused

SHARED = """
struct A {};
template <typename T> struct box {};
template <typename... Ts> struct pile {};
template <typename T, typename U> struct two {};
template <typename T, int N> struct sized {};
"""
OF_LIBRARY = """
template <typename... Ts> struct tuple {};
template <int... Is> struct sequence {};
"""
WRITTEN = [  # templates by hand, and the arguments that are asked for
    (
        (
            "template <typename C, typename... T> struct NAME { static constexpr int v = 0; };\n"
            "template <typename C, typename F> struct NAME<C, F> { static constexpr int v = 1; };\n"
            "template <typename C, typename F, typename... R> struct NAME<C, F, R...> "
            "{ static constexpr int v = 2 + NAME<C, R...>::v; };"
        ),
        ["float", "float, int", "float, int, float", "float, int, float, int", "A, A, A, A, A"],
    ),
    (
        (
            "template <typename X, typename... Ts> struct NAME { static constexpr int v = 0; };\n"
            "template <typename X, typename... Ts> struct NAME<X, X, Ts...> { static constexpr int v = 1; };\n"
            "template <typename X, typename Y, typename... Ts> struct NAME<X, Y, Ts...> "
            "{ static constexpr int v = 2 * NAME<X, Ts...>::v; };"
        ),
        ["int", "int, int", "int, float", "int, float, int", "int, float, A, int", "int, int, int"],
    ),
    (
        (
            "template <typename T, typename U> struct NAME { static constexpr int v = 0; };\n"
            "template <typename T> struct NAME<T, tuple<T>> { static constexpr int v = 1; };\n"
            "template <typename T, typename U> struct NAME<T, tuple<U>> { static constexpr int v = 2; };\n"
            "template <typename T, typename... U> struct NAME<T, tuple<U...>> { static constexpr int v = 3; };"
        ),
        ["int, int", "int, tuple<int>", "int, tuple<float>", "int, tuple<>", "int, tuple<int, int>"],
    ),
    (
        (
            "template <typename... T> struct NAME { static constexpr int v = 0; };\n"
            "template <typename T, typename... U> struct NAME<two<T, U>...> { static constexpr int v = 1; };"
        ),
        ["", "two<int, A>", "two<int, A>, two<int, float>", "two<int, A>, two<float, A>", "int"],
    ),
    (
        (
            "template <template <typename...> class C, typename> struct NAME { static constexpr int v = 0; };\n"
            "template <template <typename...> class C, typename... T> struct NAME<C, C<T...>> "
            "{ static constexpr int v = 1 + sizeof...(T); };"
        ),
        ["pile, pile<int, A>", "pile, int", "tuple, tuple<A>", "tuple, pile<A>", "pile, pile<>"],
    ),
    (
        (
            "template <typename T, typename = void> struct NAME { static constexpr int v = 0; };\n"
            "template <typename T> struct NAME<box<T>> { static constexpr int v = 1; };\n"
            "template <typename T> struct NAME<box<T>, int> { static constexpr int v = 2; };"
        ),
        ["int", "box<int>", "box<int>, int", "box<int>, A", "A, int"],
    ),
    (
        (
            "template <typename T, int... N> struct NAME { static constexpr int v = 0; };\n"
            "template <typename T, int M, int... N> struct NAME<T, M, N...> "
            "{ static constexpr int v = 10 * M + NAME<T, N...>::v; };\n"
            "template <int... N> struct NAME<sequence<N...>, 0, N...> { static constexpr int v = 7; };"
        ),
        ["int", "int, 3", "int, 3, 4", "sequence<1, 2>, 0, 1, 2", "sequence<1, 2>, 0, 1", "sequence<>, 0"],
    ),
]
TYPES = [
    "int",
    "float",
    "A",
    "box<int>",
    "box<A>",
    "pile<>",
    "pile<int>",
    "pile<int, A>",
    "tuple<int, float>",
]
TYPES += ["two<int, A>", "two<A, A>", "sized<int, 2>", "sequence<1, 2>", "sequence<>", "tuple<box<int>, A>"]


class Family:
    """A primary template with a pack, and some specialisations of it, at random."""

    def __init__(self, chosen: random.Random, name: str) -> None:
        self.chosen = chosen
        self.first = chosen.randrange(3)
        heads = [f"typename H{i}" for i in range(self.first)]
        header = ", ".join([*heads, "typename... Hs"])
        lines = [f"template <{header}> struct {name} {{ static constexpr int v = 0; }};"]
        for number in range(1, chosen.randint(3, 5)):
            parameters: dict[str, str] = {}
            count = self.first + chosen.randrange(3)
            patterns = [self.pattern(parameters, 2) for _ in range(count)]
            if chosen.random() < 0.6:
                patterns.append(self.pack(parameters))
            rows = sorted(parameters.values(), key=lambda text: "..." in text)
            head = f"template <{', '.join(rows)}> struct {name}<{', '.join(patterns)}>"
            lines.append(f"{head} {{ static constexpr int v = {number}; }};")
        self.text = "\n".join(lines)

    def pattern(self, parameters: dict[str, str], depth: int) -> str:
        kind = self.chosen.random()
        if kind < 0.4:
            name = self.chosen.choice("TUV")
            parameters[name] = f"typename {name}"
            return name
        if kind < 0.6 or not depth:
            return self.chosen.choice(TYPES[:4])
        inner = self.pattern(parameters, depth - 1)
        if kind < 0.7:
            return f"box<{inner}>"
        if kind < 0.8:
            return f"two<{inner}, {self.pattern(parameters, depth - 1)}>"
        if kind < 0.85:
            parameters["N"] = "int N"
            return f"sized<{inner}, N>"
        if kind < 0.9:
            parameters["Is"] = "int... Is"
            return "sequence<Is...>"
        listed = [inner] if self.chosen.random() < 0.6 else []
        if self.chosen.random() < 0.7:
            listed.append(self.pack(parameters))
        return f"{self.chosen.choice(['pile', 'tuple'])}<{', '.join(listed)}>"

    def pack(self, parameters: dict[str, str]) -> str:
        name = self.chosen.choice(["Ps", "Qs"])
        parameters[name] = f"typename... {name}"
        if self.chosen.random() < 0.3 and "T" in parameters:
            return f"two<T, {name}>..."
        return self.chosen.choice([f"{name}...", f"{name}...", f"box<{name}>..."])

    def asked(self) -> str:
        count = self.first + self.chosen.randrange(4)
        given = [self.chosen.choice(TYPES) for _ in range(count)]
        if given and self.chosen.random() < 0.4:
            given[-1] = given[0]
        return ", ".join(given)


def families(seed: int, count: int) -> list[tuple[str, list[str]]]:
    chosen = random.Random(seed)
    found = [
        (text.replace("NAME", f"W{i}"), [f"W{i}<{a}>::v" for a in asked])
        for i, (text, asked) in enumerate(WRITTEN)
    ]
    for i in range(count):
        family = Family(chosen, f"S{i}")
        asked = dict.fromkeys(family.asked() for _ in range(12))
        found.append((family.text, [f"S{i}<{arguments}>::v" for arguments in asked]))
    return found


def answers(rows: list[tuple[str, list[str]]], folder: str) -> list[tuple[str, dict[str, int | None]]]:
    """Families that compile, with the value of each question; None where the compiler refuses it."""
    lines = [line for line in (SHARED + OF_LIBRARY).split("\n") if line]
    where: dict[int, tuple[int, str]] = {}
    for number, (text, asked) in enumerate(rows):
        for line in text.split("\n"):
            lines.append(line)
            where[len(lines)] = (number, "")
        for question in asked:
            lines.append(f"extern const int r{len(lines) + 1} = {question};")
            where[len(lines)] = (number, question)
    wrong = {where[at] for at in wrong_lines(folder, "\n".join(lines))}
    broken = {number for number, question in wrong if not question}
    kept = [at for at, row in where.items() if row[0] not in broken and row not in wrong]
    dropped = {at for at in where if at not in set(kept)}
    body = [line for at, line in enumerate(lines, 1) if at not in dropped]
    values = {int(name[1:]): v for name, v in constants(folder, "\n".join(body)).items()}
    found: dict[int, dict[str, int | None]] = {}
    for at, (number, question) in where.items():
        if question and number not in broken:
            found.setdefault(number, {})[question] = values.get(at)
    return [(rows[number][0], asked) for number, asked in sorted(found.items())]


def compare(seed: int, count: int, folder: str) -> tuple[int, int, int, list[str]]:
    """How many agree, are refused by both, are refused here alone, and what differs."""
    agree = both = here = 0
    differ: list[str] = []
    for text, asked in answers(families(seed, count), folder):
        interp = interpreter(index_of(SHARED + text))
        for question, wanted in asked.items():
            try:
                with nested_code():
                    got = interp.evaluate(read_expression(question), interp.space("ck_tile"))
            except ImportFailedError:
                both += wanted is None
                here += wanted is not None
                continue
            if got == wanted:
                agree += 1
            else:
                differ.append(f"{question}: a compiler says {wanted}, the reader {got}\n{text}")
    return agree, both, here, differ


@needs_compiler
@pytest.mark.parametrize(
    ("seed", "count", "least"), [(1, 60, 250), pytest.param(2, 1000, 4000, marks=pytest.mark.slow)]
)
def test_a_compiler_takes_the_same_specialisation(seed, count, least, tmp_path):
    agree, both, here, differ = compare(seed, count, str(tmp_path))
    assert differ == []
    assert agree >= least
    assert here <= agree // 50, "honest, but too often"
    assert both > 0


def test_a_pack_with_something_behind_it_is_refused():
    text = """
    template <typename T> struct S { static constexpr int v = 0; };
    template <typename... Ts> struct S<tuple<Ts..., int>> { static constexpr int v = 1; };
    """
    with refused(NotUnderstoodError):
        value("S<tuple<float, int>>::v", text)


def test_a_parameter_that_nothing_tells_is_refused():
    text = """
    template <typename T> struct S { static constexpr int v = 0; };
    template <typename T, typename U> struct S<box<T>> { static constexpr int v = 1; };
    """
    with refused(NotUnderstoodError, "U"):
        value("S<box<int>>::v", SHARED + text)


def test_equally_special_ones_are_ambiguous():
    text = """
    template <typename... T> struct S { static constexpr int v = 0; };
    template <typename A, typename... T> struct S<A, int, T...> { static constexpr int v = 1; };
    template <typename B, typename... T> struct S<int, B, T...> { static constexpr int v = 2; };
    """
    assert value("S<int, float>::v", text) == 2
    with pytest.raises(AmbiguousError):
        value("S<int, int, A>::v", SHARED + text)


def test_a_constraint_decides_where_patterns_do_not():
    text = """
    template <typename T, int N> struct S { static constexpr int v = 0; };
    template <typename T, int N> requires (N > 4) struct S<box<T>, N> { static constexpr int v = 1; };
    template <typename T, int N> struct S<box<T>, N> { static constexpr int v = 2; };
    """
    assert [value(f"S<box<int>, {n}>::v", SHARED + text) for n in (4, 5)] == [2, 1]


def test_true_is_not_one_where_the_type_counts():
    """As the standard has it; clang 22 calls these two ambiguous, so the compiler is not asked."""
    text = """
    template <auto V> struct S { static constexpr int v = 0; };
    template <> struct S<1> { static constexpr int v = 1; };
    template <> struct S<true> { static constexpr int v = 2; };
    """
    assert [value(f"S<{x}>::v", text) for x in ("1", "true", "2")] == [1, 2, 0]
