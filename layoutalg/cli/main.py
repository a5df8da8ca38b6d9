"""The command line: one function a command, errors as one line with a hint."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from layoutalg.errors import LayoutError, ToolError

__all__ = ["main"]

app = typer.Typer(
    name="layoutalg",
    help="See, simplify, prove and run the index maps of AMD's Composable Kernel.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
FAILED, UNUSABLE = 1, 2


@app.callback()
def _commands() -> None:
    """See, simplify, prove and run the index maps of AMD's Composable Kernel."""


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for everything the demo writes.")] = Path("out"),
    target: Annotated[str, typer.Option(help="GPU whose code is executed.")] = "gfx942",
) -> None:
    """Run the CK blog's example from descriptors to an executed transpose.

    Builds the blog's tensor descriptors, proves the transpose kernel for all admissible sizes,
    emits and compiles it for gfx90a, gfx942 and gfx950, and executes the compiled code on the
    CPU. Example: layoutalg demo --out /tmp/demo
    """
    from layoutalg.cli.demo import run_demo  # noqa: PLC0415  loads the solver and the compiler

    if not run_demo(out, target, Console(highlight=False)):
        raise typer.Exit(FAILED)


@app.command()
def doctor() -> None:
    """Say which compilers, GPUs and extras were found, and what is missing for what.

    Example: layoutalg doctor
    """
    from layoutalg.cli.doctor import examine  # noqa: PLC0415  looks for optional packages

    console = Console(highlight=False)
    for finding in examine():
        mark = "[green]found  [/]" if finding.is_found else "[yellow]missing[/]"
        console.print(f"{mark}  {finding.name:<18} {escape(finding.detail)}", soft_wrap=True)
        if not finding.is_found:
            mend = escape(finding.mend)
            console.print(f"         needed to {finding.needed_to}; {mend}", soft_wrap=True)


def main() -> None:
    """Run the command line; an error of ours is one line on stderr and exit status 2."""
    try:
        app()
    except (LayoutError, ToolError) as error:
        sys.stderr.write(f"layoutalg: {error.message}\n")
        if error.hint:
            sys.stderr.write(f"hint: {error.hint}\n")
        sys.exit(UNUSABLE)
