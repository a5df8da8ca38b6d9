"""What the ISA guide says single instructions do, computed one lane at a time in exact Python numbers.

The oracle follows the AMD Instinct MI300 (CDNA3) Instruction Set Architecture reference guide: chapter 5
(scalar ALU: what writes SCC), chapter 6 (vector ALU: operand modifiers, inline constants, "Literal Expansion
to 64 bits", rounding and denormal modes) and chapters 12 and 16, whose pseudocode the lambdas of the room
``oracle`` restate, a file for each subject. It shares no code with the executor: integers have arbitrary
precision and explicit masks, floats are fractions that one function rounds once, to nearest even.

Assumed beside the pseudocode: MODE is what the compiler sets for gfx9 kernels (denormals are kept, the IEEE
bit is on), and a 16-bit result clears the high half of its register (LLVM's ``zeroesHigh16BitsOfDest``).
The payload of a NaN is left open.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.codegen.gfx9.oracle.approximate import APPROXIMATE, is_close
from tests.codegen.gfx9.oracle.comparisons import COMPARISONS, SCALAR_COMPARISONS, compared
from tests.codegen.gfx9.oracle.conversions import TO_WORDS
from tests.codegen.gfx9.oracle.division import DIVISION, SCALES, div_scale
from tests.codegen.gfx9.oracle.floats import FLOAT_WORDS, FLOATING, WITH_CONSTANT
from tests.codegen.gfx9.oracle.integers import BY_LANE, CARRIES, INTEGERS
from tests.codegen.gfx9.oracle.scalar import GIVES_SCC, KEEPS_SCC, SETS_SCC_IF_NOT_ZERO, WITH_IMMEDIATE

__all__ = [
    "APPROXIMATE",
    "BY_LANE",
    "CARRIES",
    "COMPARISONS",
    "FLOATING",
    "GIVES_SCC",
    "KEEPS_SCC",
    "SCALAR_COMPARISONS",
    "SCALES",
    "SETS_SCC_IF_NOT_ZERO",
    "VECTOR",
    "WITH_CONSTANT",
    "WITH_IMMEDIATE",
    "compared",
    "div_scale",
    "is_close",
]

VECTOR: dict[str, Callable[..., int | None]] = {**INTEGERS, **TO_WORDS, **FLOAT_WORDS, **DIVISION}
