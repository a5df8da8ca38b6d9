"""Values that answer a wrong attribute with the one that is meant, wherever the error is shown.

Python itself compares letters, and only on a terminal; what others call ``shape`` it cannot know.

>>> import layoutalg as la
>>> la.make_naive_tensor_descriptor((4, 8), (8, 1)).shape
Traceback (most recent call last):
    ...
AttributeError: 'TensorDescriptor' object has no attribute 'shape'. Did you mean: 'lengths'?
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from layoutalg.reading.near_names import near_names

FEW = 6  # names shown where none is near
__all__ = ["NearAttributes", "no_attribute"]


def no_attribute(what: str, name: str, known: Iterable[str]) -> str:
    """The message of Python about an attribute that is not there, with the public one that is meant.

    >>> no_attribute("module 'm'", "proof", ["prove", "_proof"])
    "module 'm' has no attribute 'proof'. Did you mean: 'prove'?"
    """
    public = [one for one in known if not one.startswith("_")]
    near = near_names(name, public, 1)
    few = f". Known are: {', '.join(public)}" if len(public) <= FEW else ""
    return f"{what} has no attribute {name!r}" + (f". Did you mean: {near[0]!r}?" if near else few)


class NearAttributes:
    """A value whose errors about attributes name the near ones."""

    if not TYPE_CHECKING:  # a type checker is to see a misspelt name

        def __getattr__(self, name: str) -> object:
            """Called for what is not there: raises, always."""
            kind = type(self)
            if name.startswith("_") or hasattr(kind, name):  # the error is of what a property calls
                return object.__getattribute__(self, name)
            what = no_attribute(f"{kind.__name__!r} object", name, dir(self))
            raise AttributeError(what, name=name, obj=None)  # else Python would add what it means
