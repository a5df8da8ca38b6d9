"""All errors of a file at once: what each says alone it says beside the others, and nothing else is lost."""

from __future__ import annotations

import re

import pytest

from layoutalg.check.decide import Options, findings_of
from layoutalg.check.formats import FORMATS
from layoutalg.check.layout_file import asked_of, subjects_of
from layoutalg.check.report import Report
from layoutalg.errors import LayoutError
from tests.layoutalg.check.layouts import BAD
from tests.layoutalg.check.test_layout_file_errors import test_errors_name_file_line_and_key as known_errors
from tests.refusals import refused

ALONE = [text for text, _, _ in known_errors.pytestmark[0].args[1] if text.startswith("[layout.a]\n")]
NOT_TOML = [text for text in ALONE if "packed = [4}" in text]
WAVE = "tile_distribution_encoding<sequence<>, tuple<sequnce<16>>, tuple<sequence<1>>, tuple<sequence<0>>"
SEQUENCE = "wanted sequence<...> for sequence 0 of the second argument (the lengths Hs), found 'sequnce'"
TWICE = f"""
[layout.a]
index = {{ x = 8 }}
offset = "x + * 3"
valid = "x <"
size = "M"

[layout.b]
base = {{ packed = ["K", "L + "] }}
stages = [
  [{{ transform = "merge", low_lengths = ["N", 4], lower = [0, 1], upper = [0] }}],
]

[layout.c]
distribution = "{WAVE}"

[layout.d]
base = {{ packed = [4] }}
bse = 3
clams = []
"""


def errors_of(text):
    return [(error.line, error.what, error.hint) for error in asked_of(text, "x.layout.toml").errors]


def test_errors_of_many_layouts_are_those_of_each_alone_and_sound_ones_are_judged():
    texts = [text for text in ALONE if text not in NOT_TOML]
    assert len(texts) > 20
    whole, expected = BAD, []
    for number, text in enumerate(texts):
        for line, what, hint in errors_of(text):
            moved = what.replace("layout.a", f"layout.a{number}")
            expected.append((line + whole.count("\n"), moved, hint))
        whole += text.replace("[layout.a]", f"[layout.a{number}]")

    def without_known(rows):  # which names are known differs with the file
        return sorted((line, what, re.sub(r"known are .*", "", hint)) for line, what, hint in rows)

    found = without_known(errors_of(whole))
    assert found == without_known(expected)
    alone = asked_of(BAD, "x.layout.toml").obligations
    both = [o for o in asked_of(whole, "x.layout.toml").obligations if o.layout == "overlap"]
    assert [(o.line, str(o.claim)) for o in both] == [(o.line, str(o.claim)) for o in alone]


def test_all_errors_of_one_layout_are_told_each_with_its_line():
    assert [(line, what) for line, what, _ in sorted(errors_of(TWICE))] == [
        (4, "layout.a.offset: wanted a number, a name or (, found '*'"),
        (5, "layout.a.valid: wanted a number, a name or (, found the end"),
        (6, "layout.a.size: M is not declared"),
        (9, "layout.b.base.packed: K is not declared"),
        (11, "layout.b.stages.0.0: N is not declared"),
        (15, f"layout.c.distribution: tile_distribution_encoding: {SEQUENCE}"),
        (19, "layout.d: there is no key bse"),
        (20, "layout.d: there is no key clams"),
    ]


CHAIN = """
[layout.a]
base = { packed = ["K"] }

[layout.b]
base = "a"

[layout.c]
base = "b"
claims = ["covers"]

[layout.d]
base = { packed = [4] }
claims = ["one-to-one", { claim = "same map", as = "b" }]

[layout.e]
index = { K = 4 }
offset = "K"
size = 4
"""


def test_what_stands_on_an_error_is_told_once_and_not_as_an_error():
    found = asked_of(CHAIN, "x.layout.toml")
    assert [(error.line, error.what) for error in found.errors] == [
        (3, "layout.a.base.packed: K is not declared")
    ]
    assert [(p.line, p.layout, p.why) for p in found.passed] == [
        (5, "b", "its base a is in error"),
        (8, "c", "its base b is not looked at"),
        (14, "d", "b, which same map names, is in error"),
    ]
    assert {o.layout for o in found.obligations} == {"d", "e"}
    assert found.unclaimed == ()


SHARED = """{head}
[layout.a]
base = {{ packed = ["K", 4] }}

[layout.b]
base = {{ packed = [4, 4] }}
"""


