"""What CK calls the layouts of shared memory, and the distributions that write and read them.

>>> role = LdsRole.of("MakeShuffledKLdsWriteBlockDescriptor")
>>> role.operand, role.role, role.shuffled
('K', 'Write', True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["READERS", "SHUFFLED_WRITERS", "WRITERS", "Direction", "LdsRole", "operand_of", "ways_of"]

Direction = Literal["write", "read"]
WRITERS = (
    "Make{}DramTileDistribution",
    "MakeShuffled{}RegTileDistribution",
    "MakeShuffled{}RegBlockDistribution",
    "MakeShuffled{}RegBlockDescriptor",
    "MakeShuffled{}TileDistribution",
    "Make{}LdsDistributionEncode",
)
SHUFFLED_WRITERS = ("MakeShuffled{}RegWriteBlockDescriptor",)
READERS = (
    "Make{}RegTileDistribution",
    "Make{}RegBlockDistribution",
    "Make{}RegBlockDescriptor",
    "Make{}RegSliceBlockDescriptor",
    "Make{}LdsReadBlockDescriptor",
    "Make{}LdsLoadTileDistribution",
    "Make{}LdsShuffleTileDistribution",
    "Make{}LDS_WarpTileDistribution",
    "Make{}LDS_TileDistribution",
)
NAME = re.compile(r"Make(Shuffled)?(\w*?)Lds(Store|Write|Load|Read|)BlockDescriptor")
MIXED = re.compile(r"Make(\w+_)(Read|Write)(\w+?)Lds(BlockDescriptor)")  # the role before the operand
WRITTEN, READ = {"Store", "Write"}, {"Load", "Read"}


@dataclass(frozen=True)
class LdsRole:
    """What a name says of a layout: whose it is, what it serves, whether in the order of a shuffle."""

    shuffled: bool
    operand: str
    role: str

    @classmethod
    def of(cls, name: str) -> LdsRole | None:
        """The role in a function's name; None for a name of another form."""
        found = NAME.fullmatch(MIXED.sub(r"Make\1\3Lds\2\4", name))
        return None if found is None else cls(bool(found[1]), found[2], found[3])


def operand_of(name: str) -> str | None:
    """The operand in the name of a descriptor: ``A`` of ``MakeALdsBlockDescriptor``; None without one.

    >>> operand_of("MakeShuffledKLdsWriteBlockDescriptor"), operand_of("MakeADramTileDistribution")
    ('K', None)
    """
    role = LdsRole.of(name)
    return None if role is None else role.operand


def ways_of(role: LdsRole, beside: list[str]) -> list[Direction]:
    """Which ways a descriptor serves: both without a counterpart, none where it has two."""
    if role.shuffled:
        return ["write"]
    same = [other for name in beside if (other := LdsRole.of(name)) and other.operand == role.operand]
    roles = {other.role for other in same if not other.shuffled}
    written, read, plain = bool(roles & WRITTEN), bool(roles & READ), "" in roles
    ways: dict[Direction, bool]
    if role.role in WRITTEN:
        ways = {"write": True, "read": not read and not plain}
    elif role.role in READ:
        ways = {"write": not written and not plain, "read": True}
    else:
        ways = {"write": not written, "read": not read}
    return [direction for direction, serves in ways.items() if serves]
