"""Numbers with how far rounding may have led from them: what an epilogue gives, step by step.

>>> exact = Approximate(np.array([0.5, -2.0]), np.zeros(2), 2.0**-24)
>>> (exact * exact).number.tolist(), exact.relu().number.tolist()
([0.25, 4.0], [0.5, 0.0])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Approximate"]

STEPS = 8  # roundings in a function, the last bit of v_exp_f32 among them
STEEPEST = {"sigmoid": 0.25, "silu": 1.1, "gelu": 1.13}  # slopes
LEAST = 2.0**-126  # what is below may count as 0


@dataclass(frozen=True)
class Approximate:
    """``number`` in 64 bits, at most ``error`` away from what is computed; ``unit``: of one rounding."""

    number: NDArray[np.float64]
    error: NDArray[Any]
    unit: float

    def exactly(self, number: float) -> Approximate:
        """A constant, rounded once as it is written."""
        return Approximate(np.asarray(number), np.asarray(abs(number) * self.unit), self.unit)

    def __neg__(self) -> Approximate:
        return replace(self, number=-self.number)

    def __add__(self, other: Approximate) -> Approximate:
        return self._rounded(self.number + other.number, self.error + other.error)

    def __mul__(self, other: Approximate) -> Approximate:
        error = np.abs(self.number) * other.error + (np.abs(other.number) + other.error) * self.error
        return self._rounded(self.number * other.number, error)

    def __truediv__(self, other: Approximate) -> Approximate:
        """Of a divisor that may be 0 anything may come."""
        least = np.abs(other.number) - other.error
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.number / other.number
            error = np.where(least > 0, (self.error + np.abs(found) * other.error) / least, np.inf)
        return self._rounded(found, error)

    def relu(self) -> Approximate:
        return replace(self, number=np.maximum(self.number, 0))

    def abs(self) -> Approximate:
        return replace(self, number=np.abs(self.number))

    def min(self, other: Approximate) -> Approximate:
        error = np.maximum(self.error, other.error)
        return replace(self, number=np.minimum(self.number, other.number), error=error)

    def max(self, other: Approximate) -> Approximate:
        return -(-self).min(-other)

    def exp(self) -> Approximate:
        """An error of the exponent is one of the number's share; so is the rounding of that exponent."""
        moved = self.error + STEPS * self.unit * (1 + np.abs(self.number))
        with np.errstate(over="ignore"):
            number = np.exp(self.number)
            return Approximate(number, number * np.expm1(np.minimum(moved, 700)) + LEAST, self.unit)

    def sigmoid(self) -> Approximate:
        return self._smooth("sigmoid", _sigmoid(self.number))

    def silu(self) -> Approximate:
        return self._smooth("silu", self.number * _sigmoid(self.number))

    def tanh(self) -> Approximate:
        """Of a slope of at most 1, and right in its digits near 0, too."""
        number = np.tanh(self.number)
        return self._rounded(number, self.error + 2 * STEPS * self.unit * np.abs(number) + LEAST)

    def gelu(self) -> Approximate:
        inner = 0.7978845608028654 * (self.number + 0.044715 * self.number**3)
        return self._smooth("gelu", self.number * _sigmoid(2 * inner))

    def _smooth(self, name: str, number: NDArray[np.float64]) -> Approximate:
        """A function of bounded slope; inside it the exponent is rounded, which moves x by a share of it."""
        error = STEEPEST[name] * (self.error + STEPS * self.unit * (1 + np.abs(self.number)))
        return self._rounded(number, error)

    def _rounded(self, number: NDArray[np.float64], error: NDArray[Any]) -> Approximate:
        return Approximate(number, error + self.unit * (np.abs(number) + error), self.unit)


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        found: NDArray[np.float64] = 1 / (1 + np.exp(-x))
    return found
