"""What is refuted of the layouts of a source: each claim in words, its counterexample on the layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from layoutalg.check.codes import code_of
from layoutalg.check.decide import Options, findings_of
from layoutalg.check.finding import GOOD, Finding
from layoutalg.check.named_layouts import layouts_named
from layoutalg.pictures.view import Lines, Part, View
from layoutalg.pictures.witness import witness_on

__all__ = ["refutations"]


def refutations(source: str) -> View:
    """All claims of a source that are not proved; of a source where all are, how many there are."""
    values = {name: found.value for name, found in layouts_named(source).items()}
    findings = findings_of(source, Options())
    judged = [one for one in findings if one.status != "note"]
    open_ = [one for one in judged if one.status not in GOOD]
    if not open_:
        return View(f"{source}: {len(judged)} claims, all proved")
    return View(
        f"{source}: {len(open_)} of {len(judged)} claims are not proved",
        tuple(_told(one, values.get(one.layout)) for one in open_),
    )


def _told(finding: Finding, value: Any) -> View:
    claim = finding.claim.partition(":")[0]
    title = f"{finding.status}: {finding.code} {claim} of {finding.layout}, {finding.place}"
    return View(title, tuple(_parts(finding, claim, value)))


def _parts(finding: Finding, claim: str, value: Any) -> Iterator[Part]:
    yield Lines((finding.summary, *finding.details))
    yield from witness_on(value, finding.point)
    if finding.status != "error":
        yield Lines((f"Look at: {code_of(claim).look}",))
