"""Where a tensor lives: CK wrapper's ``MemoryTypeEnum``."""

from __future__ import annotations

from enum import StrEnum

from layoutalg.reading.near_names import not_one_of

__all__ = ["MemoryType"]


class MemoryType(StrEnum):
    """Generic, global, shared (LDS) memory, scalar registers of a wave, vector registers of a lane.

    >>> MemoryType.VGPR.is_register, MemoryType.LDS.is_register
    (True, False)
    """

    GENERIC = "Generic"
    GLOBAL = "Global"
    LDS = "Lds"
    SGPR = "Sgpr"
    VGPR = "Vgpr"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise not_one_of("a memory type", value, cls)

    @property
    def is_register(self) -> bool:
        """Whether elements lie in registers, which have no address."""
        return self in {MemoryType.SGPR, MemoryType.VGPR}
