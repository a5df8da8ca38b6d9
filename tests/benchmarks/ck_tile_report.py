"""The findings in CK Tile as Markdown: what the run refuted, what is known of it, what the compiler says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from layoutalg.ck.fetch import PINNED
from layoutalg.verdict import Proved, Refuted, Verdict
from tests.layoutalg.ck.findings import COMPILES, Finding, findings

__all__ = ["report_text"]

Verdicts = Mapping[str, Sequence[tuple[str, Verdict]]]


def report_text(arch: str, words: Counter[str], verdicts: Verdicts, said: Mapping[int, str]) -> str:
    """One page: counts, a table of findings, and why each is what it is."""
    counts = Counter(type(verdict).__name__ for rows in verdicts.values() for _, verdict in rows)
    known = [finding for finding in findings() if arch in finding.arch]
    lines = [f"# What is refuted in CK Tile, for {arch}", ""]
    lines += [
        f"Headers: {PINNED.package} {PINNED.version}, or those of LAYOUTALG_CK_ROOT; shipped bindings.",
        "",
    ]
    lines += [f"- functions: {words.total()}, " + ", ".join(f"{n} {word}" for word, n in words.items())]
    lines += [
        f"- claims: {counts.total()}, " + ", ".join(f"{n} {word.lower()}" for word, n in counts.items())
    ]
    lines += [
        "",
        "| function | claim | witness | offsets | kind | compiled header |",
        "|---|---|---|---|---|---|",
    ]
    lines += [row(finding, said.get(number, "not asked")) for number, finding in enumerate(known)]
    lines += ["", "## Why", ""]
    lines += [f"- `{finding.place}`, {finding.claim}: {finding.why}" for finding in known]
    lines += ["", "## Against the data", "", *against(known, verdicts)]
    return "\n".join(lines) + "\n"


def row(finding: Finding, said: str) -> str:
    """A line of the table."""
    name = finding.function.rpartition("::")[2]
    witness = (
        ", ".join(f"{axis}={value}" for axis, value in finding.witness.items()) or finding.more["message"]
    )
    offsets = ", ".join(map(str, finding.offsets)) or "-"
    answer = said.partition("\n")[0]
    return f"| `{name}` | {finding.claim} | {witness} | {offsets} | {finding.kind} | {answer} |"


def against(known: Sequence[Finding], verdicts: Verdicts) -> list[str]:
    """What this run has that the data have not, and the other way round."""
    listed = {(f.target, f.claim, tuple(f.witness.items())) for f in known if f.claim != COMPILES}
    found = {
        (target, claim, tuple(verdict.point.items()) if isinstance(verdict, Refuted) else ())
        for target, rows in verdicts.items()
        for claim, verdict in rows
        if not isinstance(verdict, Proved)
    }
    lines = [f"- new: {target} {claim} {dict(point)}" for target, claim, point in sorted(found - listed)]
    lines += [f"- gone: {target} {claim} {dict(point)}" for target, claim, point in sorted(listed - found)]
    return lines or ["Nothing else is refuted or unknown, and nothing listed is missing."]
