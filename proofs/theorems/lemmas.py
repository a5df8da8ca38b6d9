"""What holds of every transform, for all lengths: theorems that the prover shows, and chains rest on.

>>> lemma = next(lemma for lemma in LEMMAS if lemma.name == "merge of 3 inverts unmerge")
>>> lemma.claim.name, lemma.kind
('inverse of', 'merge')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.descriptor.make_adaptor import make_single_stage_tensor_adaptor
from layoutalg.domain import Domain
from layoutalg.length import sizes
from layoutalg.properties import covers_adaptor, inverse_of, logical_bounds, one_to_one, xor_permutes
from layoutalg.transforms import (
    Embed,
    Freeze,
    LeftPad,
    Merge,
    Modulo,
    Offset,
    Pad,
    PassThrough,
    RightPad,
    Slice,
    Transform,
    Unmerge,
    Vectorize,
    Xor,
)

if TYPE_CHECKING:
    from layoutalg.claim import Claim
    from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["LEMMAS", "Lemma", "alone"]

RANKS = (2, 3, 4)
MOST_COLUMN_BITS = 12
A, B, C, D, N, P, Q = sizes("A B C D N P Q")


@dataclass(frozen=True)
class Lemma:
    """A theorem about one kind of transform; ``condition`` says of which lengths, empty for all."""

    name: str
    kind: str
    claim: Claim
    condition: str = ""


def alone(transform: Transform, facts: Domain | None = None) -> TensorAdaptor:
    """The adaptor that is a single transform."""
    lower, upper = len(transform.lower_lengths), len(transform.upper_lengths)
    adaptor = make_single_stage_tensor_adaptor([transform], [tuple(range(lower))], [tuple(range(upper))])
    return adaptor if facts is None else adaptor.assuming(facts)


def _lemmas() -> Iterator[Lemma]:
    for rank in RANKS:
        yield from _of_merge(rank)
    yield from _of_moves()
    yield from _of_pads()
    yield from _of_others()
    for bits in range(MOST_COLUMN_BITS + 1):
        yield from _of_xor(1 << bits)


def _of_merge(rank: int) -> Iterator[Lemma]:
    lengths = (A, B, C, D)[:rank]
    merge, unmerge = alone(Merge(lengths)), alone(Unmerge(lengths))
    yield Lemma(f"merge of {rank} inverts unmerge", "merge", inverse_of(unmerge, merge, "merge"))
    yield Lemma(f"unmerge of {rank} inverts merge", "unmerge", inverse_of(merge, unmerge, "unmerge"))
    for kind, adaptor in (("merge", merge), ("unmerge", unmerge)):
        yield from _box(f"{kind} of {rank}", kind, adaptor)


def _box(name: str, kind: str, adaptor: TensorAdaptor, condition: str = "") -> Iterator[Lemma]:
    """Stays inside, one-to-one, covers: all three of a map between boxes of equal size."""
    yield Lemma(f"{name} stays in range", kind, logical_bounds(adaptor, kind), condition)
    yield Lemma(f"{name} is one-to-one", kind, one_to_one(adaptor, kind), condition)
    yield Lemma(f"{name} covers", kind, covers_adaptor(adaptor, kind), condition)


def _of_moves() -> Iterator[Lemma]:
    yield from _box("pass_through", "pass_through", alone(PassThrough(N)))
    inside = Domain.of({}, {"N": (1, None), "P": (0, None), "Q": (1, None)})
    n, p, q = inside["N"], inside["P"], inside["Q"]
    cut = alone(Slice(n, p, q), inside.where(p < q, q <= n))
    condition = "0 <= begin < end <= length"
    yield Lemma("slice stays in range", "slice", logical_bounds(cut, "slice"), condition)
    yield Lemma("slice is one-to-one", "slice", one_to_one(cut, "slice"), condition)
    yield Lemma("offset is one-to-one", "offset", one_to_one(alone(Offset(N, P)), "offset"))
    vectors = alone(Vectorize(P, N))
    yield Lemma("vectorize is one-to-one", "vectorize", one_to_one(vectors, "vectorize"))


def _of_pads() -> Iterator[Lemma]:
    pads: list[tuple[str, Any]] = [
        ("pad", Pad(N, P, Q)),
        ("left_pad", LeftPad(N, P)),
        ("right_pad", RightPad(N, Q)),
    ]
    for kind, transform in pads:
        yield from _box(kind, kind, alone(transform), "of valid indices")


def _of_others() -> Iterator[Lemma]:
    strides = Domain.of({}, {"A": (1, None), "B": (1, None), "P": (1, None), "Q": (1, None)})
    a, b, p, q = (strides[name] for name in "ABPQ")
    apart = alone(Embed((a, b), (p, q)), strides.where(q * b <= p))
    yield Lemma(
        "embed is one-to-one", "embed", one_to_one(apart, "embed"), "stride >= length below * stride below"
    )
    modulo = alone(Modulo(P, N))
    yield Lemma("modulo stays in range", "modulo", logical_bounds(modulo, "modulo"))
    short = Domain.of({}, {"N": (1, None), "P": (1, None)})
    kept = alone(Modulo(short["P"], short["N"]), short.where(short["N"] <= short["P"]))
    yield Lemma("modulo is one-to-one", "modulo", one_to_one(kept, "modulo"), "length <= modulus")
    yield Lemma("freeze is one-to-one", "freeze", one_to_one(alone(Freeze(sympy.Integer(0))), "freeze"))


def _of_xor(columns: int) -> Iterator[Lemma]:
    adaptor = alone(Xor((N, columns)))
    (permutes,) = xor_permutes(adaptor, "xor")
    condition = f"{columns} columns, any number of rows"
    yield Lemma(f"xor of {columns} columns stays in range", "xor", permutes, condition)
    yield Lemma(f"xor of {columns} columns is one-to-one", "xor", one_to_one(adaptor, "xor"), condition)


LEMMAS = tuple(_lemmas())
