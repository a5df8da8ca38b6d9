"""``layoutalg lift``: the addresses of compiled code as formulas, with what is shown of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from layoutalg.cli.kernel_request import requested, with_kernel_options
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES

if TYPE_CHECKING:
    from layoutalg.codegen.gfx9.lifting import LiftedAccess, LiftedKernel

__all__ = ["lift"]

USUAL_TARGET = "gfx942"
WAYS = {"load": "reads", "store": "writes", "atomic": "changes"}

What = Annotated[str, typer.Argument(help="A file (.hip, .s, .co), or one of our kernels by its family.")]


@with_kernel_options
def lift(
    what: What,
    facts: Annotated[Path | None, typer.Option(help="TOML: sizes, facts, launch, extents.")] = None,
    kernel: Annotated[str | None, typer.Option(help="Of a file with several.")] = None,
    target: Annotated[str | None, typer.Option(help="GPU that source is compiled for.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,  # noqa: FBT002
    every: Annotated[bool, typer.Option("--all", help="Scalar loads, too.")] = False,  # noqa: FBT002
    element: Annotated[str | None, typer.Option("--type", help="Of a kernel: element type.")] = None,
    **chosen: str | bool | None,
) -> None:
    """Lift every memory access out of compiled gfx9 code: a formula in lane, wave, workgroup and arguments.

    Shown for all sizes that the facts admit: in bounds, aligned, bank conflicts of the LDS. What is assumed
    is printed. Exit status: 0 all lifted and within bounds as far as extents are known, 1 not all,
    2 what cannot be lifted, or bad usage.
    Examples: layoutalg lift gemm --rung xor
    layoutalg lift kernel.co --facts kernel.facts.toml
    """
    found = _lifted(what, (facts, kernel, target), element, chosen)
    accesses = [one for one in found.accesses if every or one.space != "scalar"]
    if as_json:
        typer.echo(json.dumps(_as_json(found, accesses), indent=2))
    else:
        for line in _lines(found, accesses):
            typer.echo(line)
    raise typer.Exit(0 if all(map(_is_good, accesses)) else 1)


def _lifted(
    what: str, given: tuple[Path | None, str | None, str | None], element: str | None, chosen: Any
) -> LiftedKernel:
    from layoutalg.codegen.compile import compile_hip  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import lift as lift_code  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import lift_kernel, read_facts  # noqa: PLC0415
    from layoutalg.machine import Target  # noqa: PLC0415

    facts, kernel, target = given
    if what not in FAMILIES:
        return lift_code(what, None if facts is None else read_facts(facts), kernel=kernel, target=target)
    chip = Target.named(target or USUAL_TARGET)
    made = requested(what, chip.name, element, {}, chosen, is_large=False).kernel
    compiled = compile_hip(made.text, chip, lines_of=f"{made.name}.hip")
    return lift_kernel(made, compiled.code_object)


def _is_good(access: LiftedAccess) -> bool:
    """Whether it is lifted, and within bounds where it is known how far they reach."""
    if not access.is_understood:
        return False
    return access.bounds.is_shown or access.extent is None


def _lines(found: LiftedKernel, accesses: list[LiftedAccess]) -> Iterator[str]:
    """The report: what is assumed, each access, and what is shown of how many."""
    yield f"{found.name} ({found.formulas.target})"
    yield f"assumed: {str(found.assumed).removeprefix('Domain: ')}"
    for loop in found.loops:
        yield f"{loop.turn}: 0 <= {loop.turn} < {loop.turns or 'a number that is not known'}"
    for access in accesses:
        yield ""
        where = f"{access.line}: " if access.line else ""
        yield f"{where}{access.instruction.text}"
        of = access.buffer or {"lds": "LDS"}.get(access.space, access.space)
        yield f"  {WAYS[access.direction]} {access.bytes} bytes of {of} at {access.formula}"
        if access.when:
            yield f"  where {access.when}"
        yield f"  {'; '.join(_said(access))}"
    yield ""
    yield _summary(accesses)


def _said(access: LiftedAccess) -> Iterator[str]:
    """What is shown of an access, or why it is no formula."""
    if not access.is_understood:
        yield f"not understood: {access.missing[0]}"
        return
    yield str(access.bounds)
    yield str(access.alignment)
    if access.conflict_cycles is not None:
        yield (
            f"bank conflicts: {access.conflict_cycles} cycles" if access.conflict_cycles else "conflict-free"
        )


def _summary(accesses: list[LiftedAccess]) -> str:
    counts = Counter(
        {
            "lifted": sum(one.is_understood for one in accesses),
            "in bounds": sum(one.is_understood and one.bounds.is_shown for one in accesses),
            "aligned": sum(one.is_understood and one.alignment.is_shown for one in accesses),
        }
    )
    told = ", ".join(f"{count} {what}" for what, count in counts.items())
    return f"{len(accesses)} accesses: {told}"


def _as_json(found: LiftedKernel, accesses: list[LiftedAccess]) -> dict[str, Any]:
    return {
        "kernel": found.name,
        "target": found.formulas.target,
        "assumed": str(found.assumed).removeprefix("Domain: "),
        "loops": [{"turn": loop.turn, "turns": loop.turns} for loop in found.loops],
        "accesses": [
            {
                "instruction": one.instruction.text,
                "address": one.instruction.address,
                "line": one.line,
                "space": one.space,
                "direction": one.direction,
                "bytes": one.bytes,
                "buffer": one.buffer,
                "offset": one.formula if one.is_understood else None,
                "where": one.when,
                "missing": list(one.missing),
                "in_bounds": one.bounds.is_shown,
                "aligned": one.alignment.is_shown,
                "conflict_cycles": one.conflict_cycles,
            }
            for one in accesses
        ],
    }
