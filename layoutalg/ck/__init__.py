"""Layouts imported from Composable Kernel's own source: evaluated from text, nothing compiled or executed.

Reading order: ``cpp`` (C++ text to declarations and syntax trees), ``open_sizes`` (sizes that are not
known), ``interpreter`` (the templates), ``library`` (what CK and the C++ library provide), ``evaluator``
(these put together), then ``bindings``, ``import_run`` and ``importer`` (one import), ``symbolic_imports``
(with sizes left open), ``builders`` and ``lds_pairs`` (what can be imported, who writes and reads it).

>>> from layoutalg.ck import attempt, example_index
>>> attempt("policy.hpp::Policy::MakeDesc", {}, index=example_index()).verdict
'needs bindings'
"""

from __future__ import annotations

from layoutalg.ck.bindings import bindings_of, read_bindings
from layoutalg.ck.builders import Builder, builders
from layoutalg.ck.cpp.ck_library import CK_TILE, OLD_CK, CkLibrary, library_of
from layoutalg.ck.cpp.cpp_errors import (
    AmbiguousError,
    ImportFailedError,
    NeedsBindingError,
    NotUnderstoodError,
    RejectedError,
)
from layoutalg.ck.cpp.headers import Index, load
from layoutalg.ck.importer import Imported, attempt, example_index, import_layout
from layoutalg.ck.open_sizes.open_size import Symbol, symbol
from layoutalg.ck.shipped_bindings import default_bindings

__all__ = [
    "CK_TILE",
    "OLD_CK",
    "AmbiguousError",
    "Builder",
    "CkLibrary",
    "ImportFailedError",
    "Imported",
    "Index",
    "NeedsBindingError",
    "NotUnderstoodError",
    "RejectedError",
    "Symbol",
    "attempt",
    "bindings_of",
    "builders",
    "default_bindings",
    "example_index",
    "import_layout",
    "library_of",
    "load",
    "read_bindings",
    "symbol",
]
