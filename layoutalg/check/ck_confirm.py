"""What a sweep found, asked of CK's own headers as a compiler reads them.

A refutation follows from a layout; that the headers make this layout is what the compiler confirms, by its
lengths, its element space and its offsets at sampled indices, or by its encoding. What CK refuses, the
compiler must refuse too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from layoutalg.check.ck_sweep import Judged, Sweep
from layoutalg.check.finding import Finding
from layoutalg.check.findings_page import causes_of
from layoutalg.ck import attempt
from layoutalg.ck.bindings import flattened
from layoutalg.ck.compiled.cpp_text import UntoldError, assertions, case_text, is_for_host
from layoutalg.ck.compiled.translation_unit import Outcome, judged, said_of
from layoutalg.ck.configurations import Unit
from layoutalg.ck.cpp.ck_library import CK_TILE, library_of
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import Target, found_builder

__all__ = ["confirmations", "with_confirmations"]

AGREES = "compiler: the headers make this layout"
REFUSES = "compiler: refuses it too"
UNREAD = "compiler: does not read it"
SAME = "compiler: refuses the same assertion, of another function"  # a class is refused once, whoever asks
DIFFERS = "compiler: CONTRADICTS this"
ACCEPTS = "compiler: CONTRADICTS this, it accepts the configuration"


@dataclass(frozen=True)
class _Case:
    """A function as C++, and the assertion with which CK is said to refuse it; "" where it makes a layout."""

    unit: Unit
    text: str
    refusal: str


def with_confirmations(found: Sweep, tree: Path) -> Sweep:
    """The sweep, with what the compiler says of the first configuration of each cause among the details."""
    said = confirmations((cause.judged[0].unit for cause in causes_of(found)), tree)
    rows = (replace(one, findings=tuple(_told(one, said.get(one.unit, "")))) for one in found.judged)
    return replace(found, judged=tuple(rows))


def _told(one: Judged, said: str) -> Iterator[Finding]:
    for finding in one.findings:
        bad = finding.status == "refuted" and said
        yield replace(finding, details=(*finding.details, said)) if bad else finding


def confirmations(units: Iterable[Unit], tree: Path) -> dict[Unit, str]:
    """What the compiler says of functions with their bindings; one run for each GPU."""
    found: dict[Unit, str] = {}
    by_arch: dict[str, dict[int, _Case]] = {}
    for number, unit in enumerate(dict.fromkeys(units)):
        try:
            by_arch.setdefault(unit.arch, {})[number] = _case(number, unit, tree)
        except UntoldError as error:
            found[unit] = f"compiler: not asked: {error.message}"
    for arch, cases in by_arch.items():
        texts = {number: (str(number), case.text) for number, case in cases.items()}
        outcome = judged(said_of(texts, tree, arch, host=False), texts, Counter()) if texts else None
        refused = {case.refusal for n, case in cases.items() if outcome and str(n) in outcome.not_compiled}
        for number, case in cases.items():
            if outcome is not None:
                found[case.unit] = _word(case, str(number), outcome, refused)
    return found


def _word(case: _Case, name: str, outcome: Outcome, refused: set[str]) -> str:
    if name in outcome.differ:
        return DIFFERS
    if name in outcome.not_compiled:
        first = outcome.not_compiled[name].strip().partition("\n")[0].partition("error: ")[2]
        return f"{REFUSES}: {first}" if case.refusal else f"{UNREAD}: {first}"
    if case.refusal:
        return SAME if case.refusal in refused else ACCEPTS
    return AGREES


def _case(number: int, unit: Unit, tree: Path) -> _Case:
    """The C++ of a function; ``UntoldError`` where there is none."""
    if library_of(unit.target) is not CK_TILE:
        raise UntoldError("functions of old CK are compiled by the tests only")
    index, bindings = headers(tree, unit.arch), dict(unit.bindings)
    if is_for_host(bindings):
        raise UntoldError("code of the host")
    made = attempt(unit.target, bindings, index=index, spare=bindings)
    body: Callable[[str], str] = "constexpr auto d = {};".format
    if made.layout is not None:
        body = partial(assertions, layout=made.layout, number=number)
    builder, _ = found_builder(index, Target.of(unit.target))
    kept = {k: v for k, v in bindings.items() if not (k.startswith("Problem.") and "Problem" in bindings)}
    text = case_text(number, builder, kept, Run(index, flattened(kept)), body)
    return _Case(unit, text, made.message.partition("\n")[0])
