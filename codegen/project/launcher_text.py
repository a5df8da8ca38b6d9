"""The function that launches a kernel from a host: it checks all that the kernel's claims assume.

>>> from layoutalg.codegen.matrix.kernel_matrix import Choice
>>> text = LauncherText(Choice("transpose", "gfx942", "f32").kernel(), "transpose")
>>> print(text.declaration)
hipError_t launch_transpose(const float* in, float* out, int M, int K, hipStream_t stream)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.project.size_text import SizeText, conditions_of
from layoutalg.codegen.text.source import INCLUDE, INDENT, comment, indented
from layoutalg.machine import EVERY_GPU

__all__ = ["LauncherText"]

WIDE = [
    "// Holds every product of sizes that are passed as int, and sums of such.",
    "__extension__ typedef __int128 wide;",
]


@dataclass(frozen=True)
class LauncherText:
    """The text for one kernel; ``name``: of the files, and what the function is called after."""

    kernel: Kernel
    name: str

    @property
    def function(self) -> str:
        return f"launch_{self.name}"

    @property
    def arrays(self) -> list[ArrayArgument]:
        return [one for one in self.kernel.arguments if isinstance(one, ArrayArgument)]

    @property
    def declaration(self) -> str:
        """The head of the function: the kernel's arguments, and a stream."""
        declared = [a.declaration.replace(" __restrict__", "") for a in self.kernel.arguments]
        return f"hipError_t {self.function}({', '.join([*declared, 'hipStream_t stream'])})"

    def header(self) -> str:
        """The header that a program includes."""
        return "\n".join([*self._prose(), "#pragma once", "", INCLUDE, "", f"{self.declaration};", ""])

    def source(self) -> str:
        """The function, which includes the kernel."""
        includes = [f'#include "{self.name}_launcher.h"', "", f'#include "{self.name}.hip"', ""]
        lines = ["#include <cstdint>", "", "namespace {", "", *self._checks(), "}  // namespace", ""]
        return "\n".join([*includes, *lines, *self._function(), ""])

    def _prose(self) -> list[str]:
        conditions = conditions_of(self.kernel.domain)
        pointers = ", ".join(one.name for one in self.arrays)
        outputs = " and ".join(one.name for one in self.arrays if one.is_output)
        sizes = [f"Sizes must satisfy: {', '.join(conditions)}."] if conditions else []
        words = [
            *sizes,
            *(
                f"A launch has at most {EVERY_GPU.blocks} workgroups along {axis}."
                for axis in self._open_axes
            ),
            f"{pointers} must begin at multiples of {EVERY_GPU.access_bytes} bytes.",
            "Of anything else the result is hipErrorInvalidValue, and nothing is launched.",
            *(
                f"{one.name} is added to: what it holds before counts."
                for one in self.arrays
                if one.is_added_to
            ),
            f"That {outputs} does not overlap with the others is not checked.",
        ]
        return [*comment(f"{self.kernel.summary}."), "//", *comment(" ".join(words))]

    def _checks(self) -> Iterator[str]:
        yield "bool is_aligned(const void* place)"
        yield "{"
        yield f"{INDENT}const auto address = reinterpret_cast<std::uintptr_t>(place);"
        yield f"{INDENT}return address != 0 && address % {EVERY_GPU.access_bytes} == 0;"
        yield "}"
        yield ""
        conditions = conditions_of(self.kernel.domain)
        if conditions:
            names = ", ".join(f"wide {one.name}" for one in self.kernel.domain.parameters)
            yield from [*WIDE, "", f"bool admits({names})", "{"]
            yield from indented(["return " + f"\n{INDENT * 2}&& ".join(map(_in_chain, conditions)) + ";"])
            yield from ["}", ""]

    def _function(self) -> Iterator[str]:
        sizes = ", ".join(one.name for one in self.kernel.domain.parameters)
        passed = ", ".join(argument.name for argument in self.kernel.arguments)
        refused = [f"!is_aligned({one.name})" for one in self.arrays]
        if conditions_of(self.kernel.domain):
            refused.append(f"!admits({sizes})")
        kernel, (grid, block) = self.kernel, self._shape()
        yield from [self.declaration, "{"]
        yield from indented([f"if ({' || '.join(refused)})", f"{INDENT}return hipErrorInvalidValue;"])
        yield from indented([f"const dim3 grid({grid});", f"const dim3 block({block});"])
        if long := [f"grid.{axis} > {EVERY_GPU.blocks}" for axis in self._open_axes]:
            yield from indented([f"if ({' || '.join(long)})", f"{INDENT}return hipErrorInvalidValue;"])
        yield from indented([f"{kernel.name}<<<grid, block, {kernel.dynamic_lds}, stream>>>({passed});"])
        yield from indented(["return hipGetLastError();"])
        yield "}"

    @property
    def _extents(self) -> list[str]:
        spell = SizeText(self.kernel.domain)
        return [spell(extent) for extent in self.kernel.grid]

    @property
    def _open_axes(self) -> list[str]:
        """Axes of the grid along which sizes may want more workgroups than a launch has."""
        extents = zip("xyz", self._extents, strict=False)
        return [axis for axis, extent in extents if axis != "x" and not extent.isdigit()]

    def _shape(self) -> tuple[str, str]:
        grid = (text if text.isdigit() else f"static_cast<unsigned>({text})" for text in self._extents)
        return ", ".join(grid), ", ".join(map(str, self.kernel.block))


def _in_chain(condition: str) -> str:
    """A condition as part of a chain of ``&&``."""
    return f"({condition})" if "||" in condition else condition
