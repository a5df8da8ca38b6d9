"""Which distributions write and read a layout of shared memory, judged by CK's names within one class.

``Make{X}LdsBlockDescriptor`` is written with ``Make{X}DramTileDistribution`` (or a shuffled one of the class)
and read with ``Make{X}Reg...`` or with what the block GEMM of the class makes for its operand:

>>> [made.name for made in lds_partners("a.hpp::Policy::MakeALdsBlockDescriptor", index=_example())]
['Policy::MakeADramTileDistribution']

A name proposes a pair, it proves nothing: a pair whose tiles do not fit is not judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from layoutalg.ck.block_accesses import is_block_layout
from layoutalg.ck.builders import Builder, builders, functions
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_target import Target, found_builder, ordinals

__all__ = [
    "Direction",
    "LdsPartner",
    "is_lds_name",
    "lds_descriptors",
    "lds_partners",
    "lds_ways",
    "operand_of",
    "target_beside",
]

Direction = Literal["write", "read"]
WRITERS = (
    "Make{}DramTileDistribution",
    "MakeShuffled{}RegTileDistribution",
    "MakeShuffled{}RegBlockDistribution",
    "MakeShuffled{}RegBlockDescriptor",
    "MakeShuffled{}TileDistribution",
    "Make{}LdsDistributionEncode",
)
SHUFFLED_WRITERS = ("MakeShuffled{}RegWriteBlockDescriptor",)
READERS = (
    "Make{}RegTileDistribution",
    "Make{}RegBlockDistribution",
    "Make{}RegBlockDescriptor",
    "Make{}RegSliceBlockDescriptor",
    "Make{}LdsReadBlockDescriptor",
    "Make{}LdsLoadTileDistribution",
    "Make{}LdsShuffleTileDistribution",
    "Make{}LDS_WarpTileDistribution",
    "Make{}LDS_TileDistribution",
)
NAME = re.compile(r"Make(Shuffled)?(\w*?)Lds(Store|Write|Load|Read|)BlockDescriptor")
MIXED = re.compile(r"Make(\w+_)(Read|Write)(\w+?)Lds(BlockDescriptor)")  # the role before the operand
WRITTEN, READ = {"Store", "Write"}, {"Load", "Read"}
COPIED = ("async", "trload")  # in a file's name: tiles go from global memory to shared memory at once
COPY = "its file names asynchronous copies: they bypass registers, ds_write does not apply"
TRANSPOSED = "it is read by load_tile_transpose, of whose phases no source tells"


@dataclass(frozen=True)
class LdsRole:
    """What a name says of a layout: whose it is, what it serves, whether in the order of a shuffle.

    >>> role = LdsRole.of("MakeShuffledKLdsWriteBlockDescriptor")
    >>> role.operand, role.role, role.shuffled
    ('K', 'Write', True)
    """

    shuffled: bool
    operand: str
    role: str

    @classmethod
    def of(cls, name: str) -> LdsRole | None:
        """The role in a function's name; None for a name of another form."""
        found = NAME.fullmatch(MIXED.sub(r"Make\1\3Lds\2\4", name))
        return None if found is None else cls(bool(found[1]), found[2], found[3])


def operand_of(name: str) -> str | None:
    """The operand in the name of a descriptor: ``A`` of ``MakeALdsBlockDescriptor``; None without one.

    >>> operand_of("MakeShuffledKLdsWriteBlockDescriptor"), operand_of("MakeADramTileDistribution")
    ('K', None)
    """
    role = LdsRole.of(name)
    return None if role is None else role.operand


def ways_of(role: LdsRole, beside: list[str]) -> list[Direction]:
    """Which ways a descriptor serves, given the names of those beside it: both where it is the only one."""
    if role.shuffled:
        return ["write"]
    same = [other for name in beside if (other := LdsRole.of(name)) and other.operand == role.operand]
    roles = {other.role for other in same if not other.shuffled}
    written, read, plain = bool(roles & WRITTEN), bool(roles & READ), "" in roles
    ways: dict[Direction, bool]
    if role.role in WRITTEN:
        ways = {"write": True, "read": not read and not plain}
    elif role.role in READ:
        ways = {"write": not written and not plain, "read": True}
    else:
        ways = {"write": not written, "read": not read}
    return [direction for direction, serves in ways.items() if serves]


