"""HIP source as CUDA source: the one place that knows where the two dialects differ.

Generated kernels share nearly all of their text. CUDA has no vector types of any element and width: each
becomes an aligned structure that is loaded and stored whole, or element by element where it may begin at any
element. 16-bit floats become the bits they are, which
moves them but computes nothing with them. What only AMD's compilers know is refused.

>>> print(cuda_source("typedef float float_x2 __attribute__((ext_vector_type(2)));"))
struct __align__(8) float_x2 {
    float at[2];
    float_x2() = default;
    __device__ float_x2(float v0, float v1) : at{v0, v1} {}
    __device__ float_x2(const float_x2& from) { *this = from; }
    __device__ float_x2& operator=(const float_x2& from) {
        *reinterpret_cast<uint2*>(at) = *reinterpret_cast<const uint2*>(from.at);
        return *this;
    }
    __device__ float& operator[](int i) { return at[i]; }
    __device__ const float& operator[](int i) const { return at[i]; }
};
"""

from __future__ import annotations

import re

from layoutalg.codegen.text.source import INCLUDE
from layoutalg.errors import LayoutError

__all__ = ["cuda_source"]

VECTOR = re.compile(
    r"typedef (?P<word>[\w ]+?) (?P<name>\w+)"
    r" __attribute__\(\(ext_vector_type\((?P<n>\d+)\)(?:, aligned\((?P<aligned>\d+)\))?\)\);"
)
ALIGNED = re.compile(r"__attribute__\(\(aligned\((\d+)\)\)\)")
AMD_ONLY = re.compile(r"__builtin_\w+|\basm\b|__attribute__\b")
BITS = re.compile(r"\b(?:_Float16|__bf16)\b")
WHOLE = {2: "unsigned short", 4: "unsigned int", 8: "uint2", 16: "uint4"}  # what moves so many bytes at once
BYTES = {"char": 1, "short": 2, "int": 4, "unsigned": 4, "float": 4, "double": 8, "long long": 8}
STRUCTURE = """struct __align__({bytes}) {name} {{
    {word} at[{n}];
    {name}() = default;
    __device__ {name}({parameters}) : at{{{values}}} {{}}
    __device__ {name}(const {name}& from) {{ *this = from; }}
    __device__ {name}& operator=(const {name}& from) {{
        {moved}
        return *this;
    }}
    __device__ {word}& operator[](int i) {{ return at[i]; }}
    __device__ const {word}& operator[](int i) const {{ return at[i]; }}{converted}
}};"""

CONVERTED = """
    template <class T> __device__ {name}& operator=(const T& from) {{
        for (int i = 0; i < {n}; ++i) at[i] = from.at[i];
        return *this;
    }}
    template <class T> __device__ operator T() const {{
        T to;
        for (int i = 0; i < {n}; ++i) to.at[i] = at[i];
        return to;
    }}"""  # to and from the aligned type of as many elements

AS_ONE = "*reinterpret_cast<{whole}*>(at) = *reinterpret_cast<const {whole}*>(from.at);"
PIECES = "for (int i = 0; i < {n}; ++i) at[i] = from.at[i];"  # NVIDIA's GPUs want whole accesses aligned


def cuda_source(text: str) -> str:
    """The source in CUDA; refused where it uses what only AMD's compilers have."""
    foreign = _foreign(ALIGNED.sub("", VECTOR.sub("", text)))
    if foreign:
        msg = f"CUDA: wanted a kernel without AMD-only parts, got {', '.join(foreign)}"
        raise LayoutError(msg, hint="it runs on AMD GPUs, and on the CPU executor")
    found = BITS.sub("unsigned short", text.replace(INCLUDE, "// CUDA: no header is needed"))
    return ALIGNED.sub(r"__align__(\1)", VECTOR.sub(_structure, found))


def _foreign(text: str) -> list[str]:
    code = "\n".join(line.partition("//")[0] for line in text.splitlines())
    return sorted(set(AMD_ONLY.findall(code)))


def _structure(found: re.Match[str]) -> str:
    """A vector type as a structure of as many elements."""
    word, name, count = found["word"], found["name"], int(found["n"])
    size = count * BYTES.get(word.removeprefix("signed ").removeprefix("unsigned "), 0)
    if size not in WHOLE:
        msg = f"CUDA: wanted a vector of {', '.join(map(str, WHOLE))} bytes, got {count} x {word}"
        raise LayoutError(msg)
    values = [f"v{i}" for i in range(count)]
    return STRUCTURE.format(
        word=word,
        name=name,
        n=count,
        bytes=found["aligned"] or size,
        moved=PIECES.format(n=count) if found["aligned"] else AS_ONE.format(whole=WHOLE[size]),
        parameters=", ".join(f"{word} {value}" for value in values),
        values=", ".join(values),
        converted=CONVERTED.format(name=name, n=count) if found["aligned"] else "",
    )
