"""Instructions at random: every row of the tables with fields that are likely, or not, to be encodable."""

from __future__ import annotations

import random
from collections.abc import Iterator

from layoutalg.codegen.gfx9.decoding.decode import ENCODINGS
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode, opcodes

__all__ = ["random_words"]

SHORT = ("VOP1", "VOP2", "VOPC")
FIRST_SOURCES = (*range(0, 102, 2), 106, *range(128, 209), *range(240, 249), 249, 250, 255)


def random_words(target: str, count: int, seed: int, *, in_turn: bool = False) -> Iterator[tuple[int, ...]]:
    """``count`` times four words that begin with an opcode of the target; few bits of its fields are set."""
    rng = random.Random(seed)
    rows = [(e, number, row) for e in ENCODINGS for number, row in opcodes(target)[e.name].items()]
    for step in range(count):
        encoding, number, row = rows[step % len(rows)] if in_turn else rng.choice(rows)
        fixed = encoding.mask | ((1 << (encoding.high - encoding.low + 1)) - 1) << encoding.low
        first = _sparse(rng) & ~fixed | encoding.value | number << encoding.low
        second = _sparse(rng)
        if encoding.name in SHORT:
            source = 256 + rng.randrange(256) if rng.random() < 0.5 else rng.choice(FIRST_SOURCES)
            first = first & ~0x1FF | source
        if encoding.name in ("VOP3", "VOP3P"):
            places = [256 + rng.randrange(0, 200, 2) if rng.random() < 0.8 else rng.randrange(0, 100, 4)]
            places += [256 + rng.randrange(0, 200, 2) for _ in range(row.sources - 1)]
            second = sum(place << 9 * i for i, place in enumerate(places[: row.sources]))
            second |= rng.choice([0, 0, rng.getrandbits(5) << 27, 3 << 27])
            first &= rng.choice([~0xFF00, ~0x7800, ~0])
        if encoding.name in ("DS", "FLAT", "GLOBAL", "SCRATCH", "MUBUF"):
            second = _memory(rng, encoding.name, row)
        yield (first & 0xFFFFFFFF, second & 0xFFFFFFFF, rng.getrandbits(32), rng.getrandbits(32))


def _sparse(rng: random.Random) -> int:
    return rng.getrandbits(32) & rng.getrandbits(32) & rng.getrandbits(32)


def _memory(rng: random.Random, name: str, row: Opcode) -> int:
    """Only the fields that the instruction has."""
    low = {"DS": {"p": 0, "x": 8, "y": 16, "d": 24}, "MUBUF": {"x": 8}}.get(
        name, {"p": 0, "x": 8, "d": 24, "r": 24}
    )
    word = sum(rng.randrange(0, 200, 2) << at for role, at in low.items() if row.has(role))
    if name == "MUBUF":
        return word | rng.randrange(0, 200, 2) | rng.randrange(20) << 16 | rng.choice([0x80, 4, 0x7C]) << 24
    if name in ("GLOBAL", "SCRATCH"):
        return word | rng.choice([0x7F, rng.randrange(0, 100, 2)]) << 16
    return word
