"""Deciding claims about xor layouts by rank: maps that are linear over the field with two elements.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> from layoutalg.properties import one_to_one
>>> prove_by_bits(one_to_one(make_naive_tensor_descriptor_packed((64, 128)).xor(0, 1)))
proved by bits
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.errors import LayoutError
from layoutalg.index.interpret import interpret
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.bit_forms import CONSTANT, BitForms, Bits, point_of, unseen
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim, Comparison, IndexMap
    from layoutalg.domain import Domain

__all__ = ["prove_by_bits"]

FORMS = BitForms()


def prove_by_bits(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved or refuted where all is linear over bits and all lengths are powers of two, else unknown."""
    del limits
    try:
        if claim.map is not None and claim.kind != "comparisons":
            return _of_map(claim, claim.map)
        if claim.when or claim.witness is not None:
            return Unknown(NOT_MINE)
        widths = _widths(claim.domain)
        for comparison in claim.then:
            verdict = _compared(comparison, widths)
            if not isinstance(verdict, Proved):
                return verdict
        return Proved("bits", {"input bits": sum(widths.values())})
    except LayoutError:
        return Unknown(NOT_MINE)


def _widths(domain: Domain) -> dict[str, int]:
    if domain.parameters or domain.facts:
        msg = "not linear over bits: parameters or facts"
        raise LayoutError(msg)
    found = {}
    for axis in domain.axes:
        length = (
            int(axis.upper) if axis.lower == 0 and axis.upper is not None and axis.upper.is_Integer else 0
        )
        if length < 1 or length & (length - 1) or axis.multiple_of > 1:
            msg = f"not linear over bits: the length of {axis.name} is no power of two"
            raise LayoutError(msg)
        found[axis.name] = length.bit_length() - 1
    return found


def _inputs(widths: dict[str, int]) -> dict[str, Bits]:
    found, first = {}, 0
    for name, width in widths.items():
        found[name] = tuple(1 << k for k in range(first, first + width))
        first += width
    return found


def _forms(expression: Any, inputs: dict[str, Bits]) -> Bits:
    return interpret(expression, FORMS, lambda symbol: inputs[str(symbol.name)])


def _of_map(claim: Claim, index_map: IndexMap) -> Verdict:
    if index_map.when:
        return Unknown(NOT_MINE)
    widths = _widths(index_map.domain)
    inputs, count = _inputs(widths), sum(widths.values())
    outputs = [_forms(output, inputs) for output in index_map.outputs]
    rows = [bit for output in outputs for bit in output]
    if claim.witness is not None:
        return _covers(claim, outputs, rows)
    if any(not told.is_Symbol for told in claim.told):
        return Unknown(NOT_MINE)
    for inputs_unseen in unseen(rows, count):
        other = point_of(inputs_unseen, widths)
        if any(other[str(told)] for told in claim.told):
            twin = {f"{name}'": value for name, value in other.items()}
            return Refuted(dict.fromkeys(widths, 0) | twin, "", "bits")
    return Proved("bits", {"input bits": count})


def _covers(claim: Claim, outputs: list[Bits], rows: list[int]) -> Verdict:
    targets = _widths(claim.domain)
    if any(len(bits) > width for bits, width in zip(outputs, targets.values(), strict=True)):
        return Unknown("an output has more bits than its target")
    if any(len(bits) < width for bits, width in zip(outputs, targets.values(), strict=True)):
        return Unknown("an output has fewer bits than its target")
    columns = [
        sum(1 << k for k, row in enumerate(rows) if row >> place & 1)
        for place in range(CONSTANT.bit_length() - 1)
    ]
    if not unseen(columns, len(rows)):
        return Proved("bits", {"rank": len(rows)})
    return Unknown("the rank is below the number of target bits")


def _compared(comparison: Comparison, widths: dict[str, int]) -> Verdict:
    inputs = _inputs(widths)
    left, right = (_forms(side, inputs) for side in (comparison.left, comparison.right))
    if comparison.op == "==":
        gap = FORMS.bit_xor(left, right)
        if not gap:
            return Proved("bits")
        return Refuted(_different(gap, widths), "", "bits")
    if not left and comparison.op == "<=":
        return Proved("bits")
    limit = sum(1 << k for k, bit in enumerate(right) if bit == CONSTANT)
    if any(bit not in (0, CONSTANT) for bit in right):
        return Unknown("a comparison with something that varies")
    most = (1 << len(left)) - 1
    if most < limit or (most == limit and comparison.op == "<="):
        return Proved("bits")
    return Unknown("the number of bits does not decide the comparison")


def _different(gap: Bits, widths: dict[str, int]) -> dict[str, int]:
    """A point at which a bit of the gap is set."""
    form = next(bit for bit in gap if bit)
    inputs = form & (CONSTANT - 1)
    chosen = 0 if form & CONSTANT else inputs & -inputs
    return point_of(chosen, widths)
