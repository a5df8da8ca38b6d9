"""What a benchmark of index simplifiers calls: text and ranges in, text out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from layoutalg import Domain, simplify, to_python

__all__ = ["simplify_text"]


def simplify_text(expression: str, entry: Mapping[str, Any]) -> str:
    """The cheapest form found, in Python's syntax; ``entry`` holds ``vars`` and ``params`` as in a corpus."""
    return to_python(simplify(expression, Domain.from_corpus(entry)))
