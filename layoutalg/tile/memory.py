"""Memory of a program that runs: numbers, who wrote and who read them, and when.

Two waves race where one writes what another one reads or writes and no sync of the workgroup lies between;
lanes of one wave go in order. Workgroups are never in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.tile.buffer_view import BufferView
from layoutalg.tile.elements import Element, converted

__all__ = ["Accessors", "Memory", "RaceError"]

NOBODY, SEVERAL = -1, -2


class RaceError(LayoutError):
    """What one wave writes another one reads or writes, and no sync lies between."""


@dataclass(frozen=True)
class Accessors:
    """Who makes an access: the number of the wave and of the workgroup of each address, and the epoch."""

    waves: NDArray[Any]
    groups: NDArray[Any]
    epoch: int


@dataclass
class Memory:
    """Elements of one type; ``per_group`` of them for each workgroup in the LDS, None in global memory."""

    name: str
    kind: DataType
    numbers: NDArray[Any]
    is_set: NDArray[np.bool_]
    per_group: int | None = None
    writer: NDArray[Any] = field(init=False)
    written: NDArray[Any] = field(init=False)
    writer_group: NDArray[Any] = field(init=False)
    reader: NDArray[Any] = field(init=False)
    read: NDArray[Any] = field(init=False)
    reader_group: NDArray[Any] = field(init=False)

    def __post_init__(self) -> None:
        for name in ("writer", "writer_group", "reader", "reader_group"):
            setattr(self, name, np.full(self.numbers.shape, NOBODY, np.int32))
        self.written, self.read = (np.zeros(self.numbers.shape, np.int32) for _ in range(2))

    @classmethod
    def of_array(cls, name: str, kind: DataType, array: NDArray[Any], *, is_set: bool) -> Memory:
        """Global memory with what an array holds."""
        numbers = np.ascontiguousarray(array).reshape(-1).astype(kind.numpy)
        return cls(name, kind, numbers, np.full(numbers.shape, is_set))

    @classmethod
    def of_lds(cls, buffer: BufferView, groups: int) -> Memory:
        """The LDS of all workgroups, side by side."""
        size = groups * int(buffer.size)
        fill = 0 if buffer.fill is None else buffer.fill
        numbers = np.full(size, converted(np.asarray(fill), buffer.kind), buffer.kind.numpy)
        return cls(
            buffer.name, buffer.kind, numbers, np.full(size, buffer.fill is not None), int(buffer.size)
        )

    @property
    def size(self) -> int:
        """The elements that one workgroup sees."""
        return len(self.numbers) if self.per_group is None else self.per_group

    def load(self, at: NDArray[Any], who: Accessors) -> NDArray[Any]:
        """The numbers at addresses, all within; refused: what nobody wrote, and races."""
        at = self._placed(at, who)
        if not self.is_set[at].all():
            number = int(at[~self.is_set[at]][0]) % self.size
            raise LayoutError(f"{self.name}: element {number} is read and nobody wrote it")
        other = (self.writer[at] != NOBODY) & (self.writer[at] != who.waves)
        is_apart = self.writer_group[at] != who.groups
        self._refuse(other & (is_apart | (self.written[at] == who.epoch)), at, "is read", "is written")
        seen = self.reader[at]
        is_new = (self.read[at] != who.epoch) | (seen == NOBODY) | (seen == who.waves)
        self.reader[at] = np.where(is_new, who.waves, SEVERAL)
        same = (self.reader_group[at] == NOBODY) | (self.reader_group[at] == who.groups)
        self.reader_group[at] = np.where(same, who.groups, SEVERAL)
        self.read[at] = who.epoch
        return self.numbers[at]

    def store(self, at: NDArray[Any], numbers: NDArray[Any], who: Accessors) -> None:
        """Write numbers, all addresses within; refused: races, and two numbers for one element."""
        at = self._placed(at, who)
        bits = f"u{self.numbers.dtype.itemsize}"
        old = self.numbers[at].view(bits) != np.ascontiguousarray(numbers).view(bits)
        other = (self.writer[at] != NOBODY) & (self.writer[at] != who.waves)
        is_now = (self.writer_group[at] != who.groups) | (self.written[at] == who.epoch)
        self._refuse(other & is_now & old, at, "is written", "is written otherwise")
        seen = self.reader[at]
        is_read = (seen != NOBODY) & (seen != who.waves) & (self.read[at] == who.epoch)
        is_far = (self.reader_group[at] != NOBODY) & (self.reader_group[at] != who.groups)
        self._refuse((is_read | is_far) & old, at, "is written", "is read")
        self.numbers[at] = numbers
        if (self.numbers[at].view(bits) != np.ascontiguousarray(numbers).view(bits)).any():
            wrong = self.numbers[at].view(bits) != np.ascontiguousarray(numbers).view(bits)
            number = int(at[wrong][0]) % self.size
            raise RaceError(f"{self.name}: element {number} is written twice at once, with different numbers")
        self.is_set[at] = True
        self.writer[at], self.writer_group[at], self.written[at] = who.waves, who.groups, who.epoch

    def add(self, at: NDArray[Any], numbers: NDArray[Any], who: Accessors) -> None:
        """Add to what is there, atomically: in any order."""
        at = self._placed(at, who)
        if not self.is_set[at].all():
            raise LayoutError(f"{self.name}: something is added to elements that nobody wrote")
        if self.kind.numpy.startswith(("float", "int")):
            np.add.at(self.numbers, at, numbers)
            return
        for one, number in zip(at, numbers, strict=True):
            parts = np.stack([self.numbers[one], number])
            total = Element("argument", (0,), self.kind).value({0: parts}).sum()
            self.numbers[one] = converted(total, self.kind)

    def _placed(self, at: NDArray[Any], who: Accessors) -> NDArray[Any]:
        if at.size and (at.min() < 0 or at.max() >= self.size):
            wrong = int(at[(at < 0) | (at >= self.size)][0])
            raise LayoutError(f"{self.name}: element {wrong} is accessed, there are {self.size}")
        return at if self.per_group is None else at + who.groups * self.per_group

    def _refuse(self, wrong: NDArray[np.bool_], at: NDArray[Any], now: str, before: str) -> None:
        if wrong.any():
            number = int(at[wrong][0]) % self.size
            msg = f"{self.name}: element {number} {now} by a wave and {before} by another one"
            hint = "block_sync_lds() between them" if self.per_group is not None else ""
            raise RaceError(f"{msg}, with no sync between", hint=hint)
