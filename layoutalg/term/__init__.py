"""Index expressions as plain trees: read from text, priced for a target, run in any arithmetic.

Reading order: ``term`` (the tree), ``tokens``, ``grammar`` and ``parse`` (from text), ``as_terms`` (from
SymPy), ``interpretation`` (run in an arithmetic), ``cost`` (what a target pays for it), ``size`` (how large
one may be).
"""

from layoutalg.term.interpretation import OPERATIONS, Interpretation, interpret_term
from layoutalg.term.term import CONDITIONS, Piece, Printer, Term

__all__ = ["CONDITIONS", "OPERATIONS", "Interpretation", "Piece", "Printer", "Term", "interpret_term"]
