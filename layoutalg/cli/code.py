"""``layoutalg code``: the index function of whatever layout a source names."""

from __future__ import annotations

from layoutalg.check.named_layouts import layout_named
from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError, shown
from layoutalg.index_code import IndexFunction
from layoutalg.layout import Layout
from layoutalg.reading.spelled_integer import spelled_integer

__all__ = ["index_function"]


def index_function(source: str, name: str | None, step: dict[str, int] | None) -> IndexFunction:
    """The function of a descriptor, a nested layout or a hand-written offset; refused for other layouts."""
    found = layout_named(source)
    value = found.value.as_descriptor() if isinstance(found.value, Layout) else found.value
    called = name or found.name
    if isinstance(value, TensorDescriptor):
        moved = None if step is None else {_axis(value, axis): distance for axis, distance in step.items()}
        return value.index_function(called, moved)
    if isinstance(value, IndexMap) and len(value.outputs) == 1:
        return IndexFunction.of_map(value, called, step=step)
    msg = f"{source}: wanted a layout of memory, got {shown(value)}"
    raise LayoutError(msg, hint="code gives offsets: a descriptor, a nested layout or an offset in an index")


def _axis(descriptor: TensorDescriptor, text: str) -> str:
    """A dimension's number as the name of its index."""
    number = spelled_integer(text, "--step")
    return text if number is None or not 0 <= number < descriptor.rank else descriptor.index[number].name
