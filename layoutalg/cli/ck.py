"""``layoutalg ck``: layouts read from Composable Kernel's own source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from layoutalg.cli.ck_diff import diff_trees
from layoutalg.cli.ck_sweep import sweep
from layoutalg.cli.show import Colour, Format, Out, Part, print_or_write
from layoutalg.errors import LayoutError
from layoutalg.index.condition_text import conditions_text

if TYPE_CHECKING:
    from layoutalg.ck import Imported, ImportFailedError, Index

__all__ = ["ck"]

ck = typer.Typer(
    name="ck",
    help="Import, show and check the layouts of Composable Kernel's own headers; nothing is compiled.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
FAILED = 1
Target = Annotated[
    str, typer.Argument(help="FILE.hpp::Class::Function, ck/FILE... for old CK; C++ arguments in quotes.")
]
Arch = Annotated[str, typer.Option(help="GPU the headers are read for.")]
Bind = Annotated[list[str] | None, typer.Option(help="KEY=VALUE, such as Problem.kBlockSize=256.")]
BindFile = Annotated[Path | None, typer.Option(help="TOML file of bindings.")]
Tree = Annotated[str, typer.Option(help="Folder with include/ck_tile, or a fetched PACKAGE==VERSION.")]
Defaults = Annotated[bool, typer.Option("--defaults", help="Start from the shipped bindings.")]


def _index(arch: str, tree: str, path: str) -> Index:
    """The headers of the library that a path or a target belongs to."""
    from layoutalg.ck.cpp.ck_library import library_of  # noqa: PLC0415
    from layoutalg.ck.cpp.headers import headers  # noqa: PLC0415
    from layoutalg.ck.fetch import find_root  # noqa: PLC0415
    from layoutalg.machine import known_target  # noqa: PLC0415

    known_target(arch, where="--arch")
    return headers(find_root(tree), arch, library_of(path))


@dataclass(frozen=True)
class _Given:
    """The bindings of a command: what the caller states wins over what is shipped."""

    stated: dict[str, Any]
    shipped: dict[str, Any]

    @property
    def all(self) -> dict[str, Any]:
        return self.shipped | self.stated

    @property
    def spare(self) -> set[str]:
        """The bindings that may go unused: the shipped ones."""
        return set(self.shipped) - set(self.stated)


def _bindings(
    target: str, bind: list[str] | None, file: Path | None, index: Index, *, defaults: bool
) -> _Given:
    from layoutalg.ck import bindings_of, read_bindings  # noqa: PLC0415
    from layoutalg.ck.shipped_bindings import shipped_bindings  # noqa: PLC0415

    stated = read_bindings(file) if file is not None else {}
    return _Given(stated | bindings_of(bind or []), shipped_bindings(target, index) if defaults else {})


def _imported(target: str, index: Index, given: _Given, *, all_spare: bool = False) -> list[Imported]:
    """The import, one a path where sizes are left open; refused where it gives no layout at all."""
    from layoutalg.ck import ImportFailedError, import_layout  # noqa: PLC0415
    from layoutalg.ck.open_sizes.open_size import has_open_sizes  # noqa: PLC0415
    from layoutalg.ck.symbolic_imports import import_symbolic  # noqa: PLC0415

    bindings, spare = given.all, set(given.all) if all_spare else given.spare
    try:
        if not has_open_sizes(bindings):
            return [import_layout(target, bindings, index=index, spare=spare)]
        paths = import_symbolic(target, bindings, index=index, spare=spare)
    except ImportFailedError as error:
        raise _failed(error) from None
    found = []
    for path in paths:
        if path.conditions:
            typer.echo(f"where {conditions_text(path.conditions)}:", err=path.found is None)
        if path.found is None:
            typer.echo(path.failure, err=True)
        else:
            found.append(path.found)
    if not found:
        raise LayoutError(f"no path of {target} gives a layout", hint="the reasons stand above")
    return found


def _failed(error: ImportFailedError) -> LayoutError:
    """A failed import as every error is told: what and where, the chain of calls, the mend."""
    hint, error.hint = error.hint, ""
    return LayoutError(error.full_text(), hint=hint)


@ck.command("fetch")
def fetch_headers(
    package: Annotated[
        str, typer.Option("--from", help="Package that carries CK: PACKAGE or PACKAGE==VERSION.")
    ] = "",
    version: Annotated[str, typer.Option(help="Version of the package, or of the usual one.")] = "",
    objects: Annotated[bool, typer.Option("--objects", help="Its code objects too.")] = False,  # noqa: FBT002
) -> None:
    """Download a package that carries CK's headers, and unpack only these into the cache; nothing is built.

    Without options it is the wheel that this release was tested with.
    Example: layoutalg ck fetch --from flash-attn==2.8.3.post2
    """
    from layoutalg.ck.fetch import PINNED, Release, fetch, fetch_objects  # noqa: PLC0415

    wanted = Release.of(package) if package else PINNED
    if version:
        if "==" in package:
            raise LayoutError(f"--from {package} names a version already", hint="leave out --version")
        wanted = Release(wanted.package, version)
    typer.echo(fetch_objects(wanted) if objects else fetch(wanted))


@ck.command("trees")
def list_trees() -> None:
    """List the trees in the cache, as --tree and ``ck diff`` take them.

    Example: layoutalg ck trees
    """
    from layoutalg.ck.fetch import fetched  # noqa: PLC0415

    for name in fetched():
        typer.echo(name)


ck.command("diff")(diff_trees)
ck.command("sweep")(sweep)


@ck.command("list")
def list_builders(
    path: Annotated[
        str,
        typer.Argument(help="File or folder of the headers, ck/... for old CK; all of CK Tile if left out."),
    ] = "",
    arch: Arch = "gfx942",
    tree: Tree = "",
) -> None:
    """List the functions that make layouts, with the template parameters they want bound.

    Example: layoutalg ck list ops/gemm/pipeline
    """
    from layoutalg.ck import builders  # noqa: PLC0415
    from layoutalg.ck.import_report import list_text  # noqa: PLC0415

    index = _index(arch, tree, path)
    found = [entry for entry in builders(index) if path in entry.file]
    typer.echo(list_text(found, index.library.shown))


@ck.command("needs")
def needed(
    target: Target,
    arch: Arch = "gfx942",
    tree: Tree = "",
    bind: Bind = None,
    bind_file: BindFile = None,
    emit: Annotated[str, typer.Option(help="bind, or toml for a --bind-file.")] = "bind",
) -> None:
    """List every binding that a function reads, with a value for it, to be pasted back as it is.

    Values are the shipped defaults, else guesses; what stopped the dry run stands at the end.
    Example: layoutalg ck needs reduce2d_default_policy.hpp::Reduce2dDefaultPolicy::MakeXBlockTileDistribution
    """
    from layoutalg.ck.import_report import required_text  # noqa: PLC0415
    from layoutalg.ck.required_bindings import required_bindings  # noqa: PLC0415

    index = _index(arch, tree, target)
    given = _bindings(target, bind, bind_file, index, defaults=False)
    typer.echo(required_text(required_bindings(target, given.all, index=index), emit))


@ck.command("import")
def import_command(
    target: Target,
    arch: Arch = "gfx942",
    tree: Tree = "",
    bind: Bind = None,
    bind_file: BindFile = None,
    emit: Annotated[str, typer.Option(help="py, json or toml.")] = "py",
    defaults: Defaults = False,  # noqa: FBT002
) -> None:
    """Print the layout that a function makes, as Python, JSON or a layout file.

    Example: layoutalg ck import FILE.hpp::Class::Function --defaults --emit toml
    """
    from layoutalg.ck.emit_import import emitted  # noqa: PLC0415

    index = _index(arch, tree, target)
    given = _bindings(target, bind, bind_file, index, defaults=defaults)
    for one in _imported(target, index, given):
        typer.echo(emitted(one, emit, {k: v for k, v in given.all.items() if k in one.read}))


@ck.command("show")
def show_command(  # noqa: PLR0913, PLR0917  one argument an option
    target: Target,
    arch: Arch = "gfx942",
    tree: Tree = "",
    bind: Bind = None,
    bind_file: BindFile = None,
    defaults: Defaults = False,  # noqa: FBT002
    view: Part = None,
    colour: Colour = None,
    form: Format = None,
    out: Out = None,
) -> None:
    """Show an imported layout as ``layoutalg show`` does, with how the import went.

    Example: layoutalg ck show FILE.hpp::Class::Function --bind-file problem.toml --view tree -o tree.svg
    """
    from layoutalg.ck.import_report import import_text  # noqa: PLC0415
    from layoutalg.pictures.colours import coloured  # noqa: PLC0415
    from layoutalg.pictures.view import Lines, View, only, view_of  # noqa: PLC0415

    index = _index(arch, tree, target)
    found = _imported(target, index, _bindings(target, bind, bind_file, index, defaults=defaults))
    shown = [view_of(one.layout) for one in found]
    if view is not None:
        shown = [only(one, view) for one in shown]
    shown = [coloured(one, colour) for one in shown]
    words = [Lines(tuple(import_text(one).split("\n"))) for one in found]
    parts = [View("", pair) for pair in zip(words, shown, strict=True)]
    print_or_write(parts[0] if len(parts) == 1 else View("", tuple(parts)), form, out)


@ck.command("check")
def check_command(  # noqa: PLR0913, PLR0917  one argument an option
    target: Target,
    arch: Arch = "gfx942",
    tree: Tree = "",
    bind: Bind = None,
    bind_file: BindFile = None,
    defaults: Defaults = False,  # noqa: FBT002
    writer: Annotated[str | None, typer.Option(help="Distribution that writes this layout of LDS.")] = None,
    reader: Annotated[str | None, typer.Option(help="Distribution that reads this layout of LDS.")] = None,
    element: Annotated[str | None, typer.Option(help="Element type; the problem's if left out.")] = None,
    width: Annotated[int | None, typer.Option(help="Elements of one access of LDS.")] = None,
) -> None:
    """Prove or refute what an imported layout must hold: bounds, one element a place, vectors, 32 bits.

    A layout of LDS is judged by its accesses too: with the distributions named as --writer and --reader (a
    function of the same class, or FILE.hpp::Class::Function), or with those that CK's names pair it with: of
    old CK the transfers and the block GEMM that the class of the kernel names.

    Exit status 1 if a claim is not proved. Example: layoutalg ck check FILE.hpp::Class::Function --defaults
    """
    from layoutalg.ck.lds_pairs import is_lds_name  # noqa: PLC0415
    from layoutalg.cli.ck_lds import LdsQuestion, lds_report  # noqa: PLC0415

    index = _index(arch, tree, target)
    given = _bindings(target, bind, bind_file, index, defaults=defaults)
    has_accesses = is_lds_name(target) or writer is not None or reader is not None
    found = _imported(target, index, given, all_spare=has_accesses)
    question = LdsQuestion(target, writer, reader, element, width, defaults)
    accesses = lds_report(question, given.all, index)
    if has_accesses:  # what the accesses are made of reads bindings too
        _refuse_unused(target, given, found, accesses.read)
    told = [_told(one) for one in found]
    is_proved = all(told)
    if accesses.text:
        typer.echo(accesses.text)
    if not (is_proved and accesses.is_free):
        raise typer.Exit(FAILED)


def _told(one: Imported) -> bool:
    """Whether every claim on an imported layout is proved, after printing all verdicts."""
    from layoutalg.check.from_ck import claims_of_import  # noqa: PLC0415
    from layoutalg.check.subject import Subject  # noqa: PLC0415
    from layoutalg.ck.import_report import import_text  # noqa: PLC0415
    from layoutalg.proofs import prove  # noqa: PLC0415
    from layoutalg.verdict import Proved  # noqa: PLC0415

    typer.echo(import_text(one))
    is_proved = True
    for claim in claims_of_import(Subject.of("layout", one.layout)):
        verdict = prove(claim)
        is_proved = is_proved and isinstance(verdict, Proved)
        typer.echo(f"  {claim.name}: {verdict}")
    return is_proved


def _refuse_unused(target: str, given: _Given, found: list[Imported], read: frozenset[str]) -> None:
    from layoutalg.ck.cpp.cpp_errors import UnusedBindingError  # noqa: PLC0415
    from layoutalg.ck.unused_bindings import refuse_unused  # noqa: PLC0415

    used = read.union(*(one.read for one in found))
    try:
        refuse_unused(target, set(given.stated) - used, used)
    except UnusedBindingError as error:
        raise _failed(error) from None
