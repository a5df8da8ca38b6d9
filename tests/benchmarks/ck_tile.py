"""The whole of CK Tile through import and check: ``python -m tests.benchmarks.ck_tile``.

Every function that makes a layout is imported with the shipped bindings and all claims on it are decided.
Printed is what was not imported, refuted or unknown, each with its witness; then the accesses to each layout
of shared memory that CK's names tell of: judged, or with the reason why not; then the counts and the times.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

from layoutalg.check.from_ck import claims_of_import, headers, subject_of_import
from layoutalg.check.lds_access import JudgedAccess, NotJudged, judged_accesses
from layoutalg.ck import Imported, Index, attempt, builders
from layoutalg.ck.bindings import default_bindings
from layoutalg.ck.fetch import find_root
from layoutalg.ck.lds_pairs import lds_descriptors
from layoutalg.ck.target import ordinals
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted


def imports(arch: str, only: str = "") -> list[tuple[str, Imported, float]]:
    """Every function with what its import gave and how long that took."""
    index = headers(find_root(), arch)
    found = []
    for builder, ordinal in sorted(
        ordinals(builders(index)).items(), key=lambda row: (row[0].file, row[0].line)
    ):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        if only in target:
            start = time.perf_counter()
            result = attempt(target, default_bindings(builder.file, builder.name, ordinal), index=index)
            found.append((target, result, time.perf_counter() - start))
    return found


def checked(layout: Any) -> list[tuple[str, Any]]:
    """The claims on a layout with their verdicts."""
    return [(claim.name, prove(claim)) for claim in claims_of_import(subject_of_import("layout", layout))]


def lds_accesses(index: Index, only: str = "") -> list[tuple[str, JudgedAccess | NotJudged]]:
    """Every access to shared memory that CK's names tell of, by the file and the layout it is of."""
    found = []
    for builder, ordinal in lds_descriptors(index):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        if only in target:
            bindings = default_bindings(builder.file, builder.name, ordinal)
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
    options = parser.parse_args()
    if options.lds:
        print_lds_accesses(options.arch, options.only)
        return
    start = time.perf_counter()
    headers(find_root(), options.arch)
    loaded = time.perf_counter() - start
    words: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    found = imports(options.arch, options.only)
    for target, result, _ in found:
        short = target.removeprefix("include/ck_tile/")
        words[result.verdict] += 1
        if result.layout is None:
            print(f"{short}\n  {result.message}".replace("\n", "\n  "))
            continue
        for place, what in result.mismatched.items():
            print(f"{short}\n  lengths differ in {place}: {what}")
        for place, what in result.not_checked.items():
            print(f"{short}\n  static_assert not checked at {place}: {what}")
        for name, verdict in checked(result.layout):
            verdicts[type(verdict).__name__] += 1
            if not isinstance(verdict, Proved):
                witness = dict(verdict.point) if isinstance(verdict, Refuted) else ""
                print(f"{short}\n  {name}: {verdict} {witness}")
    total = time.perf_counter() - start
    seconds = [s for _, _, s in found]
    print(f"{len(found)} functions for {options.arch}: {dict(words)}; claims: {dict(verdicts)}")
    print(f"load {loaded:.2f} s; import mean {1000 * sum(seconds) / max(1, len(seconds)):.1f} ms, ", end="")
    print(f"largest {1000 * max(seconds, default=0):.0f} ms; all {total:.1f} s")
    print_lds_accesses(options.arch, options.only)


if __name__ == "__main__":
    main()
