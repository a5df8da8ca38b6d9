"""The command line: one function a command, errors as one line with a hint."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from layoutalg import __version__
from layoutalg.cli.check import EPILOG, CheckCommand, check
from layoutalg.cli.ck import ck
from layoutalg.cli.compare import compare
from layoutalg.cli.compile import compile_file
from layoutalg.cli.explain import explain
from layoutalg.cli.explain_encoding import explain_encoding
from layoutalg.cli.kernel import kernel
from layoutalg.cli.lemmas import lemmas
from layoutalg.cli.lift import lift
from layoutalg.cli.recheck import recheck
from layoutalg.cli.run import run
from layoutalg.cli.sanitize import sanitize
from layoutalg.cli.show import Colour, Format, Out, Part, SourceText, print_or_write, report, show
from layoutalg.cli.usage import UsageError, told
from layoutalg.cli.validate import validate
from layoutalg.errors import InternalError, LayoutError, ToolError
from layoutalg.reading.recursion import deeply

__all__ = ["main"]

app = typer.Typer(
    name="layoutalg",
    help="See, simplify, prove and run the index maps of AMD's Composable Kernel.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
FAILED, UNUSABLE = 1, 2


def _tell_version(is_asked: bool) -> None:  # noqa: FBT001  Typer calls it so
    if is_asked:
        typer.echo(f"layoutalg {__version__}")
        raise typer.Exit


@app.callback()
def _commands(
    version: Annotated[  # noqa: FBT002
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
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
def simplify(  # noqa: PLR0913, PLR0917  one argument an option
    expression: Annotated[str, typer.Argument(help="Index expression in Python, C or SymPy syntax.")],
    var: Annotated[
        list[str] | None, typer.Option(help="Index variable, NAME=LOW:HIGH, HIGH left out.")
    ] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="Size, NAME=LOW:HIGH[:MULTIPLE], both ends taken in.")
    ] = None,
    fact: Annotated[list[str] | None, typer.Option(help="What is known besides, such as 'x < K'.")] = None,
    to: Annotated[str, typer.Option(help="text, latex, c, hip, python or json.")] = "text",
    explain: Annotated[bool, typer.Option("--explain", help="Print prices and every rule used.")] = False,  # noqa: FBT002
    target: Annotated[
        str, typer.Option(help="Price list: gfx9, gfx90a, gfx942, gfx950, cuda, x86-64, operations.")
    ] = "gfx9",
    assume_defined: Annotated[  # noqa: FBT002
        bool, typer.Option("--assume-defined", help="Take for granted that divisors are positive.")
    ] = False,
) -> None:
    """Print the cheapest form of an index expression that is equal on its whole domain.

    Example: layoutalg simplify "x // 28 * 28 + x % 28" --var x=0:420
    """
    from layoutalg.cli.simplify import simplified_text  # noqa: PLC0415

    typer.echo(
        simplified_text(
            expression,
            var or [],
            param or [],
            fact or [],
            to=to,
            explain=explain,
            target=target,
            assume_defined=assume_defined,
        )
    )


@app.command()
def code(
    source: SourceText,
    to: Annotated[str, typer.Option(help="hip, c, python or json.")] = "hip",
    name: Annotated[str | None, typer.Option(help="What the functions are called.")] = None,
    step: Annotated[
        list[str] | None, typer.Option(help="AXIS=DISTANCE: also emit how the offset moves.")
    ] = None,
    header: Annotated[bool, typer.Option("--header", help="A header file, guarded by NAME_H.")] = False,  # noqa: FBT002
    out: Out = None,
) -> None:
    """Print functions that compute an offset and its validity from an index.

    Tables known at run time are parameters: each as all its entries in a row.

    Example: layoutalg code layouts.py:rows --to c --header -o rows.h
    """
    from layoutalg.cli.code import index_function  # noqa: PLC0415
    from layoutalg.cli.domain_options import steps_of  # noqa: PLC0415
    from layoutalg.files import write_text  # noqa: PLC0415

    found = index_function(source, name, steps_of(step or []))
    text = found.text(to, guard=found.guard if header else None)
    if out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(str(write_text(out, text)))


@app.command()
def mma(  # noqa: PLR0913, PLR0917  one argument an option
    instruction: Annotated[str, typer.Argument(help="Mnemonic, such as v_mfma_f32_32x32x8_f16.")],
    target: Annotated[str | None, typer.Option(help="GPU, where several have it.")] = None,
    wave_size: Annotated[int | None, typer.Option(help="32 or 64, where both exist.")] = None,
    operand: Annotated[str | None, typer.Option(help="A, B, C or D; all if left out.")] = None,
    view: Part = None,
    colour: Colour = None,
    form: Format = None,
    out: Out = None,
) -> None:
    """Print who holds what of a matrix instruction's operands: lanes to elements, elements to lanes.

    Example: layoutalg mma v_mfma_f32_32x32x8_f16 --operand A -o a.svg
    """
    from layoutalg.pictures import coloured, only  # noqa: PLC0415
    from layoutalg.pictures.views.mma import instruction_named, mma_view  # noqa: PLC0415

    shown = mma_view(instruction_named(instruction, target, wave_size), operand)
    print_or_write(coloured(only(shown, view) if view else shown, colour), form, out)


@app.command()
def banks(  # noqa: PLR0913, PLR0917  one argument an option
    layout: Annotated[str, typer.Argument(help="As for layoutalg show; or an offset in lane as text.")],
    writer: Annotated[
        str | None, typer.Option(help="Distribution that writes: C++ text or a source.")
    ] = None,
    reader: Annotated[str | None, typer.Option(help="Distribution that reads.")] = None,
    element: Annotated[str | None, typer.Option(help="Element type; else the layout's, else f16.")] = None,
    width: Annotated[
        int | None, typer.Option(help="Elements a lane moves at once; else what the layout says.")
    ] = None,
    target: Annotated[str, typer.Option(help="GPU whose banks are meant.")] = "gfx942",
    model: Annotated[str | None, typer.Option(help="Whose model of the banks, where sources differ.")] = None,
    var: Annotated[
        list[str] | None, typer.Option(help="For an offset: NAME=LOW:HIGH of what else it has.")
    ] = None,
    access: Annotated[str, typer.Option(help="For an offset: read or write.")] = "read",
    colour: Colour = None,
    form: Format = None,
    out: Out = None,
) -> None:
    """Count and prove bank conflicts of shared memory, name the worst phase, propose a layout without.

    Exit status 1 if some access is not proved free of conflicts.
    Examples: layoutalg banks "lane*32" --width 4
    layoutalg banks tile.layout.toml:lds --writer tile.layout.toml:a -o banks.svg
    """
    from layoutalg.cli.banks import BankAnswer, BankQuestion  # noqa: PLC0415

    asked = BankQuestion(layout, writer, reader, element, target, width, model, tuple(var or ()), access)
    answer = BankAnswer(asked)
    text, is_free = answer.told
    typer.echo(text)
    if form is not None or out is not None:
        from layoutalg.pictures import coloured  # noqa: PLC0415

        print_or_write(coloured(answer.view, colour), form, out)
    if not is_free:
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


app.command()(show)
app.command()(report)
app.command()(compare)
app.command()(kernel)
app.command("compile")(compile_file)
app.command()(run)
app.command()(sanitize)
app.command()(lift)
app.command()(validate)
app.command(cls=CheckCommand, epilog=EPILOG)(check)
app.command()(recheck)
app.command()(explain)
app.command()(explain_encoding)
app.command()(lemmas)
app.add_typer(ck)


def main() -> None:
    """Run the command line; an error of ours is one line on stderr and exit status 2."""
    try:
        with deeply("this command"):
            sys.exit(app(standalone_mode=False))
    except UsageError as error:
        _usage(error)
    except (LayoutError, ToolError) as error:
        _refuse(error.message, error.hint)
    except BrokenPipeError:  # nobody reads on, as behind ``| head``
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except typer.Abort:
        sys.exit(FAILED)
    except InternalError as error:
        _refuse(str(error).partition("\n")[0], "a fault of ours: please report it")
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ArithmeticError, MemoryError) as error:
        what = f"numbers or tables beyond what can be computed with: {type(error).__name__}: {error}"
        _refuse(what.partition("\n")[0], "smaller sizes, or please report it")


def _usage(error: Any) -> NoReturn:
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message(), nl=False)  # empty where it is printed already
        sys.exit(UNUSABLE)
    _refuse(*told(error, sys.argv[1:], typer.main.get_command(app)))


def _refuse(what: str, hint: str = "") -> NoReturn:
    sys.stderr.write(f"layoutalg: {what}\n")
    if hint:
        sys.stderr.write(f"hint: {hint}\n")
    sys.exit(UNUSABLE)
