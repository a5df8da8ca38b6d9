"""Layouts from the tables of a layout file: symbols, base, stages, or a plain offset expression.

>>> table = {"base": {"lengths": [4, "K"], "strides": ["K", 1]}}
>>> subject_of("rows", table, symbols_of({"K": {"min": 8, "multiple_of": 8}}, []), {}).map.outputs
(K*i0 + i1,)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sympy

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
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.rules.from_text import parse_term_in
from layoutalg.term import interpret_term
from layoutalg.term.parse import parse_term
from layoutalg.transforms import TRANSFORMS, Indexing, Transform

__all__ = ["BuildError", "subject_of", "symbols_of"]


class BuildError(LayoutError):
    """What is wrong, and where below the layout's own table."""

    def __init__(self, path: tuple[str | int, ...], error: LayoutError) -> None:
        self.path = path
        super().__init__(error.message, hint=error.hint)


def symbols_of(symbols: Mapping[str, Any], facts: list[str]) -> Domain:
    """The parameters of a file and what is known of them."""
    ranges = {
        name: (row.get("min", 1), row.get("max"), row.get("multiple_of", 1)) for name, row in symbols.items()
    }
    domain = Domain.of({}, ranges)
    found = []
    for place, fact in enumerate(facts):
        with _at("facts", place):
            found.append(condition(fact, domain))
            if not any(term.op == "symbol" for term in parse_term(fact).walk()):
                raise LayoutError("the fact names no symbol", hint="leave it out")
    if sympy.false in found:
        raise BuildError(("facts", found.index(sympy.false)), LayoutError("the fact is false for all sizes"))
    return domain.where(*(fact for fact in found if fact != sympy.true))


def subject_of(name: str, table: Mapping[str, Any], symbols: Domain, done: Mapping[str, Subject]) -> Subject:
    """The layout a table describes; ``done`` are the layouts before it, which it may build on."""
    if "index" in table:
        return _of_expression(name, table, symbols)
    if "distribution" in table:
        return _of_distribution(name, table, symbols)
    if "from_ck" in table:
        from layoutalg.check.from_ck import subject_from_ck  # noqa: PLC0415  reads CK's headers

        with _at("from_ck"):
            return subject_from_ck(name, table["from_ck"])
    chain = _base(table, symbols, done)
    for place, stage in enumerate(table.get("stages", ())):
        with _at("stages", place):
            chain = _with_stage(chain, stage, place, symbols)
    return Subject.of_chain(name, chain.assuming(_relevant(symbols, chain.free_symbols)))


def _relevant(symbols: Domain, used: Iterable[Any]) -> Domain:
    """The symbols a layout uses, those tied to them by facts, and these facts."""
    names = {symbol.name for symbol in used}
    tied: list[Any] = []
    for _ in symbols.facts:
        tied = [f for f in symbols.facts if names & {symbol.name for symbol in f.free_symbols}]
        names |= {symbol.name for fact in tied for symbol in fact.free_symbols}
    return Domain(tuple(v for v in symbols.variables if v.name in names), tuple(tied))


def _of_expression(name: str, table: Mapping[str, Any], symbols: Domain) -> Subject:
    domain = _index_domain(table["index"], symbols)
    found: dict[str, Any] = {"valid": None}
    computed: dict[Any, None] = {}
    for key in ("offset", "valid"):
        with _at(key):
            if key in table:
                term = parse_term_in(table[key], domain, syntax=table.get("syntax"))
                domain.check(term)
                found[key] = interpret_term(term, SYMBOLIC, domain.__getitem__)
                kind = as_number if key == "offset" else as_condition
                found[key] = kind(found[key])
                computed |= dict.fromkeys(values_on_the_way(term, domain))
    with _at("size"):
        size = _length(table["size"], symbols) if "size" in table else None
    element = []
    for place, text in enumerate(table.get("element", ())):
        with _at("element", place):
            element.append(number(text, domain, table.get("syntax")))
    when = () if found["valid"] in (None, sympy.true) else (found["valid"],)
    offset = as_expression(found["offset"])
    ends = [end for axis in domain.axes for end in (axis.lower, axis.upper)]
    parts = (offset, *when, *element, *ends, as_expression(size or 0))
    kept = _relevant(symbols, {symbol for part in parts for symbol in part.free_symbols})
    index_map = IndexMap(Domain((*domain.axes, *kept.variables), kept.facts), (offset,), when)
    return Subject(name, index_map, None, size, tuple(element) or None, tuple(computed))


