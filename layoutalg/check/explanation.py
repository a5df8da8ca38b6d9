r"""A refutation told as a person would: the claim, the points, the way to memory step by step, where to look.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> from layoutalg.proofs import prove
>>> from layoutalg.properties import one_to_one
>>> overlap = make_naive_tensor_descriptor((4, 8), (7, 1))
>>> claim = one_to_one(overlap, "rows")
>>> print("\n".join(explained(Obligation(claim, "a.toml", 1, "rows", overlap), prove(claim))))
claimed: for all 0 <= i0 < 4, 0 <= i1 < 8: no two indices lead to the same place
found:   (0, 7) and (1, 0) both map to 7
step by step         first  second
  index              0, 7   1, 0
  embed -> hidden 0  7      7
This is the smallest such point that was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.check.asked import Obligation
from layoutalg.check.codes import code_of
from layoutalg.errors import LayoutError
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.verdict import Refuted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.claim import Claim, Comparison
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.verdict import Verdict

__all__ = ["explained", "told"]


def told(obligation: Obligation, verdict: Verdict) -> str:
    """A verdict that is not a proof, as the lines of a failure: what was claimed, and why it is not so."""
    code = code_of(obligation.claim.name)
    lines = [f"{obligation.file}:{obligation.line}: {code.id} {obligation.claim.name} of {obligation.layout}"]
    if isinstance(verdict, Refuted):
        lines += [*explained(obligation, verdict), f"Look at: {code.look}"]
    else:
        lines += [f"claimed: {_claimed(obligation.claim)}", repr(verdict)]
    return "\n".join(lines)


def explained(obligation: Obligation, refuted: Refuted) -> list[str]:
    """The lines of the explanation."""
    claim = obligation.claim
    lines = [f"claimed: {_claimed(claim)}", f"found:   {refuted.explanation}"]
    sizes = {name: refuted.point[name] for name in _sizes(claim, obligation.chain)}
    if sizes:
        lines.append(f"sizes:   {', '.join(f'{name} = {value}' for name, value in sizes.items())}")
    for text, value in refuted.values.items():
        if claim.kind == "comparisons" and not text.isidentifier():
            lines.append(f"         {text} = {value}")
    if obligation.chain is not None and claim.witness is None:
        lines += _walk(obligation.chain, claim, refuted.point)
    elif claim.kind == "comparisons":
        index = [f"{axis.name} = {refuted.point[axis.name]}" for axis in claim.domain.axes]
        lines += [f"index:   {', '.join(index)}"] if index else []
    return [*lines, "This is the smallest such point that was found."]


def _sizes(claim: Claim, chain: TensorAdaptor | None) -> list[str]:
    """The parameters that the claim or its layout speaks of."""
    spoken = {symbol for comparison in claim.then for symbol in _symbols(comparison)}
    spoken |= {symbol for condition in claim.when for symbol in condition.free_symbols}
    ends = [end for axis in claim.domain.axes for end in (axis.lower, axis.upper) if end is not None]
    spoken |= {symbol for end in ends for symbol in end.free_symbols}
    spoken |= set(() if chain is None else chain.free_symbols)
    names = {symbol.name for symbol in spoken}
    return [parameter.name for parameter in claim.domain.parameters if parameter.name in names]


def _symbols(comparison: Comparison) -> set[Any]:
    return set(comparison.left.free_symbols | comparison.right.free_symbols)


def _claimed(claim: Claim) -> str:
    domain = str((claim.map or claim).domain if claim.kind != "comparisons" else claim.domain)
    box = domain.removeprefix("Domain: ")
    if claim.kind == "pairs":
        told = (
            "no two indices"
            if claim.name == "one-to-one"
            else f"no two values of {', '.join(map(str, claim.told))}"
        )
        return f"for all {box}: {told} lead to the same place"
    if claim.kind == "covers":
        targets = str(claim.domain).removeprefix("Domain: ")
        return f"every place {targets} is reached from {box}"
    return str(claim).partition(f"{claim.subject}: ")[2]


def _walk(chain: TensorAdaptor, claim: Claim, point: Mapping[str, int]) -> list[str]:
    """The index at every hidden dimension, one column for each point."""
    names = [symbol.name for symbol in chain.index]
    columns = [[point.get(name) for name in names]]
    if claim.kind == "pairs":
        columns.append([point.get(f"{name}'") for name in names])
    if any(None in column for column in columns):
        return []
    parameters = {name: point[name] for name in point if name in chain.parameters}
    try:
        bound = chain.bind({k: v for k, v in parameters.items() if k in {s.name for s in chain.free_symbols}})
        walks = [
            bound.interpret_hidden_index([int(v or 0) for v in column], C_INTEGERS) for column in columns
        ]
    except LayoutError:
        return []
    rows = [("step by step", ["first", "second"][: len(walks)] if len(walks) > 1 else ["value"])]
    rows.append(("  index", [", ".join(map(str, column)) for column in columns]))
    for transform, low, _ in reversed(bound.links):
        where = ", ".join(map(str, low))
        values = [", ".join(str(int(walk[i])) for i in low) for walk in walks]
        if low:
            rows.append((f"  {transform.kind} -> hidden {where}", values))
    return _aligned(rows)


def _aligned(rows: list[tuple[str, list[str]]]) -> list[str]:
    cells = [(label, *values) for label, values in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
