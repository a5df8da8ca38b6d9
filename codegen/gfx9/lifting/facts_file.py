r"""What is assumed of a kernel that is lifted, as TOML: sizes, facts, the launch, extents of buffers.

.. code-block:: toml

    facts = ["M*K < 2**31"]          # over the sizes
    [sizes]                          # arguments by name: [lowest, highest] or [lowest, highest, multiple of]
    M = [1, 65536]
    K = [64, 65536, 64]
    [extents]                        # bytes that each pointer points at
    A = "2*M*K"
    [launch]
    block = [256]
    grid = ["(M + 127)//128"]        # left out: any

>>> found = facts_of({"sizes": {"M": [1, 64]}, "extents": {"A": "2*M"}, "launch": {"block": [64]}})
>>> found.assumed.sizes, found.extents
(Domain: 1 <= M <= 64, {'A': 2*M})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sympy import Expr

from layoutalg.codegen.gfx9.lifting.kernel_start import Assumed
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, shown
from layoutalg.reading.text_file import read_text
from layoutalg.reading.toml_text import read_toml
from layoutalg.rules.from_text import parse

__all__ = ["LiftFacts", "facts_of", "read_facts"]

KEYS = ("facts", "sizes", "extents", "launch")
OF_LAUNCH = ("block", "grid")
MOST_AXES = 3


@dataclass(frozen=True)
class LiftFacts:
    """What is assumed of a launch, and the bytes that each pointer argument points at, by name."""

    assumed: Assumed = field(default_factory=Assumed)
    extents: Mapping[str, Expr] = field(default_factory=dict)

    def require_spoken_of(self, kernel: str, arguments: Sequence[str]) -> None:
        """Refuse a size that is no argument and that nothing else speaks of: a name that was meant otherwise.

        >>> facts_of({"sizes": {"m": [1, 64]}}).require_spoken_of("scale", ["x", "M"])
        Traceback (most recent call last):
            ...
        layoutalg.errors.LayoutError: facts: m is no argument of scale, and nothing else speaks of it \
(its arguments are x, M)
        """
        domain = self.assumed.sizes
        said = (*domain.facts, *self.extents.values(), *self.assumed.grid)
        spoken_of = {symbol.name for part in said for symbol in part.free_symbols}
        for size in domain.variables:
            if size.name not in spoken_of.union(arguments):
                msg = f"facts: {size.name} is no argument of {kernel}, and nothing else speaks of it"
                raise LayoutError(msg, hint=f"its arguments are {', '.join(arguments)}")


def read_facts(file: str | Path) -> LiftFacts:
    """The facts in a file; what is wrong with it is refused with the file's name."""
    try:
        return facts_of(read_toml(read_text(Path(file))))
    except LayoutError as error:
        raise LayoutError(f"{file}: {error.message}", hint=error.hint) from None


def facts_of(content: Mapping[str, Any]) -> LiftFacts:
    """The facts that a table holds."""
    _require_known(content, KEYS, "facts")
    sizes = _table(content, "sizes")
    for name, ends in sizes.items():
        if not isinstance(ends, list) or len(ends) not in (2, 3):
            raise LayoutError(
                f"sizes: {name}: wanted [lowest, highest] or a multiple behind, got {shown(ends)}"
            )
    domain = Domain.of({}, {name: tuple(ends) for name, ends in sizes.items()}, content.get("facts", ()))
    extents = {
        name: _expression(value, domain, f"extents: {name}")
        for name, value in _table(content, "extents").items()
    }
    launch = _table(content, "launch")
    _require_known(launch, OF_LAUNCH, "launch")
    block = _axes(launch, "block")
    if not all(isinstance(count, int) and count > 0 for count in block):
        raise LayoutError(f"launch: block: wanted numbers of threads, got {shown(block)}")
    grid = tuple(_expression(value, domain, "launch: grid") for value in _axes(launch, "grid"))
    return LiftFacts(Assumed(domain, grid, tuple(block)), extents)


def _require_known(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise LayoutError(f"{where}: wanted {', '.join(known)}, got {key}")


def _table(content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = content.get(key, {})
    if not isinstance(found, Mapping):
        raise LayoutError(f"{key}: wanted a table, got {shown(found)}")
    return found


def _axes(launch: Mapping[str, Any], key: str) -> list[Any]:
    found = launch.get(key, [])
    if not isinstance(found, list) or len(found) > MOST_AXES:
        raise LayoutError(f"launch: {key}: wanted one to three entries, got {shown(found)}")
    return found


def _expression(value: Any, domain: Domain, where: str) -> Any:
    if not isinstance(value, int | str):
        raise LayoutError(f"{where}: wanted a number or text over the sizes, got {shown(value)}")
    try:
        return parse(str(value), domain)
    except LayoutError as error:
        raise LayoutError(f"{where}: {error.message}", hint=error.hint) from None
