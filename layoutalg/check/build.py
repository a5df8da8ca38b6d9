"""Layouts from the tables of a layout file: symbols, base, stages, or a plain offset expression.

>>> table = {"base": {"lengths": [4, "K"], "strides": ["K", 1]}}
>>> subject_of("rows", table, symbols_of({"K": {"min": 8, "multiple_of": 8}}, []), {}).map.outputs
(K*i0 + i1,)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from layoutalg.check.access import base_of, reached, with_tile, within_lengths
from layoutalg.check.gathered import BuildError, Gathered, at
from layoutalg.check.let import require_apart, with_names
from layoutalg.check.on_the_way import values_on_the_way
from layoutalg.check.subject import Subject
from layoutalg.check.texts import as_condition, as_number, condition, number
from layoutalg.claim import IndexMap
from layoutalg.descriptor.make_descriptor import (
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_aligned,
    make_naive_tensor_descriptor_packed,
    make_naive_tensor_descriptor_with_offset,
)
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.domain import Domain, Variable
from layoutalg.domain.variable import index_symbols
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.index.table import Counts, Table
from layoutalg.index.table_values import contradiction
from layoutalg.reading.near_names import near_hint, no_such
from layoutalg.rules.from_text import parse_term_in
from layoutalg.term import interpret_term
from layoutalg.transforms import TRANSFORMS, Indexing, Transform

__all__ = ["ranges_of", "subject_of", "symbols_of"]

MOST_AXES = 32  # of a chain that names of let may speak of


def ranges_of(symbols: Mapping[str, Any] | Sequence[str]) -> Mapping[str, Any]:
    """Sizes with what is said of each; of those that are only named, nothing but that they are 1 or more.

    >>> ranges_of(["M", "N"])
    {'M': {}, 'N': {}}
    """
    return symbols if isinstance(symbols, Mapping) else {name: {} for name in symbols}


def symbols_of(
    symbols: Mapping[str, Any],
    facts: Sequence[str],
    tables: Mapping[str, Any] | None = None,
    let: Mapping[str, Any] | None = None,
) -> Domain:
    """The parameters of a file and what is known of them.

    ``tables``: those known at run time, by name. ``let``: names for expressions in sizes.
    """
    ranges = {
        name: (row.get("min", 1), row.get("max"), row.get("multiple_of", 1)) for name, row in symbols.items()
    }
    errors = Gathered()
    for name, given in ranges.items():
        with errors.at("symbols", name):
            Domain.of({}, {name: given})
    errors.end()
    domain = Domain.of({}, ranges)
    domain = with_names(domain, let or {}, tables=tuple(tables or ()))
    for name, row in (tables or {}).items():
        with errors.at("tables", name):
            domain = replace(domain, tables=(*domain.tables, _table(name, row, domain)))
    errors.end()
    return _with_facts(domain, facts)


def _with_facts(domain: Domain, facts: Sequence[str]) -> Domain:
    errors, found = Gathered(), []
    for place, fact in enumerate(facts):
        with errors.at("facts", place):
            found.append(_fact(fact, domain))
    errors.end()
    return domain.where(*(fact for fact in found if fact != sympy.true))


def _table(name: str, row: Mapping[str, Any], sizes: Domain) -> Table | Counts:
    """A table known at run time from its row; sizes may be named, and tables before it."""
    lengths = [_length(length, sizes) for length in row["lengths"]]
    lower, upper = (_length(end, sizes) for end in row["range"]) if "range" in row else (None, None)
    if "sums_to" in row:
        if len(lengths) > 1 or set(row) - {"lengths", "range", "sums_to"}:
            msg = "a table that sums to something has one length and no other fact than a range"
            raise LayoutError(msg, hint="the sums before each entry never fall: sum_before(table, i)")
        if lower is not None and as_expression(lower).is_nonnegative is not True:
            raise LayoutError(f"a table that sums to something counts: wanted a range from 0 on, got {lower}")
        return Counts.of(name, lengths[0], _length(row["sums_to"], sizes), lower=int(lower == 1))
    rising = {True: "rising", False: "no", "strictly": "strictly"}[row.get("monotone", False)]
    first, last = (None if key not in row else _length(row[key], sizes) for key in ("first", "last"))
    found = Table.of(
        name,
        lengths,
        lower,
        upper,
        one_to_one=row.get("one_to_one", False),
        monotone=rising,
        first=first,
        last=last,
        multiple_of=row.get("multiple_of", 1),
        entries=row.get("entries"),
    )
    why = contradiction(found)
    if why:
        raise LayoutError(f"there is no such table: {why}")
    return found


def _fact(text: str, domain: Domain) -> Any:
    found = condition(text, domain)
    if not any(term.op == "symbol" for term in parse_term_in(text, domain).walk()):
        raise LayoutError("the fact names no symbol", hint="leave it out")
    if found == sympy.false:
        raise LayoutError("the fact is false for all sizes")
    return found


def subject_of(name: str, table: Mapping[str, Any], symbols: Domain, done: Mapping[str, Subject]) -> Subject:
    """The layout a table describes; ``done`` are the layouts before it, which it may build on."""
    if "index" in table:
        return _of_expression(name, table, symbols, done)
    if "distribution" in table:
        return _of_distribution(name, table, symbols)
    axes = [axis.name for axis in index_symbols(MOST_AXES, symbols.names)]
    symbols = _with_own(table, symbols, axes)
    return _with_names(_of_chain(name, table, symbols, done), symbols)


def _with_own(table: Mapping[str, Any], symbols: Domain, axes: Iterable[str]) -> Domain:
    """The sizes with the layout's own names, which may speak of its axes, and its own facts."""
    named = with_names(symbols, table.get("let", {}), table.get("syntax"), axes=tuple(axes))
    return _with_facts(named, table.get("facts", ()))


