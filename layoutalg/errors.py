"""The one family of errors this package raises on bad input.

Every message says what was wanted, what came and where, in one line; ``hint`` says how to mend it.
"""

from __future__ import annotations

from inspect import isclass, isfunction, isroutine
from typing import TypeVar

from sympy import Expr

__all__ = [
    "InternalError",
    "LayoutError",
    "LengthError",
    "LimitError",
    "MissingFactError",
    "MissingToolError",
    "ToolError",
    "UndefinedInCKError",
    "UnfitCompilerError",
    "of_kind",
    "shortened",
    "shown",
]

LONGEST = 2_000  # characters of a message
SHOWN = 60  # characters of a value in one

Kind = TypeVar("Kind")


def shortened(text: str, most: int = LONGEST) -> str:
    """The text, cut after ``most`` characters: what came may be a file of a megabyte.

    >>> shortened("a long text", 6)
    'a long...'
    """
    return text if len(text) <= most else f"{text[:most]}..."


class LayoutError(ValueError):
    """A value that cannot be built from what was given.

    >>> raise LayoutError("merge: wanted two lengths or more, got none", hint="list the lower lengths")
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: merge: wanted two lengths or more, got none (list the lower lengths)
    """

    text_line = 0  # of a text of several lines, the one that is wrong, from 0
    undeclared = ""  # the name that nothing declares, where that is what is wrong

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = shortened(message)
        self.hint = hint
        super().__init__(f"{self.message} ({hint})" if hint else self.message)


class LengthError(LayoutError):
    """A length, pad, stride or dimension id that does not fit where it was given.

    >>> import layoutalg as la
    >>> la.make_merge_transform((4, 0))
    Traceback (most recent call last):
        ...
    layoutalg.errors.LengthError: merge: low_lengths[1]: wanted a length >= 1, got 0
    """


def of_kind(value: object, kind: type[Kind] | tuple[type[Kind], ...], where: str, wanted: str) -> Kind:
    """The value, which is to be of a kind; refused where it is something else.

    >>> of_kind("4", int, "bind: M", "an integer")
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: bind: M: wanted an integer, got '4' (a str)
    """
    if isinstance(value, kind):
        return value
    msg = f"{where}: wanted {wanted}, got {shown(value)}"
    raise LayoutError(msg, hint=f"call it: {value.__name__}(...)" if isroutine(value) else "")


def shown(value: object) -> str:
    """A value in a message: short ones as they are, with their type.

    >>> shown("4"), shown(shown), shown(str.upper), shown(None)
    ("'4' (a str)", 'the function shown', 'the method upper', 'None')
    >>> from sympy import Symbol
    >>> shown(Symbol("x") + 1), shown((4, 8))
    ('the expression x + 1', '(4, 8) (a tuple)')
    """
    if value is None:
        return "None"
    if isinstance(value, Expr):
        return f"the expression {shortened(str(value), SHOWN)}"
    if isroutine(value) or isclass(value):
        what = "class" if isclass(value) else "function" if isfunction(value) else "method"
        return f"the {what} {value.__name__}"
    kind = type(value).__name__
    article = "an" if kind[0] in "aeiouAEIOU" else "a"
    if isinstance(value, str | int | float | bytes | tuple | list | dict | set):
        return f"{shortened(repr(value), SHOWN)} ({article} {kind})"
    return f"{article} {kind}"


class MissingFactError(LayoutError):
    """An index that is defined only under a fact nobody has stated, such as a positive divisor.

    >>> import layoutalg as la
    >>> la.simplify("x // d", la.Domain.of({}, {"x": (0, 9), "d": (0, 9)}))
    Traceback (most recent call last):
        ...
    layoutalg.errors.MissingFactError: the divisor of a division must be positive: ...
    """


class UndefinedInCKError(LayoutError):
    """Something Composable Kernel itself leaves undefined or does not compile.

    >>> import layoutalg as la
    >>> ring = la.make_single_stage_tensor_adaptor([la.make_modulo_transform(4, 16)], [(0,)], [(0,)])
    >>> la.move_tensor_coordinate(la.make_tensor_coordinate(ring, (3,)), (1,))
    Traceback (most recent call last):
        ...
    layoutalg.errors.UndefinedInCKError: ...
    """


class ToolError(RuntimeError):
    """A compiler, driver or optional package that is missing or has failed.

    >>> raise ToolError("no HIP compiler was found", hint="pip install ziglang")
    Traceback (most recent call last):
        ...
    layoutalg.errors.ToolError: no HIP compiler was found (pip install ziglang)
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})" if hint else message)


class MissingToolError(ToolError):
    """A compiler or an optional package that is not there."""


class UnfitCompilerError(ToolError):
    """A compiler that lacks the GPU, or would make a kernel wrong and any other of its kind."""


class BeyondTableError(LayoutError):
    """An entry of a table is read that the table does not have."""


class EmptyRangeError(LayoutError):
    """A range from which no value can be taken."""


class NoPointError(LayoutError):
    """Ranges, facts and conditions contradict each other: there is nothing to speak of."""


class LimitError(LayoutError):
    """An input larger than what is read: one of the limits of :mod:`layoutalg.reading.input_limits`."""


class InternalError(RuntimeError):
    """The package contradicts itself: a proof that fails at a point, or a prover that crashes.

    Nothing is said of the claim then. The message holds what a report of the mistake needs.
    """
