"""The bindings that are shipped for CK's own functions, as the headers at hand spell them.

Versions of CK differ in what a class template is called and which arguments it takes. In
``default_bindings.toml`` arguments have the names of their parameters, those of all versions; a list of texts
is a list of alternatives, of which the first is taken that fits what the headers declare; ``Name<>`` is
``Name`` where that is no template.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.ck_library import OLD_CK
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.fitting_bindings import fitting
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.ck.named_arguments import HEAD, positional, primary_template, split_arguments

__all__ = ["default_bindings", "shipped_bindings", "spelled"]

DEFAULTS = Path(__file__).with_name("default_bindings.toml")
OLD_DEFAULTS = Path(__file__).with_name("old_ck_bindings.toml")
EMPTY = re.compile(r"([A-Za-z_]\w*)<>")


@cache
def _defaults() -> list[dict[str, Any]]:
    return _read(DEFAULTS)


@cache
def _old_defaults() -> list[dict[str, Any]]:
    return _read(OLD_DEFAULTS)


def _read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["for"]
    return found


def default_bindings(file: str, function: str, ordinal: int = 1, *, index: Index) -> dict[str, Any]:
    """The shipped bindings for a function of a file; later entries of the table win."""
    found: dict[str, Any] = {}
    last = function.rpartition("::")[2]
    names = {function, f"{function}#{ordinal}", last, f"{last}#{ordinal}", function.partition("::")[0]}
    for entry in _old_defaults() if index.library is OLD_CK else _defaults():
        is_here = any(path in file for path in entry["paths"])
        if is_here and names & set(entry.get("functions", [function])):
            found |= entry["bind"]
    if index.library is OLD_CK:
        builder, _ = found_builder(index, Target(file, f"{function}#{ordinal}"))
        return flattened(fitting(found, builder, index))
    return flattened({name: spelled(value, index) for name, value in found.items()})


def shipped_bindings(target: str, index: Index) -> dict[str, Any]:
    """The shipped bindings of a target."""
    parsed = Target.of(target)
    if parsed.has_arguments:
        return default_bindings(index.file(parsed.file).name, re.sub(r"<.*?>+", "", parsed.name), index=index)
    builder, ordinal = found_builder(index, parsed)
    return default_bindings(builder.file, builder.name, ordinal, index=index)


def spelled(value: Any, index: Index) -> Any:
    """A value as these headers take it: of alternatives the first that fits, or else the first."""
    alternatives = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in alternatives):
        return value
    texts = [text for each in alternatives if (text := _in_order(each, index)) is not None]
    return next((text for text in texts if _fits(text, index)), (texts or alternatives)[0])


def _in_order(text: str, index: Index) -> str | None:
    """The text with its arguments by position; None where these headers take others."""
    try:
        return EMPTY.sub(lambda found: _without_list(found, index), positional(text, index, spare=True))
    except NotUnderstoodError:
        return None


def _without_list(found: re.Match[str], index: Index) -> str:
    declared = primary_template(found[1], index)
    return found[1] if declared is not None and not declared.headers else found[0]


def _fits(text: str, index: Index) -> bool:
    """Whether each class template is declared, and takes as many arguments."""
    for found in HEAD.finditer(text):
        declared, split = primary_template(found[1], index), split_arguments(text, found.end())
        if declared is None or split is None:
            return False
        count = len(split[0])
        needed = [p for p in declared.parameters if p.default is None and not p.is_pack]
        has_pack = any(p.is_pack for p in declared.parameters)
        if count < len(needed) or (count > len(declared.parameters) and not has_pack):
            return False
    return True
