"""Index formulas as functions in other languages."""

from layoutalg.index_code.index_function import WRITERS, IndexFunction

__all__ = ["WRITERS", "IndexFunction"]
