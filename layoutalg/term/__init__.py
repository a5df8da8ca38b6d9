"""Index expressions as plain trees: read from text, priced for a target, run in any arithmetic.

Reading order: ``term`` (the tree), ``tokens``, ``grammar`` and ``parse`` (from text), ``as_terms`` (from
SymPy), ``cost`` (what a target pays for it), ``size`` (how large one may be).
"""

from layoutalg.term.term import CONDITIONS, OPERATIONS, Interpretation, Piece, Printer, Term, interpret_term

__all__ = ["CONDITIONS", "OPERATIONS", "Interpretation", "Piece", "Printer", "Term", "interpret_term"]
