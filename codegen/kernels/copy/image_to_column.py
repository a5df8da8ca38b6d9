"""Image to column: the input of a convolution as the matrix that its filters are multiplied with.

A row is an output pixel, a column a pixel of the filter and a channel. As in CK, the image is padded, each
spatial dimension becomes a window, and two merges make the matrix.

>>> shape = ConvolutionShape(2, 8, (5, 6), (3, 3), (1, 2), (1, 1), (1, 1), (1, 1))
>>> shape.output_spatial_lengths, shape.columns.lengths
((5, 3), (30, 72))
>>> image_to_column(shape, "f16").name
'image_to_column_f16_2x5x6x8_by_3x3_7fd13e35'

Source: CK, ``transform_conv_fwd_to_gemm.hpp``, ``device_image_to_column_impl.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.copy.builder import kernel_of, planned_copy
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.errors import LayoutError
from layoutalg.transforms import Embed, Merge, MergeVariant, PassThrough

__all__ = ["ConvolutionShape", "image_to_column"]

VARIANT = MergeVariant.V3_DIVISION_MOD
Lengths = tuple[int, ...]


@dataclass(frozen=True)
class ConvolutionShape:
    """CK's parameters of a convolution, by CK's names; strides and dilations are 1 and pads 0 if left out.

    ``n``: images; ``c``: channels of each group; the image is (G, N, spatial dimensions, C), the matrix (G,
    pixels, filter times channels), both without G where there is one group. One to three spatial dimensions.
    """

    n: int
    c: int
    input_spatial_lengths: Lengths
    filter_spatial_lengths: Lengths
    conv_filter_strides: Lengths = ()
    conv_filter_dilations: Lengths = ()
    input_left_pads: Lengths = ()
    input_right_pads: Lengths = ()
    group_count: int = 1

    def __post_init__(self) -> None:
        rank = len(self.input_spatial_lengths)
        if not 1 <= rank <= 3:
            msg = f"image_to_column: wanted 1 to 3 spatial dimensions, got {rank}"
            raise LayoutError(msg)
        usual = {"conv_filter_strides": 1, "conv_filter_dilations": 1}
        usual |= {"input_left_pads": 0, "input_right_pads": 0}
        for name, value in usual.items():
            object.__setattr__(self, name, getattr(self, name) or (value,) * rank)
        for name, least in {"input_spatial_lengths": 1, "filter_spatial_lengths": 1, **usual}.items():
            found = getattr(self, name)
            if len(found) != rank or min(found) < least:
                msg = f"image_to_column: {name}: wanted {rank} numbers of at least {least}, got {found}"
                raise LayoutError(msg)
        counts = (self.n, self.c, self.group_count)
        if min(counts) < 1 or min(self.output_spatial_lengths) < 1:
            msg = (
                f"image_to_column: no element: N, C, G are {counts}, the output {self.output_spatial_lengths}"
            )
            raise LayoutError(msg, hint="the padded image must be as long as the filter at least")

    @property
    def rank(self) -> int:
        return len(self.input_spatial_lengths)

    @property
    def output_spatial_lengths(self) -> Lengths:
        """Where the filter fits, along each dimension."""
        sizes = zip(
            self.input_spatial_lengths,
            self.filter_spatial_lengths,
            self.conv_filter_strides,
            self.conv_filter_dilations,
            self.input_left_pads,
            self.input_right_pads,
            strict=True,
        )
        return tuple(
            (length + left + right - dilation * (taps - 1) - 1) // stride + 1
            for length, taps, stride, dilation, left, right in sizes
        )

    @property
    def image_lengths(self) -> Lengths:
        """The lengths of the image in memory."""
        return (*((self.group_count,) * self.has_groups), self.n, *self.input_spatial_lengths, self.c)

    @property
    def has_groups(self) -> bool:
        return self.group_count > 1

    @cached_property
    def columns(self) -> TensorDescriptor:
        """The image seen as the matrix."""
        first = int(self.has_groups)  # the dimension N
        spatial = range(first + 1, first + 1 + self.rank)
        found = make_naive_tensor_descriptor_packed(self.image_lengths)
        for i, left, right in zip(spatial, self.input_left_pads, self.input_right_pads, strict=True):
            if left or right:
                found = found.pad(i, left, right)
        return self._merged(self._windows(found, first), first)

    def _windows(self, padded: TensorDescriptor, first: int) -> TensorDescriptor:
        """Each spatial dimension as two: the pixel of the filter, the pixel of the output."""
        taps, pixels = self.filter_spatial_lengths, self.output_spatial_lengths
        steps = zip(self.conv_filter_dilations, self.conv_filter_strides, strict=True)
        windows = [Embed(*both) for both in zip(zip(taps, pixels, strict=True), steps, strict=True)]
        outer = [PassThrough(padded.lengths[i]) for i in range(first + 1)]
        ids: list[tuple[int, ...]] = [(i,) for i in range(first + 1)]
        ids += [(first + 1 + 2 * i, first + 2 + 2 * i) for i in range(self.rank)]
        ids.append((first + 1 + 2 * self.rank,))
        parts: list[Any] = [*outer, *windows, PassThrough(self.c)]
        return padded.transform(parts, [(i,) for i in range(padded.rank)], ids)

    def _merged(self, windows: TensorDescriptor, first: int) -> TensorDescriptor:
        taps = [first + 1 + 2 * i for i in range(self.rank)]
        sides = [[first, *(i + 1 for i in taps)], [*taps, first + 1 + 2 * self.rank]]
        merges = [Merge(tuple(windows.lengths[i] for i in side), VARIANT) for side in sides]
        groups = [PassThrough(self.group_count)] * first
        lower = [*([(0,)] * first), *map(tuple, sides)]
        return windows.transform([*groups, *merges], lower, [(i,) for i in range(first + 2)])


def image_to_column(shape: ConvolutionShape, element: DataType | str = "f16", **fields: Any) -> Kernel:
    """The kernel that writes the matrix, packed; ``fields`` as of :func:`copy`."""
    source = shape.columns
    plan = planned_copy(source, make_naive_tensor_descriptor_packed(source.lengths), element, **fields)
    sizes = ("x".join(map(str, n)) for n in (shape.image_lengths, shape.filter_spatial_lengths))
    title = f"image_to_column_{plan.kind.name}_{'_by_'.join(sizes)}"
    said = "A matrix of output pixels by filter pixels and channels"
    return kernel_of(plan, summary=said, words=title)
