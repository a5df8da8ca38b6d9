"""Kernels that lack an ``s_nop``: each has its one hazard, in the line that says so."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.gfx9.assembly import parse_assembly
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.hazards import hazards_of

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.s"))
MARK = re.compile(r"; BROKEN: (\w+)-hazard$")


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_the_hazard_is_found_in_its_line_and_no_other(path):
    text = path.read_text()
    assembly = parse_assembly(text)
    wanted = [
        (number, mark[1])
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line)) is not None
    ]
    found = [(assembly.instructions[hazard.consumer].line, hazard.kind) for hazard in hazards_of(assembly)]
    assert found == wanted
    assert len(wanted) == 1


@pytest.mark.sample(5)
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_so_it_is_in_the_code_object(path):
    text = path.read_text()
    target = parse_assembly(text).target
    written = hazards_of(parse_assembly(text))
    decoded = hazards_of(executable(link(assemble(text, target))))
    assert [(h.producer, h.consumer, h.rule) for h in decoded] == [
        (h.producer, h.consumer, h.rule) for h in written
    ]


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_what_the_message_asks_for_is_enough(path):
    text = path.read_text()
    assembly = parse_assembly(text)
    (hazard,) = hazards_of(assembly)
    lines = text.splitlines()
    line = assembly.instructions[hazard.consumer].line - 1
    lines[line:line] = hazard.message.partition(": put ")[2].removesuffix(" between").split(" and ")
    assert hazards_of(parse_assembly("\n".join(lines))) == ()


def test_all_kinds_and_targets_are_among_them():
    texts = [path.read_text() for path in BROKEN]
    kinds = Counter(kind for text in texts for kind in re.findall(MARK.pattern, text, re.MULTILINE))
    assert min(kinds["mfma"], kinds["valu"], kinds["trans"]) >= 4
    assert {parse_assembly(text).target for text in texts} == {"gfx908", "gfx90a", "gfx942", "gfx950"}
