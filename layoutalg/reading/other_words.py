"""What other libraries and papers call the things that have another name here.

>>> called_here("shape", ["lengths", "offset"]), called_here("injective", ["covers", "one-to-one"])
(('lengths',), ('one-to-one',))
"""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["called_here"]

# A name of NumPy, PyTorch, einops, CuTe or a textbook, and the names it may have here, the likeliest first.
OTHER_WORDS = {
    "shape": ("lengths", "tensor_lengths", "low_lengths", "up_lengths"),
    "sizes": ("lengths",),
    "dims": ("lengths", "dimensions"),
    "ndim": ("rank",),
    "dim": ("rank", "dimension"),
    "axis": ("dimension", "axes"),
    "size": ("element_space_size", "num_elements"),
    "numel": ("element_space_size",),
    "stride": ("strides", "coefficients", "offset"),
    "strides": ("coefficients", "offset"),
    "transpose": ("permute",),
    "swapaxes": ("permute",),
    "reshape": ("unmerge", "merge", "rearrange"),
    "view": ("unmerge", "merge", "rearrange"),
    "flatten": ("merge",),
    "split": ("unmerge",),
    "swizzle": ("xor",),
    "is_valid": ("is_valid_index",),
    "injective": ("one-to-one", "one_to_one"),
    "unique": ("one-to-one", "one_to_one"),
    "surjective": ("covers",),
    "onto": ("covers",),
    "equal": ("same map", "same_map"),
    "equals": ("same map", "same_map"),
    "verify": ("prove",),
    "proof": ("prove",),
    "minimum": ("min",),
    "maximum": ("max",),
    "lo": ("min", "lower"),
    "hi": ("max", "upper"),
    "nvidia": ("cuda",),
    "amd": ("hip",),
    "rocm": ("hip",),
    "half": ("f16",),
    "float": ("f32",),
    "float16": ("f16",),
    "float32": ("f32",),
    "bfloat16": ("bf16",),
}


def called_here(word: str, known: Collection[str]) -> tuple[str, ...]:
    """The known names for what others call by this word."""
    return tuple(name for name in OTHER_WORDS.get(word.lower().replace("-", "_"), ()) if name in known)
