"""Other simplifiers beside ours, in one process: prices of what each makes of a text, and times.

    pip install -e '.[bench]' && python -m tests.benchmarks.peers

Each reads the text in its own way: tinygrad through the operators of its ``UOp``, SymPy as ``floor`` and
``Mod``. What a peer cannot read, or what cannot be priced, is a dash. Times are of the first call of
each case, reading included, after one call to warm up.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import sympy
from rich.console import Console
from rich.table import Table

from layoutalg.term.cost import Pricing
from layoutalg.term.parse import parse_term
from tests.benchmarks.adapter import simplify_text
from tests.corpus import layout_cases, points, python_value

WARM_UP = {"vars": [{"name": "a", "lo": 0, "hi": 64}], "params": []}
Peer = Callable[[str, Mapping[str, Any]], str]


def _ends(case: Mapping[str, Any]) -> dict[str, tuple[int, int]] | None:
    """The ends of every name as numbers, both included; None where an end is open or a text."""
    found = {}
    for row in (*case["vars"], *case["params"]):
        low, high = row["lo"], row["hi"]
        if not isinstance(low, int) or not isinstance(high, int):
            return None
        found[row["name"]] = (low, high - 1 if row in case["vars"] else high)
    return found


def tinygrad_text(text: str, case: Mapping[str, Any]) -> str:
    """What tinygrad's symbolic rules make of the text, in Python's syntax."""
    from tinygrad.uop.ops import UOp  # noqa: PLC0415  an optional extra

    ends = _ends(case)
    if ends is None:
        msg = "tinygrad's variables have numbers as ends"
        raise ValueError(msg)
    names: dict[str, Any] = {name: UOp.variable(name, *pair) for name, pair in ends.items()}
    names |= {"min": lambda a, b: a.minimum(b), "max": lambda a, b: a.maximum(b)}
    found = eval(text, names)  # noqa: S307  our own data
    return str(found.simplify().render() if isinstance(found, UOp) else found)


def sympy_text(text: str, case: Mapping[str, Any]) -> str:
    """What ``sympy.simplify`` makes of the text, in SymPy's syntax."""
    if re.search(r"[&^|]|<<|>>", text):
        msg = "SymPy has no bit operations on integers"
        raise ValueError(msg)
    names = {row["name"]: sympy.Symbol(row["name"], integer=True, nonnegative=True) for row in case["vars"]}
    names |= {row["name"]: sympy.Symbol(row["name"], integer=True, positive=True) for row in case["params"]}
    spelled = eval(text, {name: _Floors(symbol) for name, symbol in names.items()})  # noqa: S307
    return str(sympy.simplify(spelled.value if isinstance(spelled, _Floors) else spelled))


class _Floors:
    """Integers whose ``//`` and ``%`` are SymPy's ``floor`` and ``Mod``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    @staticmethod
    def _of(other: Any) -> Any:
        return other.value if isinstance(other, _Floors) else sympy.Integer(other)

    def __add__(self, other: Any) -> _Floors:
        return _Floors(self.value + self._of(other))

    def __sub__(self, other: Any) -> _Floors:
        return _Floors(self.value - self._of(other))

    def __rsub__(self, other: Any) -> _Floors:
        return _Floors(self._of(other) - self.value)

    def __mul__(self, other: Any) -> _Floors:
        return _Floors(self.value * self._of(other))

    def __floordiv__(self, other: Any) -> _Floors:
        return _Floors(sympy.floor(self.value / self._of(other)))

    def __mod__(self, other: Any) -> _Floors:
        return _Floors(sympy.Mod(self.value, self._of(other)))

    def __neg__(self) -> _Floors:
        return _Floors(-self.value)

    __radd__, __rmul__ = __add__, __mul__


PEERS: dict[str, tuple[Peer, str]] = {  # with the syntax of what each gives
    "layoutalg": (simplify_text, "python"),
    "tinygrad": (tinygrad_text, "python"),
    "SymPy": (sympy_text, "sympy"),
}


def _installed(peer: Peer) -> bool:
    try:
        peer("a // 4 * 4 + a % 4", WARM_UP)
    except ImportError:
        return False
    return True


def _measured(peer: Peer, syntax: Any, case: Mapping[str, Any]) -> tuple[str, int | None, float]:
    """The form, its price (None for what cannot be read or is not equal), and milliseconds."""
    start = time.perf_counter()
    try:
        form = peer(case["raw"], case)
    except Exception as error:  # noqa: BLE001  whatever a peer raises, it gives no form
        return f"{type(error).__name__}", None, 1e3 * (time.perf_counter() - start)
    spent = 1e3 * (time.perf_counter() - start)
    try:
        term = parse_term(form, syntax=syntax)
        is_equal = all(python_value(str(term), p) == python_value(case["raw"], p) for p in points(case, 100))
    except Exception:  # noqa: BLE001  no text that we can price
        return form, None, spent
    price = Pricing([row["name"] for row in case["params"]]).total(term)
    return form, price if is_equal else None, spent


def compared() -> Table:
    """One row a case: price and milliseconds of each peer that is installed."""
    cases = layout_cases()
    names = [name for name, (peer, _) in PEERS.items() if _installed(peer)]
    columns = [f"{name} {what}" for name in names for what in ("price", "ms")]
    table = Table("case", "given", "best", *columns, title="Peers in one run")
    totals: dict[str, list[int | None]] = {name: [] for name in names}
    times: dict[str, list[float]] = {name: [] for name in names}
    for case in cases:
        pricing = Pricing([row["name"] for row in case["params"]])
        cells = []
        for name in names:
            _, price, spent = _measured(*PEERS[name], case)
            totals[name].append(price)
            times[name].append(spent)
            cells += ["-" if price is None else str(price), f"{spent:.1f}"]
        table.add_row(case["id"], *(str(pricing.total(parse_term(case[k]))) for k in ("raw", "best")), *cells)
    table.add_section()
    sums = [
        cell
        for name in names
        for cell in (
            f"{sum(p for p in totals[name] if p is not None)} of {sum(p is not None for p in totals[name])}",
            f"{statistics.median(times[name]):.2f}/{max(times[name]):.1f}",
        )
    ]
    table.add_row("sum, median/max", "", "", *sums)
    missing = [name for name in PEERS if name not in names]
    table.caption = f"not installed: {', '.join(missing)}" if missing else None
    return table


if __name__ == "__main__":
    Console(width=180).print(compared())
