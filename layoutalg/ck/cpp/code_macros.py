r"""Macros that stand for whole declarations: one header defines them, the classes of others write their name.

A macro's text takes the place of its name on one line, so that the lines of a file stay what they are.

>>> macros = code_macros("#define SIZES(T) \\\n    static constexpr int kM = T;\n#define LIMIT 4")
>>> macros["SIZES"]
CodeMacro(parameters=('T',), body='static constexpr int kM = T;')
>>> with_code("struct S {\n    SIZES(8)\n};", macros)
'struct S {\n    static constexpr int kM = 8;\n};'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CodeMacro", "code_macros", "list_macros", "with_code"]

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)\n]*\))?[ \t]*((?:\\\n|[^\n])*)", re.MULTILINE)
DECLARES = re.compile(r"(?:template\s*<|static\b|constexpr\b|inline\b|__host__\b|__device__\b)")
LIST = re.compile(r"[\w:<>,\s]+")  # names of types and values, with their arguments
USE = re.compile(r"^([ \t]*)([A-Z][A-Z0-9_]+)\b(?:\(([^()\n]*)\))?[ \t]*;?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class CodeMacro:
    """The parameters of a macro, and its text on one line."""

    parameters: tuple[str, ...]
    body: str


def code_macros(text: str) -> dict[str, CodeMacro]:
    """The macros of a header that stand for declarations of a class."""
    found: dict[str, CodeMacro] = {}
    for name, parameters, body in DEFINE.findall(text) if "#define" in text else ():
        line = " ".join(body.replace("\\\n", " ").split())
        if DECLARES.match(line) and line[-1:] in {"}", ";"}:
            names = tuple(filter(None, (p.strip() for p in parameters.strip("()").split(","))))
            found[name] = CodeMacro(names, line)
    return found


def list_macros(text: str) -> dict[str, str]:
    """The macros of a file that stand for lists of arguments, each on one line.

    >>> list_macros("#define SIZES kM, kN")
    {'SIZES': 'kM, kN'}
    """
    found = DEFINE.findall(text) if "#define" in text else ()
    lines = ((name, " ".join(body.replace("\\\n", " ").split())) for name, given, body in found if not given)
    return {name: line for name, line in lines if "," in line and LIST.fullmatch(line)}


def with_code(text: str, macros: Mapping[str, CodeMacro], lists: Mapping[str, str] | None = None) -> str:
    """A text with the declarations that macros on lines of their own stand for, and lists of arguments."""

    def written(found: re.Match[str]) -> str:
        macro = macros.get(found[2])
        if macro is None:
            return found[0]
        given = [] if found[3] is None else [each.strip() for each in found[3].split(",")]
        body = macro.body
        for name, value in zip(macro.parameters, given, strict=False):
            body = re.sub(rf"\b{name}\b", lambda _, value=value: value, body)  # type: ignore[misc]
        return found[1] + body

    if lists:
        text = re.sub(rf"\b(?:{'|'.join(lists)})\b", lambda found: lists[found[0]], text)
    return USE.sub(written, text) if any(name in text for name in macros) else text
