"""The command ``layoutalg``."""

from layoutalg.cli.main import main

__all__ = ["main"]
