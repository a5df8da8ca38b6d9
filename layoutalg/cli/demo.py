"""The CK blog's example, end to end: descriptors, closed forms, proofs, HIP, code objects, a run."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from layoutalg.codegen.compile import Compiled, compile_hip
from layoutalg.codegen.emit import verdicts
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.executors.run_file import save_run
from layoutalg.codegen.kernels import transpose
from layoutalg.descriptor.coordinate import make_tensor_coordinate
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.files import write_json, write_text
from layoutalg.length import sizes
from layoutalg.machine import Target
from layoutalg.pictures import only, view_of, write_view
from layoutalg.proofs import certificate, prove
from layoutalg.properties import covers, logical_bounds, memory_bounds, one_to_one
from layoutalg.verdict import Proved

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from rich.console import Console

    from layoutalg.claim import Claim
    from layoutalg.codegen.kernel import Kernel
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.verdict import Verdict

__all__ = ["run_demo"]

TARGETS = ("gfx90a", "gfx942", "gfx950")
BLOG_SIZE = {"M": 2560, "K": 32}
LARGE_SIZE = {"M": 4096, "K": 1024}
CORNER = 6


@dataclass
class _Demo:
    folder: Path
    target: Target
    console: Console
    report: dict[str, Any] = field(default_factory=dict)
    is_good: bool = True

    def title(self, text: str) -> None:
        self.console.print(f"\n[bold]{text}[/]")

    def line(self, text: str) -> None:
        self.console.print(f"  {text}", soft_wrap=True)


def run_demo(folder: Path, target: str, console: Console) -> bool:
    """Run the demo into a folder; True if everything was proved and every run agreed."""
    demo = _Demo(folder, Target.named(target), console)
    start = time.perf_counter()
    _descriptors(demo)
    kernel = transpose("f32")
    _prove(demo, kernel)
    if not demo.is_good:
        demo.line("[red]the kernel is not emitted: a claim is not proved[/]")
        return False
    compiled = _compile(demo, kernel)
    _run(demo, kernel, compiled[target] if target in compiled else _compiled(kernel, demo.target))
    demo.report["seconds"] = round(time.perf_counter() - start, 1)
    write_json(folder / "report.json", demo.report)
    demo.title("Written")
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        demo.line(str(path))
    demo.line(f"in {demo.report['seconds']} s")
    return demo.is_good


def _descriptors(demo: _Demo) -> None:
    demo.title("Descriptors of the CK blog")
    matrix = make_naive_tensor_descriptor((256, 128), (128, 1))
    rows = matrix.unmerge(0, (4, 64))
    merged = rows.merge(1, 2)
    point = (1, 3, 2)
    demo.line(f"{matrix.lengths} -> unmerge -> {rows.lengths}: offset {rows.offset}")
    demo.line(
        f"index {point}: offset {rows.calculate_offset(point)}, "
        f"hidden index {rows.calculate_hidden_index(point)}"
    )
    demo.line(f"{rows.lengths} -> merge -> {merged.lengths}: offset {merged.offset}")
    M1, M2, K = sizes("M1 M2 K")  # noqa: N806  the blog's names
    general = make_naive_tensor_descriptor((M1 * M2, K), (K, 1)).unmerge(0, (M1, M2))
    demo.line(f"for all sizes, (M1*M2, K) -> (M1, M2, K): offset {general.offset}")
    write_view(only(view_of(make_tensor_coordinate(rows, point)), "graph"), demo.folder / "descriptor.svg")
    write_view(only(view_of(merged), "graph"), demo.folder / "descriptor_merged.svg")
    demo.report["descriptors"] = {
        "offset": rows.calculate_offset(point),
        "hidden_index": list(rows.calculate_hidden_index(point)),
        "closed_forms": {"rows": str(rows.offset), "merged": str(merged.offset)},
        "closed_form_all_sizes": str(general.offset),
    }
    write_json(demo.folder / "closed_forms.json", demo.report["descriptors"])
    claims = _claims(rows, "rows") + _claims(general, "rows, all sizes")
    _show_claims(demo, [(claim, prove(claim)) for claim in claims], "descriptors")


def _claims(descriptor: TensorDescriptor, subject: str) -> list[Claim]:
    builders = (memory_bounds, logical_bounds, one_to_one, covers)
    return [build(descriptor, subject) for build in builders]


def _prove(demo: _Demo, kernel: Kernel) -> None:
    demo.title(f"Claims of {kernel.name}")
    sizes_text = ", ".join(str(parameter) for parameter in kernel.domain.parameters)
    demo.line(f"for all {sizes_text}, {' and '.join(map(str, kernel.domain.facts))}")
    _show_claims(demo, list(verdicts(kernel, prove)), "kernel")


def _show_claims(demo: _Demo, decided: list[tuple[Claim, Verdict]], folder: str) -> None:
    entries = []
    for number, (claim, verdict) in enumerate(decided):
        color = "green" if isinstance(verdict, Proved) else "red"
        demo.line(f"{claim.name:<22} {claim.subject:<16} [{color}]{verdict!r}[/]")
        demo.is_good = demo.is_good and isinstance(verdict, Proved)
        name = f"{number:02}_{claim.name}_{claim.subject}".replace(" ", "_").replace(",", "")
        write_json(demo.folder / "certificates" / folder / f"{name}.json", certificate(claim, verdict))
        entries.append({"claim": claim.name, "subject": claim.subject, "verdict": repr(verdict)})
    demo.report[f"claims_of_{folder}"] = entries


def _compiled(kernel: Kernel, target: Target) -> Compiled:
    return compile_hip(kernel.text, target)


def _compile(demo: _Demo, kernel: Kernel) -> dict[str, Compiled]:
    demo.title("Code objects")
    table = Table("target", "compiler", "VGPRs", "SGPRs", "spills", "LDS bytes", "object bytes", box=None)
    found = {}
    for name in TARGETS:
        compiled = _compiled(kernel, Target.named(name))
        needs = compiled.resources
        numbers = (
            needs.vgprs,
            needs.sgprs,
            needs.spills,
            needs.lds_bytes,
            len(compiled.code_object),
        )
        table.add_row(name, compiled.toolchain, *map(str, numbers))
        found[name] = compiled
        write_text(demo.folder / f"{kernel.name}.{name}.s", compiled.assembly)
    demo.console.print(table)
    demo.report["code_objects"] = {
        name: {
            "vgprs": c.resources.vgprs,
            "sgprs": c.resources.sgprs,
            "spills": c.resources.spills,
            "lds_bytes": c.resources.lds_bytes,
        }
        for name, c in found.items()
    }
    return found


def _run(demo: _Demo, kernel: Kernel, compiled: Compiled) -> None:
    demo.title(f"Runs of the {compiled.target.name} code")
    demo.report["runs"] = []
    for given in (BLOG_SIZE, LARGE_SIZE):
        matrix = _blog_input(given["M"], given["K"])
        task = Launch(kernel, compiled, given, {"in": matrix})
        result = CpuExecutor().run(task)
        same = bool(np.array_equal(result.outputs["out"], matrix.T))
        demo.is_good = demo.is_good and same
        word = "[green]equal to NumPy's transpose[/]" if same else "[red]wrong[/]"
        grid = "x".join(map(str, task.grid))
        demo.line(
            f"{given['M']} x {given['K']}, {grid} workgroups: {word} "
            f"({result.counters['waves']} waves, {result.counters['instructions']} wave "
            f"instructions, {result.seconds:.2f} s on the CPU)"
        )
        demo.report["runs"].append(
            {"sizes": given, "grid": list(task.grid), "equal": same, "device": result.device}
        )
        if given is BLOG_SIZE:
            save_run(demo.folder, task, {"out": np.ascontiguousarray(matrix.T)})
            _show_corners(demo, matrix, result.outputs["out"])


def _blog_input(rows: int, columns: int) -> NDArray[Any]:
    """Integers from -5 to 5, as the blog fills its matrix."""
    generator = np.random.default_rng(11939)
    return generator.integers(-5, 6, (rows, columns)).astype(np.float32)


def _show_corners(demo: _Demo, before: NDArray[Any], after: NDArray[Any]) -> None:
    demo.line(f"corners, {CORNER} x {CORNER}: before, and after")
    for i in range(CORNER):
        left = " ".join(f"{int(value):3d}" for value in before[i, :CORNER])
        right = " ".join(f"{int(value):3d}" for value in after[i, :CORNER])
        demo.line(f"  {left}    |  {right}")