def _with_names(found: Subject, symbols: Domain) -> Subject:
    """The layout, with the names that texts about it may use."""
    if not symbols.definitions:
        return found
    require_apart(found.domain.names, symbols)
    domain = replace(found.domain, definitions=symbols.definitions)
    return replace(found, map=replace(found.map, domain=domain))


def _of_chain(name: str, table: Mapping[str, Any], symbols: Domain, done: Mapping[str, Subject]) -> Subject:
    if "from_ck" in table:
        from layoutalg.check.from_ck import subject_from_ck  # noqa: PLC0415  reads CK's headers

        with at("from_ck"):
            return subject_from_ck(name, table["from_ck"])
    errors = Gathered()
    with errors.at():
        chain = _base(name, table, symbols, done)
    stages = list(enumerate(table.get("stages", ())))
    made = [_transforms(stage, place, symbols, errors) for place, stage in stages]
    errors.end()
    for place, stage in stages:
        with errors.at("stages", place):
            lower, upper = ([tuple(row[end]) for row in stage] for end in ("lower", "upper"))
            chain = chain.transform(made[place], lower, upper)
        errors.end()
    return Subject.of_chain(name, chain.assuming(_relevant(symbols, chain.free_symbols)))


def _relevant(symbols: Domain, used: Iterable[Any]) -> Domain:
    """The symbols a layout uses, those tied to them by facts, and these facts."""
    names = {symbol.name for symbol in used}
    tied: list[Any] = []
    for _ in symbols.facts:
        tied = [f for f in symbols.facts if names & {symbol.name for symbol in f.free_symbols}]
        names |= {symbol.name for fact in tied for symbol in fact.free_symbols}
    return Domain(tuple(v for v in symbols.variables if v.name in names), tuple(tied), symbols.tables)


def _of_expression(
    name: str, table: Mapping[str, Any], symbols: Domain, done: Mapping[str, Subject]
) -> Subject:
    errors = Gathered()
    symbols = _with_own(table, symbols, table["index"])
    domain = with_tile(table, _index_domain(table["index"], symbols), done)
    base = base_of(table, done)
    if base is None and "offset" not in table:
        raise LayoutError("wanted an offset", hint="or of = the layout that is reached, and element = where")
    found: dict[str, Any] = {"valid": None, "size": None if base is None else base.size}
    element: list[Any] = []
    computed: dict[Any, None] = {}
    for key, kind in (("offset", as_number), ("valid", as_condition)):
        with errors.at(key):
            if key in table:
                term = parse_term_in(table[key], domain, syntax=table.get("syntax"))
                domain.check(term)
                found[key] = kind(interpret_term(term, SYMBOLIC, domain.__getitem__))
                computed |= dict.fromkeys(values_on_the_way(term, domain))
    with errors.at("size"):
        found["size"] = _length(table["size"], symbols) if "size" in table else found["size"]
    for place, text in enumerate(table.get("element", ())):
        with errors.at("element", place):
            element.append(number(text, domain, table.get("syntax")))
    errors.end()
    own = () if found["valid"] in (None, sympy.true) else (found["valid"],)
    when = own
    if base is not None:
        found["offset"], of_base = reached(base, element)
        when = (*own, *(condition for condition in of_base if condition != sympy.true))
    made = _expression_subject(name, domain, symbols, found | {"when": when}, tuple(element), tuple(computed))
    if base is None:
        return made
    mine = replace(made.map, when=own)
    return replace(made, logical=within_lengths(base, element, mine, name))


