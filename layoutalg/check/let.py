"""Names for subexpressions that a layout file gives with ``let``: in order, a later one may use those before.

>>> from layoutalg.rules.from_text import parse
>>> sizes = Domain.of({}, {"N": (1, None)})
>>> sizes = with_names(sizes, {"num_n": "cdiv(N, 128)", "last": "num_n - 1"})
>>> parse("128*last", sizes)
128*((N + 127) // 128) - 128
>>> with_names(sizes, {"N": 4})
Traceback (most recent call last):
    ...
layoutalg.check.gathered.UnsoundLayoutError: N is a size already (give it another name)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from layoutalg.check.gathered import Gathered
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.term.definition import Definition
from layoutalg.term.parse import RESERVED, Syntax, parsed
from layoutalg.term.tokens import ParseError

__all__ = ["require_apart", "with_names"]


def with_names(
    domain: Domain,
    let: Mapping[str, str | int],
    syntax: Syntax | None = None,
    *,
    axes: Collection[str] = (),
    tables: Collection[str] = (),
) -> Domain:
    """The domain with these names; ``axes`` and ``tables`` will stand beside its own variables and tables.

    An error costs its own name and those that use it, which are not told again.
    """
    errors = Gathered()
    made: tuple[Definition, ...] = ()
    lost: set[str] = set()
    for name, given in let.items():
        with errors.at("let", name):
            try:
                _require_free(name, domain, axes, tables)
                known = (*domain.known_names, *axes, *tables)
                made = (*made, Definition.of(name, str(given), known, (*domain.definitions, *made), syntax))
            except LayoutError as error:
                is_told = error.undeclared in lost
                lost |= {name, *_used_by(error.undeclared, let)}
                if not is_told:
                    raise _too_early(error, name, let) from None
    errors.end()
    return replace(domain, definitions=(*domain.definitions, *made))


def require_apart(axes: Collection[str], domain: Domain) -> None:
    """Refuse axes that have the name of a definition."""
    taken = [one.name for one in domain.definitions if one.name in axes]
    if taken:
        msg = f"{taken[0]} is an axis or a size here, and a name of let too"
        raise LayoutError(msg, hint="give one another name")


def _require_free(name: str, domain: Domain, axes: Collection[str], tables: Collection[str]) -> None:
    """Refuse a name that means something already."""
    kinds = {
        "a word of expressions": RESERVED,
        "an axis": axes,
        "a size": domain.names,
        "a table": [*tables, *(table.name for table in domain.tables)],
        "a name of the file's let": [one.name for one in domain.definitions],
    }
    for kind, taken in kinds.items():
        if name in taken:
            raise LayoutError(f"{name} is {kind} already", hint="give it another name")


def _too_early(error: LayoutError, name: str, let: Mapping[str, str | int]) -> LayoutError:
    """An error about a name that is none yet says so; any other stays as it is."""
    used = error.undeclared
    if not isinstance(error, ParseError) or used not in let:
        return error
    problem = f"{used} is used before it is defined"
    if name in _used_by(used, let):
        problem = f"{name} is defined by itself" if used == name else f"{name} and {used} define each other"
    return ParseError(problem, str(let[name]), error.position, hint="a name may use those before it")


def _used_by(name: str, let: Mapping[str, str | int]) -> set[str]:
    """The names that one stands on, directly or by way of others; none where it is no name of ``let``."""
    found: set[str] = set()
    left = [name] if name in let else []
    while left:
        try:
            term = parsed(str(let[left.pop()]), None, None)[0]
        except LayoutError:
            continue  # told where it stands
        names = {str(part.args[0]) for part in term.walk() if part.op == "symbol"}
        left += (names & set(let)) - found
        found |= names
    return found
