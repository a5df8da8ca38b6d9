"""Tile distribution encodings: which thread holds which element of a tile, and in which register.

CK Tile splits every dimension X of a tile into factors H (``hs_lengthss``). Each factor is given either to
the place of a thread, P (usually ``[warp, lane]``), or to the thread's own registers, Y. R are
factors that no element has: threads that differ in them hold the same elements. Factors are named
by a major number (0 for R, k+1 for dimension k of X) and a minor number (which factor of it).

A tile of 256x32 for 4 warps of 64 lanes, 8 neighbours of a row to a lane at a time:

>>> a_dram = TileDistributionEncoding(
...     rs_lengths=(1,),
...     hs_lengthss=((4, 4, 16), (4, 8)),
...     ps_to_rhss_major=((1,), (1, 2)),
...     ps_to_rhss_minor=((1,), (2, 0)),
...     ys_to_rhs_major=(1, 2),
...     ys_to_rhs_minor=(0, 1),
... )
>>> a_dram.x_lengths, a_dram.p_lengths, a_dram.y_lengths
((256, 32), (4, 64), (4, 8))

Source: CK Tile, ``core/tensor/tile_distribution_encoding.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import sympy
from sympy import Symbol

from layoutalg.display import Displayed
from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, integers, length, lengths, product, sequence
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.near_names import no_such

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EncodingError", "RhId", "TileDistributionEncoding", "cpp_text"]

RhId = tuple[int, int]  # major, minor
Ids = tuple[int, ...]
WHERE = "tile_distribution_encoding"


class EncodingError(LengthError):
    """Arguments that do not fit together: ``at`` is which of the six (from 0), and which part of it."""

    def __init__(self, message: str, at: tuple[int, ...], *, hint: str = "") -> None:
        self.at = at
        super().__init__(f"{WHERE}: {message}", hint=hint)


@dataclass(frozen=True)
class TileDistributionEncoding(NearAttributes, Displayed):
    """CK's six arguments, under the names of its members.

    ``rs_lengths``: lengths of R; ``hs_lengthss``: for each dimension of X its factors, slowest first;
    ``ps_to_rhss_major``, ``ps_to_rhss_minor``: for each P its factors, slowest first;
    ``ys_to_rhs_major``, ``ys_to_rhs_minor``: for each Y its factor. Lengths may be symbolic.

    Refused: factors that do not exist, Y of R (CK's ``static_assert``), and a factor that is given
    away twice (CK computes nonsense without a word).

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> tile.hs_lengthss, tile.x_lengths, tile.y_lengths
    (((4, 2, 4), (32,)), (32, 32), (4, 4))
    """

    rs_lengths: Lengths
    hs_lengthss: tuple[Lengths, ...]
    ps_to_rhss_major: tuple[Ids, ...]
    ps_to_rhss_minor: tuple[Ids, ...]
    ys_to_rhs_major: Ids
    ys_to_rhs_minor: Ids

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "rs_lengths", lengths(self.rs_lengths, f"{WHERE}: rs_lengths"))
        hs = sequence(self.hs_lengthss, f"{WHERE}: hs_lengthss")
        put(self, "hs_lengthss", tuple(lengths(h, f"{WHERE}: hs_lengthss[{i}]") for i, h in enumerate(hs)))
        for name in ("ps_to_rhss_major", "ps_to_rhss_minor"):
            given = sequence(getattr(self, name), f"{WHERE}: {name}")
            put(self, name, tuple(integers(ids, f"{WHERE}: {name}[{i}]") for i, ids in enumerate(given)))
        for name in ("ys_to_rhs_major", "ys_to_rhs_minor"):
            put(self, name, integers(getattr(self, name), f"{WHERE}: {name}"))
        self._check_pairs()
        self._check_uses()

    @property
    def num_x(self) -> int:
        return len(self.hs_lengthss)

    @property
    def num_p(self) -> int:
        return len(self.ps_to_rhss_major)

    @property
    def num_y(self) -> int:
        return len(self.ys_to_rhs_major)

    @property
    def num_r(self) -> int:
        return len(self.rs_lengths)

    @property
    def rhs_lengthss(self) -> tuple[Lengths, ...]:
        """Lengths by major and minor number: those of R, then the factors of each X."""
        return (self.rs_lengths, *self.hs_lengthss)

    @property
    def ps_factors(self) -> tuple[tuple[RhId, ...], ...]:
        """For each P, the factors it counts through, slowest first."""
        pairs = zip(self.ps_to_rhss_major, self.ps_to_rhss_minor, strict=True)
        return tuple(tuple(zip(major, minor, strict=True)) for major, minor in pairs)

    @property
    def ys_factors(self) -> tuple[RhId, ...]:
        """For each Y, its factor."""
        return tuple(zip(self.ys_to_rhs_major, self.ys_to_rhs_minor, strict=True))

    @property
    def x_lengths(self) -> Lengths:
        """Lengths of the tile."""
        return tuple(product(hs) for hs in self.hs_lengthss)

    @property
    def p_lengths(self) -> Lengths:
        """How many threads the encoding is made for: usually ``(warps, lanes)``."""
        return tuple(product(map(self.factor_length, factors)) for factors in self.ps_factors)

    @property
    def y_lengths(self) -> Lengths:
        """Lengths of what a thread holds."""
        return tuple(map(self.factor_length, self.ys_factors))

    def factor_length(self, factor: RhId) -> Length:
        """The length of the factor with this major and minor number."""
        major, minor = factor
        return self.rhs_lengthss[major][minor]

    @property
    def owned_rs(self) -> Ids:
        """The R dimensions that belong to some P: those over which elements are replicated."""
        owned = {minor for factors in self.ps_factors for major, minor in factors if major == 0}
        return tuple(sorted(owned))

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbols in lengths."""
        values = (value for row in self.rhs_lengthss for value in row)
        return frozenset(symbol for value in values for symbol in getattr(value, "free_symbols", ()))

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> Self:
        """The encoding with numbers in place of symbols, named by symbol or by text."""
        named = {str(name): sympy.Integer(length(value, f"bind: {name}")) for name, value in values.items()}
        known = {symbol.name for symbol in self.free_symbols}
        for name in named:
            if name not in known:
                raise no_such("symbol", name, known, where="bind", kind=LengthError)
        return self.renamed({s: named[s.name] for s in self.free_symbols if s.name in named})

    def renamed(self, values: Mapping[Symbol, Any]) -> Self:
        """The encoding with other symbols or expressions in place of its symbols."""

        def row(lengths: Lengths) -> Lengths:
            return tuple(n if isinstance(n, int) else n.xreplace(values) for n in lengths)

        return replace(self, rs_lengths=row(self.rs_lengths), hs_lengthss=tuple(map(row, self.hs_lengthss)))

    def __str__(self) -> str:
        return cpp_text(self)

    def _check_pairs(self) -> None:
        """Majors and minors belong together, and name factors that exist."""
        for what, minors_at in (("ps_to_rhss", 3), ("ys_to_rhs", 5)):
            major, minor = getattr(self, f"{what}_major"), getattr(self, f"{what}_minor")
            if len(major) != len(minor):
                msg = f"{what}_major has {len(major)} entries, {what}_minor {len(minor)}"
                raise EncodingError(msg, (minors_at,))
        rows = zip(self.ps_to_rhss_major, self.ps_to_rhss_minor, strict=True)
        for i, (majors, minors) in enumerate(rows):
            if len(majors) != len(minors):
                msg = f"P{i} has {len(majors)} major numbers and {len(minors)} minor numbers"
                raise EncodingError(msg, (3, i))
            if not majors:
                hint = "CK does not compile this; give it an R of length 1"
                raise EncodingError(f"P{i} has no factor", (2, i), hint=hint)

    def _check_uses(self) -> None:
        """Every factor exists and belongs to one P or Y at most; Y are never R."""
        rows = enumerate(self.ps_factors)
        uses: list[tuple[str, RhId, Ids]] = []
        uses += [(f"P{i}", f, (2, i, k)) for i, factors in rows for k, f in enumerate(factors)]
        uses += [(f"Y{i}", factor, (4, i)) for i, factor in enumerate(self.ys_factors)]
        taken: dict[RhId, str] = {}
        for who, (major, minor), at in uses:
            at_minor = (at[0] + 1, *at[1:])
            self._check_factor(who, (major, minor), at, at_minor)
            if who.startswith("Y") and major == 0:
                msg = f"{who} names factor {minor} of R; registers are never replicated"
                raise EncodingError(msg, at, hint="CK: 'do not support Y dim pointed to R dim'")
            if (major, minor) in taken:
                msg = f"{taken[major, minor]} and {who} both name factor {minor} of {_major_name(major)}"
                raise EncodingError(msg, at_minor, hint="CK does not check this")
            taken[major, minor] = who

    def _check_factor(self, who: str, factor: RhId, at: Ids, at_minor: Ids) -> None:
        major, minor = factor
        is_there = 0 <= major <= self.num_x
        if not is_there or not 0 <= minor < len(self.rhs_lengthss[major]):
            msg = f"{who} names factor {minor} of {_major_name(major)}, which does not exist"
            counts = enumerate(map(len, self.rhs_lengthss))
            hint = ", ".join(f"major {i} is {_major_name(i)} with {count}" for i, count in counts)
            raise EncodingError(msg, at_minor if is_there else at, hint=hint)


def cpp_text(encoding: TileDistributionEncoding) -> str:
    """The encoding as C++ writes it, without namespaces."""

    def row(values: Any) -> str:
        return f"sequence<{', '.join(map(str, values))}>"

    def rows(values: Any) -> str:
        return f"tuple<{', '.join(map(row, values))}>"

    arguments = (
        row(encoding.rs_lengths),
        rows(encoding.hs_lengthss),
        rows(encoding.ps_to_rhss_major),
        rows(encoding.ps_to_rhss_minor),
        row(encoding.ys_to_rhs_major),
        row(encoding.ys_to_rhs_minor),
    )
    return f"{WHERE}<{', '.join(arguments)}>"


def _major_name(major: int) -> str:
    return "R" if major == 0 else f"X{major - 1}" if major > 0 else f"major {major}"
