"""Index expressions from layouts and from a real kernel compiler, with the best forms known."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg import Domain

__all__ = ["WaveCase", "layout_cases", "points", "python_value", "wave_cases", "wave_domain"]

HERE = Path(__file__).parent


@cache
def layout_cases() -> list[dict[str, Any]]:
    """The entries of ``index_exprs.json``; its README says what the fields mean."""
    cases: list[dict[str, Any]] = json.loads((HERE / "index_exprs.json").read_text(encoding="utf-8"))["cases"]
    return cases


@dataclass(frozen=True)
class WaveCase:
    """An expression as SymPy printed it, and what the library ixsimpl makes of it."""

    number: int
    text: str
    ixsimpl: str


@cache
def wave_cases() -> list[WaveCase]:
    """The 615 expressions of ``wave/`` in order."""
    lines = (HERE / "wave" / "corpus.txt").read_text(encoding="utf-8").splitlines()
    results = (HERE / "wave" / "ixsimpl_results.txt").read_text(encoding="utf-8").splitlines()
    texts = [line.split("s: ", 1)[1] for line in lines if line.strip()]
    found = zip(texts, filter(str.strip, results), strict=True)
    return [WaveCase(number, text, result) for number, (text, result) in enumerate(found)]


@cache
def wave_domain() -> Domain:
    """What ``assumptions.txt`` says of the names; names with ``$`` change from thread to thread."""
    assumptions = (HERE / "wave" / "assumptions.txt").read_text(encoding="utf-8")
    functions = "floor|ceiling|Mod|Max|Min|Piecewise|True|False|xor"
    names = set(re.findall(r"[A-Za-z_$][\w$]*", " ".join(case.text for case in wave_cases())))
    ends: dict[str, tuple[int | None, int | None]] = {}
    for name in sorted(names - set(functions.split("|"))):
        lower = re.search(rf"^{re.escape(name)} >= (\d+)$", assumptions, re.MULTILINE)
        upper = re.search(rf"^{re.escape(name)} < (\d+)$", assumptions, re.MULTILINE)
        ends[name] = (int(lower[1]) if lower else None, int(upper[1]) if upper else None)
    multiples = {m[1]: int(m[2]) for m in re.finditer(r"Mod\((\w+), (\d+)\) == 0", assumptions)}
    return Domain.of(
        {name: pair for name, pair in ends.items() if name.startswith("$")},
        {name: (*pair, multiples.get(name, 1)) for name, pair in ends.items() if not name.startswith("$")},
    )


def python_value(text: str, point: Mapping[str, int]) -> int:
    """Python itself is the oracle: the corpus is written in its syntax."""
    value: int = eval(text, {"min": min, "max": max}, dict(point))  # noqa: S307  our own data
    return value


def points(case: Mapping[str, Any], count: int) -> Iterator[dict[str, int]]:
    """Corners and random points of a case, parameters first."""
    draw = random.Random(case["id"])
    for number in range(count):
        point: dict[str, int] = {}
        for row in case["params"]:
            step = row["multiple_of"]
            low, high = -(-row["lo"] // step), row["hi"] // step
            point[row["name"]] = step * (low, high, draw.randint(low, high))[min(number, 2)]
        for row in case["vars"]:
            last = python_value(str(row["hi"]), point) - 1
            point[row["name"]] = (row["lo"], last, draw.randint(row["lo"], last))[min(number, 2)]
        yield point
