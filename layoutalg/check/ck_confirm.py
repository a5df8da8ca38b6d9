"""What a sweep found, asked of CK's own headers as a compiler reads them.

A refutation follows from a layout; that the headers make this layout is what the compiler confirms, by its
lengths, its element space and its offsets at sampled indices, or by its encoding. What CK refuses, the
compiler must refuse too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from layoutalg.check.ck_sweep import Judged, Sweep
from layoutalg.check.finding import Finding
from layoutalg.check.findings_page import causes_of
from layoutalg.check.from_ck import headers
from layoutalg.ck import attempt
from layoutalg.ck.bindings import flattened
from layoutalg.ck.compiled.cpp_text import UntoldError, assertions, case_text, is_for_host
from layoutalg.ck.compiled.translation_unit import Outcome, judged, said_of
from layoutalg.ck.configurations import Unit
from layoutalg.ck.cpp.ck_library import CK_TILE, library_of
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import Target, found_builder

__all__ = ["confirmations", "with_confirmations"]

AGREES = "compiler: the headers make this layout"
REFUSES = "compiler: refuses it too"
SAME = "compiler: refuses the same assertion, of another function"  # a class is refused once, whoever asks
DIFFERS = "compiler: CONTRADICTS this"
ACCEPTS = "compiler: CONTRADICTS this, it accepts the configuration"


def with_confirmations(found: Sweep, tree: Path) -> Sweep:
    """The sweep, with what the compiler says of the first configuration of each cause among the details."""
    first = {cause.judged[0].unit: cause.judged[0] for cause in causes_of(found)}
    said = confirmations(first.values(), tree)
    rows = tuple(
        replace(one, findings=tuple(_told(one, said.get(one.unit, "")))) if one.unit in said else one
        for one in found.judged
    )
    return replace(found, judged=rows)


def _told(one: Judged, said: str) -> Iterator[Finding]:
    for finding in one.findings:
        bad = finding.status == "refuted"
        yield replace(finding, details=(*finding.details, said)) if bad else finding


def confirmations(rows: Iterable[Judged], tree: Path) -> dict[Unit, str]:
    """What the compiler says of each; one run for each GPU."""
    found: dict[Unit, str] = {}
    by_arch: dict[str, list[Judged]] = {}
    for one in rows:
        by_arch.setdefault(one.unit.arch, []).append(one)
    for arch, some in by_arch.items():
        cases, left = _cases(some, tree)
        found |= left
        if not cases:
            continue
        texts = {number: (str(number), text) for number, (_, text) in cases.items()}
        outcome = judged(said_of(texts, tree, arch, host=False, spoil=False), texts, Counter())
        rejected = {_reason(one) for n, (one, _) in cases.items() if str(n) in outcome.not_compiled}
        for number, (one, _) in cases.items():
            found[one.unit] = _word(one, str(number), outcome, rejected)
    return found


def _reason(one: Judged) -> str:
    """Which of CK's assertions refuses it; "" where none does."""
    said = [finding.summary for finding in one.findings if one.is_rejected]
    return said[0].partition("\n")[0] if said else ""


def _word(one: Judged, name: str, outcome: Outcome, rejected: set[str]) -> str:
    if name in outcome.differ:
        return DIFFERS
    if name in outcome.not_compiled:
        first = outcome.not_compiled[name].strip().partition("\n")[0].partition("error: ")[2]
        return f"{REFUSES}: {first}" if one.is_rejected else f"compiler: does not read it: {first}"
    if one.is_rejected:
        return SAME if _reason(one) in rejected else ACCEPTS
    return AGREES


def _cases(rows: Iterable[Judged], tree: Path) -> tuple[dict[int, tuple[Judged, str]], dict[Unit, str]]:
    """The C++ of each, and why others have none."""
    cases: dict[int, tuple[Judged, str]] = {}
    left: dict[Unit, str] = {}
    for number, one in enumerate(rows):
        try:
            cases[number] = one, _text(number, one, tree)
        except UntoldError as error:
            left[one.unit] = f"compiler: not asked: {error.message}"
    return cases, left


def _text(number: int, one: Judged, tree: Path) -> str:
    if library_of(one.unit.target) is not CK_TILE:
        raise UntoldError("functions of old CK are compiled by the tests only")
    index, bindings = headers(tree, one.unit.arch), dict(one.unit.bindings)
    if is_for_host(bindings):
        raise UntoldError("code of the host")
    body: Callable[[str], str] = "constexpr auto d = {};".format
    if not one.is_rejected:
        layout = attempt(one.unit.target, bindings, index=index, spare=bindings).layout
        body = partial(assertions, layout=layout, number=number)
    builder, _ = found_builder(index, Target.of(one.unit.target))
    kept = {k: v for k, v in bindings.items() if not (k.startswith("Problem.") and "Problem" in bindings)}
    return case_text(number, builder, kept, Run(index, flattened(kept)), body)
