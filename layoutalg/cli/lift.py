"""``layoutalg lift``: the addresses of compiled code as formulas, with what is shown of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from layoutalg.cli.check import Formats
from layoutalg.cli.kernel_request import requested, with_kernel_options
from layoutalg.cli.report_output import write_reports
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES
from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.codegen.gfx9.lifting import LiftedAccess, LiftedKernel, Shown

    Compared = tuple[tuple[LiftedAccess, Shown], ...]

__all__ = ["lift"]

USUAL_TARGET = "gfx942"
WAYS = {"load": "reads", "store": "writes", "atomic": "changes"}

What = Annotated[str, typer.Argument(help="A file (.hip, .s, .co), or one of our kernels by its family.")]


@with_kernel_options
def lift(  # noqa: PLR0913, PLR0917  one argument an option
    what: What,
    facts: Annotated[Path | None, typer.Option(help="TOML: sizes, facts, launch, extents.")] = None,
    kernel: Annotated[str | None, typer.Option(help="Of a file with several.")] = None,
    target: Annotated[str | None, typer.Option(help="GPU that source is compiled for.")] = None,
    against: Annotated[str | None, typer.Option(help="Layouts named like buffers; lds; NAME_load.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Tell each layout in words.")] = False,  # noqa: FBT002
    output_format: Formats = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the formulas as JSON.")] = False,  # noqa: FBT002
    every: Annotated[bool, typer.Option("--all", help="Scalar loads, too.")] = False,  # noqa: FBT002
    element: Annotated[str | None, typer.Option("--type", help="Of a kernel: element type.")] = None,
    **chosen: str | bool | None,
) -> None:
    """Lift every memory access out of compiled gfx9 code: a formula in lane, wave, workgroup and arguments.

    Shown for all sizes that the facts admit: in bounds, aligned, one writer, bank conflicts, lines of memory.
    What is assumed is printed. Our own kernels, and code --against layouts, are compared with what is
    claimed. Exit status: 0 all lifted, within bounds as far as extents are known, and as claimed; 1 not all;
    2 what cannot be lifted, or bad usage.
    Examples: layoutalg lift gemm --rung xor
    layoutalg lift kernel.co --facts kernel.facts.toml --against layouts.toml
    """
    found, compared = _lifted(what, (facts, kernel, target), element, chosen)
    if against is not None:
        compared = (*compared, *_against(found, against))
    accesses = [one for one in found.accesses if every or one.space != "scalar"]
    if output_format:
        raise typer.Exit(_reported(found, compared, what, output_format))
    if as_json:
        typer.echo(json.dumps(_as_json(found, accesses, compared), indent=2))
    else:
        for line in _lines(found, accesses, compared, explain=explain):
            typer.echo(line)
    is_as_claimed = all(shown.is_shown for _, shown in compared)
    raise typer.Exit(0 if is_as_claimed and all(map(_is_good, accesses)) else 1)


def _lifted(
    what: str, given: tuple[Path | None, str | None, str | None], element: str | None, chosen: Any
) -> tuple[LiftedKernel, Compared]:
    """The lifted kernel; of one of ours each access with whether it is as the kernel claims."""
    from layoutalg.codegen.compile import compile_hip  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import lift as lift_code  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import lift_kernel, read_facts, validate_translation  # noqa: PLC0415
    from layoutalg.machine import Target  # noqa: PLC0415
    from layoutalg.proofs import prove  # noqa: PLC0415

    facts, kernel, target = given
    if what not in FAMILIES:
        known = None if facts is None else read_facts(facts)
        lifted = lift_code(what, known, kernel=kernel, target=target, prove=prove)
        if known is not None:
            known.require_spoken_of(lifted.name, [*lifted.formulas.start.names.values()])
        return lifted, ()
    chip = Target.named(target or USUAL_TARGET)
    made = requested(what, chip.name, element, {}, chosen, is_large=False).kernel
    compiled = compile_hip(made.text, chip, lines_of=f"{made.name}.hip")
    found = lift_kernel(made, compiled.code_object, prove=prove)
    return found, validate_translation(made.accesses, found).told


def _against(found: LiftedKernel, source: str) -> Compared:
    """Accesses compared with the layouts that a source names, by the names of buffers."""
    from layoutalg.check.named_layouts import layouts_named  # noqa: PLC0415
    from layoutalg.check.subject import Subject  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import ClaimedLayout, compare_with_layouts  # noqa: PLC0415
    from layoutalg.data_type import DataType  # noqa: PLC0415

    layouts = {}
    for name, one in layouts_named(source).items():
        buffer, _, way = name.rpartition("_")
        if way not in ("load", "store"):
            buffer, way = name, ""
        if not one.element:
            hint = 'element_type = "f16"'
            raise LayoutError(f"{source}: {name}: wanted the type of its elements", hint=hint)
        places = Subject.of(name, one.value).map
        layouts[name] = ClaimedLayout(buffer, places, DataType.named(one.element), way)
    return tuple(compare_with_layouts(found, layouts))


def _reported(found: LiftedKernel, compared: Compared, what: str, formats: list[str]) -> int:
    """Write the reports of a check; gives the exit status."""
    from layoutalg.check.lift_report import LiftReport, findings_of  # noqa: PLC0415
    from layoutalg.check.outputs import outputs_of  # noqa: PLC0415

    outputs = outputs_of(formats, "--output-format")
    report = LiftReport.of(findings_of(found, compared, what))
    return report.exit_status if write_reports(report, outputs) else 2


def _is_good(access: LiftedAccess) -> bool:
    """Whether it is lifted, and within bounds where it is known how far they reach."""
    if not access.is_understood:
        return False
    return access.bounds.is_shown or access.extent is None


def _lines(
    found: LiftedKernel, accesses: list[LiftedAccess], compared: Compared, *, explain: bool
) -> Iterator[str]:
    """The report: what is assumed, each access, and what is shown of how many."""
    claimed: dict[int, list[Shown]] = {}
    for one, shown in compared:
        claimed.setdefault(id(one), []).append(shown)
    yield f"{found.name} ({found.formulas.target})"
    yield f"assumed: {str(found.assumed).removeprefix('Domain: ')}"
    for loop in found.loops:
        yield f"{loop.turn}: 0 <= {loop.turn} < {loop.turns or 'a number that is not known'}"
    told = [line for access in accesses for line in _told(access, claimed, explain=explain)]
    for name, formula in found.formulas.names.definitions.items():
        yield f"{name} = {formula}"
    yield from told
    yield ""
    yield _summary(accesses, compared)


def _told(access: LiftedAccess, claimed: Mapping[int, list[Shown]], *, explain: bool) -> Iterator[str]:
    """What an access reads or writes, where, and what is shown of it."""
    from layoutalg.codegen.gfx9.lifting import explained  # noqa: PLC0415

    yield ""
    where = f"{access.line}: " if access.line else ""
    yield f"{where}{access.instruction.text}"
    of = access.buffer or {"lds": "LDS"}.get(access.space, access.space)
    first, *others = access.short_cases
    yield f"  {WAYS[access.direction]} {access.bytes} bytes of {of} at {first}"
    yield from (f"    else {case}" for case in others)
    if access.short_when:
        yield f"  where {access.short_when}"
    yield f"  {'; '.join((*_said(access), *map(str, claimed.get(id(access), ()))))}"
    if explain:
        yield from (f"  {sentence}" for sentence in explained(access))


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
    if access.one_writer is not None:
        yield str(access.one_writer)
    if access.lines_of_memory is not None:
        yield "{} lines a wave where {} would do".format(*access.lines_of_memory)


def _summary(accesses: list[LiftedAccess], compared: Compared) -> str:
    counts = Counter(
        {
            "lifted": sum(one.is_understood for one in accesses),
            "in bounds": sum(one.is_understood and one.bounds.is_shown for one in accesses),
            "aligned": sum(one.is_understood and one.alignment.is_shown for one in accesses),
        }
    )
    if compared:
        counts["as claimed"] = len({id(one) for one, _ in compared}) - len(
            {id(one) for one, shown in compared if not shown.is_shown}
        )
    told = ", ".join(f"{count} {what}" for what, count in counts.items())
    return f"{len(accesses)} accesses: {told}"


def _as_json(found: LiftedKernel, accesses: list[LiftedAccess], compared: Compared) -> dict[str, Any]:
    claimed = {id(one): True for one, _ in compared} | {
        id(one): False for one, s in compared if not s.is_shown
    }
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
                "one_writer": None if one.one_writer is None else one.one_writer.is_shown,
                "lines": one.lines_of_memory,
                "as_claimed": claimed.get(id(one)),
            }
            for one in accesses
        ],
    }
