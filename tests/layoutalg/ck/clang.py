"""A C++ compiler as an oracle: what it refuses, and the constants that it works out."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["constants", "needs_compiler", "wrong_lines"]

needs_compiler = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the wheel ziglang")


def compiler(folder: str, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    source = Path(folder) / "asked.cpp"
    source.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ziglang", "clang", "-std=c++20", "-w", "-ferror-limit=0"]
    command += [
        "-target",
        "x86_64-linux-gnu",
        "-Wno-parentheses",
        *arguments,
    ]  # a < b < c is an error otherwise
    return subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)


def wrong_lines(folder: str, text: str) -> set[int]:
    """The lines that hold an error, or that ask for a template with one."""
    said = compiler(folder, text, "-fsyntax-only").stderr
    found = re.findall(
        r"asked\.cpp:(\d+):\d+: (?:(?:fatal )?error|note: .*requested here)", said, re.MULTILINE
    )
    return set(map(int, found))


def constants(folder: str, text: str) -> dict[str, int]:
    """The integers that a program defines with names to be seen outside, by name."""
    done = compiler(folder, text, "-S", "-emit-llvm", "-o", "-")  # prints every constant
    assert done.returncode == 0, done.stderr[:2000]
    rows = re.findall(r"^@(\w+) = .*constant i\d+ (-?\d+)", done.stdout, re.MULTILINE)
    return {name: int(number) for name, number in rows}
