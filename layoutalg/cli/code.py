"""``layoutalg code``: the index function of a descriptor or of a file with an expression."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from layoutalg.cli.named import members_of
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index_code import IndexFunction

__all__ = ["index_function"]

WANTED = "wanted FILE.json, FILE.py:NAME or module:NAME"


def index_function(source: str, name: str | None, step: dict[str, int] | None) -> IndexFunction:
    """The function of ``FILE.json`` (vars, params, expression), ``FILE.py:NAME`` or ``module:NAME``.

    NAME is a tensor descriptor, or a function without arguments that returns one.
    """
    if source.endswith(".json"):
        return _of_file(Path(source), name, step)
    place, sign, attribute = source.rpartition(":")
    if not sign:
        msg = f"{source}: {WANTED}"
        raise LayoutError(msg, hint="for example layouts.py:rows")
    found = members_of(place).get(attribute)
    if callable(found) and not isinstance(found, TensorDescriptor):
        found = found()
    if not isinstance(found, TensorDescriptor):
        kind = "nothing" if found is None else type(found).__name__
        msg = f"{source}: wanted a tensor descriptor called {attribute}, found {kind}"
        raise LayoutError(msg)
    moved = None if step is None else {_axis(found, axis): distance for axis, distance in step.items()}
    return found.index_function(name or attribute, moved)


def _axis(descriptor: TensorDescriptor, text: str) -> Any:
    return int(text) if text.isdigit() and int(text) < descriptor.rank else text


def _of_file(path: Path, name: str | None, step: dict[str, int] | None) -> IndexFunction:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise LayoutError(msg) from None
    except ValueError as error:
        msg = f"{path} is no JSON: {error}"
        raise LayoutError(msg) from None
    missing = [key for key in ("vars", "params") if not isinstance(content, dict) or key not in content]
    expression = None if missing else content.get("expression", content.get("raw"))
    if missing or not isinstance(expression, str):
        msg = f"{path}: wanted an object with vars, params and expression"
        raise LayoutError(msg, hint="see tests/corpus/README.md for the fields")
    return IndexFunction.of_expression(expression, Domain.from_corpus(content), name or "index", step=step)
