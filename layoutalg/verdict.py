"""What can be said of a claim: proved, refuted by a point, or honestly unknown.

>>> Refuted({"x": 63}, "x + 1 < 64 is false: 64 < 64")
refuted at x=63: x + 1 < 64 is false: 64 < 64
>>> Refuted({}, "0 < 0 is false: 0 < 0")
refuted: 0 < 0 is false: 0 < 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from layoutalg.display import Displayed
from layoutalg.errors import LayoutError, shown
from layoutalg.reading.near_attributes import NearAttributes

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["Proved", "Refuted", "Unknown", "Verdict"]


class _Answer(NearAttributes, Displayed):
    """What verdicts share: they are equal to verdicts, and ask to be compared with nothing else."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str | bool):
            what = f"a verdict ({self!r}) is compared with {shown(other)}, which it never equals"
            raise LayoutError(what, hint="bool(verdict), or isinstance(verdict, la.Proved)")
        return type(self) is type(other) and self._compared == getattr(other, "_compared", None)

    def __hash__(self) -> int:
        return hash((type(self), self._compared))

    @property
    def _compared(self) -> tuple[object, ...]:
        parts: Any = fields(self)  # type: ignore[arg-type]
        return tuple(getattr(self, part.name) for part in parts if part.compare)


@dataclass(frozen=True, repr=False, eq=False)
class Proved(_Answer):
    """The claim holds at every point. ``by``: which prover; ``evidence``: what it has to show.

    >>> import layoutalg as la
    >>> la.prove(la.one_to_one(la.make_naive_tensor_descriptor((4, 8), (10, 1)))).by
    'digits'
    """

    by: str
    evidence: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"proved by {self.by}"


@dataclass(frozen=True, repr=False, eq=False)
class Refuted(_Answer):
    """The claim fails at ``point``, as the plain evaluator confirmed.

    ``values`` are those of the expressions that do not fit, there; ``claim`` is the one that fails.

    >>> import layoutalg as la
    >>> found = la.prove(la.one_to_one(la.make_naive_tensor_descriptor((4, 8), (7, 1))))
    >>> bool(found), found.point, found.explanation
    (False, {'i0': 0, 'i1': 7, "i0'": 1, "i1'": 0}, '(0, 7) and (1, 0) both map to 7')
    """

    point: Mapping[str, int]
    explanation: str
    by: str = ""
    values: Mapping[str, int] = field(default_factory=dict, compare=False)
    claim: Claim | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        at = ", ".join(f"{name}={value}" for name, value in self.point.items())
        return f"refuted at {at}: {self.explanation}" if at else f"refuted: {self.explanation}"


@dataclass(frozen=True, repr=False, eq=False)
class Unknown(_Answer):
    """Nobody could tell. Never to be taken for proved.

    >>> import layoutalg as la
    >>> bool(la.Unknown("no member could tell"))
    False
    """

    reason: str

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"unknown: {self.reason}"


Verdict = Proved | Refuted | Unknown
