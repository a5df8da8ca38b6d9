"""What is run under the sanitizer: launch files, code with a launch file beside it, saved runs, Python files.

A Python file names its runs by functions ``sanitize_...`` without arguments, which call
:func:`~layoutalg.codegen.sanitizer.sanitize` and return what it gives (or a list of that): Triton's kernels.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from layoutalg.codegen.executors.launch_file import read_launch
from layoutalg.codegen.executors.saved_run import read_run
from layoutalg.codegen.sanitizer import Sanitized, sanitize_code_object, sanitize_launch
from layoutalg.errors import LayoutError, ToolError

__all__ = ["LAUNCH_SUFFIX", "SanitizerOptions", "runs_of"]

LAUNCH_SUFFIX = ".launch.toml"
CODE = (".co", ".hsaco", ".s", ".hip")
CALLED = "sanitize_"
Run = Callable[[], Sanitized]


@dataclass(frozen=True)
class SanitizerOptions:
    """Which checks, which launch file if it is not the one beside the code, which kernel and target."""

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    launch: Path | None = None
    kernel: str | None = None
    target: str | None = None

    @property
    def checks(self) -> dict[str, Any]:
        return {"select": self.select, "ignore": self.ignore}


def runs_of(what: str, options: SanitizerOptions) -> list[Run]:
    """The runs that a word of the command line means; refused where it means none."""
    path = Path(what)
    if path.is_dir() and not (path / "run.json").exists():
        files = sorted(path.rglob(f"*{LAUNCH_SUFFIX}"))
        if not files:
            msg = f"{what}: wanted launch files that name their code, found none"
            raise LayoutError(
                msg, hint=f"they end in {LAUNCH_SUFFIX}: code = 'kernel.hip', grid, block, arguments"
            )
        return [run for file in files for run in runs_of(str(file), options)]
    if path.is_dir() or path.suffix == ".json":
        return [lambda: sanitize_launch(read_run(path), **options.checks)]
    if path.suffix == ".toml":
        return [lambda: _launched(None, path, options)]
    if path.suffix in CODE:
        beside = options.launch or path.with_suffix(LAUNCH_SUFFIX)
        if not beside.exists():
            msg = f"{what}: wanted a launch file beside it ({beside}), or --launch"
            raise LayoutError(
                msg, hint="it says grid, block and arguments: pydoc layoutalg.codegen.executors.launch_file"
            )
        return [lambda: _launched(path, beside, options)]
    if path.suffix == ".py":
        return list(_in_python(path))
    msg = f"{what}: wanted a kernel, a launch file, code ({', '.join(CODE)}), a saved run or a Python file"
    raise LayoutError(msg)


def _launched(code: Path | None, file: Path, options: SanitizerOptions) -> Sanitized:
    told = read_launch(file)
    launch = told.launch(kernel=options.kernel, target=options.target)
    return sanitize_code_object(code or told.code, **launch, **options.checks)


def _done(found: Sanitized) -> Sanitized:
    return found


def _in_python(path: Path) -> Iterator[Run]:
    try:
        members = runpy.run_path(str(path))
    except Exception as error:
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise LayoutError(f"{path}: cannot be loaded: {what}") from error
    chosen = [value for name, value in members.items() if name.startswith(CALLED) and callable(value)]
    if not chosen:
        msg = f"{path}: wanted functions {CALLED}..., found none"
        raise LayoutError(msg, hint="def sanitize_add(): return sanitize(add, [4], x, Output(y), n)")
    for function in chosen:
        yield from _of_function(path, function)


def _of_function(path: Path, function: Any) -> Iterator[Run]:
    try:
        found = function()
    except (LayoutError, ToolError):
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise LayoutError(
            f"{path}:{function.__code__.co_firstlineno}: {function.__name__}: {what}"
        ) from error
    for one in found if isinstance(found, list | tuple) else [found]:
        if not isinstance(one, Sanitized):
            msg = f"{path}: {function.__name__}: wanted what sanitize(...) gives, got {one!r}"
            raise LayoutError(msg)
        yield partial(_done, one)
