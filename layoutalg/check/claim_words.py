"""The words by which files ask for claims, and the claims a layout gets without being asked.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> rows = Subject.of_chain("rows", make_naive_tensor_descriptor_packed((4, 8)))
>>> [claim.name for claim in claims_of("bijective", {}, rows, {})]
['one-to-one', 'covers']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy

from layoutalg.check.subject import Subject
from layoutalg.check.texts import number
from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution, make_tile_window
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.table import tables_in
from layoutalg.machine.lds import LdsPhases
from layoutalg.memory import WaveAccess, tile_map, vector_axis
from layoutalg.properties import (
    agree,
    conflict_free,
    covers_map,
    covers_together,
    determines,
    disjoint,
    divides,
    fits_24bit_unmerge,
    fits_index_type,
    fits_integer,
    fits_magic_division,
    inverse_of,
    logical_bounds,
    monotone_map,
    one_to_one_map,
    one_writer,
    owned,
    same_distribution,
    same_map,
    tile_bounds,
    vector_access_map,
    xor_permutes,
)
from layoutalg.properties import default_claims as safe
from layoutalg.properties.inside_tables import inside_tables
from layoutalg.reading.near_names import meant, no_such

__all__ = ["WORDS", "Request", "Word", "claims_of", "default_claims"]


@dataclass(frozen=True)
class Request:
    """A claim asked for: of which layout, with which arguments, among which other layouts of the file."""

    subject: Subject
    arguments: Mapping[str, Any]
    others: Mapping[str, Subject]

    def other(self, argument: str) -> Subject:
        """The layout an argument names."""
        name = self.arguments[argument]
        if name not in self.others:
            raise no_such("layout", str(name), self.others)
        return self.others[name]

    def others_of(self, argument: str) -> list[Subject]:
        """The layouts an argument lists; none where it is left out."""
        given = self.arguments.get(argument, ())
        return [replace(self, arguments={argument: name}).other(argument) for name in given]

    def axis(self, given: Any) -> Any:
        """The axis with this number or name."""
        index = self.subject.index
        if isinstance(given, int) and 0 <= given < len(index):
            return index[given]
        for symbol in index:
            if symbol.name == given:
                return symbol
        names = [symbol.name for symbol in index]
        msg = f"wanted a dimension (0 to {len(index) - 1}) or one of {', '.join(names)}; got {given!r}"
        raise LayoutError(msg, hint=meant(str(given), names))

    def value(self, argument: str) -> Any:
        """A number or an expression in the symbols of the layout."""
        given = self.arguments[argument]
        return sympy.Integer(given) if isinstance(given, int) else number(str(given), self.subject.domain)


Build = Callable[[Request], Sequence[Claim]]


@dataclass(frozen=True)
class Word:
    """How a claim is asked for: its arguments with their kind, and what builds the claims."""

    arguments: Mapping[str, str]
    build: Build
    optional: Mapping[str, str] = field(default_factory=dict)


def claims_of(
    word: str, arguments: Mapping[str, Any], subject: Subject, others: Mapping[str, Subject]
) -> Sequence[Claim]:
    """The claims a word asks for; refused where the word or an argument is none that exists."""
    known = WORDS.get(word)
    if known is None:
        raise no_such("claim", word, WORDS)
    for name in known.arguments:
        if name not in arguments:
            msg = f"{word}: wanted {name} ({known.arguments[name]})"
            raise LayoutError(msg, hint=f'for example {{ claim = "{word}", {name} = ... }}')
    return known.build(Request(subject, arguments, others))


def default_claims(subject: Subject) -> list[Claim]:
    """What a layout must hold to be safe, where nothing is claimed of it.

    Distributions, descriptors and adaptors: :func:`layoutalg.properties.default_claims`. An offset
    expression: in bounds if it has a size, and fits int32 where all sizes have a largest value. Where tables
    are read: inside tables.
    """
    if subject.distribution is not None:
        return list(safe(subject.distribution, subject.name, subject.threads))
    if subject.chain is not None:
        found = list(safe(subject.chain, subject.name))
    else:
        words = [] if subject.size is None else ["in bounds"]
        if all(parameter.upper is not None for parameter in subject.domain.parameters):
            words.append("fits int32")
        found = [claim for word in words for claim in claims_of(word, {}, subject, {})]
    reads = inside_tables(subject.map, subject.name)
    return found if reads is None else [*found, reads]


def _memory_bounds(ask: Request) -> Sequence[Claim]:
    if ask.subject.size is None and isinstance(ask.subject.chain, TensorDescriptor | None):
        msg = "memory bounds: wanted a size"
        raise LayoutError(msg, hint="size = ... says how many elements the memory holds")
    if ask.subject.size is None:
        return ()
    (offset,) = ask.subject.map.outputs
    start = (
        ask.subject.chain.base_offset if isinstance(ask.subject.chain, TensorDescriptor) else sympy.Integer(0)
    )
    then = (Comparison(start, "<=", offset), Comparison(offset, "<", start + ask.subject.size))
    return (
        Claim(
            "in memory bounds",
            ask.subject.name,
            ask.subject.domain,
            then,
            ask.subject.map.when,
            map=ask.subject.map,
        ),
    )


def _logical_bounds(ask: Request) -> Sequence[Claim]:
    if ask.subject.logical is not None:
        return (ask.subject.logical,)
    if ask.subject.chain is None:
        return ()
    claim = logical_bounds(ask.subject.chain, ask.subject.name)
    return (claim,) if claim.then else ()


def _in_bounds(ask: Request) -> Sequence[Claim]:
    if ask.subject.distribution is not None:
        return (tile_bounds(ask.subject.distribution, ask.subject.name, ask.subject.threads),)
    both = _memory_bounds(ask)
    return (*both, *_logical_bounds(ask))


def _one_to_one(ask: Request) -> Sequence[Claim]:
    return (one_to_one_map(ask.subject.map, ask.subject.name),)


def _covers(ask: Request) -> Sequence[Claim]:
    others = ask.others_of("with")
    if ask.subject.size is not None:
        maps = [_from_start(subject) for subject in (ask.subject, *others)]
        lengths = (as_expression(ask.subject.size),)
        if others:
            return (covers_together(maps, lengths, _names(ask.subject, *others)),)
        return (covers_map(maps[0], lengths, ask.subject.name),)
    if others:
        msg = "covers: wanted a size of what several layouts cover together"
        raise LayoutError(msg, hint="size = ... says how many elements the memory holds")
    bottom = ask.subject.chain.bottom_lengths if ask.subject.chain is not None else (None,)
    if None in bottom:
        msg = "covers: the size of what is to be covered is not known"
        raise LayoutError(msg, hint="size = ... says how many elements the memory holds")
    return (covers_map(ask.subject.map, tuple(map(as_expression, bottom)), ask.subject.name),)


def _from_start(subject: Subject) -> IndexMap:
    """The map with offsets counted from where the memory begins."""
    start = subject.chain.base_offset if isinstance(subject.chain, TensorDescriptor) else sympy.Integer(0)
    return IndexMap(subject.domain, (subject.map.outputs[0] - start,), subject.map.when)


def _names(*subjects: Subject) -> str:
    return " and ".join(subject.name for subject in subjects)


def _disjoint(ask: Request) -> Sequence[Claim]:
    other = ask.other("from")
    return (disjoint(ask.subject.map, other.map, _names(ask.subject, other)),)


def _bijective(ask: Request) -> Sequence[Claim]:
    both = _one_to_one(ask)
    return (*both, *_covers(ask))


def _same_map(ask: Request) -> Sequence[Claim]:
    other = ask.other("as")
    if ask.subject.chain is not None and other.chain is not None:
        return (same_map(ask.subject.chain, other.chain, ask.subject.name),)
    if len(other.index) != len(ask.subject.index):
        mine = f"{ask.subject.name} has {len(ask.subject.index)} axes"
        msg = f"same map: {mine}, {other.name} has {len(other.index)}"
        raise LayoutError(msg)
    named = dict(zip(other.index, ask.subject.index, strict=True))
    domain = ask.subject.domain.joined(Domain(other.domain.parameters, ()))
    ends = _ends(other.domain, named), _ends(ask.subject.domain, {})
    pairs = [*zip(*ends, strict=True), *zip(ask.subject.map.outputs, other.map.outputs, strict=True)]
    then = tuple(Comparison(mine, "==", theirs.xreplace(named)) for mine, theirs in pairs)
    when = (*ask.subject.map.when, *(condition.xreplace(named) for condition in other.map.when))
    both = IndexMap(domain, ask.subject.map.outputs, when)
    return (Claim("same map", ask.subject.name, domain, then, when, map=both),)


def _ends(domain: Domain, named: Mapping[Any, Any]) -> list[Any]:
    """The ends of all axes, with other names for the axes."""
    return [as_expression(end).xreplace(named) for axis in domain.axes for end in (axis.lower, axis.upper)]


def _inverse_of(ask: Request) -> Sequence[Claim]:
    other = ask.other("of")
    if ask.subject.chain is None or other.chain is None:
        msg = "inverse of: both layouts must be chains of transforms"
        raise LayoutError(msg)
    return (inverse_of(ask.subject.chain, other.chain, ask.subject.name),)


def _monotone(ask: Request) -> Sequence[Claim]:
    return (monotone_map(ask.subject.map, ask.axis(ask.arguments["dimension"]), ask.subject.name),)


def _vector_access(ask: Request) -> Sequence[Claim]:
    axis = ask.axis(ask.arguments["dimension"])
    return vector_access_map(ask.subject.map, axis, int(ask.arguments["width"]), ask.subject.name).parts


def _fits(integer: str) -> Build:
    def build(ask: Request) -> Sequence[Claim]:
        if ask.subject.chain is not None:
            return (fits_index_type(ask.subject.chain, integer, ask.subject.name),)
        computed = ask.subject.computed or ask.subject.map.outputs
        # CK computes offsets of invalid indices too, but no entry that a table does not have can be read
        when = ask.subject.map.when if tables_in(*computed) else ()
        return (fits_integer(computed, ask.subject.domain, integer, ask.subject.name, when),)

    return build


def _fits_buffer(ask: Request) -> Sequence[Claim]:
    count = int(ask.arguments["element_bytes"])
    last_byte = count * ask.subject.map.outputs[0] + (count - 1)
    return (fits_integer((last_byte,), ask.subject.domain, "buffer", ask.subject.name, ask.subject.map.when),)


def _of_chain(build: Any) -> Build:
    def built(ask: Request) -> Sequence[Claim]:
        return () if ask.subject.chain is None else build(ask.subject.chain, ask.subject.name).parts

    return built


def _divides(ask: Request) -> Sequence[Claim]:
    domain = ask.subject.domain
    divisor, number = (ask.value(key) for key in ("divisor", "number"))
    return (divides(divisor, number, domain, f"{ask.subject.name}: {ask.arguments['number']}"),)


def _agree(ask: Request) -> Sequence[Claim]:
    reader = ask.other("reader")
    return (agree(_located(ask.subject), _located(reader), f"{ask.subject.name} and {reader.name}"),)


def _one_writer(ask: Request) -> Sequence[Claim]:
    threads = tuple(ask.axis(name) for name in ask.arguments["threads"])
    return (one_writer(ask.subject.map, threads, ask.subject.name),)


def _determines(ask: Request) -> Sequence[Claim]:
    what = tuple(number(str(text), ask.subject.map.domain) for text in ask.arguments["what"])
    return (determines(ask.subject.map, what, ask.subject.name),)


def _distribution(subject: Subject, word: str) -> TileDistribution:
    if subject.distribution is None:
        msg = f"{word}: {subject.name} does not say which thread holds what"
        raise LayoutError(msg, hint='distribution = "tile_distribution_encoding<...>" says so')
    return subject.distribution


def _owned(ask: Request) -> Sequence[Claim]:
    return owned(_distribution(ask.subject, "owned"), ask.subject.name, ask.subject.threads).parts


def _same_distribution(ask: Request) -> Sequence[Claim]:
    other = ask.other("as")
    one, two = (_distribution(each, "same distribution") for each in (ask.subject, other))
    return (same_distribution(one, two, ask.subject.name, ask.arguments.get("registers")),)


def _conflict_free(ask: Request) -> Sequence[Claim]:
    memory, threads = ask.subject, ask.other("by")
    if memory.distribution is not None or not isinstance(memory.chain, TensorDescriptor | None):
        msg = f"conflict-free: wanted a layout of memory, {memory.name} is none"
        raise LayoutError(msg, hint="the layout is that of the memory, by = ... names the distribution")
    name = f"{memory.name} by {threads.name}"
    access, vectors = _wave_access(ask, _distribution(threads, "conflict-free"), name)
    target, source = ask.arguments["target"], ask.arguments.get("source")
    phases = LdsPhases.of(target, access.direction, access.bits, source)
    return (*vectors, *conflict_free(access, phases, name).parts)


def _wave_access(ask: Request, tile: TileDistribution, name: str) -> tuple[WaveAccess, Sequence[Claim]]:
    """How a tile's threads access the memory, and the claims that their vectors are whole."""
    memory = ask.subject
    kind, direction, width = (ask.arguments.get(key) for key in ("element", "access", "width"))
    if isinstance(memory.chain, TensorDescriptor):
        window = make_tile_window(memory.chain, tile.lengths, (0,) * len(tile.lengths), tile)
        access = WaveAccess.of_window(window, str(kind), direction or "read", width)
        if access.scalars == 1:
            return access, ()
        return access, vector_access_map(window.index_map(), vector_axis(window), access.scalars, name).parts
    access = WaveAccess.of_tile(memory.map, tile, str(kind), direction or "read", width or 1)
    if access.scalars == 1:
        return access, ()
    return access, vector_access_map(tile_map(memory.map, tile), tile.ys[-1], access.scalars, name).parts


