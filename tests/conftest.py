"""Settings all tests share."""

from __future__ import annotations

import functools
import gc
import itertools
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from tests.refusals import WORDING, portable

# Beside jupyterlab, jsonschema builds a parser of web addresses when it is imported: two seconds in each
# worker. No schema of ours has any.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# Where Python is told to keep no bytecode, each of the thousands of processes that tests start would compile
# SymPy anew, for 3.5 s: theirs is kept with pytest's own files.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parent.parent / ".pytest_cache/bytecode"))

settings.register_profile(
    "quick", derandomize=True, deadline=None, database=None, print_blob=True, max_examples=24
)
settings.register_profile(
    "slow",
    derandomize=False,
    deadline=None,
    max_examples=4000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("quick")

SNAPSHOTS = Path(__file__).parent / "snapshots"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-snapshots", action="store_true", help="write emitted text anew")
    parser.addoption(
        "--dearest-files", type=int, default=0, metavar="N", help="print the N files that took longest"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Messages are compared with the snapshot or written to it."""
    WORDING.update = config.getoption("--update-snapshots")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refusals that a test's fixtures assert count as its own."""
    WORDING.begin(portable(item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """A test is told as many refusals as the snapshot keeps of it, and only what passes is written there."""
    test = portable(item.nodeid)
    try:
        yield
        WORDING.end(test)
    except BaseException:
        WORDING.forget(test)
        raise


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What the tests of a worker of xdist were told comes to the process that writes."""
    WORDING.told |= getattr(node, "workeroutput", {}).get("refusals", {})  # none where it has crashed


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker hands on what its tests were told; the snapshot is written by one process alone."""
    if WORDING.update and hasattr(session.config, "workeroutput"):
        session.config.workeroutput["refusals"] = WORDING.told
    elif WORDING.update:
        WORDING.write()


def pytest_collection() -> None:
    """Look for garbage less often: a test makes thousands of expressions, of which few are in circles."""
    gc.set_threshold(100_000, 20, 50)


def pytest_collection_finish() -> None:
    """What is there now stays: 25,000 tests and all modules need not be looked through again and again."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """Libraries that look for leaks at the end are to find none."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)  # before pytest takes its choice by markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out unless a marker expression asks for some, and long ones unless it names them.

    ``sample(n, slow=m)``: one case of a test in ``n`` always runs; of all others one in ``m`` (3 unless said)
    is slow and the rest are long. ``slow_sample(n)``: one case in ``n`` is slow, the others are long.
    """
    asked = config.option.markexpr
    counts: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        number = counts[test]
        if sample := item.get_closest_marker("sample"):
            if number % sample.args[0]:
                is_long = number % sample.kwargs.get("slow", 3)
                item.add_marker(pytest.mark.long if is_long else pytest.mark.slow)
        elif sample := item.get_closest_marker("slow_sample"):
            item.add_marker(pytest.mark.long if number % sample.args[0] else pytest.mark.slow)
        counts[test] += 1
    left = [item for item in items if _is_left(item, asked)]
    if left:
        config.hook.pytest_deselected(items=left)
        gone = set(map(id, left))
        items[:] = [item for item in items if id(item) not in gone]
    if "long" in asked:
        items[:] = _kernel_by_kernel(items)


def _is_left(item: pytest.Item, asked: str) -> bool:
    """Whether a test is left out: a long one that is not named, a slow one where nothing is."""
    is_long = item.get_closest_marker("long") is not None
    return (is_long and "long" not in asked) or (item.get_closest_marker("slow") is not None and not asked)


def _kernel_by_kernel(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Tests of one kernel, of whatever file, in a row: ``codegen.matrix_launches`` makes it once for them."""
    of_kernel: dict[object, list[pytest.Item]] = {}
    for item in items:
        callspec = getattr(item, "callspec", None)  # there if a test has parameters
        key = callspec.params.get("kernel_name", item) if callspec else item
        of_kernel.setdefault(key, []).append(item)
    return itertools.chain.from_iterable(of_kernel.values())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With ``--dearest-files N``: the N files whose tests took longest, setup and teardown included."""
    if not (wanted := config.option.dearest_files):
        return
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in itertools.chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    terminalreporter.section(f"{wanted} dearest files, of {sum(seconds.values()):.0f} seconds of all workers")
    for file, taken in sorted(seconds.items(), key=lambda row: -row[1])[:wanted]:
        terminalreporter.write_line(f"{taken:8.1f} s  {file}")


class Snapshot:
    """Emitted text kept in a file: guards the text, never stands for correctness."""

    def __init__(self, *, update: bool) -> None:
        self.update = update

    def check(self, name: str, text: str) -> None:
        path = SNAPSHOTS / name
        if self.update:
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no snapshot {name}: run with --update-snapshots and read it"
        assert text == path.read_text(encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def commands_are_built_once() -> Iterator[None]:
    """Typer builds all commands anew at each call: a tenth of a second, of hundreds of tests."""
    built = functools.cache(typer.main.get_command)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.main.get_command", built)
        patch.setattr("typer.testing._get_command", built, raising=False)
        yield


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Snapshot:
    return Snapshot(update=request.config.getoption("--update-snapshots"))
