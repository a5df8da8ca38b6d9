"""The preprocessor: comments, ``#if`` and ``#define`` as the compiler of one target treats them.

What does not belong to the target becomes blanks, so that lines and columns stay those of the file.

>>> Preprocessor(target_macros("gfx950")).text('''#ifdef __gfx950__
... int banks = 64; // more
... #else
... int banks = 32;
... #endif''').split()
['int', 'banks', '=', '64;']

Conditions of ``#if`` know integers, macros and ``defined``; a name that nobody defined counts as 0.

All numbers have 64 bits, with a sign or, by the suffix ``u``, without one.

>>> holds("defined(__gfx9__) && VERSION >= 0x0A", {"__gfx9__": "1", "VERSION": "12"})
True
>>> holds("-1 > 0u && VERSION == 201703L", {"VERSION": "201703L"})
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from layoutalg.ck.cpp.integer_types import arithmetic, common, fits, integer, kind_of, negated
from layoutalg.ck.cpp.literals import number
from layoutalg.machine import known_target
from layoutalg.reading.input_limits import CK_BRACKETS, CK_CONDITION, CK_MACROS, DIGITS

__all__ = ["Preprocessor", "holds", "target_macros", "without_comments"]

_COMMENT = re.compile(
    r'//(?:[^\n\\]|\\.)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)((?:\\\n|[^\n])*)", re.MULTILINE)
_DEFINE = re.compile(r"\s*(\w+)(\()?((?:.|\n)*)")
_VISIBLE = re.compile(r"[^\n]")
_TOKEN = re.compile(r"\d(?:'?\w)*|\w+|&&|\|\||[=!<>]=|<<|>>|[-+*/%()!<>&|^~?:]")
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||", "or"),
    ("&&", "and"),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)


def target_macros(arch: str) -> dict[str, str]:
    """What a HIP compiler predefines when it compiles device code for a target."""
    known_target(arch, where="arch")
    major = arch.removeprefix("gfx")[:-2]
    generation = f"__GFX{major}__"
    names = [f"__{arch}__", generation, "__HIP_DEVICE_COMPILE__", "__HIPCC__", "__AMDGCN__"]
    names += ["__HIP__", "__clang__"]
    return dict.fromkeys(names, "1") | {"__HIP_PLATFORM_AMD__": "1", "__cplusplus": "202002L"}


def blank(text: str) -> str:
    """Blanks in place of all characters but line ends."""
    return _VISIBLE.sub(" ", text)


def without_comments(text: str) -> str:
    """The text with blanks for comments."""

    def kept(match: re.Match[str]) -> str:
        return blank(match[0]) if match[0].startswith("/") else match[0]

    return _COMMENT.sub(kept, text)


@dataclass
class Preprocessor:
    """Preprocesses files one after another; ``macros`` collects what they define."""

    macros: dict[str, str] = field(default_factory=dict)

    def text(self, source: str) -> str:
        """The text with blanks for comments, directives, and lines that the target does not compile."""
        clean = without_comments(source)
        parts: list[str] = []
        taken: list[tuple[bool, bool]] = []  # of each open #if: is this branch read, was any
        at = 0
        for match in _DIRECTIVE.finditer(clean):
            piece = clean[at : match.start()]
            is_read = all(branch for branch, _ in taken)
            parts += [piece if is_read else blank(piece), blank(match[0])]
            at = match.end()
            self._directive(match[1], match[2].replace("\\\n", " "), taken)
        rest = clean[at:]
        return "".join([*parts, rest])

    def _directive(self, word: str, rest: str, taken: list[tuple[bool, bool]]) -> None:
        is_read = all(branch for branch, _ in taken)
        match word:
            case "if" | "ifdef" | "ifndef":
                now = is_read and self._condition(word, rest)
                taken.append((now, now))
            case "elif" | "else" if taken:
                _, was = taken.pop()
                outer = all(branch for branch, _ in taken)
                now = outer and not was and (word == "else" or self._condition("if", rest))
                taken.append((now, was or now))
            case "endif" if taken:
                taken.pop()
            case "define" if is_read:
                self._define(rest)
            case "undef" if is_read:
                self.macros.pop(rest.strip(), None)
            case _:
                pass

    def _condition(self, word: str, rest: str) -> bool:
        if word == "if":
            return holds(rest, self.macros)
        return (rest.split(maxsplit=1)[0] in self.macros) == (word == "ifdef")

    def _define(self, rest: str) -> None:
        match = _DEFINE.match(rest)
        if match is not None:
            self.macros[match[1]] = "" if match[2] else match[3].strip()


def holds(text: str, macros: dict[str, str]) -> bool:
    """Whether the condition of an ``#if`` is true with these macros."""
    return _Condition(text, macros, 0, {}).value() != 0


