"""The GPUs that AMD sells with matrix cores: compute units, clock and bandwidth of one device.

>>> found = Product.of_device("AMD Instinct MI300X")
>>> found.units, found.megahertz, found.gigabytes_per_second
(304, 2100, 5300.0)
>>> Product.of_device("NVIDIA H200") is None
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["PRODUCTS", "Product"]

DATA_SHEET = "AMD Instinct data sheets: compute units, peak engine clock, peak memory bandwidth"
ONE_DIE = f"{DATA_SHEET}; half of each, for HIP sees each of its two dies as a device"
NAME = re.compile(r"MI\d+[AX]?")


@dataclass(frozen=True)
class Product:
    """What one device of a product has at most; ``name`` is part of what HIP calls the device."""

    name: str
    target: str
    units: int
    megahertz: int
    gigabytes_per_second: float
    source: str

    @classmethod
    def of_device(cls, name: str) -> Product | None:
        """The product that HIP's name of a device tells; None where it tells none that is known."""
        found = NAME.search(name)
        return PRODUCTS.get(found[0]) if found else None


PRODUCTS = {
    row.name: row
    for row in (
        Product("MI100", "gfx908", 120, 1502, 1228.8, DATA_SHEET),
        Product("MI210", "gfx90a", 104, 1700, 1638.4, DATA_SHEET),
        Product("MI250", "gfx90a", 104, 1700, 1638.4, ONE_DIE),
        Product("MI250X", "gfx90a", 110, 1700, 1638.4, ONE_DIE),
        Product("MI300A", "gfx942", 228, 2100, 5300.0, DATA_SHEET),
        Product("MI300X", "gfx942", 304, 2100, 5300.0, DATA_SHEET),
        Product("MI325X", "gfx942", 304, 2100, 6000.0, DATA_SHEET),
        Product("MI350X", "gfx950", 256, 2200, 8000.0, DATA_SHEET),
        Product("MI355X", "gfx950", 256, 2400, 8000.0, DATA_SHEET),
    )
}
