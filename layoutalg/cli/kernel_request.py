"""A kernel asked for on the command line: the options that commands about kernels share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.kernel_family import KernelPlan
from layoutalg.codegen.kernels.kernel_options import Option, chosen_options
from layoutalg.codegen.matrix.kernel_matrix import Choice, every_option, family_named
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.reading.near_names import near_hint

__all__ = ["Count", "KernelRequest", "Size", "option_of", "requested", "targets_of", "with_kernel_options"]

Size = Annotated[int | None, typer.Option(help="A size of the run; by default that of CK's own example.")]
Count = Annotated[int | None, typer.Option(help="Products in one launch, with --batched.")]


def with_kernel_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of all families of kernels, in place of its ``**chosen``."""
    signature = inspect.signature(command, eval_str=True)
    own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    rows = [
        inspect.Parameter(
            option.name.replace("-", "_"),
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=False if option.is_flag else None,
            annotation=_annotation(option),
        )
        for option in every_option()
    ]
    command.__signature__ = signature.replace(parameters=[*own, *rows])  # type: ignore[attr-defined]
    return command


def _annotation(option: Option) -> Any:
    if option.is_flag:
        return Annotated[bool, typer.Option(f"--{option.name}", help=option.summary)]
    return Annotated[str | None, typer.Option(help=option.summary, metavar=option.example)]


def targets_of(text: str) -> tuple[Target, ...]:
    """The targets of ``gfx90a;gfx942``, as CK's GPU_TARGETS; commas do as well.

    >>> [target.name for target in targets_of("gfx90a;gfx942")]
    ['gfx90a', 'gfx942']
    """
    names = [name.strip() for name in text.replace(",", ";").split(";") if name.strip()]
    if not names:
        msg = f"--target {text!r}: wanted the name of a GPU"
        raise LayoutError(msg, hint="for example gfx942, or gfx90a;gfx942")
    return tuple(Target.named(name) for name in dict.fromkeys(names))


@dataclass(frozen=True)
class KernelRequest:
    """A shipped kernel with sizes that it admits.

    ``plan``: what it was chosen from, if nobody said which; ``passed_over``: why better ones were not.
    """

    choice: Choice
    kernel: Kernel
    sizes: Mapping[str, Any]
    plan: KernelPlan | None = None
    passed_over: tuple[str, ...] = ()


def requested(
    family: str,
    target: str,
    element: str | None,
    sizes: Mapping[str, float | None],
    texts: Mapping[str, str | bool | None],
    *,
    is_large: bool = True,
) -> KernelRequest:
    """The kernel of a family by name; sizes left out are the default ones, or small ones."""
    found = family_named(family)
    options = chosen_options(family, found.options, texts)
    choice = Choice(family, target, element or found.elements[0], options)
    given = {name: size for name, size in sizes.items() if size is not None}
    plan = found.plan(choice, {**found.sizes_of(choice), **given}) if found.plan and is_large else None
    passed_over: tuple[str, ...] = ()
    if plan is not None:
        choice, passed_over = _settled(choice, plan)
    kernel = choice.kernel()
    chosen = choice.sizes_for(kernel, is_large=is_large)
    for name, size in sizes.items():
        if size is not None and name not in chosen:
            option = f"--{option_of(name)}"
            msg = f"{option} {size}: this {family} has no such size"
            hint = near_hint(option, (f"--{option_of(known)}" for known in chosen))
            raise LayoutError(msg, hint=hint)
    chosen = choice.sizes_for(kernel, is_large=is_large, given=given)
    kernel.check_sizes(chosen)
    return KernelRequest(choice, kernel, chosen, plan, passed_over)


def option_of(size: str) -> str:
    """The name of the option that says a size.

    >>> option_of("M"), option_of("batch_count")
    ('m', 'batch-count')
    """
    return size.lower().replace("_", "-")


def _settled(choice: Choice, plan: KernelPlan) -> tuple[Choice, tuple[str, ...]]:
    """The best kernel of a plan that the compiler here has registers for, and why those before are none."""
    from layoutalg.codegen.compile import compile_hip  # noqa: PLC0415
    from layoutalg.codegen.compile.toolchain import find_toolchain, toolchains  # noqa: PLC0415
    from layoutalg.errors import ToolError, UnfitCompilerError  # noqa: PLC0415

    passed_over: list[str] = []
    may_compile = bool(toolchains()) and find_toolchain().knows(choice.target)
    for options in plan.options:
        one = replace(choice, options=options)
        try:
            if may_compile:
                compile_hip(one.kernel().text, choice.target)
        except UnfitCompilerError:
            raise
        except ToolError as error:
            passed_over.append(error.message)
        else:
            return one, tuple(passed_over)
    raise ToolError(f"{choice}: none of {len(passed_over)} configurations compiles: {passed_over[0]}")
