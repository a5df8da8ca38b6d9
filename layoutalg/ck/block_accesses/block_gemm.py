"""The reads of a block GEMM: which layout its operands A and B are, and where its threads read it.

The class of the kernel gives its layouts to a block GEMM as template arguments. That class copies each
operand to registers with a ``ThreadwiseTensorSliceTransfer_v4`` of its own; the loops of ``Run`` move it.

>>> steps_of({(0, 0), (0, 8), (2, 0), (2, 8)})
(Steps(begin=0, step=2, count=2), Steps(begin=0, step=8, count=2))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from layoutalg.ck.block_accesses.function_places import Place, called, places
from layoutalg.ck.block_accesses.kernel_class import (
    FAILURES,
    KernelClass,
    class_of,
    components,
    functions_of,
    maker,
    seen_from,
    words_in,
    words_of,
)
from layoutalg.ck.block_accesses.thread_access import NotKnown, Steps, ThreadAccess
from layoutalg.ck.block_accesses.transfer_class import ROLES, TransferClass
from layoutalg.ck.block_accesses.transfers import data_name
from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import ClassType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError

__all__ = ["accesses_by_block_gemm", "steps_of"]

BLOCK_GEMM = re.compile(r"Block(wise)?Gemm\w*")
OPERANDS = frozenset("AB")


@dataclass(frozen=True)
class _Use:
    """A block GEMM that a kernel names: its own name, the operand that the layout is, where it is named."""

    name: str
    operand: str
    place: Place


def accesses_by_block_gemm(kernel: KernelClass, function: str) -> Iterator[ThreadAccess | NotKnown]:
    """The reads of the layout that a function of the class makes, by the block GEMMs that are given it."""
    for use in _uses(kernel, function):
        name = f"{use.name}: operand {use.operand}"
        try:
            gemm = _gemm(kernel, use)
            name = f"{gemm.declared.name}: operand {use.operand}"
            yield replace(_read(kernel, gemm, use.operand), name=name)
        except FAILURES as error:
            yield NotKnown(name, "read", words_of(error))


def _uses(kernel: KernelClass, function: str) -> Iterator[_Use]:
    for place in (*_in_members(kernel), *_in_functions(kernel)):
        node = place.node
        assert isinstance(node, syntax.Name)
        named = seen_from(place, kernel)
        pairs = zip(_parameters(kernel, node.name), node.template_arguments or (), strict=False)
        for parameter, argument in pairs:
            if parameter[:1] in OPERANDS and maker(argument, named) == function:
                yield _Use(node.name, parameter[0], place)
                break


def _is_block_gemm(node: Node) -> bool:
    is_named = isinstance(node, syntax.Name) and node.template_arguments is not None
    return is_named and BLOCK_GEMM.fullmatch(node.name) is not None  # type: ignore[attr-defined]


def _in_members(kernel: KernelClass) -> Iterator[Place]:
    """The block GEMMs that aliases of the class name."""
    for owner in kernel.family():
        for member in owner.declared.members:
            if member.kind == "alias" and not member.headers:
                yield from (Place(node, member.name, ()) for node in _within(member.type_node))


def _within(node: Any) -> Iterator[Node]:
    if isinstance(node, Node):
        if _is_block_gemm(node):
            yield node
        node = node.parts
    if isinstance(node, list | tuple):
        for part in node:
            yield from _within(part)


def _in_functions(kernel: KernelClass) -> Iterator[Place]:
    for owner in kernel.family():
        for declared in functions_of(owner):
            if any(BLOCK_GEMM.fullmatch(word) for word in words_in(declared)):
                yield from (place for place in places(declared, _is_block_gemm) if place.name)


def _parameters(kernel: KernelClass, name: str) -> list[str]:
    """The template parameters of a class, or of a function that selects one, as its header sees it."""
    index = kernel.run.index
    known = index.spaces.get(index.library.space, {}).get(name, [])
    templates = [d for d in known if d.headers and d.pattern is None]
    seen = index.seen(templates, kernel.owner.declared.source.name)
    return [p.name for p in seen[0].parameters] if seen else []


def _gemm(kernel: KernelClass, use: _Use) -> ClassType:
    """The class of the block GEMM: the kernel's alias, or the object or alias of one of its functions."""
    name = syntax.Name(use.place.node.source, use.place.node.at, use.place.name, None)
    for scope in use.place.scopes(kernel.interp, kernel.scope, name):
        with kernel.interp.asking_for_a_type():
            found = class_of(kernel.interp.evaluate(name, scope))
        if found is None:
            raise LayoutError(f"{use.name} selects no block GEMM for these template arguments")
        return found
    raise LayoutError(f"{use.place.name} stands where these template arguments do not lead")