def _of_distribution(name: str, table: Mapping[str, Any], symbols: Domain) -> Subject:
    with _at("distribution"):
        encoding = read_encoding(table["distribution"])
        for symbol in encoding.free_symbols:
            if symbol.name not in symbols:
                msg = f"{symbol.name} is not declared"
                raise LayoutError(msg, hint=f"[symbols] {symbol.name} = {{ min = 1 }}")
        encoding = encoding.renamed({s: symbols[s.name] for s in encoding.free_symbols})
    threads = None
    if "threads" in table:
        with _at("threads"):
            threads = tuple(_length(count, symbols) for count in table["threads"])
    made = make_static_tile_distribution(encoding, _relevant(symbols, encoding.free_symbols))
    with _at("threads"):
        return Subject.of_distribution(name, made, threads)


def _index_domain(index: Mapping[str, Any], symbols: Domain) -> Domain:
    axes: tuple[Variable, ...] = ()
    for axis, given in index.items():
        known = Domain((*axes, *symbols.variables), symbols.facts)
        with _at("index", axis):
            ends = given if isinstance(given, list) else [0, given]
            low, high = (as_expression(_length(end, known)) for end in ends)
        symbol = sympy.Symbol(axis, integer=True, **({"nonnegative": True} if low.is_nonnegative else {}))
        axes = (*axes, Variable(symbol, low, high))
    return Domain((*axes, *symbols.variables), symbols.facts)


def _base(table: Mapping[str, Any], symbols: Domain, done: Mapping[str, Subject]) -> Any:
    base = table["base"]
    if isinstance(base, str):
        if base not in done or done[base].chain is None:
            msg = f"there is no layout {base!r} before this one with a base of its own"
            raise BuildError(("base",), LayoutError(msg))
        return done[base].chain
    values = {}
    for key, given in base.items():
        with _at("base", key):
            values[key] = _given(given, symbols)
    with _at("base"):
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


def _with_stage(chain: Any, stage: list[Mapping[str, Any]], number: int, symbols: Domain) -> Any:
    made, lower, upper = [], [], []
    for place, row in enumerate(stage):
        with _at("stages", number, place):
            made.append(_transform(row, symbols))
        lower.append(tuple(row["lower"]))
        upper.append(tuple(row["upper"]))
    return chain.transform(made, lower, upper)


def _transform(row: Mapping[str, Any], symbols: Domain) -> Transform:
    kind = TRANSFORMS[row["transform"]]
    given = {
        key: value if key == "variant" else _given(value, symbols)
        for key, value in row.items()
        if key not in ("transform", "lower", "upper")
    }
    if kind is Indexing:
        return Indexing.table(given["table"])
    return kind(**given)


def _given(value: Any, symbols: Domain) -> Any:
    if isinstance(value, list):
        return tuple(_given(part, symbols) for part in value)
    return value if isinstance(value, bool) else _length(value, symbols)


def _length(value: Any, symbols: Domain) -> Any:
    if isinstance(value, int):
        return value
    found = number(str(value), symbols)
    return int(found) if found.is_Integer else found


@contextmanager
def _at(*path: str | int) -> Iterator[None]:
    """An error inside is told with the place where it happened."""
    try:
        yield
    except BuildError:
        raise
    except LayoutError as error:
        raise BuildError(path, error) from None
