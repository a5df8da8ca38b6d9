"""A part of a long run, for a process of its own."""

from __future__ import annotations

from importlib import import_module

__all__ = ["part"]


def part(kind, seed, count):
    """One chunk in a process of its own."""
    failures: list[str] = []
    module = import_module(f"tests.fuzz.{kind}")
    return module.run(seed, count, failures.append), failures
