"""Imports in words: what can be imported, which bindings a function requires, what an import gave."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable

from layoutalg.ck.builders import Builder
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.importer import Imported
from layoutalg.ck.required_bindings import RequiredBinding, RequiredBindings
from layoutalg.index.condition_text import conditions_text
from layoutalg.reading.near_names import not_one_of

__all__ = ["REQUIRED_FORMS", "import_text", "list_text", "required_text"]

REQUIRED_FORMS = ("bind", "toml")


def list_text(found: Iterable[Builder], prefix: str) -> str:
    """A line for each function: target, kind, and the template parameters to bind."""
    rows = sorted(ordinals(list(found)).items(), key=lambda row: (row[0].file, row[0].declared.begin))
    counts = Counter((b.file, b.name) for b, _ in rows)
    lines = []
    for builder, ordinal in rows:
        several = f"#{ordinal}" if counts[builder.file, builder.name] > 1 else ""
        names = [p.name for d in (*builder.owner, builder.declared) for p in d.parameters if p.name]
        wants = f"  <{', '.join(dict.fromkeys(names))}>" if names else ""
        file = builder.file.removeprefix(prefix)
        lines.append(f"{file}::{builder.name}{several}  {builder.kind}, line {builder.line}{wants}")
    kinds = Counter(b.kind for b, _ in rows)
    total = ", ".join(f"{count} {kind}s" for kind, count in sorted(kinds.items()))
    return "\n".join([*lines, f"{len(rows)} functions: {total}" if rows else "nothing that makes a layout"])


def required_text(found: RequiredBindings, form: str = "bind") -> str:
    """A line for each binding, with where it is read, to be pasted back: ``--bind`` options or TOML.

    >>> one = RequiredBinding("Problem.kM", 64, is_shipped=True, place="policy.hpp:8:41")
    >>> print(required_text(RequiredBindings((one,))))
    --bind Problem.kM=64  # shipped default, read at policy.hpp:8:41
    >>> print(required_text(RequiredBindings((one,)), "toml"))
    "Problem.kM" = 64  # shipped default, read at policy.hpp:8:41
    """
    if form not in REQUIRED_FORMS:
        raise not_one_of("one", form, REQUIRED_FORMS, where="--emit")
    lines = [f"{_binding(wanted, form)}  # {_source(wanted)}" for wanted in found.bindings]
    if not found.bindings:
        lines.append("# nothing more to bind")
    if found.stopped_by:
        lines += [f"# {line}" for line in f"stopped: {found.stopped_by}".split("\n")]
    return "\n".join(lines)


def _binding(wanted: RequiredBinding, form: str) -> str:
    value = list(wanted.value) if isinstance(wanted.value, tuple) else wanted.value
    if form == "toml":
        return f"{json.dumps(wanted.name)} = {json.dumps(value)}"
    shown = value if isinstance(value, str) else json.dumps(value)
    return f"--bind {shlex.quote(f'{wanted.name}={shown}')}"


def _source(wanted: RequiredBinding) -> str:
    place = f"read at {wanted.place}" if wanted.place else ""
    named = f"named by {wanted.named_by}" if wanted.named_by else ""
    return ", ".join(filter(None, ("shipped default" if wanted.is_shipped else "a guess", place, named)))


def import_text(found: Imported) -> str:
    """Verdict, place, assertions, and what was noticed of an import besides its layout."""
    lines = [f"{found.verdict}: {found.target} for {found.arch}: a {found.kind}"]
    if found.place:
        lines.append(f"  declared at {found.place}")
    lines.append(f"  static_asserts: {found.checked} hold, {len(found.not_checked)} not checked")
    lines += [f"    not checked: {place}: {why}" for place, why in found.not_checked.items()]
    lines += [
        f"    assumed: {place}: {conditions_text((condition,))}" for place, condition in found.assumed.items()
    ]
    lines += [f"  inexact division: {place}: {what}" for place, what in found.inexact.items()]
    lines += [f"  lengths differ: {place}: {what}" for place, what in found.mismatched.items()]
    return "\n".join(lines)
