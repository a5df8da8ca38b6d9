"""Random constant expressions over C++'s integer types, and what a C++ compiler makes of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.layoutalg.ck.clang import constants, wrong_lines

__all__ = ["Program", "answers", "programs"]

NAMES = {  # as the library spells them, which the reader knows without being told
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "index_t": "int",
    "long_index_t": "long",
}
KINDS = ["bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int"]
KINDS += [
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "char8_t",
    "char16_t",
    "char32_t",
    "wchar_t",
]
OF_LIBRARY = """
template <auto v> struct constant { using value_type = decltype(v); static constexpr value_type value = v;
    constexpr operator value_type() const { return v; } };
template <index_t v> using number = constant<v>; template <long_index_t v> using long_number = constant<v>;
template <bool v> using bool_constant = constant<v>; template <index_t... Is> struct sequence {};
template <auto x, auto y> constexpr auto operator+(constant<x>, constant<y>) { return constant<(x + y)>{}; }
template <auto x, auto y> constexpr auto operator*(constant<x>, constant<y>) { return constant<(x * y)>{}; }
template <auto x> constexpr auto operator-(constant<x>) { return constant<(-x)>{}; }
template <typename T> constexpr T max(T x, T y) { return x > y ? x : y; }
template <index_t X> constexpr index_t max(number<X>, index_t y) { return X > y ? X : y; }
template <typename X, typename Y>
constexpr auto integer_divide_ceil(X x, Y y) { return (x + y - number<1>{}) / y; }
constexpr index_t gcd(index_t x, index_t y) { return y == 0 ? (x < 0 ? -x : x) : gcd(y, x % y); }
template <typename X, typename Y> constexpr auto lcm(X x, Y y) { return (x * y) / gcd(x, y); }
namespace std { template <class T, class U> constexpr bool is_same_v = false;
    template <class T> constexpr bool is_same_v<T, T> = true; }
