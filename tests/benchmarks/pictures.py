"""What pictures cost: ``python -m tests.benchmarks.pictures``.

One process; each time is the median of five runs after a first one that loads libraries. The report is on
100 layouts: those of ``tests/regressions``, again until there are enough.
"""

from __future__ import annotations

import itertools
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from layoutalg.check.named_layouts import layouts_named
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.pictures import as_svg, mimebundle, report_page, view_of
from layoutalg.pictures.view import View
from layoutalg.pictures.views.distribution import thread_grid
from tests.layoutalg.pictures.shown_values import VALUES

TILE = read_encoding(
    "tile_distribution_encoding<sequence<>, tuple<sequence<4, 64>, sequence<16, 8>>, "
    "tuple<sequence<1>, sequence<1>>, tuple<sequence<0>, sequence<1>>, sequence<2, 2>, sequence<0, 1>>"
)
REGRESSIONS = Path(__file__).parent.parent / "regressions"
LAYOUTS = 100


def median_ms(call, runs=5):
    call()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def enough_layouts(folder):
    """Copies of the regression files until they hold 100 layouts."""
    files, count = [], 0
    for number, path in enumerate(itertools.cycle(sorted(REGRESSIONS.glob("*.layout.toml")))):
        copy = Path(folder) / f"{number:03}_{path.name}"
        shutil.copy(path, copy)
        files.append(str(copy))
        count += len(layouts_named(str(copy)))
        if count >= LAYOUTS:
            return files, count
    return files, count


def main():
    for name, value in VALUES.items():
        bundle = mimebundle(value)
        size = sum(map(len, bundle.values())) / 1e3
        print(
            f"{name:22} all formats {median_ms(lambda value=value: mimebundle(value)):7.1f} ms {size:8.0f} kB"
        )
    tile = make_static_tile_distribution(TILE)
    threads = View("", (thread_grid(tile),))
    for name, shown in (
        ("thread grid 256x128", lambda: threads),
        ("whole tile 256x128", lambda: view_of(tile)),
    ):
        size = len(as_svg(shown())) / 1e3
        print(
            f"{name:22} SVG         {median_ms(lambda shown=shown: as_svg(shown())):7.1f} ms {size:8.0f} kB"
        )
    with tempfile.TemporaryDirectory() as folder:
        files, count = enough_layouts(folder)
        start = time.perf_counter()
        page = report_page(files)
        print(f"report of {count} layouts  {time.perf_counter() - start:6.1f} s  {len(page) / 1e6:6.1f} MB")
    script = "import time; t = time.perf_counter(); import layoutalg; print(time.perf_counter() - t)"
    times = [
        float(
            subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        )
        for _ in range(5)
    ]
    print(f"import layoutalg       {statistics.median(times):7.2f} s")


if __name__ == "__main__":
    main()
