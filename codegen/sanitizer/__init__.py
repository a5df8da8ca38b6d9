"""A sanitizer for AMD GPUs that needs none: run a kernel on the CPU, and hear all that is wrong with it.

Reading order: ``kernel_checks`` beside this folder (what is looked for), ``sanitize`` (the call),
``kernel_finding`` and ``messages`` (what is told), ``places`` (lines and addresses in words), ``line_costs``
(what each line cost), ``panels`` (what notebooks show). The checks themselves are in the machine in C
(``gfx9/native``), hazards in ``gfx9/hazards``.
"""

from layoutalg.codegen.kernel_checks import CHECKS, Check
from layoutalg.codegen.sanitizer.kernel_finding import SanitizerFinding
from layoutalg.codegen.sanitizer.line_costs import LineCost
from layoutalg.codegen.sanitizer.sanitize import Sanitized, sanitize, sanitize_code_object, sanitize_launch

__all__ = [
    "CHECKS",
    "Check",
    "LineCost",
    "Sanitized",
    "SanitizerFinding",
    "sanitize",
    "sanitize_code_object",
    "sanitize_launch",
]
