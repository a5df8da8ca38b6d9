"""The compilers that emitted texts must please, with every warning an error.

gcc is looked for on the path. Without it those tests are left out with a reason; with
``LAYOUTALG_GCC=required`` they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

__all__ = ["LANGUAGES", "TRAPS", "built", "compiler", "ran"]

WARNINGS = [
    *("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wparentheses", "-Wsign-compare", "-Wshadow"),
    *("-Wconversion", "-Wno-sign-conversion"),
]
LANGUAGES = {
    "c": ["-std=c11", "-x", "c"],
    "c++": ["-std=c++17", "-x", "c++"],
    "hip": ["-std=c++17", "-x", "c++", "-D__host__=", "-D__device__="],
}
TRAPS = {
    "gcc": ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"],
    "clang": ["-fsanitize=undefined,implicit-signed-integer-truncation", "-fsanitize-trap=all"],
}


def compiler(name):
    """The command of ``gcc`` or ``clang``; leaves the test out, or fails it, where there is none."""
    if name == "clang":
        return [sys.executable, "-m", "ziglang", "cc"]
    if shutil.which("gcc") is None:
        assert os.environ.get("LAYOUTALG_GCC") != "required", "wanted gcc: apt-get install gcc"
        pytest.skip("no gcc here: apt-get install gcc")
    return ["gcc"]


def built(name, language, source, *flags):
    """The program of a source; an error says what the compiler said."""
    program = source.with_suffix(f".{name}")
    command = [*compiler(name), *LANGUAGES[language], *WARNINGS, str(source), *flags, "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def ran(program, given=""):
    """What a program prints; a trap is a failure."""
    done = subprocess.run([str(program)], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-200:]}{done.stderr[-2000:]} exit status {done.returncode}"
    return done.stdout
