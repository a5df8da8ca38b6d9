"""Ranges given on the command line: ``--var x=0:420``, ``--param K=64:8192:64``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError

__all__ = ["domain_of", "options_declare", "steps_of"]

EXAMPLES = {"--var": "x=0:420", "--param": "K=64:8192:64"}


def domain_of(variables: Sequence[str], parameters: Sequence[str], facts: Sequence[str] = ()) -> Domain:
    """The domain of ``NAME=LOW:HIGH`` (high end left out) and ``NAME=LOW:HIGH[:MULTIPLE]`` (both taken in).

    >>> domain_of(["x=0:4*K"], ["K=64:8192:64"])
    Domain: 0 <= x < 4*K; for all 64 <= K <= 8192, K % 64 == 0
    """
    axes: dict[str, tuple[str, str]] = {}
    for text in variables:
        name, ends = _named(text, "--var", "NAME=LOW:HIGH")
        if len(ends) not in (1, 2):
            _refuse(text, "--var", "NAME=LOW:HIGH")
        low, high = ends if len(ends) == 2 else ("0", ends[0])
        _require_new(name, axes, "--var")
        axes[name] = (low, high)
    ranges: dict[str, tuple[int | None, ...]] = {}
    for text in parameters:
        name, ends = _named(text, "--param", "NAME=LOW:HIGH[:MULTIPLE]")
        if len(ends) not in (2, 3):
            _refuse(text, "--param", "NAME=LOW:HIGH[:MULTIPLE]")
        _require_new(name, ranges, "--param")
        try:
            ranges[name] = tuple(int(end, 0) if end else None for end in ends)
        except ValueError:
            _refuse(text, "--param", "whole numbers in NAME=LOW:HIGH[:MULTIPLE]")
    try:
        domain = Domain.of(axes, ranges)
    except LayoutError as error:
        hint = "; ".join(filter(None, (error.hint, "ranges are written --var NAME=LOW:HIGH")))
        raise LayoutError(error.message, hint=hint) from None
    if facts:
        from layoutalg.proofs.existence import require_points  # noqa: PLC0415
        from layoutalg.rules.from_text import parse  # noqa: PLC0415

        domain = domain.where(*(parse(fact, domain) for fact in facts))
        require_points(domain)
    return domain


@contextmanager
def options_declare() -> Iterator[None]:
    """A name inside that nothing declares is answered with the options that do."""
    try:
        yield
    except LayoutError as error:
        if not error.undeclared:
            raise
        mend = f"declare it: --var {error.undeclared}=0:64, or --param for a size"
        raise LayoutError(error.message, hint=f"{error.hint}; or {mend}" if error.hint else mend) from None


def steps_of(texts: Sequence[str]) -> dict[str, int] | None:
    """The distances of ``AXIS=DISTANCE``, None for none.

    >>> steps_of(["col=8"])
    {'col': 8}
    """
    found: dict[str, int] = {}
    for text in texts:
        name, sign, distance = text.partition("=")
        _require_new(name.strip(), found, "--step")
        try:
            found[name.strip()] = int(distance, 0)
        except ValueError:
            sign = ""
        if not sign:
            msg = f"--step {text}: wanted AXIS=DISTANCE"
            raise LayoutError(msg, hint="for example --step col=8")
    return found or None


def _named(text: str, option: str, wanted: str) -> tuple[str, list[str]]:
    name, sign, ends = text.partition("=")
    if not sign or not name.strip():
        _refuse(text, option, wanted)
    return name.strip(), [end.strip() for end in ends.split(":")]


def _require_new(name: str, known: Mapping[str, object], option: str) -> None:
    if name in known:
        msg = f"{option}: {name} is given twice"
        raise LayoutError(msg, hint="give each name once")


def _refuse(text: str, option: str, wanted: str) -> NoReturn:
    msg = f"{option} {text}: wanted {wanted}"
    raise LayoutError(msg, hint=f"for example {option} {EXAMPLES[option]}")