def _located(subject: Subject) -> IndexMap:
    element = subject.index if subject.element is None else subject.element
    return IndexMap(subject.domain, (*element, *subject.map.outputs), subject.map.when)


DIMENSION, LAYOUT, NUMBER = "dimension", "layout", "number"
WORDS: Mapping[str, Word] = {
    "in bounds": Word({}, _in_bounds),
    "memory bounds": Word({}, _memory_bounds),
    "logical bounds": Word({}, _logical_bounds),
    "one-to-one": Word({}, _one_to_one),
    "covers": Word({}, _covers, optional={"with": "layouts"}),
    "bijective": Word({}, _bijective),
    "same map": Word({"as": LAYOUT}, _same_map),
    "inverse of": Word({"of": LAYOUT}, _inverse_of),
    "monotone": Word({"dimension": DIMENSION}, _monotone),
    "vector access": Word({"dimension": DIMENSION, "width": NUMBER}, _vector_access),
    "fits int32": Word({}, _fits("int32")),
    "fits uint32": Word({}, _fits("uint32")),
    "fits buffer": Word({"element_bytes": NUMBER}, _fits_buffer),
    "fits magic division": Word({}, _of_chain(fits_magic_division)),
    "fits 24 bits": Word({}, _of_chain(fits_24bit_unmerge)),
    "xor permutes": Word({}, _of_chain(xor_permutes)),
    "divides": Word({"divisor": "expression", "number": "expression"}, _divides),
    "agree": Word({"reader": LAYOUT}, _agree),
    "one writer": Word({"threads": "axes"}, _one_writer),
    "determines": Word({"what": "expressions"}, _determines),
    "disjoint": Word({"from": LAYOUT}, _disjoint),
    "owned": Word({}, _owned),
    "same distribution": Word({"as": LAYOUT}, _same_distribution, optional={"registers": "registers"}),
    "conflict-free": Word(
        {"by": LAYOUT, "access": "direction", "element": "type", "target": "target"},
        _conflict_free,
        optional={"width": NUMBER, "source": "source"},
    ),
}
