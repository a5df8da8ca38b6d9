"""Which bindings a function requires, found by dry runs that put in guesses for those that are missing.

>>> from layoutalg.ck.importer import example_index
>>> found = required_bindings("policy.hpp::Policy::MakeDesc", {}, index=example_index())
>>> [(wanted.name, wanted.value) for wanted in found.bindings]
[('Problem.kM', 64)]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NeedsBindingError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.ck.importer import imported
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.ck.unused_bindings import refuse_unused, with_near_names

__all__ = ["RequiredBinding", "RequiredBindings", "required_bindings"]

MOST = 60
GUESSES: tuple[tuple[str, Any], ...] = (
    (r"(DataType|Type)$", "half_t"),
    (r"Layout$", "tensor_layout::gemm::RowMajor"),
    (r"^(Is|Has|Use|Transpose|kIs|kHas|kPad|Fixed|Preshuffle)", False),
    (r"(BlockSize)$", 256),
    (r"(VectorSize|Vector|KPack|Alignment)\w*$", 8),
    (r"(Warps|NumWarps)\w*$", 4),
    (r"^(k[A-Z]|Num|N[A-Z])", 64),
)


@dataclass(frozen=True)
class RequiredBinding:
    """One binding: what was put in for it, whether that is the shipped default, and where it was read."""

    name: str
    value: Any
    is_shipped: bool
    place: str


@dataclass(frozen=True)
class RequiredBindings:
    """The bindings that a function required, and the error that stopped the dry run, or ""."""

    bindings: tuple[RequiredBinding, ...]
    stopped_by: str = ""


def required_bindings(target: str, bindings: Mapping[str, Any], *, index: Index) -> RequiredBindings:
    """Run a function until nothing is missing: each missing binding is listed and replaced.

    The shipped binding replaces it, or else a guess.
    """
    shipped = shipped_bindings(target, index)
    stated = flattened(bindings)
    given = dict(stated)
    found: list[RequiredBinding] = []
    for _ in range(MOST):
        run = Run(index, given)
        try:
            imported(run, target)
        except NeedsBindingError as error:
            with_near_names(error, error.name, set(stated) & run.unused)
            if not error.name or error.name in given:
                return RequiredBindings(tuple(found), error.full_text())
            value = shipped.get(error.name, _guess(error.name))
            if value is None:
                found.append(RequiredBinding(error.name, None, is_shipped=False, place=error.place))
                return RequiredBindings(tuple(found), error.full_text())
            given[error.name] = value
            given |= {k: v for k, v in shipped.items() if "." not in k and k not in given}
            found.append(RequiredBinding(error.name, value, error.name in shipped, error.place))
        except ImportFailedError as error:
            return RequiredBindings(tuple(found), error.full_text())
        else:
            refuse_unused(target, set(stated) & run.unused, run.known)
            return RequiredBindings(tuple(found))
    return RequiredBindings(tuple(found), f"more than {MOST} bindings")


def _guess(name: str) -> Any:
    last = name.rpartition(".")[2]
    return next((value for pattern, value in GUESSES if re.search(pattern, last)), None)
