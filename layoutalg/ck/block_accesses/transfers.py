"""The transfers that the functions of a class make between registers and one of its layouts.

Which layout a transfer is for stands in its template arguments: the descriptor of its source or destination,
followed through the names of the function to the function of the class that makes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from layoutalg.ck.block_accesses.function_places import Place, places
from layoutalg.ck.block_accesses.kernel_class import (
    FAILURES,
    KernelClass,
    components,
    functions_of,
    maker,
    seen_from,
    unwrapped,
    words_in,
    words_of,
)
from layoutalg.ck.block_accesses.thread_access import NotKnown, ThreadAccess, thread_number
from layoutalg.ck.block_accesses.transfer_class import ROLES, Side, TransferClass, is_transfer
from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Scope
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.machine import TARGETS

__all__ = ["accesses_by_transfers", "data_name"]

SIDES: tuple[Side, ...] = ("source", "destination")


@dataclass(frozen=True)
class Transfer:
    """One object of a transfer class: its class, its template and constructor arguments, where it is made."""

    kind: TransferClass
    arguments: list[Node]
    given: list[Node]
    place: Place

    @property
    def name(self) -> str:
        return f"{self.place.name or 'a'} ({self.kind.name})"


def accesses_by_transfers(kernel: KernelClass, function: str) -> Iterator[ThreadAccess | NotKnown]:
    """The accesses to the layout that a function of the class makes."""
    for owner in kernel.family():
        for declared in functions_of(owner):
            if not any(is_transfer(word) for word in words_in(declared)):
                continue
            for place in places(declared, _is_made):
                yield from _accesses(kernel, place, function)


def _is_made(node: Node) -> bool:
    """Whether a node makes an object of a type that is named."""
    return isinstance(node, syntax.Call | syntax.Construct) and isinstance(_type_of(node), syntax.Name)


def _type_of(node: Node) -> Node | None:
    return node.callee if isinstance(node, syntax.Call) else getattr(node, "type", None)


def _accesses(kernel: KernelClass, place: Place, function: str) -> Iterator[ThreadAccess | NotKnown]:
    named = seen_from(place, kernel)
    made = place.node
    assert isinstance(made, syntax.Call | syntax.Construct)
    kind = _type_of(made)
    if isinstance(kind, syntax.Name) and not is_transfer(kind.name):
        behind = named(kind.name)
        kind = behind if isinstance(behind, syntax.Name) else None
    if not isinstance(kind, syntax.Name) or not is_transfer(kind.name) or kind.template_arguments is None:
        return
    known = TransferClass.of(kind.name, kernel.run.index)
    found = Transfer(known, kind.template_arguments, made.arguments, place)
    for side in SIDES:
        try:
            node = found.kind.argument(found.arguments, "descriptor", side)
        except LayoutError:
            continue  # a class of another form
        is_static = found.kind.origin_position(side) is None and not found.kind.bypasses  # in registers
        if not is_static and maker(node, named) == function:
            yield from _of_side(kernel, found, side)


def _of_side(kernel: KernelClass, found: Transfer, side: Side) -> Iterator[ThreadAccess | NotKnown]:
    direction = ROLES[side]["direction"]
    try:
        asked = [*found.arguments, *found.given]
        for scope in found.place.scopes(kernel.interp, kernel.scope, asked):
            yield _access(kernel, found, side, scope)
    except FAILURES as error:
        yield NotKnown(found.name, direction, words_of(error))


def _access(kernel: KernelClass, found: Transfer, side: Side, scope: Scope) -> ThreadAccess:
    interp, kind, named = kernel.interp, found.kind, seen_from(found.place, kernel)
    if kind.bypasses:
        raise LayoutError(kind.bypasses)

    def argument(role: str, of: Side | None = None) -> Any:
        return interp.evaluate(kind.argument(found.arguments, role, of), scope)

    descriptor = interp.evaluate(unwrapped(kind.argument(found.arguments, "descriptor", side), named), scope)
    if not isinstance(descriptor, TensorDescriptor):
        raise LayoutError(f"its descriptor is a {type(descriptor).__name__}")
    lengths = tuple(int(n) for n in components(argument("slice")))
    begin, used = (0,) * len(lengths), 0
    if kind.parameter("cluster"):
        group = argument("group")
        cluster = tuple(int(n) for n in components(argument("cluster")))
        begin = _begin_of_threads(kernel, group, lengths, cluster, argument("order"))
        threads, used = int(constant(kernel.member(group, "GetNumOfThread"))), math.prod(cluster)
        lengths = tuple(n // c for n, c in zip(lengths, cluster, strict=True))
    else:
        threads = _threads(kernel)
    origin = _origin(kernel, found, side, scope)
    kernel.require_one_way()
    data = interp.evaluate(unwrapped(kind.argument(found.arguments, "data", side), named), scope)
    return ThreadAccess(
        found.name,
        ROLES[side]["direction"],
        descriptor,
        tuple(a + b for a, b in zip(origin, begin, strict=True)),
        lengths,
        int(constant(argument("vector_dimension", side))),
        kind.scalars(interp, scope, found.arguments, side),
        data_name(data),
        threads,
        used,
    )


def _threads(kernel: KernelClass) -> int:
    """How many threads a block of the class has."""
    try:
        return int(constant(kernel.value("ThisThreadBlock::GetNumOfThread()")))
    except FAILURES:
        return int(constant(kernel.value("BlockSize")))


def _origin(kernel: KernelClass, found: Transfer, side: Side, scope: Scope) -> tuple[Any, ...]:
    """Where the block's slice begins, or the thread's own: an argument of the constructor."""
    position = found.kind.origin_position(side)
    if position is None or position >= len(found.given):
        raise LayoutError(f"no argument of {found.kind.name}'s constructor says where its {side} begins")
    node = found.given[position]
    return components(kernel.interp.evaluate(_first_index(node, seen_from(found.place, kernel)), scope))


def _first_index(node: Node, named: Any) -> Node:
    """Of a tuple of indices the first."""
    inner = unwrapped(node, named)
    behind = named(inner.name) if isinstance(inner, syntax.Name) else None
    return (
        _first_index(behind, named)
        if behind is not None and unwrapped(behind, named) is not behind
        else inner
    )


def _begin_of_threads(
    kernel: KernelClass, group: Any, lengths: tuple[int, ...], cluster: tuple[int, ...], order: Any
) -> tuple[Any, ...]:
    """Where each thread's part of a slice begins: the threads are a cluster, in the arrange order."""
    if len(lengths) != len(cluster) or any(n % c for n, c in zip(lengths, cluster, strict=True)):
        threads, whole = "x".join(map(str, cluster)), "x".join(map(str, lengths))
        what = f"a cluster of {threads} threads does not divide a slice of {whole}"
        raise LayoutError(f"{what}, which CK asserts")
    interp = kernel.interp
    make = kernel.value("make_cluster_descriptor")
    sequence = kernel.value(f"Sequence<{', '.join(map(str, cluster))}>{{}}")
    adaptor = interp.handlers.call(interp, make, [sequence, order], "")
    wave_size = TARGETS[kernel.run.index.arch].wave_size
    apart = kernel.member(group, "GetThreadId") - thread_number(wave_size)
    kernel.require_one_way()
    if not apart.is_Integer or apart % wave_size:  # a group may begin behind other waves of its block
        raise LayoutError(f"its threads are no whole waves: the first one is {-apart}")
    hidden = adaptor.hidden_expressions((thread_number(wave_size),))
    found = [hidden[i] for i in adaptor.bottom_dimension_hidden_ids]
    return tuple(i * (n // c) for i, n, c in zip(found, lengths, cluster, strict=True))


def data_name(value: Any) -> str:
    """The name of a type of elements."""
    return str(getattr(value, "name", "") or getattr(getattr(value, "declared", None), "name", "") or value)
