"""Layouts as a module: every name is one, and `layoutalg check layouts.py` judges them."""

import layoutalg as la

M, K = la.sizes("M K")

# The rows of a matrix whose sizes stay open, seen as tiles of 128 rows.
facts = la.Domain.of({}, {"M": (128, 65536, 128), "K": (8, 16384, 8)})
rows = la.make_naive_tensor_descriptor((M, K), (K, 1)).assuming(facts)

# Shared memory for 64 x 64 elements, with 8 of padding behind each row.
padded = la.make_naive_tensor_descriptor((64, 64), (72, 1))

# The same without padding, the columns in pieces of 8 swizzled by the row.
swizzled = (
    la.make_naive_tensor_descriptor_packed((64, 8, 8)).xor(0, 1).merge(1, 2)  # (row, piece, element)
)


def claims_swizzled() -> list[la.Claim]:
    """What `check` is to prove of it besides what every layout must hold."""
    return [la.bijective(swizzled, "swizzled"), la.vector_access(swizzled, 1, 8, "swizzled")]
