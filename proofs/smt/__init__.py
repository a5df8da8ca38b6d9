"""Claims as questions to Z3 and cvc5.

Reading order: ``strided_intervals`` (ranges with a step), ``formula`` and ``atom_table`` (what is
asserted, and of what), ``purification`` (expressions as polynomials over atoms), ``replay`` (steps carried
out), ``problem`` (the question), ``smt_lib``, ``integers`` and ``words`` (its text), ``solvers``.
"""