"""  # what the reader has of its own
SHARED = """
constexpr uint8_t c_byte = 255; constexpr int16_t c_short = -32768; constexpr uint32_t c_word = 4000000000u;
constexpr int64_t c_long = -5; constexpr size_t c_size = 12; constexpr bool c_true = true;
constexpr int c_int = 2147483647; constexpr char c_char = 'z';
enum Free { free_low = -1, free_high = 7 }; enum Wide { wide = 3000000000, wider };
enum Byte : uint8_t { byte_high = 255, byte_low = 1 }; enum class Scoped : int16_t { low = -9, high };
constexpr unsigned seven() { return 7; } constexpr auto minus() { return -3L; }
constexpr int8_t cut(int8_t x) { return x; } constexpr uint16_t half(uint32_t x) { return x; }
template <typename T> constexpr T same(T x) { return x; }
"""
CONSTANTS = [
    "c_byte",
    "c_short",
    "c_word",
    "c_long",
    "c_size",
    "c_true",
    "c_int",
    "c_char",
    "seven()",
    "minus()",
]
CONSTANTS += ["free_low", "free_high", "wide", "wider", "byte_high", "byte_low"]
CONSTANTS += ["static_cast<int>(Scoped::low)", "int64_t(Scoped::high)", "sizeof(Scoped)", "sizeof(Byte)"]
CONSTANTS += ["sizeof(c_word + 1)", "sizeof('a')", r"'\n'", r"'\xff'", r"'\0'", "sizeof(1 ? c_byte : c_long)"]
NUMBERS = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, 127, 128, 255, 256, 300, 32767, 65535, 65536, 2**31 - 1]
NUMBERS += [2**31, 2**32 - 1, 2**32, 2**33 + 7, 2**63 - 1]
PLAIN = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
TRUTHS = ["<", ">", "<=", ">=", "==", "!=", "&&", "||"]


@dataclass(frozen=True)
class Program:
    """Declarations, and an expression over them."""

    text: str
    question: str


class Writer:
    """Writes programs at random; ``inside``: parameters and variables that may be named."""

    def __init__(self, seed: int) -> None:
        self.chosen = random.Random(seed)
        self.inside: list[str] = []

    def one(self, *rows: str) -> str:
        return self.chosen.choice(rows)

    def kind(self) -> str:
        return self.one(*NAMES)

    def literal(self) -> str:
        number = self.chosen.choice(NUMBERS[:14] if self.chosen.random() < 0.7 else NUMBERS)
        digits = [f"{number}", f"{number}", f"0x{number:x}", f"0{number:o}", f"0b{number:b}"]
        suffix = self.one("", "", "", "u", "U", "l", "UL", "ll", "ull", "LLU")
        return self.one(*digits) + suffix

    def leaf(self) -> str:
        kind = self.chosen.random()
        if self.inside and kind < 0.5:
            return self.one(*self.inside)
        if kind < 0.7:
            return self.literal()
        return self.one("true", "false", f"sizeof({self.one(*KINDS)})", *CONSTANTS)

    def expression(self, depth: int, *, is_evaluated: bool = True) -> str:
        """An expression; what may be ill-formed stands only where the reader looks: where it is evaluated."""
        if not depth or self.chosen.random() < 0.12:
            return self.leaf()
        kind = self.chosen.random()
        inner = self.expression(depth - 1, is_evaluated=is_evaluated)
        if kind < 0.12:
            return f"{self.one('-', '~', '+', '!', '-')}({inner})"
        if kind < 0.32:
            return self.cast(inner, is_evaluated=is_evaluated)
        if kind < 0.38:
            name = self.one("cut", "half", "same", "same<uint8_t>", "same<long_index_t>", "max")
            if name == "max" and is_evaluated and not self.inside:
                return f"max(+({inner}), 4)"
            return f"{name.replace('max', 'same')}({inner})"
        unsure = self.expression(depth - 1, is_evaluated=False)
        if kind < 0.48:
            condition = self.expression(depth - 1, is_evaluated=is_evaluated)
            return f"({condition} ? {self.expression(depth - 1, is_evaluated=False)} : {unsure})"
        sign = self.one(*PLAIN) if kind < 0.85 else self.one(*TRUTHS)
        if sign in {"<<", ">>"} and self.chosen.random() < 0.8:
            return f"(({inner}) {sign} {self.chosen.randrange(12)})"
        other = unsure if sign in {"&&", "||"} else self.expression(depth - 1, is_evaluated=is_evaluated)
        return f"({inner} {sign} {other})" if self.chosen.random() < 0.8 else f"{inner} {sign} {other}"

    def cast(self, inner: str, *, is_evaluated: bool) -> str:
        rows = [f"static_cast<{self.one(*KINDS)}>({inner})", f"({self.one(*KINDS)})({inner})"]
        rows += [
            f"{self.kind()}({inner})",
            f"({self.kind()})({inner})",
            f"static_cast<{self.kind()}>({inner})",
        ]
        if is_evaluated and not self.inside:
            rows += [f"{self.kind()}{{{inner}}}"]
        return self.one(*rows)

    def function(self, name: str) -> Program:
        """A function with variables that are changed."""
        self.inside = ["x", "y"]
        lines = []
        for variable in "ab":
            lines.append(f"{self.one(self.kind(), self.kind(), 'auto')} {variable} = {self.expression(2)};")
            self.inside.append(variable)
        for _ in range(self.chosen.randrange(4)):
            target, value = self.one("a", "b", "x"), self.expression(1)
            sign = self.one("=", "+=", "-=", "*=", "&=", "^=", "|=", "<<=", ">>=", "/=", "%=")
            value = str(self.chosen.randrange(9)) if sign in {"<<=", ">>="} else value
            lines.append(self.one(f"{target} {sign} {value};", f"{target}++;", f"--{target};"))
        kinds = [self.kind() for _ in range(3)]
        if self.chosen.random() < 0.3:
            kind = self.kind()
            lines.append(f"{kind} z[] = {{{kind}(a), {kind}(b)}}; z[1] = x; b = z[0] + z[1];")
        lines.append(f"if({self.expression(1)}) return {self.expression(2)};")
        lines.append(f"return {self.expression(2)};")
        self.inside = []
        head = f"constexpr {kinds[0]} {name}({kinds[1]} x, {kinds[2]} y)"
        given = f"{self.expression(1)}, {self.expression(1)}"
        return Program(f"{head} {{ {' '.join(lines)} }}", f"{name}({given})")

    def template(self, name: str) -> Program:
        """A parameter that is a value, its argument, and its default."""
        self.inside = ["V", "W"]
        kinds = [self.kind(), self.kind(), self.one("auto", self.kind())]
        body = f"static constexpr auto v = {self.expression(2)};"
        self.inside = ["V"]
        default = self.expression(1)
        self.inside = []
        head = f"template <{kinds[0]} V, {kinds[1]} W = ({default})> struct {name} {{ {body} }};"
        second = self.one("", "", f", ({self.expression(1)})")
        return Program(head, f"{name}<({self.expression(2)}){second}>::v")

    def members(self, name: str) -> Program:
        """Constants of a class, written with = and with braces, and an enumeration of it."""
        rows = [f"static constexpr {self.kind()} {v} = {self.expression(2)};" for v in "pq"]
        self.inside = ["p", "q"]
        written = [f" = {self.expression(1)}", ""][self.chosen.random() < 0.5]
        rows.append(f"enum E : {self.kind()} {{ e{written}, f }};")
        self.inside = []
        rows.append(f"static constexpr {self.kind()} r{{{self.expression(1)}}};")
        signs = [self.one("+", "*", "^", "|", ",") for _ in range(4)]
        question = (
            f"{name}::p {signs[0]} {name}::q {signs[1]} {name}::e {signs[2]} {name}::f {signs[3]} {name}::r"
        )
        return Program(f"struct {name} {{ {' '.join(rows)} }};", question)


def programs(seed: int, count: int) -> list[Program]:
    """So many programs: half of them bare expressions."""
    writer = Writer(seed)
    found = []
    for number in range(count):
        made = [writer.function, writer.template, writer.members][number % 3](f"S{number}")
        found += [made, Program("", writer.expression(4))]
    return found


def answers(rows: list[Program], folder: str) -> list[tuple[int, str] | None]:
    """Of each program the value modulo 2**64 and the type, "" for no integer; None where it is refused."""
    head = "".join(f"using {name} = {kind}; " for name, kind in NAMES.items())
    head += "template <typename T> constexpr int id = -1; "
    head += "".join(f"template <> constexpr int id<{k}> = {i}; " for i, k in enumerate(KINDS))
    lines = [head + (OF_LIBRARY + SHARED).replace("\n", " ")]
    for at, row in enumerate(rows):
        value = f'extern "C" constexpr long long v{at} = (long long)({row.question});'
        value += f' extern "C" constexpr int t{at} = id<decltype(same({row.question}))>;'
        lines.append(f"namespace n{at} {{ {row.text} {value} }}")
    wrong = wrong_lines(folder, "\n".join(lines))
    kept = ["" if at in wrong and at > 1 else line for at, line in enumerate(lines, 1)]
    found = constants(folder, "\n".join(kept))
    names = [*KINDS, ""]
    return [
        None if at + 2 in wrong else (found[f"v{at}"] % 2**64, names[found[f"t{at}"]])
        for at in range(len(rows))
    ]
