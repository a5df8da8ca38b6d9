"""The view of any value: one row for each type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.kernel import Kernel
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.coordinate import TensorCoordinate
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, make_static_tile_distribution
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.layout import Layout
from layoutalg.memory.bank_conflicts import BankConflicts
from layoutalg.mma import MatrixInstruction
from layoutalg.rules import Simplified
from layoutalg.show.view import Factors, Formulas, Graph, Grid, Lines, Part, Source, View
from layoutalg.show.views.adaptor import adaptor_view
from layoutalg.show.views.banks import banks_view
from layoutalg.show.views.claim import claim_view, verdict_view
from layoutalg.show.views.coordinate import coordinate_view
from layoutalg.show.views.distribution import distribution_view
from layoutalg.show.views.expression import domain_view, map_view, simplified_view, transform_view
from layoutalg.show.views.kernel import kernel_view
from layoutalg.show.views.layout import layout_view
from layoutalg.show.views.mma import mma_view
from layoutalg.transforms import Transform
from layoutalg.verdict import Proved, Refuted, Unknown

__all__ = ["KINDS", "VIEWS", "only", "view_of"]

VIEWS: dict[type, Callable[[Any], View]] = {
    View: lambda view: view,
    TensorAdaptor: adaptor_view,
    TensorCoordinate: coordinate_view,
    TileDistribution: distribution_view,
    TileDistributionEncoding: lambda found: distribution_view(make_static_tile_distribution(found)),
    Layout: layout_view,
    MatrixInstruction: mma_view,
    BankConflicts: banks_view,
    Claim: claim_view,
    Proved: verdict_view,
    Refuted: verdict_view,
    Unknown: verdict_view,
    Kernel: kernel_view,
    IndexMap: map_view,
    Simplified: simplified_view,
    Domain: domain_view,
    Transform: transform_view,
    sympy.Basic: lambda form: View("", (Formulas((("", form),)),)),
}
KINDS: dict[str, tuple[type, ...]] = {
    "graph": (Graph,),
    "grid": (Grid,),
    "threads": (Grid,),
    "banks": (Grid,),
    "tree": (Factors,),
    "formulas": (Formulas,),
    "source": (Source,),
}


def view_of(value: Any) -> View:
    """What is shown of a value: a descriptor, a distribution, a layout, a claim, a kernel, ...

    >>> from layoutalg.transforms import Unmerge
    >>> view_of(Unmerge((4, 8))).title
    'unmerge(up_lengths=(4, 8), use_24bit=False)'
    """
    for kind, view in VIEWS.items():
        if isinstance(value, kind):
            return view(value)
    msg = f"wanted a descriptor, an adaptor, a layout or a distribution, got a {type(value).__name__}"
    raise LayoutError(msg)


def only(view: View, kind: str) -> View:
    """The view with its title and the parts of one kind alone: graph, grid, threads, banks, tree, ..."""
    if kind not in KINDS:
        raise LayoutError(f"wanted a view of {', '.join(KINDS)}, got {kind!r}")
    parts = tuple(_kept(view, kind))
    if not parts:
        found = ", ".join(dict.fromkeys(_names(view)))
        raise LayoutError(f"there is no {kind} of it", hint=f"there is: {found or 'text'}")
    return View(view.title, parts)


def _kept(view: View, kind: str) -> list[Part]:
    found: list[Part] = []
    for part in view.parts:
        if isinstance(part, View):
            inner = tuple(_kept(part, kind))
            found += [View(part.title, inner)] if inner else []
        elif isinstance(part, KINDS[kind]) and _is_wanted(part, kind):
            found.append(part)
    return found


def _is_wanted(part: Part, kind: str) -> bool:
    """Grids are told apart by what they lead from: lanes and threads, banks, or elements and indices."""
    if not isinstance(part, Grid) or kind == "grid":
        return True
    return ("bank" in part.corner) == (kind == "banks") and part.title.startswith(("thread", "lane", "phase"))


def _names(view: View) -> list[str]:
    names = {Graph: "graph", Factors: "tree", Grid: "grid", Formulas: "formulas", Source: "source"}
    found = []
    for part in view.parts:
        if isinstance(part, View):
            found += _names(part)
        elif not isinstance(part, Lines):
            found.append(names[type(part)])
    return found
