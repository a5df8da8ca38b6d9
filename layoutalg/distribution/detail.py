"""What CK derives from an encoding: the fields of its ``detail`` struct, under CK's names.

>>> from layoutalg.distribution.encoding import TileDistributionEncoding
>>> a_warp = TileDistributionEncoding((), ((32,), (2, 4)), ((2, 1),), ((0, 0),), (2,), (1,))
>>> EncodingDetail(a_warp).distributed_spans_lengthss
((), (4,))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.length import Length, Lengths, product

if TYPE_CHECKING:
    from layoutalg.distribution.encoding import RhId, TileDistributionEncoding

__all__ = ["EncodingDetail"]

NONE = -1  # CK's mark for a factor that is no Y
Row = tuple[int, ...]


@dataclass(frozen=True)
class EncodingDetail:
    """Fields of ``tile_distribution_encoding::detail``; rows have their real length, -1 means none."""

    encoding: TileDistributionEncoding

    @property
    def ndim_rh_major(self) -> int:
        return self.encoding.num_x + 1

    @property
    def ndim_span_major(self) -> int:
        return self.encoding.num_x

    @property
    def ndims_rhs_minor(self) -> Row:
        return tuple(map(len, self.encoding.rhs_lengthss))

    @property
    def max_ndim_rh_minor(self) -> int:
        return max(self.ndims_rhs_minor)

    @property
    def ys_lengths(self) -> Lengths:
        return self.encoding.y_lengths

    @property
    def rhs_major_minor_to_ys(self) -> tuple[Row, ...]:
        """For each factor, the Y it is."""
        return self._rows({factor: y for y, factor in enumerate(self.encoding.ys_factors)})

    @property
    def rhs_major_minor_to_span_minor(self) -> tuple[Row, ...]:
        """For each factor that is a Y, its place among the Y of its dimension."""
        return self._rows(
            {
                factor: place
                for major in range(self.ndim_rh_major)
                for place, factor in enumerate(self._spans(major))
            }
        )

    @property
    def ndims_span_minor(self) -> Row:
        return tuple(len(self._spans(major)) for major in range(1, self.ndim_rh_major))

    @property
    def ndims_distributed_spans_minor(self) -> Row:
        return self.ndims_span_minor

    @property
    def ys_to_span_major(self) -> Row:
        return tuple(major - 1 for major in self.encoding.ys_to_rhs_major)

    @property
    def ys_to_span_minor(self) -> Row:
        places = self.rhs_major_minor_to_span_minor
        return tuple(places[major][minor] for major, minor in self.encoding.ys_factors)

    @property
    def distributed_spans_lengthss(self) -> tuple[Lengths, ...]:
        """For each dimension of X, the lengths of its Y in the order of factors."""
        majors = range(1, self.ndim_rh_major)
        return tuple(tuple(map(self.encoding.factor_length, self._spans(major))) for major in majors)

    @property
    def does_p_own_r(self) -> tuple[tuple[bool, ...], ...]:
        """For each P and R, whether the R is a factor of the P."""
        return tuple(
            tuple((0, r) in factors for r in range(self.encoding.num_r))
            for factors in self.encoding.ps_factors
        )

    @property
    def ps_over_rs_derivative(self) -> tuple[Lengths, ...]:
        """For each P and R, how far the P moves when the R moves by one; 0 where it does not."""
        return tuple(self._steps(factors) for factors in self.encoding.ps_factors)

    def _steps(self, factors: tuple[RhId, ...]) -> Lengths:
        lengths = [self.encoding.factor_length(factor) for factor in factors]
        steps: dict[RhId, Length] = {
            factor: product(lengths[i + 1 :]) for i, factor in enumerate(factors) if factor[0] == 0
        }
        return tuple(steps.get((0, r), 0) for r in range(self.encoding.num_r))

    def _spans(self, major: int) -> list[RhId]:
        """The factors of a dimension that are Y, in the order of factors."""
        return sorted(factor for factor in self.encoding.ys_factors if factor[0] == major)

    def _rows(self, found: dict[RhId, int]) -> tuple[Row, ...]:
        return tuple(
            tuple(found.get((major, minor), NONE) for minor in range(count))
            for major, count in enumerate(self.ndims_rhs_minor)
        )
