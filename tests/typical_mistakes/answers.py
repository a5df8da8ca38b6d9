"""What the tool answers to a mistake: the lines that end up on the screen.

>>> python_answer("1 // 0")
Answer(kind='ZeroDivisionError', text='ZeroDivisionError: integer division or modulo by zero')
"""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

from layoutalg.cli import main
from tests.typical_mistakes.python import BEFORE

__all__ = ["Answer", "command_answer", "python_answer"]


@dataclass(frozen=True)
class Answer:
    """What was raised, or the exit status of a command; and what was said."""

    kind: str
    text: str


@cache
def _names() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(BEFORE, names)  # noqa: S102
    return names


def python_answer(typed: str) -> Answer:
    """What Python prints of a line, without the calls that led there; hints of Python itself are in it."""
    shown = io.StringIO()
    try:
        exec(typed, dict(_names()))  # noqa: S102
    except Exception as error:  # noqa: BLE001  any kind is an answer to look at
        with contextlib.redirect_stderr(shown):
            sys.__excepthook__(type(error), error.with_traceback(None), None)
        return Answer(type(error).__name__, shown.getvalue().strip())
    return Answer("", "")


def command_answer(typed: str) -> Answer:
    """What ``layoutalg`` says to a command line, on both streams."""
    shown = io.StringIO()
    words = ["layoutalg", *shlex.split(typed)]
    with (
        patch.object(sys, "argv", words),
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(shown),
    ):
        try:
            main()
        except SystemExit as stopped:
            return Answer(str(stopped.code or 0), shown.getvalue())
    return Answer("0", shown.getvalue())
