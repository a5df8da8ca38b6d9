"""Batches: as many matrices as a size says, of which each begins a stride after the one before.

A workgroup makes a part of one product; the pointers of the kernel's arguments move to its matrices first.
How far is computed in 64 bits: a stride is an int, as CK has it, but a batch may be longer than the 2**31
elements that offsets in one matrix reach.

>>> from layoutalg.length import sizes
>>> M, K, stride = sizes("M K batch_stride_a")
>>> batches = Batches(stride)
>>> batches.begin, batches.space(M * K)
(batch*batch_stride_a, K*M + batch_stride_a*(batch_count - 1))
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.domain import Variable
from layoutalg.length import sizes
from layoutalg.machine import EVERY_GPU

__all__ = ["BATCH", "BATCH_COUNT", "Batches", "in_batch"]

BATCH = Symbol("batch", integer=True, nonnegative=True)
BATCH_COUNT = sizes("batch_count")
LARGEST_STRIDE = 2**31 - 1  # it is passed as int, as CK has it
ZERO = sympy.Integer(0)


@dataclass(frozen=True)
class Batches:
    """Matrices ``stride`` elements apart; ``are_apart``: they must not overlap, since they are written.

    Those that are read may overlap, and with a stride of 0 all are one.
    """

    stride: Symbol
    are_apart: bool = False

    @property
    def begin(self) -> Expr:
        """Where the matrix of a workgroup begins, in elements of the array."""
        return BATCH * self.stride

    def space(self, of_one: Expr) -> Expr:
        """The elements of memory from the first of all matrices to the last."""
        return (BATCH_COUNT - 1) * self.stride + of_one

    def parameters(self, multiple_of: int) -> dict[Symbol, tuple[int, int, int]]:
        """The stride and the number of matrices as sizes of a kernel."""
        least = multiple_of if self.are_apart else 0
        return {self.stride: (least, LARGEST_STRIDE, multiple_of), BATCH_COUNT: (1, EVERY_GPU.blocks, 1)}

    def facts(self, of_one: Expr) -> list[sympy.Basic]:
        """That matrices do not overlap, if they must not."""
        return [sympy.Ge(self.stride, of_one)] if self.are_apart else []

    @staticmethod
    def axis() -> Variable:
        """The number of a matrix."""
        return Variable(BATCH, ZERO, BATCH_COUNT)


def in_batch(made: IndexMap, begin: Expr) -> IndexMap:
    """A map on one matrix as one on the array of all; ``begin``: of the matrix there."""
    return made if begin == 0 else IndexMap(made.domain, (made.outputs[0] + begin,), made.when)