@dataclass(frozen=True)
class LdsPartner:
    """A distribution that a name proposes: which way it accesses, and a reason if that is no plain access."""

    target: str
    name: str
    direction: Direction
    reason: str = ""
    asserts_layout: bool = False  # whether a static_assert of it names the layout in global memory it is for
    otherwise: tuple[str, ...] = ()  # targets that say the same where a version of CK has not this one


def is_lds_name(target: str) -> bool:
    """Whether a function's name speaks of shared memory: ``Lds`` or ``Smem``, and a descriptor.

    In the kernels of old CK it is ``Get...BlockDescriptor``.

    >>> is_lds_name("a.hpp::Policy::MakeALdsBlockDescriptor"), is_lds_name("a.hpp::Policy::MakeDesc")
    (True, False)
    """
    last = Target.of(target).name.rpartition("::")[2]
    return re.search("(Lds|Smem).*Desc", last) is not None or is_block_layout(target)


def lds_descriptors(index: Index) -> list[tuple[Builder, int]]:
    """The descriptors of shared memory, by their names, each with its number."""
    found = ordinals(builders(index)).items()
    named = [(b, n) for b, n in found if b.kind == "descriptor" and re.search("Lds|Smem", b.declared.name)]
    return sorted(named, key=lambda row: (row[0].file, row[0].line))


def target_beside(target: str, other: str) -> str:
    """The full target of a function that may be named by its class, or alone if it is of the same class.

    >>> target_beside("a.hpp::Policy::MakeA", "MakeB"), target_beside("a.hpp::Policy::MakeA", "Other::MakeB")
    ('a.hpp::Policy::MakeB', 'a.hpp::Other::MakeB')
    """
    if ".hpp::" in other:
        return other
    own = Target.of(target)
    owner = own.name.rpartition("::")[0]
    has_class = "::" in other.partition("<")[0] or not owner
    return f"{own.file}::{other}" if has_class else f"{own.file}::{owner}::{other}"


def lds_ways(target: str, *, index: Index) -> list[Direction] | None:
    """Which ways a descriptor serves, by the names in its class; None for a name that does not tell."""
    parsed = Target.of(target)
    builder = None if parsed.has_arguments else found_builder(index, parsed)[0]
    role = None if builder is None else LdsRole.of(builder.declared.name)
    if builder is None or role is None:
        return None
    every = builders(index, builder.file)
    beside = [b.declared.name for b in every if b.kind == "descriptor" and b.owner == builder.owner]
    return ways_of(role, beside)


def lds_partners(target: str, bindings: Any = None, *, index: Index) -> list[LdsPartner]:
    """The writers and readers that CK's names propose for a descriptor."""
    ways = lds_ways(target, index=index)
    if not ways:
        return []
    builder, _ = found_builder(index, Target.of(target))
    role = LdsRole.of(builder.declared.name)
    if role is None:
        return []
    members = _members(builder, index)
    found = []
    for direction in ways:
        patterns = READERS if direction == "read" else SHUFFLED_WRITERS if role.shuffled else WRITERS
        for pattern in patterns:
            entry = members.get(pattern.format(role.operand))
            if entry is not None and entry[0].kind in {"distribution", "encoding"}:
                found.append(_partner(builder, entry, direction))
        if direction == "read" and role.operand in {"A", "B"}:
            found += _of_block_gemm(builder, role.operand, dict(bindings or {}), index)
    return found


def _members(builder: Builder, index: Index) -> dict[str, tuple[Builder, int]]:
    """The functions of a class and of its bases that make layouts, by name; its own come first."""
    every = ordinals(builders(index))
    found: dict[str, tuple[Builder, int]] = {}
    level, seen = [builder.owner] if builder.owner else [], set()
    while level:
        seen |= {owner[-1].name for owner in level}
        for entry, ordinal in every.items():
            if entry.owner in level:
                found.setdefault(entry.declared.name, (entry, ordinal))
        words = {word for owner in level for word in _heading(owner[-1])} - seen
        level = list({b.owner: None for b in every if b.owner and b.owner[-1].name in words})
    return found


def _heading(declared: Declaration) -> list[str]:
    """What stands between the name of a class and its brace: its bases."""
    return declared.source.tokens[declared.head : declared.body] if declared.head else []


