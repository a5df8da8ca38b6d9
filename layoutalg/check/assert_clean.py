"""An assertion for tests of one's own: a kernel runs without a mistake that the sanitizer knows.

>>> import numpy as np
>>> from layoutalg.codegen.compile import compile_source
>>> from layoutalg.codegen.executors import Output
>>> source = '''#include <hip/hip_runtime.h>
... extern "C" __global__ void twice(const int* x, int* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }'''
>>> made = compile_source(source, "gfx942").code_object
>>> x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
>>> assert_clean(made, [1], x, Output(y), block=[64])
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from layoutalg.check.sanitizer_report import require_clean
from layoutalg.check.suppressions import Suppression
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.kernel_checks import check_named
from layoutalg.codegen.sanitizer import sanitize, sanitize_launch

__all__ = ["assert_clean"]


def assert_clean(
    kernel: Any, *launch: Any, allow: Mapping[str, str] = MappingProxyType({}), **options: Any
) -> None:
    """Run a kernel and fail, explained, if the sanitizer finds something.

    ``kernel``, ``launch`` and ``options`` as for :func:`~layoutalg.codegen.sanitizer.sanitize`; a
    :class:`~layoutalg.codegen.executors.Launch` says all of it itself. ``allow``: checks that may fail, each
    with the reason why.
    """
    __tracebackhide__ = True
    done = (
        sanitize_launch(kernel, **options)
        if isinstance(kernel, Launch)
        else sanitize(kernel, *launch, **options)
    )
    allowed = [
        Suppression(check_named(name).name, reason, "*", "*", None, "assert_clean", 1)
        for name, reason in allow.items()
    ]
    require_clean(done, allowed)
