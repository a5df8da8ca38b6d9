"""How much work a prover may do: counted in points and solver steps, never in seconds."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from layoutalg.reading.input_limits import ENUMERATED

__all__ = ["LIMITS", "NOT_MINE", "Limits"]

NOT_MINE = "it is not a claim of the kind this member decides"


@dataclass(frozen=True)
class Limits:
    """``points`` tried at most, ``few`` of them before a solver is asked; steps of each solver.

    A z3 step is about half a microsecond, a cvc5 step about five.

    >>> Limits(points=1000).as_json()["points"]
    1000
    """

    points: int = ENUMERATED
    few: int = 1 << 18
    z3: int = 4_000_000
    cvc5: int = 200_000

    def as_json(self) -> dict[str, int]:
        return asdict(self)


LIMITS = Limits()
