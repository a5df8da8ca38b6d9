"""What a GPU could do at most: matrix operations of a type, and bytes of memory, a second.

>>> peak = Peak.of_device("AMD Instinct MI300X", 304)
>>> round(peak.operations("f16") / 1e12, 1), round(peak.share("f16", 653.7e12, 1e12), 2)
(1307.4, 0.5)
>>> round(peak.share("f16", 0, 2.65e12), 2)
0.5
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.codegen.executors import Executor
from layoutalg.data_type import DataType
from layoutalg.machine.occupancy import ComputeUnit
from layoutalg.machine.sold_gpu import Product
from layoutalg.mma import MatrixInstruction

__all__ = ["Peak", "peak_of"]


@dataclass(frozen=True)
class Peak:
    """The most of a product."""

    product: Product

    @classmethod
    def of_device(cls, name: str, units: int) -> Peak | None:
        """Of a device by HIP's name and number of compute units; None where it is a part of a product."""
        found = Product.of_device(name)
        return cls(found) if found is not None and found.units == units else None

    def operations(self, element: str) -> float:
        """Additions and multiplications a second, all matrix cores at work; 0 of a type they do not take."""
        product = self.product
        rows = [row for row in MatrixInstruction.of_target(product.target) if _takes(row, element)]
        of_simd = max((2 * row.m * row.n * row.k * row.blocks / row.cycles for row in rows), default=0.0)
        return of_simd * ComputeUnit.of(product.target).simds * product.units * product.megahertz * 1e6

    def share(self, element: str, operations: float, moved: float) -> float | None:
        """The share of operations a second, or of bytes a second where a kernel only moves them."""
        if not operations:
            return moved / (self.product.gigabytes_per_second * 1e9)
        most = self.operations(element)
        return operations / most if most else None

    def __str__(self) -> str:
        product = self.product
        told = (
            f"{product.units} compute units at {product.megahertz} MHz, {product.gigabytes_per_second:g} GB/s"
        )
        return f"{product.name}, {told} ({product.source})"


def peak_of(executor: Executor | None) -> Peak | None:
    """The peak of an executor's device; None where it is no GPU of which it is known."""
    name, units = getattr(executor, "name", ""), getattr(executor, "units", 0)
    return Peak.of_device(name, units)


def _takes(row: MatrixInstruction, element: str) -> bool:
    held = DataType.named(element).unpacked[0]
    return {row.type_a.partition("_")[0], row.type_b.partition("_")[0]} == {held}
