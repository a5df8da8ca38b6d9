r"""Loops of one turn written as what they do: builders write loops over any count, and one is no loop.

>>> print("\n".join(without_single_turns([
...     "#pragma unroll", "for (int i = 1; i < 2; ++i)", "    #pragma unroll",
...     "    for (int j = 0; j < 4; ++j)", "        acc[i][j] = a[i] * b[j];",
... ])))
#pragma unroll
for (int j = 0; j < 4; ++j)
    acc[1][j] = a[1] * b[j];
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from layoutalg.codegen.text.source import INDENT

__all__ = ["without_single_turns"]

LOOP = re.compile(
    r"(?P<indent> *)for \(int (?P<name>\w+) = (?P<first>\d+); (?P=name) < (?P<end>\d+); [^;]*\)"
    r"(?P<opens> \{)?"
)
DECLARES = re.compile(r"(?:[A-Za-z_]\w*[ *]+)+[A-Za-z_]\w*(?:\[[^]]*\])*(?:, \w+)*(?: = .*|\{.*)?[;{]")
ATOM = r"\w+\b(?![\[(.])"  # a name or a number, and no call or element
TIMES_0 = re.compile(rf" \+ 0 \* (?:{ATOM}|\([^()]*\))(?! [*/%])|(?<=[\[(])(?:0 \* {ATOM}|{ATOM} \* 0) \+ ")
JUMPS = re.compile(r"\b(?:break|continue)\b")


def without_single_turns(lines: Iterable[str]) -> list[str]:
    """Statements of a kernel without loops of one turn; what one declares keeps a block of its own.

    A loop stays that is left by ``break`` or ``continue``, or whose counter is declared again inside.
    """
    left, found = list(lines), list[str]()
    while left:
        line = left.pop(0)
        loop = LOOP.fullmatch(line)
        if loop is None:
            found.append(line)
            continue
        indent, body = loop["indent"], _body(left, loop)
        del left[: len(body) + (1 if loop["opens"] else 0)]
        inner = without_single_turns(body)
        again = re.compile(rf"\bint {loop['name']}\b")
        stays = any(again.search(one) or JUMPS.search(one) for one in inner)
        if stays or int(loop["end"]) - int(loop["first"]) != 1:
            opens = bool(loop["opens"]) or _statements(inner, indent + INDENT) > 1
            head = line if loop["opens"] or not opens else line + " {"
            if not opens and inner and inner[0] == indent + INDENT + "{":  # a block is all that it repeats
                head, opens = line + " {", True
                inner = [one.removeprefix(INDENT) for one in inner[1:-1]]
            found += [head, *inner, *([indent + "}"] if opens else [])]
            continue
        if found and found[-1] == indent + "#pragma unroll":
            found.pop()
        name = re.compile(rf"(?<![.\w]){loop['name']}\b")
        once = [TIMES_0.sub("", name.sub(loop["first"], one)) for one in inner]
        if _needs_block(once, indent, found[-1] if found else ""):
            found += [indent + "{", *once, indent + "}"]
        else:
            found += [one.removeprefix(INDENT) for one in once]
    return found


def _needs_block(body: list[str], indent: str, before: str) -> bool:
    """Whether a body declares something, or is of several statements after a head that takes one."""
    own = [line.strip() for line in body if _is_at(line, indent + INDENT)]
    code = before.partition("  //")[0]
    is_head = bool(indent) and _is_at(code, indent.removeprefix(INDENT)) and code[-1:] in {")", "e"}
    is_asked = bool(own) and own[0].startswith("if ")  # whose would an else be?
    is_more = _statements(body, indent + INDENT) > 1 or is_asked
    return any(map(DECLARES.fullmatch, own)) or (is_head and is_more)


def _is_at(line: str, indent: str) -> bool:
    """Whether a line begins at this indentation."""
    return line.startswith(indent) and not line[len(indent) :].startswith(" ")


def _statements(lines: list[str], indent: str) -> int:
    """How many statements begin at this indentation."""
    own = (line[len(indent) :] for line in lines if line.strip() and _is_at(line, indent))
    return sum(not one.startswith(("#", "}", "else")) for one in own)


def _body(after: list[str], loop: re.Match[str]) -> list[str]:
    """The lines of a loop, without the brace that ends it."""
    indent, found = loop["indent"], list[str]()
    for line in after:
        ends = line == indent + "}" if loop["opens"] else not line.startswith(indent + INDENT)
        if ends:
            break
        found.append(line)
    return found
