"""Random index texts: trees of all operations, and what kernels have: swizzles, digits, masks, tails."""

from __future__ import annotations

__all__ = ["conditions", "texts"]

NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 32, 33, 64, 100, 128, 255, 256)
DIVISORS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 28, 32, 33, 64, 100, 128)


def texts(draw, space, depth=None):
    """An index text; defined nearly everywhere, but not always."""
    kind = draw.random()
    if kind < 0.05:
        return _swizzled(draw, space)
    if kind < 0.14:
        return _digits(draw, space)
    return _tree(draw, space, draw.choice((1, 1, 1, 2, 2, 2, 3)) if depth is None else depth)


def conditions(draw, space, depth=1):
    """A condition over index texts."""
    if depth and draw.random() < 0.3:
        joined = draw.choice((" and ", " or "))
        return joined.join(f"({conditions(draw, space, depth - 1)})" for _ in range(2))
    if draw.random() < 0.1:
        return f"not ({conditions(draw, space, 0)})"
    left, right = (_tree(draw, space, draw.choice((0, 1, 2))) for _ in range(2))
    return f"({left}) {draw.choice(('<', '<=', '==', '!=', '>', '>='))} ({right})"


def _name(draw, space):
    return draw.choice(space.names)


def _tree(draw, space, depth):
    if depth == 0 or (depth < 3 and draw.random() < 0.15):
        return _name(draw, space) if draw.random() < 0.75 else str(draw.choice(NUMBERS))
    left = _tree(draw, space, depth - 1)
    pick = draw.random()
    if pick < 0.2:
        return f"({left}) + ({_tree(draw, space, depth - 1)})"
    if pick < 0.27:
        return f"({left}) - ({_tree(draw, space, depth - 2 if depth > 1 else 0)})"
    if pick < 0.4:
        factor = (
            draw.choice((*map(str, NUMBERS[1:12]), *space.sizes))
            if draw.random() < 0.8
            else _name(draw, space)
        )
        return f"({left})*{factor}"
    if pick < 0.68:
        return f"({left}) {draw.choice(('//', '%'))} {_divisor(draw, space, depth)}"
    if pick < 0.83:
        mask = str(draw.choice(NUMBERS)) if draw.random() < 0.5 else f"({_tree(draw, space, depth - 1)})"
        return f"({left}) {draw.choice('^^&|')} {mask}"
    if pick < 0.89:
        return f"({left}) {draw.choice(('<<', '>>'))} {draw.choice((0, 1, 2, 3, 5, 7))}"
    if pick < 0.95:
        return f"{draw.choice(('min', 'max'))}({left}, {_tree(draw, space, depth - 1)})"
    return f"select({conditions(draw, space, 0)}, {left}, {_tree(draw, space, depth - 1)})"


def _divisor(draw, space, depth):
    pick = draw.random()
    if not space.sizes or pick < 0.55:
        return str(draw.choice(DIVISORS))
    name = draw.choice(list(space.sizes))
    if pick < 0.8:
        return name
    if pick < 0.9:
        return f"({draw.choice((2, 4, 8))}*{name})"
    other = draw.choice(list(space.sizes)) if depth < 3 else _name(draw, space)
    return draw.choice(
        (f"({name}*{other})", f"({name} - {other} + 1)", f"({name} + 3)", f"max(1, {name} - {other})")
    )


def _row(draw, space):
    """A flat index of padded rows."""
    names = space.names
    width = draw.choice((8, 16, 32, 33, 64, 72, 100, 128))
    length = draw.choice((width, width - 4, 8, 32, 100))
    first, second = draw.choice(names), draw.choice(names)
    return draw.choice(
        (
            f"({first}*{width} + {second} % {length})",
            f"({first} // {length}*{width} + {first} % {length})",
            f"({first}*{width} + {second})",
            first,
        )
    )


def _swizzled(draw, space):
    """One to three swizzles after each other, spelled with masks and shifts or with // and %."""
    text = _row(draw, space)
    for _ in range(draw.choice((1, 1, 2, 2, 3))):
        bits, base, shift = draw.choice((1, 2, 3)), draw.choice((0, 1, 2, 3, 4)), draw.choice((1, 2, 3, 4, 5))
        if draw.random() < 0.5:
            mask = ((1 << bits) - 1) << (base + shift)
            text = f"({text} ^ (({text} & {mask}) >> {shift}))"
        else:
            text = f"({text} ^ ({text} // {1 << (base + shift)} % {1 << bits})*{1 << base})"
        if len(text) > 1500:
            break
    if draw.random() < 0.4:
        text = f"{text} {draw.choice(('//', '%'))} {draw.choice((4, 8, 64, 100, 256))}"
    return text


def _digits(draw, space):
    """Merges and unmerges of mixed radix, often of lengths that do not divide each other."""
    radix = [draw.choice((2, 3, 4, 5, 7, 8, 16, *space.sizes)) for _ in range(draw.choice((2, 2, 3)))]
    flat = _name(draw, space) if draw.random() < 0.7 else f"({_row(draw, space)})"
    parts, scale = [], "1"
    for number in radix:
        parts.append(f"({flat} // ({scale}) % {number})" if scale != "1" else f"({flat} % {number})")
        scale = f"{scale}*{number}" if scale != "1" else str(number)
    parts.append(f"({flat} // ({scale}))")
    order = draw.sample(range(len(parts)), len(parts)) if draw.random() < 0.5 else list(range(len(parts)))
    text, weight = "", "1"
    for place in order:
        text += f" + {parts[place]}*({weight})" if text else f"{parts[place]}*({weight})"
        step = str(radix[place]) if place < len(radix) else str(draw.choice((4, 8, 10)))
        weight = f"{weight}*{step}"
    if draw.random() < 0.5:
        text = f"({text}) {draw.choice(('//', '%'))} {draw.choice([*DIVISORS, *space.sizes])}"
    return text
