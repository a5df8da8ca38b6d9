"""Bindings that nothing reads are refused: a mistyped one would silently leave another value in its place.

The shipped bindings may go unread, as their table is made for many functions.

>>> refuse_unused("f", ["Problem.KM"], {"Problem.ADataType", "Problem.kM"})
Traceback (most recent call last):
    ...
layoutalg.ck.cpp.cpp_errors.UnusedBindingError: nothing of f reads Problem.KM (did you mean Problem.kM?)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from layoutalg.ck.cpp.cpp_errors import UnusedBindingError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import meant_or_known, near_names

__all__ = ["refuse_unused", "require_read", "with_near_names"]

MOST = 5  # names that are told


def same_as_shipped(target: str, bindings: Mapping[str, Any], index: Index) -> set[str]:
    """The bindings that say what the shipped ones say."""
    try:
        shipped = shipped_bindings(target, index)
    except LayoutError:
        return set()
    return {name for name, value in bindings.items() if name in shipped and shipped[name] == value}


def require_read(
    target: str,
    bindings: Mapping[str, Any],
    unread: set[str],
    known: Collection[str],
    *,
    index: Index,
    spare: Collection[str] | None,
) -> None:
    """Raise for bindings that nothing read; those named in ``spare`` may go unread.

    If ``spare`` is None, those may go unread that say what the shipped bindings say. ``known`` are the names
    that could have been bound.
    """
    if unread - set(spare or ()):
        allowed = same_as_shipped(target, bindings, index) if spare is None else set(spare)
        refuse_unused(target, unread - allowed, known)


def refuse_unused(target: str, unused: Iterable[str], known: Collection[str]) -> None:
    """Raise for bindings that nothing read; ``known`` are the names that could have been bound."""
    names = sorted(unused)
    if not names:
        return
    rest = sorted(known)
    if len(names) == 1:
        raise UnusedBindingError(f"nothing of {target} reads {names[0]}", hint=_hint(names[0], rest))
    told = "; ".join(f"{name}: {_hint(name, rest)}" for name in names[:MOST])
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    raise UnusedBindingError(f"nothing of {target} reads {', '.join(names[:MOST])}{more}", hint=told)


def _hint(name: str, known: list[str]) -> str:
    others = [other for other in known if not name.startswith(f"{other}.")]
    return meant_or_known(name, others, "names that it reads") if others else "it reads no bindings"


def with_near_names(error: LayoutError, wanted: str, stated: Iterable[str]) -> None:
    """Add to the hint of an error about a missing binding the stated names that look like it."""
    near = near_names(wanted, stated)
    if near:
        error.hint = f"{error.hint}; {' and '.join(near)} is bound, but not read".removeprefix("; ")
