"""The whole of CK Tile through import and check: ``python -m tests.benchmarks.ck_tile [--report FILE.md]``.

Every function that makes a layout is imported with the shipped bindings and all claims on it are decided.
Printed is what was not imported, refuted or unknown, each with its witness, then the counts and the times.
``--report`` writes the same as Markdown, with what is known of each finding and what the compiler says of it.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections import Counter
from pathlib import Path

from layoutalg.check.from_ck import headers
from layoutalg.ck import Imported
from layoutalg.ck.fetch import find_root
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ck_tile", description=__doc__)
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--only", default="")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
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
    if options.report is not None:
        said = compiler_says(options.arch)
        text = report_text(options.arch, words, verdicts, said)
        options.report.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
