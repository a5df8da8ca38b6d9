"""All cases of the shipped bindings, compiled."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from pathlib import Path

from layoutalg.ck import builders, import_layout
from layoutalg.ck.bindings import flattened
from layoutalg.ck.compiled.cpp_text import UntoldError, assertions, case_text, is_for_host
from layoutalg.ck.compiled.translation_unit import Cases, Outcome, judged, said_of
from layoutalg.ck.cpp.cpp_errors import ImportFailedError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.shipped_bindings import default_bindings


def cases(index: Index) -> tuple[Cases, Cases, Counter[str]]:
    """For the device and for the host, by number: the target and its C++; and why others have none."""
    found: tuple[Cases, Cases] = ({}, {})
    left_out: Counter[str] = Counter()
    rows = sorted(ordinals(builders(index)).items(), key=lambda row: (row[0].file, row[0].line))
    for number, (builder, ordinal) in enumerate(rows):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        try:
            layout = import_layout(target, bindings, index=index, spare=set(bindings)).layout
            body = partial(assertions, layout=layout, number=number)
            text = case_text(number, builder, bindings, Run(index, flattened(bindings)), body)
            found[is_for_host(bindings)][number] = (target, text)
        except ImportFailedError as error:
            left_out[f"not imported: {error.verdict}"] += 1
        except UntoldError as error:
            left_out[str(error)] += 1
    return (*found, left_out)


def compiled(root: Path, index: Index, *, spoil: bool = False) -> Outcome:
    """Compile all cases; ``spoil`` changes every expectation, so that all must differ."""
    device, host, left_out = cases(index)
    asked = [spoiled(rows) if spoil else rows for rows in (device, host)]
    said = [said_of(rows, root, index.arch, host=bool(n)) for n, rows in enumerate(asked)]
    return judged("\n".join(said), device | host, left_out)


def spoiled(rows: Cases) -> Cases:
    """The cases with every expectation changed."""
    return {number: (target, _other(text)) for number, (target, text) in rows.items()}


def _other(text: str) -> str:
    text = re.sub(r"== (\d+), \"MIS", lambda m: f'== {int(m[1]) + 1}, "MIS', text)
    first = r"made, tile_distribution_encoding<sequence<([^>]*)>"
    return re.sub(first, r"made, tile_distribution_encoding<sequence<977>", text)
