"""A widget for notebooks: sliders for symbolic sizes, and under the pointer an element's way to memory.

Where no kernel runs (a saved notebook, a web page) it shows the picture for the sizes it had last.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, ToolError
from layoutalg.extras import install_command
from layoutalg.pictures.as_html import as_html
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.view import view_of

__all__ = ["explore"]

STEPS = 16  # places of a slider whose size has no upper end
SCRIPT = Path(__file__).parent / "templates" / "explorer.js"


def explore(value: Any, **sizes: int) -> Any:
    """The widget of a descriptor, adaptor, layout or map with symbols; ``sizes`` are where sliders begin.

    >>> from layoutalg.length import sizes
    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> M, K = sizes("M K")
    >>> widget = explore(make_naive_tensor_descriptor_packed((M, K)), M=4)
    >>> widget.sizes, widget.limits[0]["high"]
    ({'K': 1, 'M': 4}, 16)
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
        start = sizes.get(row["name"], row["low"])
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
        """``sizes`` go to Python, ``html`` comes back."""

        _esm = SCRIPT
        limits: Any = traitlets.List().tag(sync=True)
        sizes: Any = traitlets.Dict().tag(sync=True)
        html: Any = traitlets.Unicode().tag(sync=True)

        def __init__(self, value: Any, **traits: Any) -> None:
            self._value = value
            super().__init__(**traits)
            self._draw()

        @traitlets.observe("sizes")
        def _draw(self, _change: Any = None) -> None:
            try:
                self.html = as_html(view_of(self._value.bind(self.sizes)))
            except LayoutError as error:
                self.html = f"<p>{error.message}</p>"

        def _repr_mimebundle_(self, **asked: Any) -> Any:
            found = super()._repr_mimebundle_(**asked)
            bundle = found[0] if isinstance(found, tuple) else found or {}
            text = as_text(view_of(self._value.bind(self.sizes)))
            return {**bundle, "text/html": self.html, "text/plain": text}

    return Explorer
