"""Index formulas as functions in other languages."""

from layoutalg.index_code.index_function import WRITERS, IndexFunction
from layoutalg.index_code.python_text import to_python

__all__ = ["WRITERS", "IndexFunction", "to_python"]
