"""Names of kernels: kernels with different text have different names, and each is an identifier of C.

>>> kernel_name("permute", "f32", (64, 100), "")
'permute_f32_64x100'
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

__all__ = ["digest", "kernel_name"]

DIGITS = 8  # of a digest: two of a thousand kernels share one with a chance of 1 in 8,000


def kernel_name(*words: Any) -> str:
    """Words joined by ``_`` and numbers by ``x``, without the empty ones.

    What C does not allow in a name is left out, and a digest tells it apart.

    >>> kernel_name("permute", ("4*M", 24))
    'permute_4_Mx24_ab342216'
    """
    parts = ["x".join(map(str, word)) if isinstance(word, tuple) else str(word) for word in words]
    spelled = "_".join(part for part in parts if part)
    found = re.sub(r"\W+", "_", spelled, flags=re.ASCII)
    return found if found == spelled else f"{found}_{digest([spelled])}"


def digest(parts: Iterable[str]) -> str:
    """A short number that changes with any of the parts.

    >>> digest(["a", "b"]) == digest(["ab", ""])
    False
    """
    whole = hashlib.sha256()
    for part in parts:
        text = part.encode()
        whole.update(f"{len(text)} ".encode() + text)
    return whole.hexdigest()[:DIGITS]
