"""Float transposes on an NVIDIA GPU, beside PyTorch's and beside a plain copy, in one process.

    python -m tests.benchmarks.transpose_cuda [--sweep] [--sizes 4096x4096 ...] [--processes 3] [--json FILE]

Everything is replayed from CUDA graphs: many launches of one contender in a graph, contenders in turn, the
median over all rounds. Bandwidth counts each element read and written once. ``--sweep`` tries many
configurations of a size and shows the best beside the planned one; ``--processes`` repeats it all in new
processes and takes medians. Needs torch and cupy.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from layoutalg import LayoutError
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors.cuda import CudaExecutor
from layoutalg.codegen.kernels.transpose import (
    Permutation,
    PermuteConfig,
    PermuteTiles,
    kernel_of,
    permute,
    planned,
)
from layoutalg.proofs import prove

SIZES = ((2560, 32), (4096, 4096), (8192, 8192), (16384, 16384), (32768, 1024))
TURN = (1, 0)
GRAPH_BYTES = 2 << 30  # traffic of a graph, so that what starts it does not count
MOST_LAUNCHES = 200
ROUNDS, SWEEP_ROUNDS = 50, 7
SHOWN = 8  # best configurations of a sweep
SMALL_TILES = ((8, 16), (8, 32), (16, 16), (16, 32), (32, 16), (32, 32), (64, 32), (64, 16))
LARGE_TILES = ((32, 32), (32, 64), (64, 32), (64, 64), (32, 128), (128, 32), (64, 128), (128, 64))
VECTORS = ((4, 4), (2, 2), (1, 1), (4, 1), (1, 4))
THREADS = (64, 128, 256, 512)
SMALL_PER_THREAD, LARGE_PER_THREAD = (2, 4, 8, 16), (8, 16, 32)  # elements of a thread


def candidates(size):
    """Configurations worth trying for a size; those that nothing speaks for are left out."""
    is_small = size[0] * size[1] < 1 << 20
    tiles, held = (SMALL_TILES, SMALL_PER_THREAD) if is_small else (LARGE_TILES, LARGE_PER_THREAD)
    for path, tile, vectors, threads in itertools.product(("lds", "registers"), tiles, VECTORS, THREADS):
        is_plain = vectors in {(4, 4), (2, 2)}
        if tile[0] * tile[1] // threads not in held or not (is_plain or (path == "lds" and is_small)):
            continue
        for along in ("source", "target"):
            changes: dict[str, Any] = {"path": path, "along": along}
            try:
                made = replace(PermuteConfig("f32", *tile, threads, *vectors), **changes)
                PermuteTiles(Permutation.of(size, TURN), made).writes  # noqa: B018  refused if parts are too few
            except LayoutError:
                continue
            yield made


def named(config):
    way = config.lds if config.path == "lds" else config.path
    tile = f"{config.rows}x{config.columns}"
    return f"{tile} {config.threads} threads {config.vector_in}/{config.vector_out} {way} {config.along}"


class Bench:
    """One tensor on the GPU, its dimensions in another order, and the graphs of all contenders."""

    def __init__(self, size, order=TURN, element="float32"):
        import cupy  # noqa: PLC0415  the sweep's list can be read without a GPU
        import torch  # noqa: PLC0415

        self.torch, self.cupy, self.size, self.order = torch, cupy, size, order
        self.executor = CudaExecutor()
        self.x = torch.randint(0, 100, size, device="cuda").to(getattr(torch, element))
        self.y = torch.empty([size[i] for i in order], device="cuda", dtype=self.x.dtype)
        self.flat = torch.empty_like(self.x)
        self.launches = max(1, min(MOST_LAUNCHES, GRAPH_BYTES // self.bytes))

    @property
    def bytes(self):
        return 2 * self.x.numel() * self.x.element_size()

    def launcher(self, kernel):
        """A call of our kernel on the stream that torch uses now; checked once."""
        function = self.executor.function(kernel)
        arguments = (self.cupy.asarray(self.x), self.cupy.asarray(self.y))
        grid, block = kernel.grid_for({}), (*kernel.block, 1, 1)[:3]
        grid = (*grid, 1, 1)[:3]

        def launch():
            stream = self.cupy.cuda.Stream.from_external(self.torch.cuda.current_stream())
            with stream:
                function(grid, block, arguments)

        self.y.fill_(101)
        launch()
        self.torch.cuda.synchronize()
        assert self.torch.equal(self.y, self.x.permute(self.order)), f"{kernel.name}: wrong result"
        facts = {"registers": function.num_regs, "local": function.local_size_bytes}
        return launch, facts

    def graph(self, call):
        """Many launches of one contender as a graph."""
        torch = self.torch
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                call()
        torch.cuda.synchronize()
        found = torch.cuda.CUDAGraph()
        with torch.cuda.graph(found):
            for _ in range(self.launches):
                call()
        found.replay()
        torch.cuda.synchronize()
        return found

    def times(self, calls, rounds):
        """Median seconds of a launch of each contender, measured in turn."""
        torch = self.torch
        graphs = {name: self.graph(call) for name, call in calls.items()}
        found: dict[str, list[float]] = {name: [] for name in calls}
        order = list(calls)
        for turn in range(rounds):
            for name in order[turn % len(order) :] + order[: turn % len(order)]:
                start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                start.record()
                graphs[name].replay()
                stop.record()
                stop.synchronize()
                found[name].append(start.elapsed_time(stop) / 1000 / self.launches)
        return {name: statistics.median(times) for name, times in found.items()}

    def baselines(self):
        return {
            "copy": lambda: self.flat.copy_(self.x),
            "torch": lambda: self.x.permute(self.order).contiguous(),
        }

    def contest(self, kernels, rounds):
        """Times of copy, torch and kernels; facts about the kernels."""
        calls, facts = self.baselines(), {}
        for name, kernel in kernels.items():
            calls[name], facts[name] = self.launcher(kernel)
        return self.times(calls, rounds), facts


def swept(bench):
    """The best configurations of a quick contest, in groups so that neighbours in time are compared."""
    permutation = Permutation.of(bench.size, TURN)
    found: list[Any] = []
    configs = list(candidates(bench.size))
    for first in range(0, len(configs), 24):
        group = configs[first : first + 24]
        kernels = {named(config): kernel_of(PermuteTiles(permutation, config)) for config in group}
        times, facts = bench.contest(kernels, SWEEP_ROUNDS)
        found += [
            (times["copy"] / times[name], name, config, facts[name])
            for (name, _), config in zip(kernels.items(), group, strict=True)
        ]
    found.sort(key=lambda row: -row[0])
    for share, name, _, facts in found[:SHOWN]:
        print(f"    {share:.3f} of copy  {name}  {facts}", flush=True)
    return {
        f"best: {name}": kernel_of(PermuteTiles(permutation, config)) for _, name, config, _ in found[:SHOWN]
    }


def measured(size, *, sweep):
    """The rows of one size: name, seconds."""
    bench = Bench(size)
    kernels = {f"planned: {named(planned(Permutation.of(size, TURN)))}": permute(size, TURN)}
    kernels["padded"] = permute(size, TURN, lds="padded")
    kernels["registers"] = permute(size, TURN, path="registers")
    if sweep:
        kernels |= swept(bench)
    for kernel in kernels.values():
        emit(kernel, prove)
    times, facts = bench.contest(kernels, ROUNDS)
    return {name: {"seconds": times[name], **facts.get(name, {})} for name in times}


def table(results):
    """One line for each contender of each size."""
    lines = [f"{'size':>12} {'us':>9} {'GB/s':>7} {'of copy':>8} {'x torch':>8}  contender"]
    for size, rows in results.items():
        rows_, columns = map(int, size.split("x"))
        for name, row in rows.items():
            seconds = row["seconds"]
            speed = 2 * 4 * rows_ * columns / seconds / 1e9
            share, ratio = rows["copy"]["seconds"] / seconds, rows["torch"]["seconds"] / seconds
            facts = f" ({row['registers']} registers, {row['local']} bytes local)" if "local" in row else ""
            text = f"{size:>12} {seconds * 1e6:9.2f} {speed:7.0f} {share:8.3f} {ratio:8.2f}  {name}{facts}"
            lines.append(text)
        lines.append("")
    return "\n".join(lines)


def medians(runs):
    """The median over processes of every contender that all of them have."""
    found = {}
    for size, rows in runs[0].items():
        shared = [name for name in rows if all(name in run[size] for run in runs)]
        found[size] = {
            name: rows[name] | {"seconds": statistics.median(run[size][name]["seconds"] for run in runs)}
            for name in shared
        }
    return found


def in_processes(count, arguments):
    """The same benchmark in new processes, one after the other."""
    runs = []
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "times.json"
            command = [
                sys.executable,
                "-m",
                "tests.benchmarks.transpose_cuda",
                "--json",
                str(path),
                *arguments,
            ]
            subprocess.run(command, check=True)
            runs.append(json.loads(path.read_text(encoding="utf-8")))
    return medians(runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="*", default=["x".join(map(str, size)) for size in SIZES])
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.processes > 1:
        results = in_processes(
            given.processes, ["--sizes", *given.sizes, *(["--sweep"] if given.sweep else [])]
        )
        print(f"\nmedians of {given.processes} processes")
    else:
        executor = CudaExecutor()
        print(f"{executor.device}, {executor.driver}", flush=True)
        results = {}
        for text in given.sizes:
            rows, columns = map(int, text.split("x"))
            print(text, flush=True)
            results[text] = measured((rows, columns), sweep=given.sweep)
    print(table(results))
    if given.json:
        given.json.write_text(json.dumps(results), encoding="utf-8")


if __name__ == "__main__":
    main()
