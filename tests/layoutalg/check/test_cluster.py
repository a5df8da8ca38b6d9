"""A real Dask cluster: every file once, though a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter

import pytest

from layoutalg.check.decide import Options
from layoutalg.check.runner import findings
from layoutalg.errors import ToolError
from tests.layoutalg.check.layouts import BAD, GOOD

distributed = pytest.importorskip("distributed")
FILES = 60


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(tmp_path):
    sources = []
    for number in range(FILES):
        path = tmp_path / f"file{number}.layout.toml"
        path.write_text(BAD if number % 3 == 0 else GOOD, encoding="utf-8")
        sources.append(str(path))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]

        def kill():
            time.sleep(1.0)
            os.kill(pids[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        found = list(findings(sources, Options(), scheduler=cluster.scheduler_address))
        killer.join()
        assert pids[0] not in [worker.pid for worker in cluster.workers.values()]
    assert Counter(source for source, _ in found) == Counter(sources)
    alone = dict(findings(sources[:2], Options()))
    for source, result in found:
        expected = alone[
            sources[0] if int(source.rpartition("file")[2].split(".")[0]) % 3 == 0 else sources[1]
        ]
        assert [(f.line, f.code, f.status) for f in result] == [(f.line, f.code, f.status) for f in expected]


def test_no_cluster_is_one_line():
    with pytest.raises(ToolError, match="nonsense"):
        list(findings(["a.layout.toml"], Options(), scheduler="nonsense://here"))
