"""Index expressions: SymPy integers plus twelve nodes of our own, each with one meaning on integers.

A descriptor that merges lengths (4, 8) maps the upper index 19 to the lower index (2, 3), because
``19 // 8 == 2`` and ``19 % 8 == 3``. SymPy's own ``floor`` and ``Mod`` cannot be trusted with such
maps (``Mod(2*Mod(x, 3), 8)`` at ``x = 2`` gives 0 instead of 4), so division, remainder and the
bit operations are nodes that do nothing until every operand is an integer:

>>> from sympy import Symbol
>>> x = Symbol("x", integer=True, nonnegative=True)
>>> FloorMod(2 * FloorMod(x, 3), 8).subs(x, 2)
4

What a node needs is asked when it is built. A divisor must be positive and the operands of the bit
operations must not be negative, as far as SymPy's assumptions on the symbols tell:

>>> FloorDiv(x, Symbol("n", integer=True))
Traceback (most recent call last):
    ...
layoutalg.errors.MissingFactError: x // n: the divisor n may be 0 or negative (...)

Ranges that assumptions cannot express live in a :class:`~layoutalg.domain.Domain`; give it as
``domain=`` and the node is checked against it instead.
"""

from layoutalg.index.bits import BitAnd, BitNode, BitOr, BitXor, ShiftLeft, ShiftRight
from layoutalg.index.choice import Max, Min, Select
from layoutalg.index.division import FloorDiv, FloorMod
from layoutalg.index.node import IndexNode
from layoutalg.index.table import Entry, RunOf, Table

__all__ = [
    "BitAnd",
    "BitNode",
    "BitOr",
    "BitXor",
    "Entry",
    "FloorDiv",
    "FloorMod",
    "IndexNode",
    "Max",
    "Min",
    "RunOf",
    "Select",
    "ShiftLeft",
    "ShiftRight",
    "Table",
]
