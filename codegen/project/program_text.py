"""The program that runs a kernel on a GPU and compares every element with loops of the host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.matrix.inputs import LARGEST
from layoutalg.codegen.project.host_loop import host_loop
from layoutalg.codegen.project.host_number import conversions, relative_error
from layoutalg.codegen.project.launcher_text import LauncherText
from layoutalg.codegen.project.size_text import SizeText
from layoutalg.codegen.text.source import INDENT
from layoutalg.errors import LayoutError

__all__ = ["program_text"]

NEEDED = ("cmath", "cstdint", "cstdio", "cstdlib", "cstring", "vector")
CHECKING = """\
void require(hipError_t status, const char* what)
{
    if (status == hipSuccess)
        return;
    std::fprintf(stderr, "%s: %s\\n", what, hipGetErrorString(status));
    std::exit(2);
}

// Small integers that do not repeat soon, the same in every run.
template <typename T>
std::vector<T> filled(std::size_t count, unsigned seed)
{
    std::vector<T> found(count);
    for (T& one : found) {
        seed = 1664525u * seed + 1013904223u;
        one = element<T>(static_cast<int>((seed >> 16) % SPREADu) - LARGEST);
    }
    return found;
}

template <typename T>
T* on_device(const std::vector<T>& content)
{
    void* found = nullptr;
    require(hipMalloc(&found, content.size() * sizeof(T)), "hipMalloc");
    require(hipMemcpy(found, content.data(), content.size() * sizeof(T), hipMemcpyHostToDevice), "hipMemcpy");
    return static_cast<T*>(found);
}
"""


def program_text(text: LauncherText, sizes: Mapping[str, Any]) -> str:
    """The program; ``sizes``: what it runs with if its command line names no others."""
    kernel = text.kernel
    scalars = [s for s in kernel.scalars if s.kind.numpy == "int32"]
    usage = " ".join(["./test", *([f"[{' '.join(s.name for s in scalars)}]"] if scalars else [])])
    lines = [
        f"// Runs {kernel.name}",
        f"// and compares every element with loops of the host: {usage}",
        f'#include "{text.name}_launcher.h"',
        "",
        *(f"#include <{header}>" for header in NEEDED),
        "",
        "namespace {",
        "",
        *_kinds(text),
        "",
        *CHECKING.replace("SPREAD", str(2 * LARGEST + 1)).replace("LARGEST", str(LARGEST)).splitlines(),
        "",
        "}  // namespace",
        "",
        f"int main({'int argc, char** argv' if scalars else ''})",
        "{",
        *(line and f"{INDENT}{line}" for line in _main(text, sizes)),
        "}",
        "",
    ]
    return "\n".join(lines)


def _kinds(text: LauncherText) -> Iterator[str]:
    kinds = {array.element.name: array.element for array in text.arrays}
    if len({kind.hip for kind in kinds.values()}) < len(kinds):
        raise LayoutError(f"{text.kernel.name}: wanted types that C++ tells apart, got {', '.join(kinds)}")
    inputs = {array.element.name for array in text.arrays if not array.is_output}
    yield "template <typename T>"
    yield "T element(int number);"
    for name, kind in kinds.items():
        yield from conversions(kind, is_input=name in inputs)


def _main(text: LauncherText, sizes: Mapping[str, Any]) -> Iterator[str]:
    kernel, names = text.kernel, ", ".join(one.name for one in text.kernel.arguments)
    place = 0
    for scalar in kernel.scalars:
        if scalar.kind.numpy == "int32":
            place += 1
            given = f"argc > {place} ? std::atoi(argv[{place}])"
            yield f"const int {scalar.name} = {given} : {sizes[scalar.name]};"
        else:
            yield f"const {scalar.kind.hip} {scalar.name} = {_literal(sizes[scalar.name], scalar.kind.hip)};"
    sizes_given = [one.name for one in kernel.scalars if one.kind.numpy == "int32"]
    if sizes_given:
        may_be_0 = {one.name for one in kernel.domain.parameters if one.lower == 0}
        wrong = " || ".join(f"{name} < {0 if name in may_be_0 else 1}" for name in sizes_given)
        or_0 = f" ({', '.join(sorted(may_be_0))} also 0)" if may_be_0 else ""
        yield f"if ({wrong}) {{"
        yield f'{INDENT}std::fprintf(stderr, "sizes are positive integers{or_0}\\n");'
        yield f"{INDENT}return 2;"
        yield "}"
    for seed, array in enumerate(text.arrays, start=1):
        yield from _allocated(kernel, array, seed)
    passed = names
    for array in text.arrays:
        passed = ", ".join(f"{one}_there" if one == array.name else one for one in passed.split(", "))
    yield f'require({text.function}({passed}, nullptr), "{text.function}");'
    yield 'require(hipDeviceSynchronize(), "hipDeviceSynchronize");'
    for array in text.arrays:
        if array.is_output:
            size = f"{array.name}.size() * sizeof {array.name}[0]"
            copied = f"hipMemcpy({array.name}.data(), {array.name}_there, {size}, hipMemcpyDeviceToHost)"
            yield f'require({copied}, "hipMemcpy");'
        yield f'require(hipFree({array.name}_there), "hipFree");'
    yield from _comparison(kernel, next(one for one in text.arrays if one.is_output))


def _allocated(kernel: Kernel, array: ArrayArgument, seed: int) -> Iterator[str]:
    kind = array.element.hip
    size = f"static_cast<std::size_t>({_elements(kernel, array)})"
    if array.is_added_to:
        yield f"std::vector<{kind}> {array.name}({size});  // zeros"
    elif array.is_output:  # what is not written is no number, or one that is far off
        yield f"std::vector<{kind}> {array.name}({size});"
        yield f"std::memset({array.name}.data(), 0x7f, {array.name}.size() * sizeof {array.name}[0]);"
    else:
        yield f"const std::vector<{kind}> {array.name} = filled<{kind}>({size}, {seed}u);"
    yield f"{kind}* {array.name}_there = on_device({array.name});"


def _elements(kernel: Kernel, array: ArrayArgument) -> str:
    return SizeText(kernel.domain)(array.space)


def _comparison(kernel: Kernel, output: ArrayArgument) -> Iterator[str]:
    kind = output.element
    yield ""
    yield "long wrong = 0, compared = 0;"
    yield f"const auto compare = [&](const {kind.hip} found, const double wanted) {{"
    allowed = relative_error(kind)
    yield f"{INDENT}if (!(std::fabs(number(found) - wanted) <= {allowed} * std::fabs(wanted)))"
    yield f"{INDENT * 2}++wrong;"
    yield f"{INDENT}++compared;"
    yield "};"
    yield from host_loop(kernel)
    yield f'std::printf("{output.name}: %ld of %ld elements are wrong\\n", wrong, compared);'
    yield "return wrong || !compared ? 1 : 0;"


def _literal(value: float, kind: str) -> str:
    return f"{value!r}f" if kind == "float" else repr(value)
