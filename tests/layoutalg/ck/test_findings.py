"""What is refuted in CK Tile is found again, by its witness, and nothing else; the compiler agrees."""

from __future__ import annotations

import importlib.util
from collections import Counter

import pytest

from layoutalg.descriptor.coordinate import make_tensor_coordinate
from layoutalg.verdict import Proved, Refuted
from tests.benchmarks.ck_tile_report import report_text
from tests.golden.ck_import import has_headers
from tests.layoutalg.ck.findings import COMPILES, checked, findings, imports

needs_headers = pytest.mark.skipif(
    not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
)
needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="no compiler: the wheel ziglang"
)
ARCHS = ["gfx942", "gfx950"]


def key(target, claim, witness):
    return target, claim, tuple(witness.items())


@pytest.mark.slow
@needs_headers
@pytest.mark.parametrize("arch", [ARCHS], ids="-".join)
def test_exactly_the_findings_are_refuted_and_nothing_is_unknown(arch):
    for target in arch:
        found, differ = [], set()
        assert len(imports(target)) >= 285
        for name, result, _ in imports(target):
            assert not result.not_checked, name
            if result.mismatched:
                differ.add(name)
            if result.layout is None:
                assert result.verdict == "rejected by CK", name
                found.append(key(name, COMPILES, {}))
                continue
            for claim, verdict in checked(result.layout):
                if not isinstance(verdict, Proved):
                    point = verdict.point if isinstance(verdict, Refuted) else {"unknown": 0}
                    found.append(key(name, claim, point))
        wanted = [f for f in findings() if target in f.arch]
        assert Counter(found) == Counter(key(f.target, f.claim, f.witness) for f in wanted)
        assert differ == {f.target for f in wanted if f.more.get("lengths_differ")}


@pytest.mark.slow
@needs_headers
@pytest.mark.parametrize("arch", ARCHS)
def test_the_points_lie_where_the_findings_say(arch):
    results = {target: result for target, result, _ in imports(arch)}
    for finding in findings():
        if arch not in finding.arch:
            continue
        result = results[finding.target]
        if finding.claim == COMPILES:
            assert finding.more["message"] in result.message
            assert f"({finding.place}:" in result.message
            continue
        assert result.place.startswith(f"{finding.place}:")
        for point, offset in zip(finding.points, finding.offsets, strict=True):
            assert result.layout.calculate_offset(point) == offset
        if "beyond" in finding.more:
            i, value, length = finding.more["beyond"]
            assert make_tensor_coordinate(result.layout, finding.points[0]).hidden_index[i] == value >= length
            known = (result.layout.hidden_lengths[i], result.layout.element_space_size)
            assert length == (known[0] if i else known[1])


def test_findings_are_of_a_kind_and_say_why():
    assert {f.kind for f in findings()} == {"defect", "by design", "by nature"}
    assert all(f.why.endswith(".") and f.arch for f in findings())


@needs_headers
@needs_compiler
@pytest.mark.long
@pytest.mark.parametrize("arch", ARCHS)
def test_the_compiled_headers_confirm_every_finding(arch):
    from tests.layoutalg.ck.oracle.confirm import confirmed  # noqa: PLC0415

    wanted = [f for f in findings() if arch in f.arch]
    said = confirmed(wanted, arch)
    assert [said[f] for f in range(len(wanted))] == ["confirmed"] * len(wanted)


@needs_headers
@needs_compiler
@pytest.mark.long
def test_a_wrong_number_is_not_confirmed():
    from tests.layoutalg.ck.oracle.confirm import confirmed  # noqa: PLC0415

    wanted = [f for f in findings() if "gfx942" in f.arch and f.claim != COMPILES]
    said = confirmed(wanted, "gfx942", spoil=True)
    assert all(text.startswith("contradicted") for text in said.values())


def test_the_report_names_every_finding_and_what_a_run_has_not():
    count = len([f for f in findings() if "gfx950" in f.arch])
    text = report_text("gfx950", Counter({"imported": 1}), {}, {0: "confirmed"})
    assert text.count("| confirmed |") == 1
    assert text.count("| not asked |") == count - 1
    assert text.count("- gone: ") == count - 1  # all but the one that does not compile