def _read(kernel: KernelClass, gemm: ClassType, operand: str) -> ThreadAccess:
    copy = f"{operand.lower()}_thread_copy_"
    owner, member = _copy_member(kernel, gemm, copy)
    kind = kernel.interp.evaluate(member.type_node, owner.scope) if member.type_node is not None else None
    if not isinstance(kind, ClassType):
        raise LayoutError(f"{copy} is no transfer class")
    given = {p.name: v for p, v in zip(kind.declared.parameters, kind.arguments, strict=False)}
    transfer = TransferClass(kind.declared)

    def role(name: str, side: Any = "source") -> Any:
        parameter = transfer.parameter(name, side)
        if not parameter:
            raise LayoutError(f"no template parameter of {transfer.name} says its {name.replace('_', ' ')}")
        return given[parameter]

    descriptor = role("descriptor")
    if not isinstance(descriptor, TensorDescriptor):
        raise LayoutError(f"the descriptor of {copy} is a {type(descriptor).__name__}")
    origin = components(kernel.interp.evaluate(_origin(owner, member), owner.scope))
    kernel.require_one_way()
    return ThreadAccess(
        copy,
        ROLES["source"]["direction"],
        descriptor,
        origin,
        tuple(int(n) for n in components(role("slice", None))),
        int(constant(role("vector_dimension"))),
        int(constant(role("scalars"))),
        data_name(role("data")),
        int(constant(kernel.value("ThisThreadBlock::GetNumOfThread()", gemm))),
        moves=steps_of(_displacements(kernel, gemm, copy)),
    )


def _copy_member(kernel: KernelClass, gemm: ClassType, name: str) -> tuple[ClassType, Declaration]:
    """The data member that copies an operand, with the class or base that has it."""
    for owner in kernel.family(gemm):
        for member in owner.declared.members:
            if member.kind == "variable" and member.name == name:
                return owner, member
    raise LayoutError(
        f"{gemm.declared.name} has no {name}: it does not copy this operand by transfers of its own"
    )


def _origin(owner: ClassType, member: Declaration) -> Node:
    """What a copy is made with: its own initialiser, or what a constructor's parameter defaults to."""
    if member.value is not None:
        inner = member.value.items if isinstance(member.value, syntax.Braces) else [member.value]
        return inner[0]
    for constructor in functions_of(owner):
        if constructor.name != owner.declared.name:
            continue
        for target, arguments in constructor.initialisers:
            if getattr(target, "name", "") == member.name and arguments:
                named = {p.name: p.default for p in constructor.arguments}
                default = named.get(getattr(arguments[0], "name", ""))
                return arguments[0] if default is None else default
    raise LayoutError(f"nothing says where {member.name} begins")


def _displacements(kernel: KernelClass, gemm: ClassType, copy: str) -> set[tuple[int, ...]]:
    """How far from a thread's origin the calls of ``copy.Run`` read."""

    def is_run(node: Node) -> bool:
        return (
            isinstance(node, syntax.Call)
            and isinstance(node.callee, syntax.Member)
            and called(node) == "Run"
            and getattr(node.callee.base, "name", "") == copy
            and len(node.arguments) > 1
        )

    for owner in kernel.family(gemm):
        found: set[tuple[int, ...]] = set()
        for declared in functions_of(owner):
            if copy in words_in(declared):
                for place in places(declared, is_run):
                    moved = place.node.arguments[1]  # type: ignore[attr-defined]
                    for scope in place.scopes(kernel.interp, owner.scope, moved):
                        value = kernel.interp.evaluate(moved, scope)
                        found.add(tuple(int(n) for n in components(value)))
        if found:
            return found
    raise LayoutError(f"no function of {gemm.declared.name} runs {copy}")


def steps_of(points: Iterable[tuple[int, ...]]) -> tuple[Steps, ...]:
    """Displacements as loops, one a dimension; ``LayoutError`` where they are no such product."""
    known = set(points)
    rows = [sorted(set(column)) for column in zip(*known, strict=True)]
    found = []
    for row in rows:
        step = row[1] - row[0] if len(row) > 1 else 1
        if row != list(range(row[0], row[-1] + 1, step)):
            raise LayoutError(f"a loop reads at {row}, which are no regular steps")
        found.append(Steps(row[0], step, len(row)))
    if math.prod(step.count for step in found) != len(known):
        raise LayoutError(f"its loops read at {len(known)} places, which are no product of steps")
    return tuple(found)
