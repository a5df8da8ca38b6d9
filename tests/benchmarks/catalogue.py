"""The catalogue of layout files: every claim's verdict and time, every twin's refutation.

``python -m tests.benchmarks.catalogue [--recheck] [--twins] [--seconds 60] [PART]``. Each file is judged in
a process of its own, which is stopped when it takes longer than ``--seconds``; PART chooses files by name.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from typing import Any

from layoutalg.check.layout_file import asked_of
from layoutalg.errors import LayoutError
from layoutalg.proofs import certificate, prove
from layoutalg.proofs import recheck as rechecked
from layoutalg.verdict import Proved, Refuted, Unknown
from tests.catalogue.files import names, text_of, twins

__all__ = ["judged", "main"]


def judged(name: str, text: str, *, recheck: bool = False) -> list[dict[str, Any]]:
    """A row for each claim of a file: what it says, its verdict, by whom, seconds; or the file's error."""
    asked = asked_of(text, f"{name}.layout.toml")
    rows: list[dict[str, Any]] = [
        {
            "layout": "",
            "claim": "the file",
            "verdict": "error",
            "by": f"{error.line}: {error.what}",
            "seconds": 0.0,
        }
        for error in asked.errors
    ]
    for one in asked.obligations:
        start = time.perf_counter()
        row: dict[str, Any] = {"layout": one.layout, "claim": one.claim.name}
        try:
            verdict = prove(one.claim)
        except LayoutError as error:
            verdict = Unknown(f"refused: {error.message}")
        row["seconds"] = time.perf_counter() - start
        if isinstance(verdict, Proved):
            row |= {"verdict": "proved", "by": verdict.by}
            if recheck:
                row["recheck"] = str(rechecked(certificate(one.claim, verdict)))
        elif isinstance(verdict, Refuted):
            row |= {"verdict": "refuted", "by": str(verdict)}
        else:
            row |= {"verdict": "unknown", "by": verdict.reason}
        rows.append(row)
    return rows


def _apart(name: str, text: str, seconds: float, *, recheck: bool) -> list[dict[str, Any]]:
    asked = json.dumps({"name": name, "text": text, "recheck": recheck})
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.catalogue", "--one"],
            input=asked, capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return [
            {"layout": "", "claim": "the file", "verdict": "unknown", "by": "stopped", "seconds": seconds}
        ]
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1]
        return [{"layout": "", "claim": "the file", "verdict": "error", "by": last, "seconds": 0.0}]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--recheck", action="store_true")
    parser.add_argument("--twins", action="store_true", help="the wrong twins instead of the files")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        given = json.load(sys.stdin)
        sys.stdout.write(json.dumps(judged(given["name"], given["text"], recheck=given["recheck"])))
        return
    if options.twins:
        _print_twins(options.part, options.seconds)
    else:
        _print_files(options.part, options.seconds, recheck=options.recheck)


def _print_files(part: str, seconds: float, *, recheck: bool) -> None:
    times, counts = [], {"proved": 0, "refuted": 0, "unknown": 0, "error": 0}
    whole = confirmed = files = 0
    for name in (name for name in names() if part in name):
        rows = _apart(name, text_of(name), seconds, recheck=recheck)
        files += 1
        whole += all(row["verdict"] == "proved" for row in rows)
        for row in rows:
            counts[row["verdict"]] += 1
            times += [row["seconds"]] if row["verdict"] != "error" else []
            confirmed += str(row.get("recheck", "")).startswith("confirmed")
            told = f"{row['layout']} {row['claim']}".strip()
            by = f"{row['by'][:150]} {row.get('recheck', '')[:120]}"
            print(f"{name}: {told}: {row['verdict']} {1000 * row['seconds']:.0f} ms {by}")
    print(f"{files} files, {whole} of them proved whole; claims: {counts}")
    if times:
        print(f"median {1000 * statistics.median(times):.1f} ms, longest {max(times):.2f} s")
    if recheck:
        print(f"{confirmed} of {counts['proved']} proofs confirmed")


def _print_twins(part: str, seconds: float) -> None:
    refuted = asked = 0
    for twin in (twin for twin in twins() if part in twin.name):
        rows = _apart(twin.name, twin.text, seconds, recheck=False)
        found = [row for row in rows if row["verdict"] == "refuted" and row["claim"] == twin.refuted]
        asked, refuted = asked + 1, refuted + bool(found)
        told = found[0]["by"] if found else "; ".join(f"{r['claim']}: {r['verdict']} {r['by']}" for r in rows)
        print(f"{twin.name}: {'refuted' if found else 'NOT refuted'} {twin.refuted}: {told[:300]}")
    print(f"{refuted} of {asked} twins refuted")


if __name__ == "__main__":
    main()
