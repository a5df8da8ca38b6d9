"""The permutations that are shipped: the transpose of the CK blog, and any order of up to five dimensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.kernel_family import KernelChoice, KernelFamily, no_operations, no_sizes
from layoutalg.codegen.kernels.kernel_options import LDS, LEADING_DIMENSIONS, LENGTHS, PERMUTATION, Option
from layoutalg.codegen.kernels.transpose.builder import permute
from layoutalg.codegen.kernels.transpose.in_registers import transpose

__all__ = ["FAMILIES"]

ALIGNED = Option(
    "aligned",
    "is_aligned",
    bool,
    "",
    "permute: vectors begin at multiples of their length, as NVIDIA's GPUs want them.",
)


def _permuted(choice: KernelChoice) -> Kernel:
    """A permutation of fixed lengths; of a matrix of 200 x 136 if nothing is said."""
    chosen = dict(choice.options)
    lengths = chosen.pop("lengths", (200, 136))
    order = chosen.pop("permutation", tuple(reversed(range(len(lengths)))))
    if chosen.pop("is_aligned", False):
        chosen["begins_anywhere"] = False
    return permute(lengths, order, choice.element, target=choice.target, **chosen)


def _contiguous(torch: Any, kind: Any, sizes: Mapping[str, int]) -> tuple[str, Callable[[], Any]]:
    matrix = torch.randn(sizes["M"], sizes["K"], device="cuda").to(kind)
    return "t().contiguous()", lambda: matrix.t().contiguous()


TRANSPOSE = KernelFamily(
    name="transpose",
    configure=lambda choice: choice,
    build=lambda choice: transpose(choice.element, **choice.options),
    small_sizes=lambda _: {"M": 256, "K": 128},
    elements=("f32", "f16"),
    options=(LEADING_DIMENSIONS,),
    variants=({}, {"has_leading_dimensions": True}),
    default_sizes={"M": 2560, "K": 32},  # those of the CK blog
    operations=no_operations,
    is_portable=True,
    torch_call=_contiguous,
)
PERMUTE = KernelFamily(
    name="permute",
    configure=lambda choice: choice,
    build=_permuted,
    small_sizes=no_sizes,
    elements=("f32", "f16", "bf16", "i8", "f64"),
    options=(
        LENGTHS,
        PERMUTATION,
        Option(
            "path",
            "path",
            str,
            "lds, registers, direct, interleaved or box",
            "permute: the way of the elements.",
        ),
        LDS,
        LEADING_DIMENSIONS,
        ALIGNED,
    ),
    variants=(
        {},
        {"path": "registers"},
        {"lds": "padded"},
        {"lengths": (5, 50, 70), "permutation": (2, 0, 1)},
        {"lengths": (3, 6, 40, 64), "permutation": (1, 0, 2, 3)},
        {"lengths": (3, 4, 5, 36, 20), "permutation": (4, 2, 0, 3, 1)},
        {"lengths": (5, 3, 17, 40), "permutation": (0, 2, 3, 1)},
        {"lengths": (5, 17, 39, 3), "permutation": (0, 3, 1, 2)},
        {"lengths": (60, 7, 9, 5), "permutation": (0, 2, 1, 3), "path": "box"},
        {"lengths": (5, 50, 72), "permutation": (2, 0, 1), "has_leading_dimensions": True},
    ),
    default_sizes={},
    operations=no_operations,
    is_portable=True,
)
FAMILIES = (TRANSPOSE, PERMUTE)
