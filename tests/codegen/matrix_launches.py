"""Launches of the kernels that the package ships, as the tests of several files take them.

Text and code of a kernel are made once for the tests that follow one another; the long tier has those of one
kernel, of whatever file, in a row (``conftest``).
"""

from __future__ import annotations

from functools import lru_cache

from layoutalg.codegen.compile import Compiled, compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import choices
from layoutalg.machine import Target

TARGETS = ("gfx90a", "gfx942", "gfx950")
EVERY = {str(choice): choice for target in TARGETS for choice in choices(target) if not choice.refusal}
LAST = 4  # kernels


@lru_cache(LAST)
def kernel_called(name: str) -> Kernel:
    return EVERY[name].kernel()


@lru_cache(LAST)
def code_called(name: str) -> Compiled:
    return compile_hip(kernel_called(name).text, Target.named(EVERY[name].target))


def launch_called(name: str, style: str = "integers", seed: int = 0) -> Launch:
    """A launch of small sizes."""
    kernel = kernel_called(name)
    sizes = EVERY[name].sizes_for(kernel, is_large=False)
    return Launch(kernel, code_called(name), sizes, inputs_of(kernel, sizes, style, seed))
