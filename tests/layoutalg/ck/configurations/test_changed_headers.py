"""Headers as a source: the functions of what changed, and of everything that includes it."""

from __future__ import annotations

import pytest

from layoutalg.check.ck_sweep import swept
from layoutalg.ck import load
from layoutalg.ck.configurations import configurations_of

MAKER = """namespace ck_tile {{ struct {name} {{
    static constexpr auto Make() {{
        return make_naive_tensor_descriptor_packed(make_tuple(number<{length}>{{}}));
    }}
}}; }}"""
FILES = {
    "core.hpp": "",
    "low.hpp": '#include "ck_tile/core.hpp"\n' + MAKER.format(name="Low", length=4),
    "high.hpp": '#include "low.hpp"\n' + MAKER.format(name="High", length=8),
    "other.hpp": MAKER.format(name="Other", length=2),
}
AFFECTED = {
    "core.hpp": {"Low", "High"},
    "low.hpp": {"Low", "High"},
    "high.hpp": {"High"},
    "other.hpp": {"Other"},
}


@pytest.mark.parametrize("changed", FILES)
def test_functions_that_a_change_may_affect(tmp_path, changed):
    folder = tmp_path / "include" / "ck_tile"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    index = load(tmp_path)
    found = configurations_of([str(folder / changed)], index).configurations
    names = {one.targets[0].partition(".hpp::")[2].partition("::")[0] for one in found}
    assert names == AFFECTED[changed]
    judged = swept(found, tmp_path, "gfx942")
    assert {finding.status for finding in judged.findings} == {"proved"}
    assert {finding.file for finding in judged.findings} <= {f"include/ck_tile/{name}" for name in FILES}
