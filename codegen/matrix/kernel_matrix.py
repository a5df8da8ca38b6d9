"""The kernels this package ships: the rows of all families, and one kernel of them as a choice.

>>> list(FAMILIES)
['transpose', 'permute', 'copy', 'image_to_column', 'blockwise_copy', 'gemm', 'wrapper_gemm', 'parts_sum']
>>> choice = Choice("gemm", "gfx942", "f16", {"rung": "xor"})
>>> str(choice), choice.small_sizes()
('gemm f16 rung=xor on gfx942', {'M': 512, 'N': 128, 'K': 96})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.blockwise_copy import family as blockwise_copy
from layoutalg.codegen.kernels.copy import family as copy
from layoutalg.codegen.kernels.gemm import family as gemm
from layoutalg.codegen.kernels.kernel_family import KernelFamily, Sizes
from layoutalg.codegen.kernels.kernel_options import Option
from layoutalg.codegen.kernels.transpose import family as transpose
from layoutalg.codegen.matrix.batch_strides import batch_stride_names, with_batch_strides
from layoutalg.codegen.matrix.leading_dimensions import leading_names, with_leading_dimensions
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.reading.near_names import not_one_of

__all__ = ["FAMILIES", "Choice", "choices", "every_option", "family_named"]

FAMILIES: Mapping[str, KernelFamily] = {
    row.name: row for rows in (transpose, copy, blockwise_copy, gemm) for row in rows.FAMILIES
}


def family_named(name: str) -> KernelFamily:
    """The family with this name."""
    if name not in FAMILIES:
        raise not_one_of("a kernel", name, FAMILIES)
    return FAMILIES[name]


def every_option() -> tuple[Option, ...]:
    """The options of all families, each once.

    >>> [option.name for option in every_option()][:4]
    ['leading-dimensions', 'lengths', 'permutation', 'path']
    """
    found = {option.name: option for family in FAMILIES.values() for option in family.options}
    return tuple(found.values())


@dataclass(frozen=True)
class Choice:
    """One kernel of a family: for which target and type, and the options that are not the usual ones."""

    family: str
    target: str
    element: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def kernel(self) -> Kernel:
        family = family_named(self.family)
        return family.build(self._configuration(family))

    def small_sizes(self, check: int = 0) -> Sizes:
        """Sizes of a quick check, of each second one others: more than one tile, more than one turn."""
        family = family_named(self.family)
        of_check = family.other_sizes if check % 2 and family.other_sizes else family.small_sizes
        return of_check(self._configuration(family))

    def sizes_for(
        self,
        kernel: Kernel,
        *,
        is_large: bool,
        given: Mapping[str, Any] = MappingProxyType({}),
        check: int = 0,
    ) -> Sizes:
        """What a launch of the kernel takes by value: the usual sizes or small ones, and factors.

        Those ``given`` stand for the usual ones; ``check``: the number of a quick one; leading dimensions
        follow from the lengths of rows, batch strides from what a matrix takes.
        """
        family = family_named(self.family)
        found = {**family.sizes_of(self), **({} if is_large else self.small_sizes(check)), **given}
        names = (*(p.name for p in kernel.domain.parameters), *(scalar.name for scalar in kernel.scalars))
        steps = {*leading_names(kernel), *batch_stride_names(kernel)}
        usual = {name: found[name] for name in names if name in given or name not in steps}
        return with_batch_strides(kernel, with_leading_dimensions(kernel, usual))

    @cached_property
    def refusal(self) -> str:
        """Why there is no such kernel, empty if there is one."""
        try:
            self._configuration(family_named(self.family))
        except LayoutError as error:
            return str(error)
        return ""

    def _configuration(self, family: KernelFamily) -> Any:
        Target.named(self.target)
        if self.element not in family.elements:
            raise not_one_of("an element type", self.element, family.elements, where=self.family)
        return family.configure(self)

    def __str__(self) -> str:
        options = "".join(f" {name}={_text(value)}" for name, value in self.options.items())
        return f"{self.family} {self.element}{options} on {self.target}"


def _text(value: Any) -> str:
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def choices(target: str, *, is_quick: bool = False) -> Iterator[Choice]:
    """The kernels for a target, those that are refused there too; quick: one variant of each type."""
    for family in FAMILIES.values():
        for number, element in enumerate(family.elements):
            every = _variants(family.name, target, element)
            there = [choice for choice in every if not choice.refusal] or every
            yield from [there[number % len(there)]] if is_quick else every


@cache
def _variants(family: str, target: str, element: str) -> tuple[Choice, ...]:
    """The kernels of a family, each made once: whether it is refused is then asked once, too."""
    return tuple(Choice(family, target, element, variant) for variant in family_named(family).variants)
