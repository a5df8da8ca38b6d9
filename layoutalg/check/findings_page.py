"""A page of what a sweep found: one section for a cause, with its witness, configurations and a command.

What sets the configurations that fail apart from those that do not is told where one parameter does.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property

from layoutalg.check.ck_sweep import Judged, Sweep, bindings_read
from layoutalg.check.codes import code_named
from layoutalg.check.finding import Finding
from layoutalg.check.report import Report
from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.fetch import find_root

__all__ = ["Cause", "KernelSummary", "causes_of", "findings_page", "kernels_of"]

LISTED = 12  # configurations of a cause that are named


@dataclass(frozen=True)
class KernelSummary:
    """What came of one kernel's configurations."""

    kernel: str
    configurations: int
    functions: int
    refuted: int
    unknown: int
    rejected: int
    errors: int

    def __str__(self) -> str:
        told = [
            f"{count} {word}"
            for count, word in (
                (self.refuted, "refuted"),
                (self.unknown, "unknown"),
                (self.rejected, "rejected by CK"),
                (self.errors, "not read"),
            )
            if count
        ]
        outcome = ", ".join(told) or "all proved"
        return (
            f"{self.kernel}: {self.configurations} configurations, {self.functions} functions with bindings:"
            f" {outcome}"
        )


def kernels_of(found: Sweep) -> list[KernelSummary]:
    """A summary for each kernel; configurations that are refuted, rejected or could not be read."""
    names = dict.fromkeys(one.kernel or "named functions" for one in found.configurations)
    return [_summary(name, found) for name in names]


def _summary(kernel: str, found: Sweep) -> KernelSummary:
    mine = [one for one in found.configurations if (one.kernel or "named functions") == kernel]
    keys = {one.key for one in mine}
    rows = [one for one in found.judged if any(c.key in keys for c in one.configurations)]

    def having(bad: Sequence[Judged]) -> int:
        return len({c.key for one in bad for c in one.configurations} & keys)

    return KernelSummary(
        kernel,
        len(mine),
        len(rows),
        having([one for one in rows if _has(one, "refuted") and not one.is_rejected]),
        having([one for one in rows if _has(one, "unknown")]),
        having([one for one in rows if one.is_rejected]),
        having([one for one in rows if _has(one, "error")]) + len(keys & {c.key for c, _ in found.errors}),
    )


def _has(one: Judged, status: str) -> bool:
    return any(finding.status == status for finding in one.findings)


@dataclass(frozen=True)
class Cause:
    """One claim on one function, and all configurations in which it fails."""

    finding: Finding  # the first of them
    judged: tuple[Judged, ...]
    holding: tuple[Judged, ...]  # the same function with bindings for which it holds

    @cached_property
    def configurations(self) -> list[Configuration]:
        """Those in which it fails."""
        found = {c.key: c for one in self.judged for c in one.configurations}
        return list(found.values())

    @property
    def setting_apart(self) -> str:
        """The parameter whose values all that fail have and none of the others; "" where there is none."""
        others = [c for one in self.holding for c in one.configurations]
        if not others:
            return ""
        for name in self.configurations[0].parameters:
            bad = {c.parameters.get(name) for c in self.configurations}
            good = {c.parameters.get(name) for c in others}
            if not bad & good:
                return (
                    f"All that fail have {name} = {' or '.join(_in_order(bad))};"
                    f" it holds with {name} = {', '.join(_in_order(good))}."
                )
        return ""


def _in_order(values: set[Value | None]) -> list[str]:
    """Values as text, numbers by size."""
    numbers = sorted(value for value in values if isinstance(value, int))
    return [*map(str, numbers), *sorted(str(value) for value in values if not isinstance(value, int))]


def causes_of(found: Sweep) -> list[Cause]:
    """What is refuted or rejected, by function and claim; those with most configurations first."""
    groups: dict[tuple[str, str], list[tuple[Finding, Judged]]] = {}
    good: dict[tuple[str, str], list[Judged]] = {}
    for one in found.judged:
        for finding in one.findings:
            key = (finding.layout, finding.claim)
            if finding.status == "refuted":
                groups.setdefault(key, []).append((finding, one))
            elif finding.status == "proved":
                good.setdefault(key, []).append(one)
    causes = [
        Cause(rows[0][0], tuple(one for _, one in rows), tuple(good.get(key, ())))
        for key, rows in groups.items()
    ]
    return sorted(causes, key=lambda cause: -len(cause.configurations))


def findings_page(found: Sweep, report: Report, tree: str = "") -> str:
    """The page, in Markdown."""
    lines = [
        "# Findings",
        "",
        report.sentence,
        "",
        "| kernel | configurations | functions | refuted | unknown | rejected by CK | not read |",
    ]
    lines.append("|---|---|---|---|---|---|---|")
    lines += [f"| {' | '.join(map(str, astuple(kernel)))} |" for kernel in kernels_of(found)]
    for number, cause in enumerate(causes_of(found), 1):
        lines += ["", *_section(number, cause, tree)]
    return "\n".join([*lines, ""])


def _section(number: int, cause: Cause, tree: str) -> Iterator[str]:
    finding, first = cause.finding, cause.judged[0]
    code = code_named(finding.code)
    yield f"## {number}. {finding.layout}: {code.claim}"
    yield ""
    yield f"{code.id}. {code.summary} {code.look}"
    yield ""
    kernels = dict.fromkeys(c.kernel or "a function by its name" for c in cause.configurations)
    yield f"- kernels: {', '.join(kernels)}"
    yield f"- found: {finding.summary}"
    yield from (f"- {detail}" for detail in finding.details)
    fails = len(cause.configurations)
    holds = len({c.key for one in cause.holding for c in one.configurations})
    yield f"- fails in {fails} configurations, holds in {holds}. {cause.setting_apart}".rstrip()
    names = [f"`{c.name}` ({c.file}:{c.line})" for c in cause.configurations[:LISTED]]
    yield f"- configurations: {', '.join(names)}{f' and {fails - LISTED} more' if fails > LISTED else ''}"
    yield ""
    yield "```sh"
    yield _command(first, tree)
    yield "```"


def _command(one: Judged, tree: str) -> str:
    """The command that shows the same again, with the bindings that are read."""
    words = ["layoutalg", "ck", "check", one.unit.target, "--arch", one.unit.arch]
    words += ["--tree", tree] if tree else []
    read = bindings_read(one.unit, find_root(tree))
    for name, value in one.unit.bindings:
        if name not in read:
            continue
        text = str(value).lower() if isinstance(value, bool) else _text(value)
        words += ["--bind", f"{name}={text}"]
    return shlex.join(words)


def _text(value: object) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
