"""A family of kernels as a row: how its kernels are built, for what, at which sizes, with which options.

Each folder of kernels has such rows in its module ``family``, under the name ``FAMILIES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.kernel_options import Option

__all__ = ["KernelChoice", "KernelFamily", "KernelPlan", "Sizes", "no_operations", "no_sizes"]

Sizes = dict[str, Any]  # and factors, which are no integers
TorchCall = Callable[[Any, Any, Mapping[str, int]], tuple[str, Callable[[], Any]]]


class KernelChoice(Protocol):
    """What a row reads of a choice: the GPU, the type of the elements, and fields by name."""

    @property
    def target(self) -> str: ...

    @property
    def element(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


class KernelPlan(Protocol):
    """Kernels that a family would take for given sizes, the best first."""

    @property
    def options(self) -> Iterable[Mapping[str, Any]]:
        """The fields of each, as a choice takes them."""

    def rows(self) -> Iterable[Sequence[str]]:
        """What is expected of them, as a table with a head."""

    def reasons(self) -> Sequence[str]:
        """Why the first is the first."""


@dataclass(frozen=True)
class KernelFamily:
    """Kernels of one kind.

    ``configure``: the configuration of a choice, refused where its target lacks something; ``build``: the
    kernel of a configuration; ``small_sizes``: sizes to check it with; ``other_sizes``: those of a second
    check, for what the first does not run; ``elements``: the types there are, the usual one first, of which
    a target may have fewer; ``options``: those it takes; ``variants``: fields that a check goes through;
    ``default_sizes``: of a run; ``usual_sizes``: what becomes of them for a choice; ``operations``:
    additions and multiplications for sizes; ``is_portable``: whether it runs on GPUs other than AMD's too;
    ``torch_call``: given PyTorch, its type of the elements and sizes, the name and the call of what does
    the same there; ``plan``: of a choice and sizes, None where the choice's own options leave nothing to
    plan.
    """

    name: str
    configure: Callable[[Any], Any]
    build: Callable[[Any], Kernel]
    small_sizes: Callable[[Any], Sizes]
    elements: tuple[str, ...]
    options: tuple[Option, ...]
    variants: tuple[Mapping[str, Any], ...]
    default_sizes: Mapping[str, Any]
    operations: Callable[[KernelChoice, Mapping[str, Any]], int]
    is_portable: bool
    torch_call: TorchCall | None = None
    plan: Callable[[Any, Sizes], KernelPlan | None] | None = None
    usual_sizes: Callable[[KernelChoice, Mapping[str, Any]], Sizes] | None = None
    other_sizes: Callable[[Any], Sizes] | None = None

    def sizes_of(self, choice: KernelChoice) -> Sizes:
        """The sizes of a run for which a choice is made if nobody names others."""
        return self.usual_sizes(choice, self.default_sizes) if self.usual_sizes else dict(self.default_sizes)


def no_sizes(_: object) -> Sizes:
    """Small sizes of kernels whose sizes are fixed."""
    return {}


def no_operations(*_: object) -> int:
    """The operations of kernels that only move."""
    return 0
