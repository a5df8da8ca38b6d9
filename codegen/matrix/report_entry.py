"""The entry of one kernel in the validation report: proved, compiled, run, compared.

What fails is recorded, not raised. It is the same on the CPU and on GPUs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from layoutalg.codegen.compile import Compiled, compile_source, resource_complaints
from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.emit import verdicts
from layoutalg.codegen.executors import Executor, Launch
from layoutalg.codegen.executors.by_name import compiler_of
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.gfx9.lifting.prover_questions import Prove
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.kernel_family import KernelFamily
from layoutalg.codegen.matrix.comparison import OutputComparison
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice, family_named
from layoutalg.codegen.matrix.kernel_run import KernelRun, run_kernel
from layoutalg.codegen.matrix.peak import peak_of
from layoutalg.codegen.matrix.torch_baseline import torch_baseline
from layoutalg.errors import LayoutError, ToolError
from layoutalg.machine import Target
from layoutalg.machine.occupancy import occupancy
from layoutalg.verdict import Proved

__all__ = ["Entry", "EntrySettings", "head_of", "report_entry", "resources_of"]

Entry = dict[str, Any]


class _FailedError(Exception):
    """Something is wrong; ``stage`` is what found it, if not the one under way."""

    def __init__(self, message: str, stage: str = "") -> None:
        self.stage = stage
        super().__init__(message)


@dataclass(frozen=True)
class EntrySettings:
    """What an entry is made with.

    ``executor``: None to compile only; ``has_time``: whether its seconds are those of a device; ``runs``:
    style of inputs, and whether the sizes are the default ones (else small).
    """

    executor: Executor | None
    prove: Prove
    runs: tuple[tuple[str, bool], ...] = (("integers", False),)
    has_time: bool = False
    seed: int = 0


def report_entry(choice: Choice, settings: EntrySettings) -> Entry:
    """The entry of a kernel in the report."""
    return _EntryWriter(choice, settings, {}).entry()


@dataclass(frozen=True)
class _EntryWriter:
    """Takes a kernel through all stages; ``found`` gathers what each of them tells."""

    choice: Choice
    settings: EntrySettings
    found: Entry

    def entry(self) -> Entry:
        """Status passed, failed or left out, and all that was found on the way there."""
        start, choice = time.perf_counter(), self.choice
        head = head_of(choice)
        if choice.refusal:
            return head | {"status": "left out", "message": choice.refusal, "seconds": 0.0}
        stage, end = "build", {"status": "passed"}
        try:
            kernel = choice.kernel()
            self.found["name"] = kernel.name
            stage = "proof"
            self._prove(kernel)
            compiled = None
            if not compiler_of(self.settings.executor):
                stage = "compilation"
                compiled = self._compile(kernel)
                stage = "lifting"
                self._lift(kernel, compiled)
            stage = "execution"
            self._run(kernel, compiled)
        except _FailedError as error:
            end = {"status": "failed", "failed_at": error.stage or stage, "message": str(error)}
        except Exception as error:  # noqa: BLE001  one kernel must not stop the others
            named = isinstance(error, LayoutError | ToolError)
            message = str(error) if named else f"{type(error).__name__}: {error}"
            end = {"status": "failed", "failed_at": stage, "message": message}
            if stage == "build" and isinstance(error, LayoutError):  # a builder's refusal
                end = {"status": "left out", "message": message}
        return head | self.found | end | {"seconds": round(time.perf_counter() - start, 3)}

    def _prove(self, kernel: Kernel) -> None:
        start = time.perf_counter()
        decided = verdicts(kernel, self.settings.prove)
        open_ones = [
            {"claim": claim.name, "subject": claim.subject, "verdict": repr(verdict)}
            for claim, verdict in decided
            if not isinstance(verdict, Proved)
        ]
        self.found["claims"] = {
            "proved": len(decided) - len(open_ones),
            "not_proved": open_ones,
            "seconds": round(time.perf_counter() - start, 3),
        }
        if open_ones:
            first = open_ones[0]
            raise _FailedError(f"{first['claim']} ({first['subject']}) is {first['verdict']}")

    def _compile(self, kernel: Kernel) -> Compiled:
        made = compile_source(kernel.text, Target.named(self.choice.target))
        (resources,) = made.kernels
        self.found["resources"] = resources_of(resources, made.target)
        complaints = resource_complaints(resources, made.target, allow_spills=False)
        if complaints:
            raise _FailedError(complaints[0])
        return Compiled(made.target, made.toolchain, made.assembly, made.code_object, resources)

    def _lift(self, kernel: Kernel, compiled: Compiled) -> None:
        """Whether the compiled code accesses what the kernel claims."""
        start = time.perf_counter()
        found = validated_kernel(kernel, compiled, self.settings.prove)
        if found is None:
            return
        self.found["addresses"] = {
            "accesses": len(found.accesses),
            "proved": found.is_proved,
            "seconds": round(time.perf_counter() - start, 3),
        }
        if not found:
            raise _FailedError(str(found))

    def _run(self, kernel: Kernel, compiled: Compiled | None) -> None:
        if self.settings.executor is None:
            return
        family = family_named(self.choice.family)
        self.found["runs"] = []
        for check, (style, is_large) in enumerate(self.settings.runs):
            sizes = self.choice.sizes_for(kernel, is_large=is_large, check=check)
            task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, style, self.settings.seed))
            run = run_kernel(task, self.settings.executor, kernel.reference(task.given))
            told = {"inputs": style, "sizes": sizes}
            told |= {"agreement": {name: _as_json(found) for name, found in run.found.items()}}
            self.found["runs"].append(told | (self._speed(run, family) if self.settings.has_time else {}))
            for name, comparison in run.found.items():
                if not comparison.is_good:
                    wrong = f"{comparison.wrong} of {comparison.elements} elements of {name} are wrong"
                    told_sizes = ", ".join(f"{key} = {size}" for key, size in sizes.items())
                    raise _FailedError(f"{wrong} with {style} for {told_sizes}", "agreement")

    def _speed(self, run: KernelRun, family: KernelFamily) -> Entry:
        task, seconds = run.task, run.result.seconds
        arrays = [a for a in task.kernel.arguments if isinstance(a, ArrayArgument)]
        lengths = {a.name: task.kernel.shape_of(a, task.sizes) for a in arrays}
        moved = sum(math.prod(lengths[a.name]) * a.element.bytes for a in arrays)
        peak, operations = peak_of(self.settings.executor), family.operations(self.choice, task.sizes)
        share = (
            None if peak is None else peak.share(self.choice.element, operations / seconds, moved / seconds)
        )
        told = _rates(seconds, moved, operations)
        told |= {} if share is None else {"share_of_peak": round(share, 4)}
        beside = torch_baseline(family, self.choice.element, task.sizes)
        if beside is not None:
            told["beside"] = {"name": beside.name} | _rates(beside.seconds, moved, operations)
        return told


def head_of(choice: Choice) -> Entry:
    """What an entry says of its kernel before anything is done with it."""
    options = {key: list(v) if isinstance(v, tuple) else v for key, v in choice.options.items()}
    head: Entry = {"family": choice.family, "element": choice.element, "options": options}
    return head | {"target": choice.target, "label": str(choice)}


def _as_json(found: OutputComparison) -> Entry:
    """Its numbers; JSON has no infinities and nothing that is not a number."""
    return {key: None if not math.isfinite(value) else value for key, value in asdict(found).items()}


def _rates(seconds: float, moved: int, operations: int) -> Entry:
    told: Entry = {"seconds": seconds, "gigabytes_per_second": round(moved / seconds / 1e9, 1)}
    return told | ({"teraflops": round(operations / seconds / 1e12, 2)} if operations else {})


def resources_of(needs: KernelResources, target: Target) -> Mapping[str, Any]:
    """Registers, spills, shared memory, and how many waves share a SIMD."""
    held = occupancy(
        target.name,
        vgprs=needs.vgprs,
        sgprs=needs.sgprs,
        lds_bytes=needs.lds_bytes,
        threads=needs.max_workgroup,
    )
    return {
        "vgprs": needs.vgprs,
        "agprs": needs.agprs,
        "sgprs": needs.sgprs,
        "spills": needs.spills,
        "lds_bytes": needs.lds_bytes,
        "scratch_bytes": needs.scratch_bytes,
        "waves_per_simd": held.waves,
        "workgroups_per_unit": held.workgroups,
        "limited_by": list(held.limited_by),
    }
