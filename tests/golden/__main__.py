"""Compare golden files with this package: ``python -m tests.golden PATH...``.

A path is a file or a folder of files. Exit status: 0 if every file was read and nothing mismatched,
1 on a mismatch, 2 if a file could not be read or nothing was found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from layoutalg.errors import LayoutError
from tests.golden import (
    adaptors,
    ck_import,
    descriptors,
    magic_division,
    mma_layouts,
    read_tile_programs,
    space_filling_curves,
    tile_distributions,
    wrapper_layouts,
)
from tests.golden.tally import Tally

READERS: dict[str, Callable[[Tally, dict[str, Any]], None]] = {
    "descriptors": descriptors.check,
    "ck_descriptors": descriptors.check,
    "adaptors": adaptors.check,
    "magic_division": magic_division.check,
    "tile_distributions": tile_distributions.check,
    "tile_distribution_ops": tile_distributions.check_op,
    "mfma_register_layouts": tile_distributions.check_registers,
    "space_filling_curves": space_filling_curves.check,
    "ck_wrapper_layouts": wrapper_layouts.check,
    "ck_import": ck_import.check,
    "mma_layouts": mma_layouts.check,
    "tile_programs": read_tile_programs.check,
}


def read(path: Path) -> Tally | None:
    """The comparison of one file, or None for a schema this reader does not know."""
    content = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(content, list) and path.stem == "mma_layouts":  # the one file that is a bare list
        content = {"schema": path.stem, "cases": [{"name": mma_layouts.name_of(c), **c} for c in content]}
    schema = content.get("schema", "") if isinstance(content, dict) else ""
    reader = READERS.get(str(schema).removeprefix("ck-golden-1/").removeprefix("ck-golden-2/"))
    if reader is None:
        return None
    tally = Tally(path.name)
    for case in content["cases"]:
        tally.cases += 1
        try:
            reader(tally, case)
        except LayoutError as error:
            tally.refuse(case["name"], error)
    return tally


def files(paths: list[Path]) -> list[Path]:
    """The files named, and the ``*.json`` files of the folders named."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.glob("*.json")) if path.is_dir() else [path]
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print a line for each file and one for all."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    paths = files(parser.parse_args(arguments).paths)
    tallies, failed = [], False
    for path in paths:
        try:
            tally = read(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"{path}: cannot be read: {type(error).__name__}: {error}", file=sys.stderr)
            failed = True
            continue
        if tally is None:
            print(f"{path}: no reader for its schema; left out", file=sys.stderr)
            failed = failed or len(paths) == 1
            continue
        tallies.append(tally)
        print("\n".join(tally.lines()), flush=True)
    mismatches = sum(len(tally.mismatches) for tally in tallies)
    print(
        f"total: {len(tallies)} files, {sum(t.cases for t in tallies)} cases, "
        f"{sum(t.compared for t in tallies)} values compared, {mismatches} mismatches, "
        f"{sum(len(t.refused) for t in tallies)} refused"
    )
    if failed or not tallies:
        return 2
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
