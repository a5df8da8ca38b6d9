"""From HIP text to a code object: the compilers there are, and what they made."""

from layoutalg.codegen.compile.compile_hip import (
    Compiled,
    CompiledSource,
    compile_hip,
    compile_source,
    resource_complaints,
)

__all__ = ["Compiled", "CompiledSource", "compile_hip", "compile_source", "resource_complaints"]
