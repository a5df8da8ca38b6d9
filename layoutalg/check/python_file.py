"""Layouts in Python: every descriptor, adaptor and claim that a module or file names.

``FILE.py`` and ``package.module`` give all of a module's names, ``FILE.py:NAME`` one of them. A name is a
descriptor or an adaptor (with the claims every layout gets), a claim, a list of claims, or a function
without arguments, called ``layout_...`` or ``claims_...``, that returns one.
"""

from __future__ import annotations

import importlib
import inspect
import runpy
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from layoutalg.check.claim_words import default_claims
from layoutalg.check.file_error import FileError
from layoutalg.check.subject import Asked, Obligation, Subject, Unclaimed
from layoutalg.claim import Claim
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import near_hint

__all__ = ["PYTHON_SUFFIX", "asked_in", "is_python", "public_values"]

PYTHON_SUFFIX = ".layout.py"
CALLED = ("layout_", "claims_")


def is_python(source: str) -> bool:
    """Whether a source is Python: ``FILE.py``, ``FILE.py:NAME``, ``module:NAME``."""
    place = source.partition(":")[0]
    return place.endswith(".py") or (":" in source and not Path(source).exists())


def asked_in(source: str) -> Asked:
    """The claims of a module or file, and its layouts of which there is none."""
    place, members, chosen = _chosen(source)
    found: list[Obligation] = []
    silent: list[Unclaimed] = []
    for key, value in chosen.items():
        own = list(_obligations(key, value, place, members))
        found += own
        if not own and (key.startswith(CALLED) or isinstance(value, TensorAdaptor | TileDistribution)):
            silent.append(Unclaimed(place, _line_of_name(key, value, members), key))
    if not found and not silent:
        what = "wanted descriptors, adaptors or claims, found none"
        raise FileError(place, 1, source.partition(":")[2], what, hint="name them at the top of the module")
    return found, silent


def public_values(source: str) -> dict[str, Any]:
    """The layouts of a module or file by name, those of builders as they give them."""
    place, members, chosen = _chosen(source)
    found = {key: _built(key, value, place, members) for key, value in chosen.items()}
    return {key: value for key, value in found.items() if isinstance(value, TensorAdaptor | TileDistribution)}


def _chosen(source: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Where a source lies, all its members, and those that are meant."""
    place, _, name = source.partition(":")
    members = _loaded(place)
    if name and name not in members:
        public = [key for key in members if not key.startswith("_")]
        raise FileError(place, 1, name, "there is no such name", hint=near_hint(name, public))
    return place, members, {name: members[name]} if name else _public(members)


def _loaded(place: str) -> dict[str, Any]:
    try:
        if place.endswith(".py"):
            return runpy.run_path(place)
        folder = str(Path.cwd())
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            return vars(importlib.import_module(place))
        finally:
            sys.path.remove(folder)
    except (Exception, SystemExit) as error:
        what = f"cannot be loaded: {type(error).__name__}: {error}".replace("\n", " ")
        raise FileError(place, _line_of(error, place), "", what) from error


def _line_of(error: BaseException, place: str) -> int:
    """The line of the module that the error came from."""
    line, trace = getattr(error, "lineno", None) or 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(place):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _public(members: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in members.items()
        if not key.startswith("_") and (not callable(value) or key.startswith(CALLED) or _is_ours(value))
    }


def _is_ours(value: Any) -> bool:
    return isinstance(value, TensorAdaptor | TileDistribution | Claim)


def _obligations(key: str, value: Any, place: str, members: dict[str, Any]) -> Iterator[Obligation]:
    line = _line_of_name(key, value, members)
    value = _built(key, value, place, members)
    if isinstance(value, TensorAdaptor):
        claims: Iterable[Claim] = default_claims(Subject.of_chain(key, value))
        chain: TensorAdaptor | None = value
    elif isinstance(value, TileDistribution):
        claims, chain = default_claims(Subject.of_distribution(key, value)), None
    else:
        listed = value if isinstance(value, list | tuple) else [value]
        claims, chain = [claim for claim in listed if isinstance(claim, Claim)], None
    yield from (Obligation(claim, place, line, key, chain) for claim in claims)


def _built(key: str, value: Any, place: str, members: dict[str, Any]) -> Any:
    """The value itself, or what the builder of that name gives."""
    if not callable(value) or _is_ours(value):
        return value
    try:
        return value()
    except LayoutError as error:
        line = _line_of_name(key, value, members)
        raise FileError(place, line, key, error.message.replace("\n", " "), hint=error.hint) from error
    except (Exception, SystemExit) as error:
        line = _line_of_name(key, value, members)
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise FileError(place, line, key, what) from error


def _line_of_name(key: str, value: Any, members: dict[str, Any]) -> int:
    """The line on which a name is first given a value."""
    if inspect.isfunction(value):
        return value.__code__.co_firstlineno
    try:
        text = Path(str(members.get("__file__"))).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return 1
    lines = enumerate(text.splitlines(), 1)
    return next((n for n, line in lines if line.startswith((f"{key} ", f"{key}=", f"{key}:"))), 1)
