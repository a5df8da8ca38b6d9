"""Planned permutations of several types and ranks on an NVIDIA GPU, beside a copy and PyTorch's.

    python -m tests.benchmarks.permute_cuda [--only TEXT] [--rounds N] [--random SEED]

``--random``: of 60 permutations of ranks 2 to 5 instead, drawn at random with odd and short lengths.
Measured as ``transpose_cuda`` does. Each result is compared with PyTorch's. Needs torch and cupy.
"""

from __future__ import annotations

import argparse
import math
import random

from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors.cuda import CudaExecutor
from layoutalg.codegen.kernels.transpose import permute
from layoutalg.proofs import prove
from tests.benchmarks.transpose_cuda import Bench

TORCH = {"f32": "float32", "f16": "float16", "f64": "float64", "u8": "uint8"}
LARGE = (8192, 8192), (16384, 16384), (8191, 8193), (32768, 1024)
MATRICES = [(size, (1, 0), element) for element in TORCH for size in LARGE]
TENSORS = [
    (lengths, order, element)
    for lengths, order in (
        ((512, 512, 512), (2, 1, 0)),
        ((511, 509, 513), (2, 0, 1)),
        ((64, 1024, 1024), (0, 2, 1)),
        ((4096, 4096, 3), (2, 0, 1)),
        ((3, 4096, 4096), (1, 2, 0)),
        ((128, 3, 1024, 65), (2, 1, 3, 0)),
        ((64, 56, 56, 256), (0, 3, 1, 2)),
        ((16, 12, 2048, 64), (0, 2, 1, 3)),
        ((48, 64, 31, 80, 17), (4, 2, 0, 3, 1)),
        ((64, 6, 5, 360, 80), (4, 2, 0, 3, 1)),
        ((256, 64, 63, 5, 8), (3, 4, 1, 0, 2)),
    )
    for element in ("f32", "f16")
]
DRAWN = 60
ELEMENTS = 60_000_000
LENGTHS = (3, 5, 6, 8, 12, 17, 24, 31, 33, 40, 48, 63, 64, 65, 80, 96, 100, 120, 127, 136, 160, 241, 360, 500)


def drawn(seed):
    """Permutations that turn about as many elements each, of all types in turn."""
    draw, count = random.Random(seed), 0
    while count < DRAWN:
        rank = draw.choice((2, 3, 4, 5))
        lengths = [draw.choice(LENGTHS) for _ in range(rank - 1)]
        rest, order = ELEMENTS // math.prod(lengths), list(range(rank))
        draw.shuffle(order)
        if 2 <= rest <= 1 << 16 and order[-1] != rank - 1:
            lengths.insert(draw.randrange(rank), rest)
            yield tuple(lengths), tuple(order), list(TORCH)[count % len(TORCH)]
            count += 1


def measured(lengths, order, element, rounds):
    """Seconds of copy, torch and the planned kernel."""
    bench = Bench(lengths, order, TORCH[element])
    kernel = permute(lengths, order, element, begins_anywhere=False)
    emit(kernel, prove)
    times, _ = bench.contest({"planned": kernel}, rounds)
    return times, bench.bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="such as f16, or 512x512")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--random", type=int, help="a seed")
    given = parser.parse_args()
    executor = CudaExecutor()
    print(f"{executor.device}, {executor.driver}", flush=True)
    print(f"{'permutation':>44} {'us':>9} {'GB/s':>7} {'of copy':>8} {'x torch':>8}", flush=True)
    chosen = (*MATRICES, *TENSORS) if given.random is None else drawn(given.random)
    for lengths, order, element in chosen:
        name = f"{element} {'x'.join(map(str, lengths))} -> {'x'.join(map(str, order))}"
        if given.only in name:
            times, moved = measured(lengths, order, element, given.rounds)
            own = times["planned"]
            ratios = f"{times['copy'] / own:8.3f} {times['torch'] / own:8.2f}"
            print(f"{name:>44} {own * 1e6:9.2f} {moved / own / 1e9:7.0f} {ratios}", flush=True)


if __name__ == "__main__":
    main()