class _Condition:
    """The tokens of one condition, evaluated as they are read."""

    def __init__(self, text: str, macros: dict[str, str], depth: int, known: dict[str, int]) -> None:
        self.tokens = _TOKEN.findall(text)
        self.macros = macros
        self.depth = depth
        self.known = known  # the values of macros that were read through
        self.nested = 0
        self.at = 0
        CK_CONDITION.check(len(self.tokens), "#if")

    def value(self) -> int:
        return self._choice() if self.tokens else _wide(0)

    def _choice(self) -> int:
        condition = self._binary(0)
        if self._peek() != "?":
            return condition
        with self._one_deeper():
            self._next()
            yes = self._choice()
            self._next()
            no = self._choice()
        kind = common(kind_of(yes), kind_of(no))
        return integer(kind, yes if condition else no)

    @contextmanager
    def _one_deeper(self) -> Iterator[None]:
        """One more level of operands, signs and choices inside each other; refused beyond the limit."""
        self.nested += 1
        CK_BRACKETS.check(self.nested, "#if")
        yield
        self.nested -= 1

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._operand()
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._next()
            left = _apply(operator, left, self._binary(level + 1))
        return left

    def _operand(self) -> int:
        """A literal, a macro, a parenthesis, or one of these behind a sign."""
        with self._one_deeper():
            token = self._next()
            if token in {"!", "not"}:
                return _wide(not self._operand())
            if token in {"-", "+", "~"}:
                return _signed(token, self._operand())
            if token == "(":
                inner = self._choice()
                self._next()
                return inner
        if token == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._next()
            return _wide(name in self.macros)
        if token[:1].isdigit():
            DIGITS.check(len(token), "#if")
            return _literal(token)
        return _wide(token == "true") if token in {"true", "false"} else self._macro(token)

    def _macro(self, name: str) -> int:
        if self._peek() == "(":  # a function-like query such as __has_builtin(...)
            while self._next() not in {")", ""}:
                pass
            return _wide(0)
        if name not in self.known:
            text = self.macros.get(name, "")
            if not text:
                return _wide(0)
            CK_MACROS.check(self.depth + 1, f"#if {name}")
            self.known[name] = _wide(0)  # inside of itself a name is not read through
            self.known[name] = _Condition(text, self.macros, self.depth + 1, self.known).value()
        return self.known[name]


def _wide(value: int) -> int:
    """A number of 64 bits with a sign."""
    return integer("long", value)


def _signed(sign: str, value: int) -> int:
    try:
        return negated(sign, value)
    except OverflowError:
        return _wide(0)


def _literal(token: str) -> int:
    """The number of a literal; 0 for one that is no integer."""
    try:
        value = number(token)
    except ValueError:
        return _wide(0)
    whole = value if isinstance(value, int) else 0
    is_unsigned = "u" in token.lower() or not fits("long", whole)
    return integer("unsigned long" if is_unsigned else "long", whole)


def _apply(operator: str, left: int, right: int) -> int:
    """``left operator right``.

    It is 0 where C++ has no value: both sides of ``&&`` are computed, whichever of them counts.
    """
    if operator in {"||", "or"}:
        return _wide(bool(left or right))
    if operator in {"&&", "and"}:
        return _wide(bool(left and right))
    try:
        found = arithmetic(operator, left, right)
    except (ArithmeticError, ValueError):
        return _wide(0)
    return _wide(found) if isinstance(found, bool) else found
