"""Compiled code lifted: every memory access of a kernel as a formula, with what is shown of it.

The code object itself is read, not the source or the assembly beside it; what is shown holds of what runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sympy import Expr

from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors.code_object_run import (
    code_object_of,
    launch_of_triton,
    with_argument_names,
)
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.lifting.facts_file import LiftFacts
from layoutalg.codegen.gfx9.lifting.kernel_start import Assumed, KernelStart
from layoutalg.codegen.gfx9.lifting.lifted_access import LiftedAccess
from layoutalg.codegen.gfx9.lifting.lifted_formulas import Formulas
from layoutalg.codegen.gfx9.lifting.loop_passes import KernelLoop, Visit
from layoutalg.codegen.gfx9.lifting.prover_questions import Prove
from layoutalg.codegen.gfx9.lifting.replacement import Replacement
from layoutalg.codegen.gfx9.lifting.walk import Walk
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.domain import Domain
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["LiftedKernel", "LiftedLoop", "lift", "lift_kernel"]


@dataclass(frozen=True)
class LiftedLoop:
    """A loop: ``turn`` counts its turns from 0, by ``letter``; ``turns``: the most of them, or None.

    ``last``: the number of the last turn, where the loop is left after that one and at no other time.
    """

    place: int
    turn: str
    turns: str | None
    letter: int
    last: Polynomial | None


@dataclass(frozen=True)
class LiftedKernel:
    """The accesses of a kernel and its loops; ``formulas`` says what was assumed and writes them out."""

    formulas: Formulas
    accesses: tuple[LiftedAccess, ...]
    loops: tuple[LiftedLoop, ...]

    @property
    def name(self) -> str:
        return self.formulas.assembly.name

    @property
    def assumed(self) -> Domain:
        """Ranges and facts that everything that is shown rests on."""
        return self.formulas.start.domain


def lift(
    code: Any,
    facts: LiftFacts | None = None,
    *,
    kernel: str | None = None,
    target: str | None = None,
    prove: Prove | None = None,
) -> LiftedKernel:
    """Every access of a kernel as a formula.

    ``code``: a file (.hip, .s, .co), bytes of a code object, or what ``triton.compile`` gave. ``facts``: what
    is assumed of sizes, launch and buffers; nothing else is. ``prove``: the prover that is asked what ranges
    and facts leave open, :func:`layoutalg.prove`; without one it stays open. Refused: flow that is no loops
    and branches, and targets that are not gfx9.
    """
    named = code if isinstance(code, str | Path) else None
    content = code_object_of(code, target, None if named is None else Path(named).name)
    given, lds, threads = facts or LiftFacts(), 0, None
    if hasattr(code, "asm"):
        name, threads, lds = launch_of_triton(code)
        kernel = kernel or name
    resources = with_argument_names(load_object(content).kernel(kernel), code)
    assembly = executable(content, resources.name)
    assumed = given.assumed if given.assumed.block else replace(given.assumed, block=tuple(threads or ()))
    start = KernelStart(assembly, resources, assumed, given.extents)
    return _walked(Formulas(assembly, start, dict(given.extents), content, resources.lds_bytes + lds, prove))


def lift_kernel(
    kernel: Kernel, code_object: bytes, code: Assembly | None = None, prove: Prove | None = None
) -> LiftedKernel:
    """One of our own kernels as compiled, with the sizes, facts, grid and buffers that it was proved for.

    ``code``: its instructions, those of the code object if left out; ``prove`` as of :func:`lift`.
    """
    resources = load_object(code_object).kernel(kernel.name)
    names = [argument.name for argument in kernel.arguments]
    places = [
        replace(place, name=names[number]) if number < len(names) else place
        for number, place in enumerate(resources.arguments)
    ]
    assumed = Assumed(kernel.domain, kernel.grid, kernel.block)
    assembly = code or executable(code_object, kernel.name)
    extents = {a.name: _extent(a) for a in kernel.arguments if isinstance(a, ArrayArgument)}
    start = KernelStart(assembly, replace(resources, arguments=tuple(places)), assumed, extents)
    lds = resources.lds_bytes + kernel.dynamic_lds
    return _walked(Formulas(assembly, start, extents, code_object, lds, prove))


def _extent(argument: ArrayArgument) -> Expr:
    """The bytes of a buffer, from its first element to its last."""
    return argument.space * argument.element.bits // 8


def _walked(formulas: Formulas) -> LiftedKernel:
    """The kernel with its accesses, turns named ``turn`` or, of several loops, ``turn_1`` and so on."""
    formulas.require_points()
    walk = Walk(formulas.start)
    visits = walk.run()
    loops = {loop.letter: loop for visit in visits for loop in visit.loops}
    named = _turns(formulas.words, list(loops.values()))
    formulas.turns.extend(name for name, _ in named)
    told = tuple(
        LiftedLoop(
            loop.place,
            name,
            None if loop.last is None else formulas.text(loop.last.plus(1)),
            next(iter(turn.letters)),
            loop.last if loop.letter in walk.counted else None,
        )
        for loop, (name, turn) in zip(loops.values(), named, strict=True)
    )
    turns = {letter: turn for letter, (_, turn) in zip(loops, named, strict=True)}
    accesses = tuple(access for visit in visits for access in _accesses(formulas, visit, turns))
    return LiftedKernel(formulas, accesses, told)


def _turns(words: Words, loops: Sequence[KernelLoop]) -> list[tuple[str, Polynomial]]:
    """A letter with a plain name for the turns of each loop."""
    found = []
    for number, loop in enumerate(loops, start=1):
        name = "turn" if len(loops) == 1 else f"turn_{number}"
        found.append((name, words.letter(name, ZERO, loop.last)))
    return found


def _accesses(formulas: Formulas, visit: Visit, turns: Mapping[int, Polynomial]) -> list[LiftedAccess]:
    """The accesses of one instruction: two of ``ds_read2``, and that to the LDS where data goes on there."""
    access, words = visit.access, formulas.words
    form, change = access.form, Replacement(words, turns)
    active = change.of_guard(access.active)
    around = tuple(next(iter(turns[loop.letter].letters)) for loop in visit.loops)
    common = LiftedAccess(
        formulas, access.place, form.space, form.direction, form.bytes, "", (), active, loops=around
    )
    found = []
    for address in access.addresses:
        value = _possible(formulas, change.of_value(address), active)
        cases, buffer = _without_pointer(formulas, value)
        one = replace(common, cases=cases, buffer=buffer)
        if access.base is not None and access.size is not None:
            begin, buffer = _without_pointer(formulas, change.of_value(access.base))
            size = change.of(access.size[0][1]) if len(access.size) == 1 else None
            one = replace(one, size=size)
            if len(begin) == 1 and buffer:  # offsets from the buffer, in which the resource begins somewhere
                first = begin[0][1]
                moved = tuple((holds, p + first) for holds, p in cases)
                one = replace(one, buffer=buffer, cases=moved, size=None if size is None else size + first)
        found.append(one)
    if access.lds is not None:
        found.append(replace(common, space="lds", direction="store", cases=change.of_value(access.lds)))
    return found


def _possible(formulas: Formulas, value: Value, active: int) -> Value:
    """The cases of an address in which lanes may be, where some are no formulas.

    Of registers that were not set, or of halves of numbers that guards which cannot hold brought together.
    """
    if len(value) == 1:
        return value
    both, is_never = formulas.words.guards.both, formulas.questions.is_never
    found = [
        (holds, polynomial)
        for holds, polynomial in value
        if not any(map(formulas.reason, polynomial.letters)) or not is_never(both(holds, active))
    ]
    return tuple(found) or value


def _without_pointer(formulas: Formulas, value: Value) -> tuple[Value, str]:
    """Offsets from the pointer that all cases begin at, and its name."""
    pointers = formulas.start.pointers
    names = set()
    found = []
    for holds, polynomial in value:
        own = [letter for letter in pointers if polynomial.terms.get((letter,)) == 1]
        if len(own) != 1:
            return value, "arguments" if _is_of_arguments(formulas, polynomial) else ""
        names.add(pointers[own[0]])
        found.append((holds, polynomial - Polynomial.letter(own[0])))
    return (tuple(found), names.pop()) if len(names) == 1 else (value, "")


def _is_of_arguments(formulas: Formulas, polynomial: Polynomial) -> bool:
    return formulas.start.kernarg_offset(polynomial) is not None
