"""Which elements of an output some workgroups of a launch store, as the kernel claims of itself.

>>> from types import SimpleNamespace
>>> from layoutalg.codegen.kernels.copy.family import COPY
>>> kernel = COPY.build(SimpleNamespace(target="gfx942", element="f32", options={"lengths": (1032,)}))
>>> out = kernel.arguments[1]
>>> kernel.grid_for({}), [int(claimed_stores(kernel, {}, out, 1032, [one]).sum()) for one in (0, 1)]
((2,), [1024, 8])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.claimed_points import claimed_elements, launched_threads
from layoutalg.codegen.kernel import ArrayArgument, Kernel

__all__ = ["claimed_stores"]


def claimed_stores(
    kernel: Kernel, sizes: Mapping[str, int], output: ArrayArgument, elements: int, workgroups: Sequence[int]
) -> NDArray[np.bool_]:
    """Marks of those of the ``elements`` of an output's memory that ``workgroups``, by number, store.

    Not marked is what depends on more than the launch; nothing is where a kernel claims no accesses.
    """
    known = {parameter.name: int(sizes[parameter.name]) for parameter in kernel.domain.parameters}
    wanted = (output.name, "store", output.element)
    stores = [one for one in kernel.accesses if (one.array, one.way, one.kind) == wanted]
    marks = np.zeros(elements, dtype=bool)
    for number in workgroups:
        launched = known | launched_threads(kernel.block, kernel.grid_for(sizes), [number])
        for access in stores:
            found = claimed_elements(access, launched)
            if found is not None:
                places = found[1]
                marks[places[(places >= 0) & (places < elements)]] = True
    return marks
