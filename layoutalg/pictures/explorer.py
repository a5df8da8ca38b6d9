"""A widget for notebooks: sliders for symbolic sizes, and what an element is under the pointer.

A picture for the first sizes is displayed with it, for where no widget can run: a saved notebook, an exported
page. A widget that runs hides it.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, ToolError
from layoutalg.extras import install_command
from layoutalg.pictures.as_html import as_html
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.colours import coloured, colours_of
from layoutalg.pictures.view import view_of

__all__ = ["explore"]

STEPS = 64  # places of a slider whose size has no upper end
FIRST = (16, 8, 4)  # where sliders of one, two and more sizes begin, as far as their limits let them
SCRIPT = Path(__file__).parent / "templates" / "explorer.js"


def explore(value: Any, **sizes: int) -> Any:
    """The widget of a descriptor, adaptor, layout or map with symbols; ``sizes`` are where sliders begin.

    Sizes that are not given begin where there is something to see and grids stay small.

    >>> from layoutalg.length import sizes
    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> M, K = sizes("M K")
    >>> widget = explore(make_naive_tensor_descriptor_packed((M, K)), M=4)
    >>> widget.sizes, widget.limits[0]["high"]
    ({'K': 8, 'M': 4}, 64)
    """
    limits = [_limits(variable) for variable in _parameters(value)]
    if not limits:
        raise LayoutError("there is nothing to slide: no length is a symbol", hint="look at the value itself")
    unknown = sorted(set(sizes) - {row["name"] for row in limits})
    if unknown:
        raise LayoutError(
            f"there is no size {unknown[0]}", hint=f"sizes: {', '.join(r['name'] for r in limits)}"
        )
    for row in limits:
        start = sizes.get(row["name"], _start(row, FIRST[min(len(limits), len(FIRST)) - 1]))
        row["high"] = max(row["high"], start)
        sizes[row["name"]] = start
    first = {row["name"]: sizes[row["name"]] for row in limits}
    return _explorer_type()(value=value, limits=limits, sizes=first)


def _parameters(value: Any) -> Any:
    """The symbols of a value, with what is known of them."""
    descriptor = getattr(value, "unrolled_descriptor", value)
    domain = getattr(descriptor, "parameters", None) or getattr(descriptor, "domain", None)
    if not isinstance(domain, Domain):
        msg = f"wanted a descriptor, an adaptor, a layout or a map, got a {type(value).__name__}"
        raise LayoutError(msg)
    return domain.parameters


def _limits(variable: Any) -> dict[str, Any]:
    """A slider: from the least value, in steps of what divides the size."""
    step = int(variable.multiple_of)
    low = max(int(variable.lower) if getattr(variable.lower, "is_Integer", False) else 1, 1)
    low = -(-low // step) * step
    is_bounded = getattr(variable.upper, "is_Integer", False)
    high = low + (STEPS - 1) * step
    if is_bounded:
        high = min(high, int(variable.upper) - 1)
    return {"name": variable.name, "low": low, "high": high, "step": step}


def _start(row: dict[str, Any], wanted: int) -> int:
    """The least allowed value from the one wanted on, or the greatest there is."""
    low, step = row["low"], row["step"]
    above = low + -(-max(wanted - low, 0) // step) * step
    return int(min(above, low + (row["high"] - low) // step * step))


@cache
def _explorer_type() -> Any:
    """The widget's class; made when it is first asked for, since its libraries are optional."""
    try:
        import anywidget  # noqa: PLC0415
        import traitlets  # noqa: PLC0415
    except ImportError as error:
        msg = f"the widget needs {error.name}"
        raise ToolError(msg, hint=install_command("notebook")) from None

    class Explorer(anywidget.AnyWidget):
        """``sizes`` and ``colour`` go to Python, ``html`` comes back."""

        _esm = SCRIPT
        limits: Any = traitlets.List().tag(sync=True)
        sizes: Any = traitlets.Dict().tag(sync=True)
        colours: Any = traitlets.List().tag(sync=True)
        colour: Any = traitlets.Unicode("").tag(sync=True)
        html: Any = traitlets.Unicode().tag(sync=True)
        label: Any = traitlets.Unicode().tag(sync=True)

        def __init__(self, value: Any, **traits: Any) -> None:
            self._value = value
            super().__init__(**traits, label=f"la-{uuid4().hex}")
            self._draw()

        @traitlets.observe("sizes", "colour")
        def _draw(self, _change: Any = None) -> None:
            try:
                view = view_of(self._value.bind(self.sizes))
                self.colours = list(colours_of(view))
                self.html = as_html(coloured(view, self.colour if self.colour in self.colours else None))
            except LayoutError as error:
                self.html = f"<p>{escape(error.message)}</p>"

        def _repr_mimebundle_(self, **asked: Any) -> Any:
            found = super()._repr_mimebundle_(**asked)
            bundle = found[0] if isinstance(found, tuple) else found or {}
            text = as_text(view_of(self._value.bind(self.sizes)))
            return {**bundle, "text/html": self.html, "text/plain": text}

        def _ipython_display_(self) -> None:
            _displayed(self)

    return Explorer


def _displayed(widget: Any) -> None:
    """Show the widget, and what is left of it where none runs."""
    display: Any = import_module("IPython.display").display  # only a notebook asks
    sizes = ", ".join(f"{name} = {size}" for name, size in widget.sizes.items())
    live = {kind: text for kind, text in widget._repr_mimebundle_().items() if kind != "text/html"}
    left = f'<div id="{widget.label}"><p>{escape(sizes)}</p>{widget.html}</div>'
    display(live, raw=True)
    display({"text/html": left, "text/plain": f"(for {sizes})"}, raw=True)
