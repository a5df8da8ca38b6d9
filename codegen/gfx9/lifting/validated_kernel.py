"""A kernel of ours as compiled, held to what it claims: by formulas, and else by running all of its threads.

>>> from layoutalg.codegen.compile import compile_hip
>>> from layoutalg.codegen.kernels.transpose import permute
>>> from layoutalg.proofs import prove
>>> kernel = permute((64, 64), (1, 0))
>>> print(validated_kernel(kernel, compile_hip(kernel.text, "gfx942"), prove))
addresses of the compiled code: proved (8 accesses)
"""

from __future__ import annotations

from dataclasses import replace

from layoutalg.codegen.compile import Compiled
from layoutalg.codegen.gfx9.lifting.every_thread import every_thread, threads_to_run
from layoutalg.codegen.gfx9.lifting.lane_guards import TooManyCasesError
from layoutalg.codegen.gfx9.lifting.lift import lift_kernel
from layoutalg.codegen.gfx9.lifting.lifted_access import Shown
from layoutalg.codegen.gfx9.lifting.prover_questions import Prove
from layoutalg.codegen.gfx9.lifting.translation_validation import TranslationValidation, validate_translation
from layoutalg.codegen.kernel import Kernel

__all__ = ["validated_kernel"]

TARGETS = ("gfx90a", "gfx942", "gfx950")


def validated_kernel(kernel: Kernel, compiled: Compiled, prove: Prove) -> TranslationValidation | None:
    """A kernel of ours as compiled; None where it claims no accesses, or for code that is not lifted.

    Of code with more cases than are told apart formulas show nothing. What they do not show of a kernel whose
    sizes are all known, running all of its threads may.
    """
    if not kernel.accesses or compiled.target.name not in TARGETS:
        return None
    try:
        found = validate_translation(kernel.accesses, lift_kernel(kernel, compiled.code_object, prove=prove))
    except TooManyCasesError as error:
        shown = (
            Shown(f"every {one.way} of {one.array}", is_shown=False, missing=str(error))
            for one in kernel.accesses
        )
        found = TranslationValidation((), tuple(zip(kernel.accesses, shown, strict=True)))
    if found.is_proved or not threads_to_run(kernel):
        return found
    return replace(found, by_threads=every_thread(kernel, compiled))
