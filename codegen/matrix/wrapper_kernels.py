"""The CK wrapper's operations as rows of the kernel matrix: fields of its families, by name.

>>> kernel = COPY["build"](_Asked("f16", {"lengths": (6, 20), "pads": (1, 0)}))
>>> kernel.name, kernel.claims[0].name
('copy_f16_8x20_...', 'one-to-one')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.blockwise_copy import blockwise_copy
from layoutalg.codegen.kernels.copy import ConvolutionShape, copy, image_to_column
from layoutalg.codegen.kernels.gemm import GemmConfig
from layoutalg.codegen.kernels.gemm.traits import wrapper_config, wrapper_kernel
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.layout import make_layout

__all__ = ["BLOCKWISE_COPY", "COPY", "IMAGE_TO_COLUMN", "WRAPPER_GEMM", "small_gemm"]

Row = dict[str, Any]
ELEMENTS = ("f16", "f32", "bf16", "i8", "f64")
PREFIX = "BlockwisGemmXdlTraits_"  # as CK spells it


@dataclass(frozen=True)
class _Asked:
    """What a row reads of a choice."""

    element: str
    options: Mapping[str, Any] = field(default_factory=dict)


def small_gemm(config: GemmConfig) -> dict[str, Any]:
    """Sizes of a quick check of a GEMM: more than one tile, more than one turn."""
    m, n, k = config.tile
    if config.has_tails:
        return {"M": m + 40, "N": n + 8, "K": 2 * k + 16}
    return {"M": 2 * m * config.group_m, "N": n, "K": 3 * k * config.split_k}


def _padded(tensor: TensorDescriptor, pads: tuple[int, ...]) -> TensorDescriptor:
    for dimension, zeros in enumerate(pads):
        tensor = tensor.pad(dimension, zeros, zeros) if zeros else tensor
    return tensor


def _copy(choice: Any) -> Kernel:
    """A packed source, perhaps with zeros around it, its dimensions perhaps in another order."""
    lengths = choice.options.get("lengths", (200, 136))
    source = _padded(make_naive_tensor_descriptor_packed(lengths), choice.options.get("pads", ()))
    if "permutation" in choice.options:
        source = source.permute(*choice.options["permutation"])
    return copy(source, make_naive_tensor_descriptor_packed(source.lengths), choice.element)


def _image_to_column(choice: Any) -> Kernel:
    n, *pixels, c = choice.options.get("image", (2, 14, 14, 16))
    taps, chosen = choice.options.get("filter", (3,) * len(pixels)), choice.options
    pads = chosen.get("pads", tuple(tap // 2 for tap in taps))
    steps = chosen.get("strides", ()), chosen.get("dilations", ())
    return image_to_column(ConvolutionShape(n, c, tuple(pixels), taps, *steps, pads, pads), choice.element)


def _blockwise_copy(choice: Any) -> Kernel:
    """A packed tensor by rows, tile by tile."""
    chosen = choice.options
    tensor = make_naive_tensor_descriptor_packed(chosen.get("lengths", (256, 128)))
    counts = chosen.get("threads", (32, 8))
    strides = [1]
    for count in counts[:0:-1]:
        strides.insert(0, strides[0] * count)
    threads = make_layout(counts, tuple(strides))
    scalars = chosen.get("scalars", 2)
    tile = chosen.get("tile", (64, 64))
    return blockwise_copy(tensor, tensor, tile, threads, choice.element, scalars=scalars)


def _wrapper_config(choice: Any) -> GemmConfig:
    chosen = dict(choice.options)
    name = chosen.pop("traits", "32x32Xdl_4x2XdlPerWave_8K1")
    return wrapper_config(
        PREFIX + name.removeprefix(PREFIX), target=choice.target, element=choice.element, **chosen
    )


def _copies(name: str, build: Any, options: tuple[str, ...], *variants: Row) -> Row:
    return {
        "name": name,
        "configure": lambda choice: choice,
        "build": build,
        "small_sizes": lambda _: {},
        "elements": ELEMENTS,
        "options": options,
        "variants": ({}, *variants),
        "default_sizes": {},
        "operations": lambda _: 0,
        "is_portable": True,
    }


COPY = _copies(
    "copy",
    _copy,
    ("lengths", "pads", "permutation"),
    {"lengths": (5, 50, 70), "pads": (0, 1, 2)},
    {"lengths": (12, 20, 64), "permutation": (1, 2, 0)},
    {"lengths": (1001,)},
)
IMAGE_TO_COLUMN = _copies(
    "image_to_column",
    _image_to_column,
    ("image", "filter", "strides", "dilations", "pads"),
    {"image": (1, 20, 17, 3), "strides": (2, 1), "dilations": (1, 2)},
    {"image": (2, 50, 8), "filter": (5,)},
    {"image": (1, 6, 7, 8, 4), "filter": (3, 1, 2), "pads": (1, 0, 1)},
)
BLOCKWISE_COPY = _copies(
    "blockwise_copy",
    _blockwise_copy,
    ("lengths", "block-tile", "threads", "scalars"),
    {"lengths": (8, 64, 32), "tile": (4, 32, 16), "threads": (2, 16, 4)},
)
WRAPPER_GEMM: Row = {
    "name": "wrapper_gemm",
    "configure": _wrapper_config,
    "build": wrapper_kernel,
    "small_sizes": small_gemm,
    "elements": ("f16", "bf16", "i8", "f32"),
    "options": ("traits", "lds", "optimized", "tile", "order"),
    "variants": (
        {},
        {"is_optimized": True},
        {"lds": "k0mk1", "traits": "32x32Xdl_2x4XdlPerWave_8K1"},
        {"lds": "k0mk1", "is_optimized": True, "traits": "32x32Xdl_2x2XdlPerWave_16K1"},
    ),
    "default_sizes": {"M": 3840, "N": 4096, "K": 4096},  # of both of the wrapper's examples
    "operations": lambda sizes: 2 * sizes["M"] * sizes["N"] * sizes["K"],
    "is_portable": False,
}
