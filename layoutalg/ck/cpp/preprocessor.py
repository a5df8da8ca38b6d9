"""C++ text made ready to read, every character in its place: comments, conditions and macros of the target.

Nothing moves, so that lines and columns stay true: what does not belong to the target becomes blanks.

>>> Preprocessor(target_macros("gfx950")).text('''#ifdef __gfx950__
... int banks = 64; // more
... #else
... int banks = 32;
... #endif''').split()
['int', 'banks', '=', '64;']
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from layoutalg.ck.cpp.condition import holds
from layoutalg.target_name import known_target

__all__ = ["Preprocessor", "target_macros", "without_comments"]

_COMMENT = re.compile(
    r'//(?:[^\n\\]|\\.)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)((?:\\\n|[^\n])*)", re.MULTILINE)
_DEFINE = re.compile(r"\s*(\w+)(\()?((?:.|\n)*)")
_VISIBLE = re.compile(r"[^\n]")


def target_macros(arch: str) -> dict[str, str]:
    """What a HIP compiler predefines when it compiles device code for a target."""
    known_target(arch, where="arch")
    major = arch.removeprefix("gfx")[:-2]
    generation = f"__GFX{major}__"
    names = [f"__{arch}__", generation, "__HIP_DEVICE_COMPILE__", "__HIPCC__", "__AMDGCN__"]
    names += ["__HIP__", "__clang__"]
    return dict.fromkeys(names, "1") | {"__HIP_PLATFORM_AMD__": "1", "__cplusplus": "202002L"}


def blank(text: str) -> str:
    """As many blanks, with the lines of the text."""
    return _VISIBLE.sub(" ", text)


def without_comments(text: str) -> str:
    """The text with blanks for comments."""

    def kept(match: re.Match[str]) -> str:
        return blank(match[0]) if match[0].startswith("/") else match[0]

    return _COMMENT.sub(kept, text)


@dataclass
class Preprocessor:
    """Conditions and definitions of one file after another; ``macros`` grows."""

    macros: dict[str, str] = field(default_factory=dict)

    def text(self, source: str) -> str:
        """The lines that the target compiles; directives become blanks."""
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
