"""The list of broken kernels: what the sanitizer has to find, and where.

The classes are those of its checks. Hazards of the matrix cores and of other pipelines have their own tests.
"""

from __future__ import annotations

from tests.codegen.sanitizer.broken_accesses import ACCESSES
from tests.codegen.sanitizer.broken_assembly import ASSEMBLY
from tests.codegen.sanitizer.broken_edited import CK_TILE, OWN
from tests.codegen.sanitizer.broken_kernel import BrokenKernel
from tests.codegen.sanitizer.broken_order import ORDER
from tests.codegen.sanitizer.broken_triton import TRITON

__all__ = ["BROKEN", "LEAST", "BrokenKernel"]

BROKEN = (*ACCESSES, *ORDER, *ASSEMBLY, *TRITON, *OWN, *CK_TILE)
LEAST = {  # how many kernels a class has at least
    "out-of-bounds": 10,
    "misaligned": 4,
    "input-written": 4,
    "uninitialised-register": 4,
    "uninitialised-lds": 6,
    "uninitialised-memory": 5,
    "output-unwritten": 5,
    "lds-race": 8,
    "lds-lane-race": 5,
    "global-race": 8,
    "global-lane-race": 4,
    "missing-wait": 6,
    "barrier-not-reached": 5,
    "barrier-divergence": 5,
    "no-active-lane": 4,
    "address-overflow": 5,
    "endless": 2,
    "same-value": 3,
}