def _partner(descriptor: Builder, entry: tuple[Builder, int], direction: Direction) -> LdsPartner:
    builder, ordinal = entry
    reason = ""
    if direction == "write" and "Dram" in builder.declared.name:
        copied = any(word in descriptor.file.rpartition("/")[2] for word in COPIED)
        reason = COPY if copied else ""
    elif direction == "read":
        reason = TRANSPOSED if _mentions(builder, "InputTileDistribution") else ""
    asserts = _asserts_layout(builder)
    if builder.owner == descriptor.owner:
        target = f"{builder.file}::{builder.name}#{ordinal}"
        return LdsPartner(target, builder.name, direction, reason, asserts)
    owner = "::".join(d.name for d in descriptor.owner)
    if any(d.headers for d in descriptor.owner) or [p.name for p in builder.declared.parameters] != [
        "Problem"
    ]:
        reason = reason or "it is inherited, with template arguments that no name tells"
    target = f"{descriptor.file}::{owner}::{builder.declared.name}<Problem>()"
    return LdsPartner(target, f"{builder.name} (inherited)", direction, reason, asserts)


def _asserts_layout(builder: Builder) -> bool:
    words = _body(builder)
    starts = [i for i, word in enumerate(words) if word == "static_assert"]
    return any(word.endswith("Layout") for i in starts for word in words[i : words.index(";", i)])


def _body(builder: Builder) -> list[str]:
    source, body = builder.declared.source, builder.declared.body
    return [] if body is None else source.tokens[body : source.closing(body)]


def _mentions(builder: Builder, word: str) -> bool:
    return any(token.startswith(word) for token in _body(builder))


def _of_block_gemm(
    builder: Builder, operand: str, bindings: dict[str, Any], index: Index
) -> list[LdsPartner]:
    """What the block GEMM of the class, or of the class bound as its ``Derived``, makes for an operand."""
    owner = "::".join(d.name for d in builder.owner)
    policy = _with_arguments(owner, builder, bindings)
    if any(p.name == "Derived" for d in builder.owner for p in d.parameters):
        owner = policy = str(bindings.get("Derived", owner))
    getter = f"{owner}::GetBlockGemm"
    if not any(b.name == getter for b in functions(index, builder.file)):
        return []
    gemm = f"remove_cvref_t<decltype({policy}::template GetBlockGemm<Problem>())>"
    function = f"Make{operand}BlockDistributionEncode"
    reason = _transposing(builder, operand, bindings)
    target, name = f"{builder.file}::{gemm}::{function}()", f"{getter}: {function}"
    config = f"{gemm}::Policy::template GetWarpGemmMWarpNWarp<typename {gemm}::Problem>()"
    warp_gemms = (f"{gemm}::WarpGemm", f"remove_cvref_t<decltype({config}.template at<0>())>")
    otherwise = tuple(
        f"{builder.file}::make_static_tile_distribution(typename {each}::{operand}WarpDstrEncoding{{}})"
        for each in warp_gemms  # older versions read a warp's tile at a time
    )
    return [LdsPartner(target, name, "read", reason, otherwise=otherwise)]


def _with_arguments(owner: str, builder: Builder, bindings: dict[str, Any]) -> str:
    """A class by its name, with the arguments that are bound where it is a template."""
    parameters = [p.name for d in builder.owner for p in d.parameters]
    if not parameters or not all(name in bindings for name in parameters):
        return owner
    return f"{owner}<{', '.join(str(bindings[name]) for name in parameters)}>"


def _transposing(builder: Builder, operand: str, bindings: dict[str, Any]) -> str:
    """Why reads of an operand may be transposed; "" where they are not."""
    wanted = {"A": "RowMajor", "B": "ColumnMajor"}[operand]
    member = f"is_{operand.lower()}_load_tr"
    if not _mentions(builder, member):
        return ""
    plain = str(bindings.get(f"Problem.{operand}Layout", "")).endswith(wanted)
    return "" if plain else f"{member} may hold: {TRANSPOSED}"


def _example() -> Index:
    index = Index("gfx942", {})
    index.add(
        "a.hpp",
        "struct Policy {"
        " static constexpr auto MakeALdsBlockDescriptor() { return make_naive_tensor_descriptor(1); }"
        " static constexpr auto MakeADramTileDistribution() { return make_static_tile_distribution(1); } };",
    )
    return index
