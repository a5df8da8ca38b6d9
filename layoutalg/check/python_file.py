"""Layouts in Python: every descriptor, adaptor and claim that a module or file names.

``FILE.py`` and ``module:`` give all of a module's names, ``FILE.py:NAME`` and ``module:NAME`` one of them. A
name is a layout (with the claims every layout gets), a claim, a list of claims, or a function without
arguments, called ``layout_...`` or ``claims_...``, that returns one.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import runpy
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from layoutalg.check.asked import Asked, Obligation, Unclaimed
from layoutalg.check.claim_words import default_claims
from layoutalg.check.file_error import FileError
from layoutalg.check.layout_source import Source
from layoutalg.check.subject import Subject
from layoutalg.claim import Claim, IndexMap
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding
from layoutalg.errors import LayoutError
from layoutalg.layout import Layout
from layoutalg.reading.near_names import near_hint

__all__ = ["asked_in", "public_values"]

CALLED = ("layout_", "claims_")
PACKAGES = [sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
INSTALLED = (*PACKAGES, site.getusersitepackages(), str(Path(__file__).resolve().parents[1]))
LAYOUTS = (TensorAdaptor, TileDistribution, TileDistributionEncoding, Layout, IndexMap)


def asked_in(source: Source) -> Asked:
    """The claims of a module or file, and its layouts of which there is none."""
    found: list[Obligation] = []
    silent: list[Unclaimed] = []
    with _own_imports():
        place, members, chosen = _chosen(source)
        for key, value in chosen.items():
            own = list(_obligations(key, value, place, members))
            found += own
            if not own and (key.startswith(CALLED) or isinstance(value, LAYOUTS)):
                silent.append(Unclaimed(place, _line_of_name(key, value, members), key))
    if not found and not silent:
        what = "wanted layouts or claims, found none"
        raise FileError(place, 1, source.name, what, hint="name them at the top of the module")
    return Asked(tuple(found), tuple(silent))


def public_values(source: Source) -> dict[str, Any]:
    """The layouts of a module or file by name; what is named itself may be anything that can be shown."""
    with _own_imports():
        place, members, chosen = _chosen(source)
        found = {key: _built(key, value, place, members) for key, value in chosen.items()}
    return {key: value for key, value in found.items() if source.name or isinstance(value, LAYOUTS)}


@contextmanager
def _own_imports() -> Iterator[None]:
    """Let the next file import its own modules: two folders may each have a ``sizes.py``, which may change.

    Modules that were there before stay, and so do installed packages.
    """
    before, path = set(sys.modules), list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and not any(Path(file).is_relative_to(folder) for folder in INSTALLED):
                del sys.modules[name]


def _chosen(source: Source) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Where a source lies, all its members, and those that are meant."""
    place, name = source.place, source.name
    members = _loaded(place)
    if name and name not in members:
        public = [key for key in members if not key.startswith("_")]
        raise FileError(place, 1, name, f"there is no {name} in it", hint=near_hint(name, public))
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
    return isinstance(value, (*LAYOUTS, Claim))


def _obligations(key: str, value: Any, place: str, members: dict[str, Any]) -> Iterator[Obligation]:
    line = _line_of_name(key, value, members)
    value = _built(key, value, place, members)
    chain: TensorAdaptor | None = None
    if isinstance(value, LAYOUTS):
        subject = Subject.of(key, value)
        claims: Iterable[Claim] = default_claims(subject)
        chain = subject.chain
    else:
        listed = value if isinstance(value, list | tuple) else [value]
        claims = [part for claim in listed if isinstance(claim, Claim) for part in claim]
    yield from (Obligation(claim, place, line, key, chain) for claim in claims)


def _built(key: str, value: Any, place: str, members: dict[str, Any]) -> Any:
    """The value itself, or what the builder of that name gives."""
    if not callable(value) or _is_ours(value):
        return value
    try:
        return value()
    except LayoutError as error:
        line = _line_of_name(key, value, members)
        raise FileError(place, line, key, error.message, hint=error.hint) from error
    except (Exception, SystemExit) as error:
        line = _line_of_name(key, value, members)
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise FileError(place, line, key, what) from error


def _line_of_name(key: str, value: Any, members: dict[str, Any]) -> int:
    """The line on which a name is given its value."""
    if inspect.isfunction(value):
        return value.__code__.co_firstlineno
    try:
        text = Path(str(members.get("__file__"))).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return 1
    return _assigned(text).get(key, 1)


@lru_cache(maxsize=8)  # of the files that are read at the same time
def _assigned(text: str) -> dict[str, int]:
    """The line of every name that a module assigns outside functions and classes, the last one counts."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    found: dict[str, int] = {}
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = max(node.lineno, found.get(node.id, 0))
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo += ast.iter_child_nodes(node)
    return found
