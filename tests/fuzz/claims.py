"""Verdicts are right: what is proved holds at every point tried, what is refuted fails at its point."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import lru_cache

from layoutalg import Domain, IndexMap, LayoutError, make_naive_tensor_descriptor, parse
from layoutalg.claim import Claim, Comparison
from layoutalg.layout import make_layout
from layoutalg.length import sizes
from layoutalg.machine.lds import LdsPhases
from layoutalg.memory import WaveAccess
from layoutalg.proofs import MEMBERS, Limits, prove
from layoutalg.properties import (
    conflict_free,
    covers_map,
    default_claims,
    inverse_of,
    one_to_one,
    one_to_one_map,
    same_map,
)
from layoutalg.verdict import Proved, Refuted
from tests.fuzz.oracle import UndefinedError, value
from tests.fuzz.spaces import spaces
from tests.fuzz.texts import conditions, texts

__all__ = ["run"]

LIMITS = Limits(points=60_000, few=1 << 14, z3=60_000)
PORTFOLIO = tuple(name for name in MEMBERS if name != "cvc5")
BOX = 600  # indices tried for fixed sizes
VISITED = 20_000  # steps of the walk to them: axes may be empty for most values of those before
POINTS = 24


def run(seed, count, report):
    """Try ``count`` claims; ``report`` gets every failure as text. The counts by kind come back."""
    found = Counter[str]()
    for number in range(count):
        draw = random.Random(f"claims {seed} {number}")
        try:
            claims = draw.choice(KINDS)(draw)
        except LayoutError as error:
            found[f"refused: {type(error).__name__}"] += 1
            found["claims"] += 1
            continue
        for claim in claims:
            found["claims"] += 1
            _judge(claim, draw, found, _told(report, f"{seed}:{number} {claim}"))
    return found


def _told(report, place):
    return lambda what: report(f"{place}: {what}")


def _judge(claim, draw, found, report):
    members = PORTFOLIO if draw.random() < 0.5 else [draw.choice(PORTFOLIO)]
    try:
        verdict = prove(claim, members=members, limits=LIMITS)
    except LayoutError as error:
        found[f"refused: {type(error).__name__}"] += 1
        if "no index exists" in error.message and _a_point(claim, draw):
            report(f"a point exists: {error}")
        return
    except Exception as error:  # noqa: BLE001  that is what is looked for
        found["crashed"] += 1
        report(f"{type(error).__name__}: {error}")
        return
    found[f"{type(verdict).__name__.lower()} by {getattr(verdict, 'by', 'nobody')}"] += 1
    if isinstance(verdict, Refuted):
        wrong = _not_refuted(claim, dict(verdict.point))
    elif isinstance(verdict, Proved):
        wrong = _not_proved(claim, draw)
    else:
        wrong = None
    if wrong:
        found["wrong"] += 1
        report(f"{verdict}: {wrong}")


# ---- what a claim says, read from its text


def _holds(when, then, point):
    """Whether a claim of single points holds at one; None where a condition is not defined."""
    try:
        if not all(value(_text(condition), point) for condition in when):
            return True
    except UndefinedError:
        return None
    try:
        return all(_compare(c, value(_text(c.left), point), value(_text(c.right), point)) for c in then)
    except UndefinedError:
        return False


def _compare(comparison, left, right):
    return {"==": left == right, "<=": left <= right, "<": left < right}[comparison.op]


def _named(point):
    return {name.replace("'", "_prime"): number for name, number in point.items()}


def _inside(domain, point):
    point = _named(point)
    for variable in domain.variables:
        number = point[variable.name.replace("'", "_prime")]
        if number % variable.multiple_of:
            return False
        if variable.lower is not None and number < value(_text(variable.lower), point):
            return False
        if variable.upper is not None and number >= value(_text(variable.upper), point):
            return False
    return all(value(_text(fact), point) for fact in domain.facts)


def _not_refuted(claim, point):
    if not _inside(claim.domain, point):
        return "its point lies outside"
    if claim.witness is not None:
        fixed = {p.name: point[p.name] for p in claim.domain.parameters}
        wanted = tuple(point[axis.name] for axis in claim.domain.axes)
        for index in _indices(claim.map.domain, fixed)[0]:
            if _reached(claim.map, index) == wanted:
                return f"{index} maps there"
        return None
    return "the claim holds there" if _holds(claim.when, claim.then, _named(point)) else None


def _reached(index_map, point):
    try:
        if not all(value(_text(condition), point) for condition in index_map.when):
            return None
        return tuple(value(_text(output), point) for output in index_map.outputs)
    except UndefinedError:
        return None


def _not_proved(claim, draw):
    if claim.witness is not None:
        return _gap(claim, draw)
    if claim.kind == "pairs":
        return _meeting(claim, draw)
    for point in _points(claim.domain, draw):
        if _holds(claim.when, claim.then, _named(point)) is False:
            return f"false at {point}"
    return None


def _meeting(claim, draw):
    index_map = claim.map
    for fixed in _some_sizes(index_map.domain, draw):
        seen: dict[tuple[int, ...], tuple[int, ...]] = {}
        for index in _indices(index_map.domain, fixed)[0]:
            reached = _reached(index_map, index)
            if reached is None:
                continue
            told = tuple(index[str(axis)] for axis in claim.told)
            if seen.setdefault(reached, told) != told:
                return f"{seen[reached]} and {told} both map to {reached} for {fixed}"
    return None


def _gap(claim, draw):
    for fixed in _some_sizes(claim.map.domain, draw):
        indices, are_all = _indices(claim.map.domain, fixed)
        if not are_all:
            continue
        reached = {_reached(claim.map, index) for index in indices}
        for target in _indices(claim.domain, fixed)[0]:
            if tuple(target[axis.name] for axis in claim.domain.axes) not in reached:
                return f"no index maps to {target}"
    return None


def _some_sizes(domain, draw):
    """A few small values of the sizes that fit the facts."""
    if not domain.parameters:
        return [{}]
    bare = Domain(
        domain.parameters,
        tuple(f for f in domain.facts if f.free_symbols <= {p.symbol for p in domain.parameters}),
    )
    found = []
    for _ in range(12):
        point = {}
        for p in domain.parameters:
            step = p.multiple_of
            low = -(-(1 if p.lower is None else int(p.lower)) // step)
            high = low + 6 if p.upper is None else min((int(p.upper) - 1) // step, low + 6)
            if high < low:
                return []
            point[p.name] = draw.randint(low, high) * step
        if _inside(bare, point):
            found.append(point)
    return found[:4]


def _indices(domain, fixed):
    """The first indices of a domain for fixed sizes, open ends cut off near 0, and whether these are all."""
    facts = [_text(fact) for fact in domain.facts]
    found: list[dict[str, int]] = []
    visited = itertools.count()

    def extend(point, axes):
        if len(found) > BOX or next(visited) > VISITED:
            return
        named = _named(point)
        if not axes:
            if all(value(fact, named) for fact in facts):
                found.append(named)
            return
        axis, *rest = axes
        low = -4 if axis.lower is None else value(_text(axis.lower), named)
        high = low + 12 if axis.upper is None else value(_text(axis.upper), named)
        step = axis.multiple_of
        for number in range(-(-low // step) * step, high, step):
            if len(found) > BOX or next(visited) > VISITED:
                return
            extend({**point, axis.name: number}, rest)

    extend(dict(fixed), list(domain.axes))
    return found[:BOX], len(found) <= BOX and next(visited) <= VISITED


@lru_cache(maxsize=4096)
def _text(expression):
    return str(expression)


def _points(domain, draw):
    """Random points, and those of small sizes one by one."""
    for fixed in _some_sizes(domain, draw):
        yield from _indices(domain, fixed)[0][:60]
    for _ in range(POINTS):
        point: dict[str, int] = {}
        for variable in (*domain.parameters, *domain.axes):
            named = _named(point)
            step = variable.multiple_of
            low = -draw.choice((3, 100)) if variable.lower is None else value(_text(variable.lower), named)
            high = (
                low + draw.choice((1, 9, 300, 10**6))
                if variable.upper is None
                else value(_text(variable.upper), named)
            )
            least, most = -(-low // step), (high - 1) // step
            if most < least:
                break
            point[variable.name] = draw.choice((least, most, draw.randint(least, most))) * step
        else:
            if _inside(domain, point):
                yield _named(point)


def _a_point(claim, draw):
    about = claim.map if claim.map is not None and claim.witness is None else claim
    when = about.when if claim.witness is None else ()
    return any(_holds((), (), p) and _all(when, p) for p in _points(about.domain, draw))


def _all(when, point):
    try:
        return all(value(_text(condition), point) for condition in when)
    except UndefinedError:
        return False


# ---- claims


def _comparisons(draw):
    space = spaces(draw)
    domain = space.domain()
    left, right = (parse(texts(draw, space, draw.choice((1, 2))), domain) for _ in range(2))
    if draw.random() < 0.5:
        right = parse(str(draw.choice((0, 1, 7, 8, 63, 64, 100, 4096))), domain)
        left, right = draw.choice(((left, right), (right, left)))
    when = (parse(conditions(draw, space, 0), domain),) if draw.random() < 0.4 else ()
    return [Claim("fuzz", "pair", domain, (Comparison(left, draw.choice(("<=", "<", "==")), right),), when)]


def _identity(draw):
    """An index against itself taken apart and put together again: often true, sometimes nearly."""
    space = spaces(draw)
    domain = space.domain()
    text = texts(draw, space, 1)
    base = draw.choice([*space.sizes, "3", "8", "12", "64"])
    again = f"({text}) // {base} * {base} + ({text}) % {draw.choice((base, base, '8'))}"
    return [Claim("fuzz", "again", domain, (Comparison(parse(text, domain), "==", parse(again, domain)),))]


def _maps(draw):
    space = spaces(draw)
    domain = space.domain()
    outputs = tuple(parse(texts(draw, space), domain) for _ in range(draw.choice((1, 1, 2))))
    if draw.random() < 0.5:
        names = list(space.axes)
        flat = " + ".join(f"{name}*{draw.choice((1, 2, 4, 8, 64, *space.sizes))}" for name in names)
        outputs = (parse(flat, domain),)
    when = (parse(conditions(draw, space, 0), domain),) if draw.random() < 0.3 else ()
    index_map = IndexMap(domain, outputs, when)
    return [one_to_one_map(index_map, "fuzz"), *_covers(draw, index_map)]


def _covers(draw, index_map):
    if len(index_map.outputs) == 1 and all(
        a.lower is not None and a.upper is not None for a in index_map.domain.axes
    ):
        length = draw.choice(
            (
                1,
                4,
                8,
                64,
                *(p.symbol for p in index_map.domain.parameters if p.lower is not None and p.lower >= 1),
            )
        )
        return [covers_map(index_map, (parse(str(length), index_map.domain),), "fuzz")]
    return []


def _chains(draw):
    """Descriptors of open and fixed sizes through a few transforms."""
    M, N, K = sizes("M N K")
    pool = [M, N, K, 2, 3, 4, 5, 8, 12, 16, 4 * M, M * N]
    lengths = [draw.choice(pool) for _ in range(draw.choice((1, 2, 2, 3)))]
    steps = [1]
    for length in reversed(lengths[1:]):
        steps.insert(0, steps[0] * length + draw.choice((0, 0, 0, 8)))
    if draw.random() < 0.2:
        steps[draw.randrange(len(steps))] = draw.choice((1, 2, K, 0))
    made = make_naive_tensor_descriptor(tuple(lengths), tuple(steps))
    for _ in range(draw.choice((0, 1, 2, 3))):
        made = _transformed(draw, made)
    other = _transformed(draw, made)
    claims = [*default_claims(made), one_to_one(made)]
    if draw.random() < 0.3 and len(other.lengths) == len(made.lengths):
        claims.append(same_map(made, other))
    if draw.random() < 0.2:
        claims.append(inverse_of(made, other))
    return claims


def _transformed(draw, made):
    d = draw.randrange(len(made.lengths))
    kind = draw.choice(("pad", "pad", "merge", "unmerge", "xor", "slice", "permute"))
    length = made.lengths[d]
    if kind == "pad":
        return made.pad(d, draw.choice((0, 1)), draw.choice((0, 1, 3)))
    if kind == "merge" and len(made.lengths) > 1:
        return made.merge(*range(min(d, len(made.lengths) - 2), min(d, len(made.lengths) - 2) + 2))
    if kind == "unmerge":
        factor = draw.choice((2, 3, 4))
        if isinstance(length, int) and length % factor == 0:
            return made.unmerge(d, (length // factor, factor))
    if kind == "xor" and len(made.lengths) > 1:
        return made.xor(0, 1)
    if kind == "slice" and isinstance(length, int) and length > 1:
        return made.slice(d, 1, length)
    return made


def _layouts(draw):
    """Nested layouts of numbers, at times with a hole or an overlap."""
    shape = tuple(draw.choice((1, 2, 3, 4, 5, 8)) for _ in range(draw.choice((1, 2, 3))))
    order = draw.sample(range(len(shape)), len(shape))
    steps, step = [0] * len(shape), 1
    for place in order:
        steps[place] = step if draw.random() < 0.9 else draw.choice((1, 2, 3, 7))
        step *= shape[place]
    return list(default_claims(make_layout(shape, tuple(steps))))


def _banks(draw):
    """Accesses of a wave to rows of shared memory, padded or swizzled: conflict-free or not."""
    width, pitch = draw.choice((1, 2, 4)), draw.choice((16, 17, 32, 33, 36, 64))
    row, column = draw.choice(
        (("lane // 8", "lane % 8"), ("lane % 8", "lane // 8"), ("lane // 4", "lane % 4"))
    )
    swizzle = draw.choice(("", f" ^ ({row}) % {draw.choice((2, 4, 8))}"))
    text = f"({row})*{pitch} + (({column}){swizzle})*{width}"
    bits = 32 * width
    access = WaveAccess.of_expression(
        text, Domain.of({"lane": 64, "i": draw.choice((1, 4))}), "f32", width, "read"
    )
    return list(conflict_free(access, LdsPhases.of("gfx942", "read", bits), "fuzz"))


KINDS = (_comparisons, _comparisons, _identity, _maps, _maps, _chains, _layouts, _banks)