def _expression_subject(
    name: str,
    domain: Domain,
    symbols: Domain,
    found: Mapping[str, Any],
    element: tuple[Any, ...],
    computed: tuple[Any, ...],
) -> Subject:
    offset, size, when = as_expression(found["offset"]), found["size"], found["when"]
    ends = [end for axis in domain.axes for end in (axis.lower, axis.upper)]
    parts = (offset, *when, *element, *ends, as_expression(size or 0))
    kept = _relevant(symbols, {symbol for part in parts for symbol in part.free_symbols})
    about = Domain((*domain.axes, *kept.variables), kept.facts, symbols.tables, symbols.definitions)
    index_map = IndexMap(about, (offset,), when)
    return Subject(name, index_map, None, size, element or None, computed)


def _of_distribution(name: str, table: Mapping[str, Any], symbols: Domain) -> Subject:
    with at("distribution"):
        encoding = read_encoding(table["distribution"])
        for symbol in sorted(encoding.free_symbols, key=str):
            if symbol.name not in symbols:
                error = LayoutError(
                    f"{symbol.name} is not declared", hint=near_hint(symbol.name, symbols.names)
                )
                error.undeclared = symbol.name
                raise error
        encoding = encoding.renamed({s: symbols[s.name] for s in encoding.free_symbols})
    bare = make_static_tile_distribution(encoding, _relevant(symbols, encoding.free_symbols))
    symbols = _with_own(table, symbols, (*(axis.name for axis in (*bare.ps, *bare.ys)), "register"))
    made = make_static_tile_distribution(encoding, _relevant(symbols, encoding.free_symbols))
    threads = None
    if "threads" in table:
        with at("threads"):
            threads = tuple(_length(count, symbols) for count in table["threads"])
    with at("threads"):
        return _with_names(Subject.of_distribution(name, made, threads), symbols)


def _index_domain(index: Mapping[str, Any], symbols: Domain) -> Domain:
    axes: tuple[Variable, ...] = ()
    for axis, given in index.items():
        known = replace(symbols, variables=(*axes, *symbols.variables))
        with at("index", axis):
            require_apart((axis,), symbols)
            ends = given if isinstance(given, list) else [0, given]
            low, high = (as_expression(_length(end, known)) for end in ends)
        symbol = sympy.Symbol(axis, integer=True, **({"nonnegative": True} if low.is_nonnegative else {}))
        axes = (*axes, Variable(symbol, low, high))
    return replace(symbols, variables=(*axes, *symbols.variables))


def _base(name: str, table: Mapping[str, Any], symbols: Domain, done: Mapping[str, Subject]) -> Any:
    base = table["base"]
    if isinstance(base, str):
        if base not in done or done[base].chain is None:
            known = [known for known, subject in done.items() if subject.chain is not None]
            msg = f"there is no layout {base} above this one with a base of its own"
            what = "a layout cannot be the base of itself" if base == name else msg
            raise BuildError(("base",), LayoutError(what, hint=near_hint(base, known)))
        return done[base].chain
    values, errors = {}, Gathered()
    for key, given in base.items():
        with errors.at("base", key):
            values[key] = _given(given, symbols)
    errors.end()
    with at("base"):
        return _naive(values)


def _naive(values: Mapping[str, Any]) -> Any:
    if "packed" in values:
        return make_naive_tensor_descriptor_packed(values["packed"])
    if "align" in values:
        return make_naive_tensor_descriptor_aligned(values["lengths"], values["align"])
    if "offset" in values:
        return make_naive_tensor_descriptor_with_offset(
            values["lengths"], values["strides"], values["offset"]
        )
    return make_naive_tensor_descriptor(values["lengths"], values["strides"])


def _transforms(
    stage: list[Mapping[str, Any]], number: int, symbols: Domain, errors: Gathered
) -> list[Transform]:
    """The transforms of a stage; errors are gathered, as those of one stage say nothing about the others."""
    made = []
    for place, row in enumerate(stage):
        with errors.at("stages", number, place):
            made.append(_transform(row, symbols))
    return made


def _transform(row: Mapping[str, Any], symbols: Domain) -> Transform:
    kind = TRANSFORMS[row["transform"]]
    given = {
        key: value if key == "variant" else _given(value, symbols)
        for key, value in row.items()
        if key not in ("transform", "lower", "upper") and not (kind is Indexing and isinstance(value, str))
    }
    if kind is Indexing:
        if isinstance(row["table"], str):
            return Indexing.of_table(_table_named(row["table"], symbols))
        return Indexing.table(given["table"])
    return kind(**given)


def _table_named(name: str, symbols: Domain) -> Table:
    found = symbols.table(name)
    if isinstance(found, Table):
        return found
    known = [table.name for table in symbols.tables if isinstance(table, Table)]
    raise no_such("table", name, known)


def _given(value: Any, symbols: Domain) -> Any:
    if isinstance(value, list):
        return tuple(_given(part, symbols) for part in value)
    return value if isinstance(value, bool) else _length(value, symbols)


def _length(value: Any, symbols: Domain) -> Any:
    if isinstance(value, int):
        return value
    found = number(str(value), symbols)
    return int(found) if found.is_Integer else found
