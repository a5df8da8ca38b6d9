"""Template arguments by the names of their parameters: ``TileGemmShape<BlockTile=..., WarpTile=...>``.

C++ has arguments by position only, and versions of CK differ in the positions. Here a text may name them;
they are put in the order in which the headers declare them. A trailing underscore may be left out.

>>> index = Index("gfx942", {})
>>> _ = index.add("a.hpp", "namespace ck_tile { template <int kM_, int kN_, int kPad_ = 0> struct Shape; }")
>>> positional("wrap<Shape<kN=2*x, kM=1>>", index)
'wrap<Shape<1, 2*x>>'
"""

from __future__ import annotations

import re

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.reading.near_names import near_hint

__all__ = ["HEAD", "positional", "primary_template", "split_arguments"]

HEAD = re.compile(r"([A-Za-z_]\w*)<")
NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)", re.DOTALL)


def positional(text: str, index: Index, *, spare: bool = False) -> str:
    """The text with every argument at its place; ``spare`` leaves out names that no parameter has.

    Raises :class:`NotUnderstoodError` for a missing argument, and for a name that is not a parameter's.
    """
    out, at = list[str](), 0
    while (found := HEAD.search(text, at)) is not None:
        out.append(text[at : found.end()])
        at = found.end()
        split = split_arguments(text, at)
        if split is not None:  # and no comparison
            arguments, at = split
            out.append(", ".join(_written(found[1], arguments, index, spare=spare)))
    return "".join(out) + text[at:]


def _written(name: str, arguments: list[str], index: Index, *, spare: bool) -> list[str]:
    """The arguments of a list by position, those inside them too."""
    named = [one for each in arguments if (one := NAMED.fullmatch(each))]
    if not named or len(named) < len(arguments):
        return [positional(each.strip(), index, spare=spare) for each in arguments]
    values = {one[1].rstrip("_"): one[2].strip() for one in named}
    return [positional(each, index, spare=spare) for each in _in_order(name, values, index, spare=spare)]


def primary_template(name: str, index: Index) -> Declaration | None:
    """The declaration of a name of CK's that says its parameters; None where it is declared nowhere."""
    found = index.spaces.get(index.library.space, {}).get(name, [])
    primary = [declared for declared in found if declared.headers and declared.pattern is None]
    with_defaults = [d for d in primary if any(p.default is not None for p in d.parameters)]
    return next(iter((*with_defaults, *primary, *found)), None)


def split_arguments(text: str, begin: int) -> tuple[list[str], int] | None:
    """The arguments of a list that begins behind its ``<``, and where its ``>`` stands; None without one."""
    depth, start, found = 1, begin, list[str]()
    for at in range(begin, len(text)):
        depth += (text[at] in "<({") - (text[at] in ">)}")
        if depth == 0 or (depth == 1 and text[at] == ","):
            found.append(text[start:at])
            start = at + 1
        if depth == 0:
            return ([] if found == [""] else found), at
    return None


def _in_order(name: str, values: dict[str, str], index: Index, *, spare: bool) -> list[str]:
    declared = primary_template(name, index)
    if declared is None:
        raise NotUnderstoodError(f"{name} is declared nowhere in the headers")
    wanted = [parameter.name.rstrip("_") for parameter in declared.parameters]
    unknown = next((each for each in values if each not in wanted), None)
    if unknown is not None and not spare:
        hint = near_hint(unknown, wanted) or f"it has {', '.join(wanted)}"
        raise NotUnderstoodError(f"{name} has no parameter {unknown}", declared.place, hint=hint)
    found: list[str] = []
    for parameter in declared.parameters:
        key = parameter.name.rstrip("_")
        if key in values:
            found.append(values[key])
        elif parameter.default is not None or parameter.is_pack:
            if any(later in values for later in wanted[len(found) + 1 :]) and not spare:
                message = f"{name}: {key} has a default, and what stands behind it is given"
                raise NotUnderstoodError(message, declared.place, hint=f"give {key} too")
            break
        else:
            raise NotUnderstoodError(f"{name}: no argument {key}", declared.place, hint=f"add {key}=...")
    return found
