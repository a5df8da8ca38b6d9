"""The kernels this package ships: how each is built, for what, at which sizes, and how its work is counted.

>>> [family.name for family in FAMILIES.values()]
['transpose', 'permute', 'copy', 'image_to_column', 'blockwise_copy', 'gemm', 'wrapper_gemm']
>>> choice = Choice("gemm", "gfx942", "f16", {"rung": "xor"})
>>> str(choice), choice.small_sizes()
('gemm f16 rung=xor on gfx942', {'M': 512, 'N': 128, 'K': 96})
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels import permute, transpose
from layoutalg.codegen.kernels.gemm import ELEMENTS, RUNGS, GemmConfig, configured, gemm
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.matrix.kernel_options import OPTIONS
from layoutalg.codegen.matrix.wrapper_kernels import (
    BLOCKWISE_COPY,
    COPY,
    IMAGE_TO_COLUMN,
    WRAPPER_GEMM,
    small_gemm,
)
from layoutalg.errors import LayoutError
from layoutalg.machine import Target

__all__ = ["FAMILIES", "Choice", "KernelFamily", "choices"]

Sizes = dict[str, Any]  # and factors, which are no integers


@dataclass(frozen=True)
class KernelFamily:
    """Kernels of one kind.

    ``configure``: what a choice amounts to, refused where its target lacks something; ``build``: the kernel
    of that, ``small_sizes``: sizes to check it with; ``elements``: the types there are, the usual one first,
    of which a target may have fewer; ``options``: names of those it takes; ``variants``: fields that a check
    goes through; ``default_sizes``: of a run; ``operations``: additions and multiplications for sizes;
    ``is_portable``: whether it runs on GPUs other than AMD's too.
    """

    name: str
    configure: Callable[[Choice], Any]
    build: Callable[[Any], Kernel]
    small_sizes: Callable[[Any], Sizes]
    elements: tuple[str, ...]
    options: tuple[str, ...]
    variants: tuple[Mapping[str, Any], ...]
    default_sizes: Mapping[str, Any]
    operations: Callable[[Mapping[str, Any]], int]
    is_portable: bool

    @classmethod
    def named(cls, name: str) -> KernelFamily:
        """The family with this name."""
        if name not in FAMILIES:
            msg = f"wanted a kernel of {', '.join(FAMILIES)}; got {name!r}"
            raise LayoutError(msg)
        return FAMILIES[name]


@dataclass(frozen=True)
class Choice:
    """One kernel of a family: for which target and type, and the options that are not the usual ones."""

    family: str
    target: str
    element: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def kernel(self) -> Kernel:
        family = KernelFamily.named(self.family)
        return family.build(self._configuration(family))

    def small_sizes(self) -> Sizes:
        """Sizes of a quick check: more than one tile, more than one turn of a loop."""
        family = KernelFamily.named(self.family)
        return family.small_sizes(self._configuration(family))

    def sizes_for(self, kernel: Kernel, *, is_large: bool) -> Sizes:
        """What a launch of the kernel takes by value: the usual sizes or small ones, and factors."""
        family = KernelFamily.named(self.family)
        found = {**family.default_sizes, **({} if is_large else self.small_sizes())}
        names = (*(p.name for p in kernel.domain.parameters), *(scalar.name for scalar in kernel.scalars))
        return {name: found[name] for name in names}

    @property
    def refusal(self) -> str:
        """Why there is no such kernel, empty if there is one."""
        try:
            self._configuration(KernelFamily.named(self.family))
        except LayoutError as error:
            return str(error)
        return ""

    def _configuration(self, family: KernelFamily) -> Any:
        Target.named(self.target)
        if self.element not in family.elements:
            msg = f"{self.family}: wanted an element type of {', '.join(family.elements)}; got {self.element}"
            raise LayoutError(msg)
        return family.configure(self)

    def __str__(self) -> str:
        options = "".join(f" {name}={_text(value)}" for name, value in self.options.items())
        return f"{self.family} {self.element}{options} on {self.target}"


def _text(value: Any) -> str:
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def choices(target: str, *, is_quick: bool = False) -> Iterator[Choice]:
    """Every kernel for a target, those that it refuses too; quick: each type once, variants in turn."""
    for family in FAMILIES.values():
        for number, element in enumerate(family.elements):
            every = [Choice(family.name, target, element, variant) for variant in family.variants]
            there = [choice for choice in every if not choice.refusal] or every
            yield from [there[number % len(there)]] if is_quick else every


def _gemm_config(choice: Choice) -> GemmConfig:
    chosen = dict(choice.options)
    rung = chosen.pop("rung", "naive")
    return configured(rung, target=choice.target, element=choice.element, **chosen)


def _permuted(choice: Choice) -> Kernel:
    """A permutation of fixed lengths; of a matrix of 200 x 136 if nothing is said."""
    chosen = dict(choice.options)
    lengths = chosen.pop("lengths", (200, 136))
    order = chosen.pop("permutation", tuple(reversed(range(len(lengths)))))
    return permute(lengths, order, choice.element, target=choice.target, **chosen)


_TRANSPOSE = KernelFamily(
    name="transpose",
    configure=lambda choice: choice.element,
    build=transpose,
    small_sizes=lambda _: {"M": 256, "K": 128},
    elements=("f32", "f16"),
    options=(),
    variants=({},),
    default_sizes={"M": 2560, "K": 32},  # those of the CK blog
    operations=lambda _: 0,
    is_portable=True,
)
_FIELDS = {field.name for field in fields(GemmConfig)}
_GEMM = KernelFamily(
    name="gemm",
    configure=_gemm_config,
    build=gemm,
    small_sizes=small_gemm,
    elements=tuple(ELEMENTS),
    options=(
        "rung",
        *(row.name for row in OPTIONS.values() if row.field in _FIELDS and row.name != "block-tile"),
    ),
    variants=(
        *({"rung": rung} for rung in RUNGS),
        *({"rung": "xor", "layouts": layouts} for layouts in LAYOUTS[1:]),
        {"rung": "pipelined", "has_tails": True},
        {"rung": "pipelined", "group_m": 2, "stages_result": True},
        {"rung": "pipelined", "split_k": 2},
        {"rung": "pipelined", "has_scale": True},
    ),
    default_sizes={"M": 3328, "N": 4096, "K": 4096, "alpha": 1.5, "beta": -0.5},  # CK Tile's tutorial
    operations=lambda sizes: 2 * sizes["M"] * sizes["N"] * sizes["K"],
    is_portable=False,
)
_PERMUTE = KernelFamily(
    name="permute",
    configure=lambda choice: choice,
    build=_permuted,
    small_sizes=lambda _: {},
    elements=("f32", "f16", "bf16", "i8", "f64"),
    options=("lengths", "permutation", "path", "lds"),
    variants=(
        {},
        {"path": "registers"},
        {"lds": "padded"},
        {"lengths": (5, 50, 70), "permutation": (2, 0, 1)},
        {"lengths": (3, 6, 40, 64), "permutation": (1, 0, 2, 3)},
        {"lengths": (3, 4, 5, 36, 20), "permutation": (4, 2, 0, 3, 1)},
    ),
    default_sizes={},
    operations=lambda _: 0,
    is_portable=True,
)
_COPIES = [KernelFamily(**row) for row in (COPY, IMAGE_TO_COLUMN, BLOCKWISE_COPY)]
_ALL = (_TRANSPOSE, _PERMUTE, *_COPIES, _GEMM, KernelFamily(**WRAPPER_GEMM))
FAMILIES: Mapping[str, KernelFamily] = {family.name: family for family in _ALL}
