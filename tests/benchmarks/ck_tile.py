"""The whole of CK Tile through import and check: ``python -m tests.benchmarks.ck_tile [--report FILE.md]``.

Every function that makes a layout is imported with the shipped bindings and all claims on it are decided.
Printed is what was not imported, refuted or unknown, each with its witness; then the accesses to each layout
of shared memory that CK's names tell of: judged, or with the reason why not; then the counts and the times.
``--report`` writes findings as Markdown, with what is known of each and what the compiler says of it.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections import Counter
from pathlib import Path

from layoutalg.check.lds_access import JudgedAccess, NotJudged, judged_accesses
from layoutalg.ck import Imported, Index
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from layoutalg.ck.lds_pairs import lds_descriptors
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.verdict import Proved, Refuted, Verdict
from tests.benchmarks.ck_tile_report import report_text
from tests.layoutalg.ck.findings import checked, findings, imports


def decided(target: str, result: Imported) -> list[tuple[str, Verdict]]:
    """What claims gave, after printing what is not as it should be."""
    short = target.removeprefix("include/ck_tile/")
    if result.layout is None:
        print(f"{short}\n  {result.message}".replace("\n", "\n  "))
        return []
    for place, what in result.mismatched.items():
        print(f"{short}\n  lengths differ in {place}: {what}")
    for place, what in result.not_checked.items():
        print(f"{short}\n  static_assert not checked at {place}: {what}")
    found = checked(result.layout)
    for name, verdict in found:
        if not isinstance(verdict, Proved):
            witness = dict(verdict.point) if isinstance(verdict, Refuted) else ""
            print(f"{short}\n  {name}: {verdict} {witness}")
    return found


def compiler_says(arch: str) -> dict[int, str]:
    """What the compiled headers say of each finding of a target; nothing where there is no compiler."""
    if importlib.util.find_spec("ziglang") is None:
        return {}
    from tests.layoutalg.ck.oracle.confirm import confirmed  # noqa: PLC0415

    return confirmed([finding for finding in findings() if arch in finding.arch], arch)


def lds_accesses(index: Index, only: str = "") -> list[tuple[str, JudgedAccess | NotJudged]]:
    """Every access to shared memory that CK's names tell of, by the file and the layout it is of."""
    found = []
    for builder, ordinal in lds_descriptors(index):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        if only in target:
            bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
            judged = judged_accesses(target, bindings, index=index, defaults=True)
            found += [(target.removeprefix("include/ck_tile/"), one) for one in judged]
    return found


def print_lds_accesses(arch: str, only: str) -> None:
    """The accesses with their degrees and worst phases, what is not judged and why, and the counts."""
    start = time.perf_counter()
    found = lds_accesses(headers(find_root(), arch), only)
    print(f"\naccesses to shared memory on {arch}, by the names of writers and readers:")
    degrees: Counter[str] = Counter()
    for target, one in found:
        if isinstance(one, NotJudged):
            print(f"{target.partition('::')[0]}\n  {one}")
            continue
        report = one.report
        degrees["free" if report.is_free else f"{report.degree}-way"] += 1
        words = "free" if report.is_free else f"{report.degree}-way, worst {report.worst}"
        words += " (single elements: the layout promises no vectors)" if report.access.bits < 32 else ""
        proofs = ", ".join(
            f"{c.name} {type(v).__name__}" for c, v in zip(one.claims, one.verdicts, strict=True)
        )
        print(f"{target.partition('::')[0]}\n  {one.name}: {report.phases}: {words}; {proofs}")
    reasons = Counter(one.reason for _, one in found if isinstance(one, NotJudged))
    layouts = len({target for target, one in found if isinstance(one, JudgedAccess)})
    print(f"{degrees.total()} accesses judged of {layouts} layouts for {arch}: {dict(degrees)}", end="")
    print(f"; {reasons.total()} not judged; {time.perf_counter() - start:.1f} s")
    for reason, count in reasons.most_common():
        print(f"  {count} not judged: {reason}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ck_tile", description=__doc__)
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--only", default="")
    parser.add_argument("--lds", action="store_true", help="the accesses to shared memory alone")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    if options.lds:
        print_lds_accesses(options.arch, options.only)
        return
    start = time.perf_counter()
    headers(find_root(), options.arch)
    loaded = time.perf_counter() - start
    found = imports(options.arch, options.only)
    verdicts = {target: decided(target, result) for target, result, _ in found}
    total = time.perf_counter() - start
    words = Counter(result.verdict for _, result, _ in found)
    counts = Counter(type(verdict).__name__ for rows in verdicts.values() for _, verdict in rows)
    seconds = [s for _, _, s in found]
    print(f"{len(found)} functions for {options.arch}: {dict(words)}; claims: {dict(counts)}")
    print(f"load {loaded:.2f} s; import mean {1000 * sum(seconds) / max(1, len(seconds)):.1f} ms, ", end="")
    print(f"largest {1000 * max(seconds, default=0):.0f} ms; all {total:.1f} s")
    print_lds_accesses(options.arch, options.only)
    if options.report is not None:
        said = compiler_says(options.arch)
        text = report_text(options.arch, words, verdicts, said)
        options.report.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