@pytest.mark.parametrize(
    ("head", "line", "said"),
    [
        ("[symbls]\nK = { min = 4 }", 1, "there is no key symbls"),
        ("[symbols]\nK = { mni = 4 }", 2, "symbols.K: there is no key mni"),
        ("[symbols]\nK = 5", 2, "symbols.K: "),
        ("[symbols]\nK = { min = 4, max = 3 }", 2, "symbols.K: "),
        ('facts = ["K > 3", "K >"]\n[symbols]\nK = {}', 1, "facts.1: wanted a number"),
        ('facts = ["K > J"]\n[symbols]\nK = {}', 1, "facts.0: J is not declared"),
    ],
)
def test_layouts_that_use_no_symbol_are_judged_though_the_symbols_are_in_error(head, line, said):
    """And no others: without a fact that was meant a claim may be refuted that holds."""
    found = asked_of(SHARED.format(head=head), "x.layout.toml")
    assert [error.line for error in found.errors] == [line]
    assert found.errors[0].what.startswith(said)
    assert [(p.layout, p.why.endswith(f"(line {line}) is in error")) for p in found.passed] == [("a", True)]
    assert {o.layout for o in found.obligations} == {"b"}


def test_facts_of_a_layout_are_told_at_their_own_line():
    text = '[layout.a]\nbase = { packed = ["K"] }\nsymbols = { K = {} }\nfacts = [\n  "K > 3",\n  "K <",\n]\n'
    head = 'facts = ["J > 1"]\n[symbols]\nJ = {}\n'
    assert [(line, what[:18]) for line, what, _ in errors_of(head + text)] == [(9, "layout.a.facts.1: ")]


@pytest.mark.parametrize("name", FORMATS)
def test_every_report_has_every_error_with_its_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chain = CHAIN
    for old, new in zip("abcd", "klmn", strict=True):
        chain = chain.replace(f"layout.{old}]", f"layout.{new}]").replace(f'"{old}"', f'"{new}"')
    (tmp_path / "a.layout.toml").write_text(TWICE + chain, encoding="utf-8")
    report = Report.of(findings_of("a.layout.toml", Options()))
    text = FORMATS[name](report)
    assert report.exit_status == 2
    for finding in (f for f in report.findings if f.status == "error"):
        assert finding.summary.split("<")[0].partition("'")[0] in text.replace("&gt;", ">")
        assert str(finding.line) in text
    assert len({f.fingerprint for f in report.findings}) == len(report.findings)
    assert report.sentence.endswith("; 9 errors in 1 file")
    if name in ("concise", "full"):
        assert "a.layout.toml:25: note: l: not looked at: its base k is in error" in text


ASKING = """
[layout.a]
base = { packed = ["MM", 8] }
claims = ["one-to-on", "covers"]

[layout.b]
base = { packed = [4, 8] }
claims = ["one-to-on", "covers", { claim = "vector access", dimension = 1 }]
table = "x"

[layout.c]
base = "b"
claims = 3
"""


def test_a_claim_of_the_wrong_form_costs_only_itself():
    found = asked_of(ASKING, "x.layout.toml")
    assert sorted((error.line, error.what.partition(";")[0][:40]) for error in found.errors) == [
        (3, "layout.a.base.packed: MM is not declared"),
        (4, "layout.a.claims.0: wanted one of in boun"),
        (8, "layout.b.claims.0: wanted one of in boun"),
        (8, "layout.b.claims.2: vector access: wanted"),
        (9, 'layout.b.table: wanted a list, got "x"'),
        (13, "layout.c.claims: wanted a list of claims"),
    ]
    assert [(o.layout, o.claim.name) for o in found.obligations] == [("b", "covers")]
    assert found.passed == ()


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ('"""\n  x * 4 +\n  * y\n"""', 6),
        ('"""  x * 4 +\n  * y"""', 5),
        ("'''\n\n  x * 4 + * y\n'''", 6),
        ('"""\\\n   x * 4 +\n  * y\n"""', 6),
        ('"x * 4 + * y"', 4),
        ('"""x * 4 + \\\n  * y"""', 4),  # lines that are joined are not counted
    ],
)
def test_an_error_in_a_text_of_several_lines_has_its_own_line(value, line):
    text = f"\n[layout.a]\nindex = {{ x = 8, y = 4 }}\noffset = {value}\nsize = 3\n"
    assert [(found[0], found[1][:15]) for found in errors_of(text)] == [(line, "layout.a.offset")]


def test_an_error_in_an_encoding_of_several_lines_has_its_own_line():
    spelled = "tile_distribution_encoding<\n sequence<>,\n  tuple<sequence<4, 0>>,\n..."
    (found,) = errors_of(f'[layout.a]\ndistribution = """\n{spelled}"""\n')
    assert found[0] == 5
    assert found[1].endswith("wanted a length (a number >= 1 or a name), found '0'")


def test_the_full_report_shows_the_text_and_the_caret(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.layout.toml").write_text(TWICE, encoding="utf-8")
    text = FORMATS["full"](Report.of(findings_of("a.layout.toml", Options())))
    assert "found '*'\n    x + * 3\n        ^\n" in text
    shown, caret, hint = text.partition("found 'sequnce'\n")[2].splitlines()[:3]
    assert shown[caret.index("^") :].startswith("sequnce<16>")
    assert hint.strip() == "hint: did you mean sequence?"


def test_a_file_asked_for_its_layouts_is_refused_by_its_first_error():
    with refused(LayoutError, "x.layout.toml:4", "layout.a.offset"):
        subjects_of(TWICE, "x.layout.toml")
