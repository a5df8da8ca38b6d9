"""Long runs from the command line: counts by kind, every failure as it comes."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.fuzz.chunk import part

CHUNK = 500


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("kind", choices=("expressions", "claims"))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    start, total, failed = time.perf_counter(), Counter[str](), 0
    chunks = [
        (given.kind, f"{given.seed}.{i}", min(CHUNK, given.count))
        for i in range(max(1, given.count // CHUNK))
    ]
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        for number, (found, failures) in enumerate(pool.map(part, *zip(*chunks, strict=True)), 1):
            total += found
            failed += len(failures)
            for failure in failures[:20]:
                print(failure, flush=True)
            if number % 4 == 0 or number == len(chunks):
                print(f"{number}/{len(chunks)} {time.perf_counter() - start:.0f} s {dict(total)}", flush=True)
    print(f"{failed} failures; seed {given.seed}; {time.perf_counter() - start:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
