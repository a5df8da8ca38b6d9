"""Calls that do not fit a signature: Python's own TypeError, with a note on what is meant.

>>> import layoutalg as la
>>> try:
...     la.make_merge_transform(4, 8)
... except TypeError as error:
...     print(error, *error.__notes__, sep="; ")
make_merge_transform() takes 1 positional argument but 2 were given; \
hint: make_merge_transform((4, 8)), with parentheses around what belongs together
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, isfunction, signature
from typing import Any, ParamSpec, TypeVar

from sympy import Expr

from layoutalg.reading.near_names import near_names

__all__ = ["noted", "noted_methods"]

Given = ParamSpec("Given")
Result = TypeVar("Result")
Kind = TypeVar("Kind", bound=type)
STARS: Mapping[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def noted(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function; where the arguments do not fit it, the TypeError has a hint."""

    @wraps(function)
    def called(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            is_of_this_call = error.__traceback__ is not None and error.__traceback__.tb_next is None
            if is_of_this_call:
                error.add_note(f"hint: {_hint(function, args, kwargs)}")
            raise

    return called


def noted_methods(kind: Kind) -> Kind:
    """The class; calls of its public methods are answered so."""
    for name, member in list(vars(kind).items()):
        if isfunction(member) and not name.startswith("_"):
            setattr(kind, name, noted(member))
    return kind


def _hint(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    name = function.__name__
    parameters = dict(signature(function).parameters)
    places = [key for key, parameter in parameters.items() if parameter.kind in POSITIONAL]
    if places[:1] == ["self"]:
        places, args = places[1:], args[1:]
        del parameters["self"]
    unknown = {key: value for key, value in kwargs.items() if key not in parameters}
    near = [f"{one} for {key}" for key in unknown for one in near_names(key, parameters, 1)]
    if near:
        return f"did you mean {', '.join(near)}?"
    if unknown and not args and len(places) == 1:
        return f"{name}({dict(unknown)}), in one mapping"
    surplus = args[len(places) - 1 :] if places and len(args) > len(places) else ()
    if surplus and all(isinstance(value, str) for value in surplus):
        return f"{name}({' '.join(surplus)!r}), in one text"
    if surplus and all(isinstance(value, int | Expr) for value in surplus):
        before = zip(args, places[:-1], strict=False)
        shown = [str(value) if isinstance(value, int) else place for value, place in before]
        together = ", ".join((*shown, str(tuple(surplus))))
        return f"{name}({together}), with parentheses around what belongs together"
    return f"wanted {name}({', '.join(map(_shown, parameters.values()))})"


def _shown(parameter: Parameter) -> str:
    """A parameter as a hint tells it, with its type where that says something."""
    kind = str(parameter.annotation)
    stars = STARS.get(parameter.kind, "")
    says = parameter.default is Parameter.empty and kind.isidentifier() and kind != "Any" and not stars
    default = "" if parameter.default is Parameter.empty else f"={parameter.default!r}"
    return f"{stars}{parameter.name}{f': {kind}' if says else ''}{default}"
