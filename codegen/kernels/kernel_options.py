"""What may be chosen of a kernel on the command line: an option, and the field that it sets.

>>> extents(3)("256x128x32"), LDS.read("xor")
((256, 128, 32), 'xor')
>>> Option("waves", "waves", extents(2), "MxN, such as 2x2", "Waves of a workgroup.").read("4")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: --waves 4: wanted MxN, such as 2x2 (2 numbers from 1 to 2147483647)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import near_hint

__all__ = [
    "LDS",
    "LEADING_DIMENSIONS",
    "LENGTHS",
    "PERMUTATION",
    "RANKS",
    "Option",
    "chosen_options",
    "count",
    "extents",
]

RANKS = (1, 2, 3, 4, 5)  # of a tensor whose lengths are given
LARGEST = 2**31 - 1  # that an int of C holds


@dataclass(frozen=True)
class Option:
    """``--name``, the field it sets, how its text is read, what it may look like, and what it says.

    A flag has no text: to give it is to say yes.
    """

    name: str
    field: str
    parse: Callable[[Any], Any]
    example: str
    summary: str

    @property
    def is_flag(self) -> bool:
        return self.parse is bool

    def read(self, text: Any) -> Any:
        """The value of the field."""
        try:
            return self.parse(text)
        except ValueError:
            raise LayoutError(f"--{self.name} {text}: wanted {self.wanted}") from None

    @property
    def wanted(self) -> str:
        """What its text must be, in words."""
        if not isinstance(self.parse, Extents):
            return "a number of at least 1" if self.parse is count else self.example
        is_number = self.example[0].isdigit()
        return f"{self.parse}, such as {self.example}" if is_number else f"{self.example} ({self.parse})"


@dataclass(frozen=True)
class Extents:
    """Reads numbers with an x between them, as many as one of the counts says, that an int of C holds.

    >>> print(Extents((1, 2, 3), least=0))
    1 to 3 numbers from 0 to 2147483647
    """

    counts: tuple[int, ...]
    least: int

    def __call__(self, text: str) -> tuple[int, ...]:
        found = tuple(int(part) for part in text.lower().split("x"))
        if len(found) not in self.counts or min(found) < self.least or max(found) > LARGEST:
            raise ValueError(text)
        return found

    def __str__(self) -> str:
        few, many = min(self.counts), max(self.counts)
        return f"{few if few == many else f'{few} to {many}'} numbers from {self.least} to {LARGEST}"


def extents(*counts: int, least: int = 1) -> Extents:
    """What reads so many numbers."""
    return Extents(counts, least)


def count(text: str) -> int:
    """Reads a number of at least 1."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


# Options that families of different folders share.
LDS = Option(
    "lds",
    "lds",
    str,
    "a layout's name",
    "The layout in shared memory: row-major or plain, padded, k0mk1, xor.",
)
LEADING_DIMENSIONS = Option(
    "leading-dimensions",
    "has_leading_dimensions",
    bool,
    "",
    "GEMM, transpose, permute: rows may lie apart; lda, ldb, ldc or ld_in, ld_out are arguments.",
)
LENGTHS = Option(
    "lengths", "lengths", extents(*RANKS), "64x100x256", "permute, copies: the source's lengths."
)
PERMUTATION = Option(
    "permutation",
    "permutation",
    extents(*RANKS, least=0),
    "2x0x1",
    "permute, copy: the source's dimensions in the order of the target.",
)


def chosen_options(
    family: str, taken: Iterable[Option], texts: Mapping[str, str | bool | None]
) -> dict[str, Any]:
    """The fields that the texts of options set; refused is an option that the family does not take."""
    rows = {option.name: option for option in taken}
    given = {name.replace("_", "-"): text for name, text in texts.items() if text not in (None, False)}
    for name in given:
        if name not in rows:
            msg = f"--{name}: {family} has no such option"
            raise LayoutError(msg, hint=near_hint(f"--{name}", (f"--{known}" for known in rows)))
    return {rows[name].field: rows[name].read(text) for name, text in given.items()}
