"""What C and HIP write differently around the same formulas.

>>> C.struct("rows_sizes"), HIP.struct("rows_sizes")
('struct rows_sizes', 'rows_sizes')
>>> C.passed("rows_sizes", "sizes"), HIP.passed("rows_sizes", "sizes")
('const struct rows_sizes *sizes', 'const rows_sizes& sizes')
>>> C.array(32, "page"), HIP.array(32, "page")
('const int32_t *page', 'const int32_t* page')
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HIP", "C", "CLanguage"]


@dataclass(frozen=True)
class CLanguage:
    """Qualifiers of functions for kernels (``device``) and for the host; includes of a text, of a header."""

    device: str
    host: str
    includes: tuple[str, ...]
    header_includes: tuple[str, ...]
    is_cpp: bool

    def struct(self, name: str) -> str:
        """The type of a struct of this name."""
        return name if self.is_cpp else f"struct {name}"

    def passed(self, struct: str, name: str) -> str:
        """A parameter for a struct that is read only."""
        return f"const {struct}& {name}" if self.is_cpp else f"const struct {struct} *{name}"

    def array(self, bits: int, name: str) -> str:
        """A parameter for integers that are read only."""
        return f"const int{bits}_t{'* ' if self.is_cpp else ' *'}{name}"

    def member(self, struct: str, name: str) -> str:
        """A member of such a parameter."""
        return f"{struct}.{name}" if self.is_cpp else f"{struct}->{name}"


C = CLanguage(
    device="static inline",
    host="static inline",
    includes=("#include <stdbool.h>", "#include <stdint.h>"),
    header_includes=("#include <stdbool.h>", "#include <stdint.h>"),
    is_cpp=False,
)
HIP = CLanguage(
    device="__host__ __device__ inline",
    host="inline",
    includes=(),
    header_includes=("#include <hip/hip_runtime.h>", "#include <stdint.h>"),
    is_cpp=True,
)
