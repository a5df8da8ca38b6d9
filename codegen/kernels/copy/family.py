"""The copies that are shipped: of any tensor onto another, and of an image to the matrix of a convolution.

>>> from types import SimpleNamespace
>>> asked = SimpleNamespace(target="gfx942", element="f16", options={"lengths": (6, 20), "pads": (1, 0)})
>>> COPY.build(asked).name, COPY.build(asked).claims[0].name
('copy_f16_8x20_...', 'one-to-one')
"""

from __future__ import annotations

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.copy.builder import copy
from layoutalg.codegen.kernels.copy.image_to_column import ConvolutionShape, image_to_column
from layoutalg.codegen.kernels.kernel_family import KernelChoice, KernelFamily, no_operations, no_sizes
from layoutalg.codegen.kernels.kernel_options import LENGTHS, PERMUTATION, RANKS, Option, extents
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.errors import LayoutError

__all__ = ["FAMILIES"]

ELEMENTS = ("f16", "f32", "bf16", "i8", "f64")
PADS = Option("pads", "pads", extents(*RANKS, least=0), "1x1", "Zeros at both ends of each dimension.")


def _padded(tensor: TensorDescriptor, pads: tuple[int, ...]) -> TensorDescriptor:
    """With zeros at both ends of each dimension; refused where they are not one number for each."""
    if len(pads) != tensor.rank:
        lengths = "x".join(map(str, tensor.lengths))
        msg = f"copy: pads: wanted {tensor.rank} numbers, one for each of the lengths {lengths},"
        raise LayoutError(
            f"{msg} got {len(pads)}", hint=f"such as {'x'.join('1' * tensor.rank)}; 0 where there are none"
        )
    for dimension, zeros in enumerate(pads):
        tensor = tensor.pad(dimension, zeros, zeros) if zeros else tensor
    return tensor


def _copy(choice: KernelChoice) -> Kernel:
    """A packed source, perhaps with zeros around it, its dimensions perhaps in another order."""
    lengths = choice.options.get("lengths", (200, 136))
    source = make_naive_tensor_descriptor_packed(lengths)
    if "pads" in choice.options:
        source = _padded(source, choice.options["pads"])
    if "permutation" in choice.options:
        source = source.permute(*choice.options["permutation"])
    target = make_naive_tensor_descriptor_packed(source.lengths)
    return copy(source, target, choice.element, gpu=choice.target)


def _image_to_column(choice: KernelChoice) -> Kernel:
    n, *pixels, c = choice.options.get("image", (2, 14, 14, 16))
    taps, chosen = choice.options.get("filter", (3,) * len(pixels)), choice.options
    pads = chosen.get("pads", tuple(tap // 2 for tap in taps))
    steps = chosen.get("strides", ()), chosen.get("dilations", ())
    shape = ConvolutionShape(n, c, tuple(pixels), taps, *steps, pads, pads)
    return image_to_column(shape, choice.element, gpu=choice.target)


COPY = KernelFamily(
    name="copy",
    configure=lambda choice: choice,
    build=_copy,
    small_sizes=no_sizes,
    elements=ELEMENTS,
    options=(LENGTHS, PADS, PERMUTATION),
    variants=(
        {},
        {"lengths": (5, 50, 70), "pads": (0, 1, 2)},
        {"lengths": (12, 20, 64), "permutation": (1, 2, 0)},
        {"lengths": (1001,)},
        {"lengths": (50, 70), "pads": (1, 1), "permutation": (1, 0)},
    ),
    default_sizes={},
    operations=no_operations,
    is_portable=True,
)
IMAGE_TO_COLUMN = KernelFamily(
    name="image_to_column",
    configure=lambda choice: choice,
    build=_image_to_column,
    small_sizes=no_sizes,
    elements=ELEMENTS,
    options=(
        Option("image", "image", extents(3, 4, 5), "NxHxWxC", "image_to_column: batch, pixels, channels."),
        Option("filter", "filter", extents(1, 2, 3), "YxX", "image_to_column: pixels of the filter."),
        Option("strides", "strides", extents(1, 2, 3), "1x1", "image_to_column: steps of the filter."),
        Option("dilations", "dilations", extents(1, 2, 3), "1x1", "image_to_column: steps in the filter."),
        PADS,
    ),
    variants=(
        {},
        {"image": (1, 20, 17, 3), "strides": (2, 1), "dilations": (1, 2)},
        {"image": (2, 50, 8), "filter": (5,)},
        {"image": (1, 6, 7, 8, 4), "filter": (3, 1, 2), "pads": (1, 0, 1)},
    ),
    default_sizes={},
    operations=no_operations,
    is_portable=True,
)
FAMILIES = (COPY, IMAGE_TO_COLUMN)
