"""Simplified texts mean what the given ones do, cost no more, and do not depend on what came before."""

from __future__ import annotations

import random
import time
from collections import Counter

from layoutalg import LayoutError, simplify
from tests.fuzz.oracle import UndefinedError, value
from tests.fuzz.spaces import spaces
from tests.fuzz.texts import conditions, texts

__all__ = ["run"]

POINTS = 6
EACH = 6  # texts of one domain


def run(seed, count, report):
    """Try about ``count`` texts; ``report`` gets every failure as text. The counts by kind come back."""
    found = Counter[str]()
    number = 0
    while found["texts"] < count:
        draw = random.Random(f"expressions {seed} {number}")
        number += 1
        space = spaces(draw)
        try:
            domain = space.domain()
        except LayoutError as error:
            found[f"refused domain: {type(error).__name__}"] += 1
            found["texts"] += 1
            continue
        points = [p for p in (space.point(draw) for _ in range(POINTS)) if p is not None]
        for _ in range(EACH):
            text = texts(draw, space) if draw.random() < 0.85 else conditions(draw, space)
            found["texts"] += 1
            place = f"{seed}:{number - 1} {space} {text!r}"
            _one(text, domain, points, draw, found, _told(report, place))
    return found


def _told(report, place):
    return lambda what: report(f"{place}: {what}")


def _one(text, domain, points, draw, found, report):
    start = time.process_time()
    trusted = draw.random() < 0.5
    try:
        result = simplify(text, domain, assume_defined=trusted)
    except LayoutError as error:
        found[f"refused: {type(error).__name__}"] += 1
        return
    except Exception as error:  # noqa: BLE001  that is what is looked for
        found["crashed"] += 1
        report(f"{type(error).__name__}: {error}")
        return
    spent = time.process_time() - start
    found["slow"] += spent > 1
    if spent > 5:
        report(f"slow: {spent:.2f} s")
    if result.cost > result.cost_before:
        found["dearer"] += 1
        report(f"dearer: {result}")
    printed = [str(result)]
    if draw.random() < 0.1:
        printed.append(str(result.expr))
    for point in points:
        try:
            wanted = value(text, point)
        except UndefinedError:
            found["undefined points" if trusted else "undefined but accepted"] += 1
            if not trusted:
                report(f"accepted although undefined at {point}")
            continue
        for form in printed:
            try:
                got = value(form, point)
            except UndefinedError:
                got = "undefined"
            found["points"] += 1
            if got != wanted or isinstance(got, bool) != isinstance(wanted, bool):
                found["wrong"] += 1
                report(f"{form!r} is {got}, not {wanted} at {point}")
