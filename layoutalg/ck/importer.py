"""Import a layout from CK Tile's source: the function is evaluated with the bindings, nothing is compiled.

>>> found = import_layout("policy.hpp::Policy::MakeDesc", {"Problem.kM": 64}, index=example_index())
>>> found.layout.lengths, found.verdict, found.read
((64, 8), 'imported', ('Problem.kM',))
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NeedsBindingError, NotUnderstoodError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.ck.interpreter.interpreter_state import Log
from layoutalg.ck.unused_bindings import require_read, with_near_names
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding
from layoutalg.errors import LayoutError

__all__ = ["Imported", "attempt", "example_index", "import_layout"]

LAYOUTS = (TensorAdaptor, TileDistribution, TileDistributionEncoding)


@dataclass(frozen=True)
class Imported:
    """The result of an import: the layout, or why there is none, and what was noticed on the way."""

    target: str
    arch: str
    verdict: str
    layout: Any = None
    place: str = ""
    message: str = ""
    missing: str = ""
    read: tuple[str, ...] = ()
    checked: int = 0
    not_checked: Mapping[str, str] = field(default_factory=dict)
    inexact: Mapping[str, str] = field(default_factory=dict)
    mismatched: Mapping[str, str] = field(default_factory=dict)
    assumed: Mapping[str, Any] = field(default_factory=dict)
    steps: int = 0

    @property
    def kind(self) -> str:
        """``descriptor``, ``adaptor``, ``distribution`` or ``encoding``; ``nothing`` without a layout."""
        if isinstance(self.layout, TileDistribution):
            return "distribution"
        if isinstance(self.layout, TileDistributionEncoding):
            return "encoding"
        if isinstance(self.layout, TensorAdaptor):
            return "descriptor" if hasattr(self.layout, "element_space_size") else "adaptor"
        return "nothing"


def import_layout(
    target: str,
    bindings: Mapping[str, Any] | None = None,
    *,
    index: Index,
    spare: Collection[str] | None = None,
) -> Imported:
    """The layout that a function of the headers makes; raises where there is none.

    A binding that nothing reads is refused, except for those named in ``spare``; if that is left out, except
    for those that say what the shipped bindings say.
    """
    given = flattened(bindings or {})
    run = Run(index, given)
    try:
        found = imported(run, target)
    except ImportFailedError as error:
        error.read = frozenset(run.used & set(given))
        if isinstance(error, NeedsBindingError):
            with_near_names(error, error.name, run.unused)
        raise
    require_read(target, given, run.unused, run.known, index=index, spare=spare)
    return found


def imported(run: Run, text: str) -> Imported:
    """Run an import, and check that its result is a layout; other failures become ``NotUnderstoodError``."""
    target = Target.of(text)
    builder = None if target.has_arguments else found_builder(run.index, target)[0]
    try:
        layout = run.result(target, builder)
    except ImportFailedError:
        raise
    except LayoutError as error:
        raise _with_chain(NotUnderstoodError(error.message, hint=error.hint), run) from error
    except (TypeError, ValueError, AttributeError, LookupError) as error:  # C++ that no rule foresaw
        what = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise _with_chain(NotUnderstoodError(what), run) from error
    if not isinstance(layout, LAYOUTS):
        raise NotUnderstoodError(f"{target.name} gives a {type(layout).__name__}, no layout")
    log: Log = run.interp.log
    return Imported(
        text,
        run.index.arch,
        "imported",
        layout,
        builder.declared.place if builder is not None else "",
        read=tuple(sorted(log.read | (run.used & set(run.bindings)))),
        checked=log.checked,
        not_checked=log.not_checked,
        inexact=log.inexact,
        mismatched=log.mismatched,
        assumed=log.assumed,
        steps=run.interp.steps,
    )


def _with_chain(error: ImportFailedError, run: Run) -> ImportFailedError:
    error.chain = error.chain or tuple(reversed(run.interp.calls))
    return error


def attempt(
    target: str,
    bindings: Mapping[str, Any] | None = None,
    *,
    index: Index,
    spare: Collection[str] | None = None,
) -> Imported:
    """As ``import_layout``, but a failure is a result with its verdict."""
    try:
        return import_layout(target, bindings, index=index, spare=spare)
    except ImportFailedError as error:
        return Imported(
            target,
            index.arch,
            error.verdict,
            place=error.place,
            message=error.full_text(),
            missing=getattr(error, "name", ""),
        )


EXAMPLE = """
namespace ck_tile {
struct Policy
{
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeDesc()
    {
        constexpr index_t kM = Problem::kM;
        static_assert(kM % 8 == 0, "kM must be a multiple of 8");
        return make_naive_tensor_descriptor(make_tuple(number<kM>{}, number<8>{}),
                                            make_tuple(number<8>{}, number<1>{}));
    }
};
} // namespace ck_tile
"""


def example_index() -> Index:
    """A header of our own, for documentation and tests."""
    index = Index("gfx942", {})
    index.add("policy.hpp", EXAMPLE)
    return index
