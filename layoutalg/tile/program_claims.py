"""What must be true of a tile program, for all its sizes: claims that a prover decides.

Every access is within its buffer where padding lets it be, in whole vectors, at offsets that an int holds.
What is stored to global memory is stored by one workgroup alone and reaches every element of the view. Waves
come to the LDS in an order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain
from layoutalg.index.node import as_expression
from layoutalg.properties import (
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_writer,
    vector_access_map,
)
from layoutalg.tile.access_maps import WORKGROUPS, MadeAccess, accesses_of
from layoutalg.tile.lds_order import lds_order

if TYPE_CHECKING:
    from layoutalg.tile.tile_program import TileProgram

__all__ = ["program_claims"]


def program_claims(program: TileProgram) -> tuple[Claim, ...]:
    """The claims of a program, access by access.

    What cannot be claimed at all is told by a claim called ``decided``, which is refuted and says why:
    where all claims are proved, all was asked.
    """
    found: list[Claim] = []
    stores: dict[str, list[MadeAccess]] = {}
    for number, made in enumerate(accesses_of(program), start=1):
        buffer = made.access.view.buffer
        word = f"{made.way} {number}, {buffer.name}"
        found += _of_access(made, word)
        if made.way == "store" and buffer.space != "lds" and not made.is_added:
            stores.setdefault(buffer.name, []).append(made)
    for name, every in stores.items():
        if len(every) == 1:
            found += _of_result(every[0], name)
        else:
            found.append(
                _undecided(f"store, {name}: {len(every)} statements store, it would have to be known what")
            )
    return (*found, *_of_lds(program))


def _of_access(made: MadeAccess, word: str) -> Iterator[Claim]:
    view = made.access.view
    space = view.buffer.size if view.buffer.space == "lds" else view.descriptor.element_space_size
    yield memory_bounds_map(made.index_map, as_expression(space), word)
    window = made.window
    if window.scalars_per_vector > 1:
        along = window.distribution.ys[window.vector_dim_y]
        is_result = made.way == "store" and view.buffer.space != "lds"
        places = made.element_map if is_result else made.index_map
        yield from vector_access_map(places, along, window.scalars_per_vector, word)
    yield fits_integer(made.index_map.outputs, made.index_map.domain, "int32", word)


def _of_result(made: MadeAccess, name: str) -> Iterator[Claim]:
    """One workgroup stores an element, and every element is stored.

    Of elements where padding lets each be; that vectors are valid as a whole is claimed of the access.
    """
    tensor = made.window.tensor_map()
    known = {variable.symbol for variable in tensor.domain.variables}
    workgroups = tuple(v.symbol for v in made.domain.variables if v.name in WORKGROUPS)
    told = tuple(symbol for symbol in workgroups if symbol in known)
    if told:
        yield one_writer(made.element_map, told, f"store, {name}")
    elif any(v.upper != 1 for v in made.domain.variables if v.symbol in workgroups):
        yield Claim("one writer", f"store, {name}", Domain(), (_never(),))
    yield covers_map(tensor, tuple(map(as_expression, made.access.view.lengths)), f"store, {name}")


def _of_lds(program: TileProgram) -> Iterator[Claim]:
    order = lds_order(program)
    for fault in order.faults:
        yield Claim("waves in order", fault, Domain(), (_never(),))
    for reason in order.undecided:
        yield _undecided(f"waves in order, {reason}")
    if program.trace.lds and not order.faults and not order.undecided:
        same = Comparison(sympy.Integer(0), "==", sympy.Integer(0))
        yield Claim("waves in order", "LDS", Domain(), (same,))


def _undecided(subject: str) -> Claim:
    """The claim that something is decided, which it is not."""
    return Claim("decided", subject, Domain(), (_never(),))


def _never() -> Comparison:
    return Comparison(sympy.Integer(1), "==", sympy.Integer(0))
