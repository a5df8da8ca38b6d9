"""Which bindings a function requires, found by dry runs that put in guesses for those that are missing.

All that is listed is read by the last run, and nothing else than what is listed was put in: pasted back, it
is the import that the last run was.

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
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NeedsBindingError, UndeclaredError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.ck.importer import imported
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.ck.unused_bindings import refuse_unused, with_near_names

__all__ = ["RequiredBinding", "RequiredBindings", "required_bindings"]

MOST = 100
NAME = re.compile(r"[A-Za-z_]\w*")
GUESSES: tuple[tuple[str, Any], ...] = (
    (r"(DataType|Type)$", "half_t"),
    (r"Layout$", "tensor_layout::gemm::RowMajor"),
    (r"^(Is|Has|Use|Transpose|kIs|kHas|kPad|Fixed|Preshuffle)", False),
    (r"(BlockSize)$", 256),
    (r"(VectorSize|Vector|KPack|Alignment)\w*$", 8),
    (r"(Warps|NumWarps)\w*$", 4),
    (r"^(k[A-Z]|Num|N[A-Z])", 64),
)


CLASS = re.compile(r"(Shape|Traits|Problem|Policy|Config)_?$")  # whose members are bound one by one


@dataclass(frozen=True)
class RequiredBinding:
    """One binding: what was put in for it, whether that is the shipped default, and where it was read.

    ``named_by`` is another binding whose text names it.
    """

    name: str
    value: Any
    is_shipped: bool
    place: str
    named_by: str = ""


@dataclass(frozen=True)
class RequiredBindings:
    """The bindings that a function required, and the error that stopped the dry run, or ""."""

    bindings: tuple[RequiredBinding, ...]
    stopped_by: str = ""


def required_bindings(target: str, bindings: Mapping[str, Any], *, index: Index) -> RequiredBindings:
    """Run a function until nothing is missing: each missing binding is listed and replaced.

    The shipped binding replaces it, or else a guess. Where this is stopped by an error, and all shipped
    bindings together give a layout, those are listed of them that this reads.
    """
    stated, shipped = flattened(bindings), shipped_bindings(target, index)
    put = _PutIn(stated, shipped)
    put.class_of_old_ck()
    found = _dry_runs(target, put, index)
    if found.stopped_by and shipped:
        whole = _PutIn(stated, shipped)
        whole.put_all(put.found)
        of_whole = _dry_runs(target, whole, index)
        return found if of_whole.stopped_by else of_whole
    return found


def _dry_runs(target: str, put: _PutIn, index: Index) -> RequiredBindings:
    stated = put.stated
    for _ in range(MOST):
        run = Run(index, put.given)
        try:
            imported(run, target)
        except NeedsBindingError as error:
            with_near_names(error, error.name, set(stated) & run.unused)
            if not put.missing(error):
                return put.listed(run, error.full_text())
        except UndeclaredError as error:
            if not put.undeclared(error):
                return put.listed(run, error.full_text())
        except ImportFailedError as error:
            return put.listed(run, error.full_text())
        else:
            refuse_unused(target, set(stated) & run.unused, run.known)
            return put.listed(run)
    return put.listed(run, f"more than {MOST} bindings")


class _PutIn:
    """The bindings so far: those that the caller states, and those that were put in."""

    def __init__(self, stated: Mapping[str, Any], shipped: Mapping[str, Any]) -> None:
        self.stated = stated
        self.given = dict(stated)
        self.shipped = shipped
        self.found: dict[str, RequiredBinding] = {}

    def put_all(self, known: Mapping[str, RequiredBinding]) -> None:
        """Put in all shipped bindings; ``known`` says of some where they are read."""
        for name, value in self.shipped.items():
            self._put(known.get(name) or RequiredBinding(name, value, is_shipped=True, place=""))

    def class_of_old_ck(self) -> None:
        """Put in the class of a function of old CK, which says the arguments of its template."""
        for name in ("include", "Device", "class"):
            if "class" in self.shipped and name in self.shipped:
                self._put(RequiredBinding(name, self.shipped[name], is_shipped=True, place=""))

    def missing(self, error: NeedsBindingError) -> bool:
        """Put in what is missing, and what its text names; whether there was something to put in."""
        if not error.name or error.name in self.given:
            return False
        is_shipped = error.name in self.shipped
        opened = f"{error.name}."
        if not is_shipped and not error.is_type and CLASS.search(error.name) and opened not in self.given:
            self.given[opened] = 0  # a class of which no member is bound yet
            return True
        value = self.shipped[error.name] if is_shipped else _guess(error)
        self._put(RequiredBinding(error.name, value, is_shipped, error.place))
        return True

    def undeclared(self, error: UndeclaredError) -> bool:
        """Put in a name that the text of a binding uses."""
        if error.name in self.given or error.name not in self.shipped:
            return False
        self._put(RequiredBinding(error.name, self.shipped[error.name], is_shipped=True, place=""))
        return True

    def _put(self, one: RequiredBinding) -> None:
        if one.name in self.given:
            return
        self.given[one.name] = one.value
        self.found[one.name] = one
        if isinstance(one.value, str) and one.is_shipped:
            for name in NAME.findall(one.value):
                if name in self.shipped:
                    value = self.shipped[name]
                    self._put(RequiredBinding(name, value, is_shipped=True, place="", named_by=one.name))

    def listed(self, run: Run, stopped_by: str = "") -> RequiredBindings:
        """What the last run read of all that was put in."""
        read = (one for one in self.found.values() if one.name in run.used)
        return RequiredBindings(tuple(read), stopped_by)


def _guess(error: NeedsBindingError) -> Any:
    last = error.name.rpartition(".")[2]
    fitting = (value for pattern, value in GUESSES if re.search(pattern, last))
    return next(fitting, "half_t" if error.is_type else 64)
