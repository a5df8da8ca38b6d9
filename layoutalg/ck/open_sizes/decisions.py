"""Conditions on sizes that are not known: decided by what is known of them, else a fork."""

from __future__ import annotations

from typing import Any

import sympy

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["decide"]


def decide(interp: Interpreter, condition: Any, place: str) -> bool:
    """Whether the condition holds on the path that is followed."""
    if condition in {sympy.true, sympy.false}:
        return bool(condition)
    if interp.path is None:
        raise NotUnderstoodError(f"a branch on {condition}", place)
    found: bool = interp.path.decide(condition, place)
    return found
