"""What a function wants to be told: every binding of one run, guessed ones put in to get further.

>>> from layoutalg.ck.importer import example_index
>>> [(n.name, n.value) for n in needs("policy.hpp::Policy::MakeDesc", {}, index=example_index()).wanted]
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

__all__ = ["Needs", "Wanted", "needs", "shipped_bindings"]

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
class Wanted:
    """One binding: what was put in for it, whether that is the shipped default, and where it was read."""

    name: str
    value: Any
    is_shipped: bool
    place: str


@dataclass(frozen=True)
class Needs:
    """All bindings a function wanted, and what stopped the dry run, if anything did."""

    wanted: tuple[Wanted, ...]
    stopped_by: str = ""


def needs(target: str, bindings: Mapping[str, Any], *, index: Index) -> Needs:
    """A dry run: what is missing is listed and replaced, by the shipped default or by a guess."""
    shipped = shipped_bindings(target, index)
    given = flattened(bindings)
    found: list[Wanted] = []
    for _ in range(MOST):
        run = Run(index, given)
        try:
            imported(run, target)
        except NeedsBindingError as error:
            with_near_names(error, error.name, set(flattened(bindings)) & run.unused)
            if not error.name or error.name in given:
                return Needs(tuple(found), error.full_text())
            value = shipped.get(error.name, _guess(error.name))
            if value is None:
                found.append(Wanted(error.name, None, is_shipped=False, place=error.place))
                return Needs(tuple(found), error.full_text())
            given[error.name] = value
            given |= {k: v for k, v in shipped.items() if "." not in k and k not in given}
            found.append(Wanted(error.name, value, error.name in shipped, error.place))
        except ImportFailedError as error:
            return Needs(tuple(found), error.full_text())
        else:
            refuse_unused(target, set(flattened(bindings)) & run.unused, run.known)
            return Needs(tuple(found))
    return Needs(tuple(found), f"more than {MOST} bindings")


def _guess(name: str) -> Any:
    last = name.rpartition(".")[2]
    return next((value for pattern, value in GUESSES if re.search(pattern, last)), None)
