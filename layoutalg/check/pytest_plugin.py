"""Layout files under pytest: one item for each claim of every ``*.layout.toml`` that pytest meets.

A ``*.launch.toml`` that names its ``code`` is an item, too: that kernel runs clean under the sanitizer.

Collected wherever pytest looks for tests, so ``-k``, ``-n`` and JUnit reports work as for any test. Switched
off by ``-p no:layoutalg``, ``--no-layouts`` or ``--no-launches``; ``--layout-unknown=warn`` lets unknown
verdicts be skipped.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.check.asked import Obligation

__all__ = ["KernelItem", "LaunchFile", "LayoutFile", "LayoutItem"]

SUFFIX = ".layout.toml"  # written here too, so that pytest starts without loading the algebra
LAUNCH_SUFFIX = ".launch.toml"
NAMES_CODE = re.compile(r"^\s*code\s*=", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the plugin."""
    group = parser.getgroup("layoutalg")
    group.addoption("--no-layouts", action="store_true", help="do not collect *.layout.toml files")
    group.addoption("--no-launches", action="store_true", help="do not collect *.launch.toml files")
    group.addoption(
        "--layout-unknown", choices=["fail", "warn"], default="fail", help="what an unknown verdict does"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Layout files are collected, and launch files that name their code; nothing else is."""
    if file_path.name.endswith(LAUNCH_SUFFIX) and not parent.config.getoption("--no-launches"):
        names_code = NAMES_CODE.search(file_path.read_text(encoding="utf-8"))
        return LaunchFile.from_parent(parent, path=file_path) if names_code else None
    if file_path.name.endswith(SUFFIX) and not parent.config.getoption("--no-layouts"):
        return LayoutFile.from_parent(parent, path=file_path)
    return None


class LayoutFile(pytest.File):
    """A layout file; a file in error is an error of collection, told in one line for each error."""

    def collect(self) -> Iterator[LayoutItem]:
        from layoutalg.check.layout_file import asked_of  # noqa: PLC0415  loads the algebra

        root = self.config.rootpath
        name = str(self.path.relative_to(root) if self.path.is_relative_to(root) else self.path)
        asked = asked_of(self.path.read_text(encoding="utf-8"), name)
        if asked.errors:
            raise self.CollectError("\n".join(map(str, asked.errors)))
        seen: dict[str, int] = {}
        for obligation in asked.obligations:
            base = f"{obligation.layout}::{obligation.claim.name}"
            seen[base] = seen.get(base, 0) + 1
            title = base if seen[base] == 1 else f"{base}-{seen[base]}"
            yield LayoutItem.from_parent(self, name=title, obligation=obligation)


class LayoutItem(pytest.Item):
    """A claim."""

    def __init__(self, *, obligation: Obligation, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.obligation = obligation

    def runtest(self) -> None:
        from layoutalg.check.explanation import told  # noqa: PLC0415
        from layoutalg.proofs import prove  # noqa: PLC0415
        from layoutalg.verdict import Proved, Unknown  # noqa: PLC0415

        verdict = prove(self.obligation.claim)
        if isinstance(verdict, Unknown) and self.config.getoption("--layout-unknown") == "warn":
            warnings.warn(f"{self.name}: {verdict!r}", stacklevel=1)
            pytest.skip(repr(verdict))
        if not isinstance(verdict, Proved):
            raise NotProvedError(told(self.obligation, verdict))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Our own failures in words, others as pytest writes them."""
        if isinstance(excinfo.value, NotProvedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.obligation.line - 1, f"{self.path.name}::{self.name}"


class LaunchFile(pytest.File):
    """A launch file: the kernel that it names, run under the sanitizer."""

    def collect(self) -> Iterator[KernelItem]:
        yield KernelItem.from_parent(self, name="clean")


class KernelItem(pytest.Item):
    """A kernel that must be clean."""

    def runtest(self) -> None:
        from layoutalg.check.sanitizer_report import require_clean  # noqa: PLC0415  loads what runs code
        from layoutalg.check.sanitizer_runs import SanitizerOptions, runs_of  # noqa: PLC0415

        for run in runs_of(str(self.path), SanitizerOptions()):
            require_clean(run())

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """What is found in words, others as pytest writes them."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name}::{self.name}"


class NotProvedError(AssertionError):
    """A claim that is refuted or unknown, explained."""
