"""Layout files: what they may say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import layoutalg.check
from layoutalg.check.claim_words import WORDS
from layoutalg.check.codes import CODES, code_named, code_of, is_selected
from layoutalg.check.layout_file import obligations_of
from layoutalg.check.schema import layout_schema
from layoutalg.check.schema_words import schema
from layoutalg.check.toml_lines import line_of, lines_of
from layoutalg.errors import LayoutError
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted
from tests.layoutalg.check.layouts import BAD, GOOD
from tests.refusals import refused


def verdicts(text):
    return {(o.layout, o.claim.name): prove(o.claim) for o in obligations_of(text, "x.layout.toml")}


def test_the_published_schema_is_the_one_the_code_makes():
    published = Path(layoutalg.check.__file__).parent / "layout.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == layout_schema() == schema()
    jsonschema.Draft202012Validator.check_schema(layout_schema())


def test_a_file_gives_its_claims_with_their_lines():
    found = obligations_of(GOOD, "good.layout.toml")
    assert [(o.line, o.claim.name) for o in found] == [
        (7, "in memory bounds"),
        (7, "one-to-one"),
        (7, "vector divides length"),
        (7, "vector contiguous"),
        (7, "vector aligned"),
        (8, "equals"),
    ]
    assert all(isinstance(prove(o.claim), Proved) for o in found)
    assert [o.line for o in obligations_of(BAD, "bad.layout.toml")] == [5, 6]


STAGES = """
[symbols]
H = { min = 3, max = 100 }

[layout.base]
base = { packed = ["H", 16] }

[layout.all]
base = "base"
stages = [
  [
    { transform = "pad", low_length = "H", left_pad = 1, right_pad = 1, lower = [0], upper = [0] },
    { transform = "unmerge", up_lengths = [4, 4], lower = [1], upper = [1, 2] },
  ],
  [
    { transform = "embed", up_lengths = ["H", 3], coefficients = [1, 1], lower = [0], upper = [0, 1] },
    { transform = "xor", low_lengths = [4, 4], lower = [1, 2], upper = [2, 3] },
  ],
  [
    { transform = "merge", low_lengths = ["H", 3], lower = [0, 1], upper = [0] },
    { transform = "pass_through", low_length = 4, lower = [2], upper = [1] },
    { transform = "slice", low_length = 4, slice_begin = 1, slice_end = 3, lower = [3], upper = [2] },
    { transform = "insert", up_length = 2, lower = [], upper = [3] },
  ],
]
claims = ["in bounds"]
"""


def test_stages_build_what_the_functions_build():
    by_name = {o.layout: o.chain for o in obligations_of(STAGES, "x.layout.toml")}
    chain: Any = by_name["all"]
    chain = chain.bind({"H": 5})
    assert chain.lengths == (15, 4, 2, 2)
    index = (7, 2, 1, 1)
    y, x = divmod(7, 3)
    row = y + x - 1
    assert chain.calculate_offset(index) == row * 16 + 2 * 4 + ((1 + 1) ^ 2)
    assert isinstance(prove(obligations_of(STAGES, "x.layout.toml")[-1].claim), Proved)


PLAIN = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
VALUES = st.recursive(
    st.sampled_from(["1", '"a # b"', "true", "'[x'", '"\\"{"', "1.5"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN, inner, max_size=3),
    max_leaves=8,
)


def written(value, path, line, places):
    """TOML text of a value that starts on a line, with the places of what it holds."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        text = "[ # list\n"
        for number, part in enumerate(value):
            here = (*path, number)
            places[here] = line + text.count("\n")
            text += written(part, here, places[here], places) + ",\n"
        return text + "]"
    parts: list[str] = []
    for key, part in value.items():
        here = (*path, key)
        places[here] = line + sum(p.count("\n") for p in parts)
        parts.append(f"{key} = {written(part, here, places[here], places)}, ")
    return "{ " + "".join(parts).removesuffix(", ") + " }"


@given(st.dictionaries(PLAIN, VALUES, max_size=3), st.dictionaries(PLAIN, VALUES, max_size=3))
def test_lines_are_those_on_which_keys_stand(first, second):
    """Against a writer that counts newlines as it writes."""
    places, text = {}, ""
    for table, content in (((), first), (("layout", "a.b"), second)):
        if table:
            places[table] = 1 + text.count("\n")
            text += '[layout."a.b"] # [x]\n'
        for key, value in content.items():
            places[(*table, key)] = 1 + text.count("\n")
            text += f"{key} = {written(value, (*table, key), places[(*table, key)], places)}\n\n"
    found = lines_of(text)
    assert {path: line_of(found, path) for path in places} == places


OF_CHAINS = {"logical bounds", "fits magic division", "fits 24 bits", "xor permutes"}
CHAIN = """base = {packed = [8, 8]}
stages = [
  [{transform = "xor", low_lengths = [8, 8], lower = [0, 1], upper = [0, 1]}],
  [{transform = "merge", low_lengths = [8, 8], lower = [0, 1], upper = [0]}],
  [{transform = "unmerge", up_lengths = [8, 8], use_24bit = true, lower = [0], upper = [0, 1]}],
]"""


WAVE = (
    'distribution = "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,'
    ' tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"'
)


def test_every_word_for_a_claim_can_be_asked_for_and_has_a_code():
    arguments: dict[str, dict[str, object]] = {
        "same map": {"as": "b"},
        "inverse of": {"of": "i"},
        "monotone": {"dimension": 0},
        "vector access": {"dimension": 0, "width": 4},
        "fits buffer": {"element_bytes": 2},
        "divides": {"divisor": 4, "number": 8},
        "agree": {"reader": "b"},
        "one writer": {"threads": ["x"]},
        "determines": {"what": ["x"]},
        "disjoint": {"from": "c"},
        "same distribution": {"as": "wave"},
        "conflict-free": {"by": "wave", "access": "write", "element": "f16", "target": "gfx942", "width": 8},
    }
    head = '[layout.b]\nindex = {x = 8}\noffset = "x"\nsize = 8\n[layout.i]\nbase = {packed = [8]}\n'
    head += '[layout.c]\nindex = {x = 8}\noffset = "x + 8"\nsize = 16\n'
    head += f"[layout.wave]\n{WAVE}\n"
    for word in WORDS:
        given = arguments.get(word, {})
        entry = f'"{word}"' if not given else json.dumps({"claim": word, **given}).replace(": ", " = ")
        entry = entry.replace('"claim"', "claim")
        for name in given:
            entry = entry.replace(f'"{name}" =', f"{name} =")
        kind = "base = {packed = [8]}" if word == "inverse of" else 'index = {x = 8}\noffset = "x"\nsize = 8'
        kind = CHAIN if word in OF_CHAINS else kind
        kind = {"conflict-free": "base = {packed = [16, 32]}"}.get(word, kind)
        kind = WAVE if word in {"owned", "same distribution"} else kind
        found = [
            o
            for o in obligations_of(f"{head}[layout.a]\n{kind}\nclaims = [{entry}]\n", "x")
            if o.layout == "a"
        ]
        assert found
        for obligation in found:
            assert code_of(obligation.claim.name).id != "LA200", obligation.claim.name
            assert isinstance(prove(obligation.claim), Proved), obligation.claim


def test_expectations_of_offsets():
    text = '[layout.a]\nbase = {packed = [2, 3]}\nequals = "3*i0 + i1"\ntable = [0, 1, 2, 3, 4, %d]\n'
    good, bad = (verdicts(text % last) for last in (5, 6))
    assert isinstance(good["a", "equals"], Proved)
    assert isinstance(good["a", "table"], Proved)
    assert isinstance(bad["a", "table"], Refuted)
    assert bad["a", "table"].point == {"i0": 1, "i1": 2}


def test_tables_mark_what_is_not_valid_and_bind_symbols():
    text = (
        "[symbols]\nN = {max = 9}\n[layout.a]\nbase = {packed = ['N']}\n"
        "stages = [[{transform = 'pad', low_length = 'N', left_pad = 1, right_pad = 2,"
        " lower = [0], upper = [0]}]]\n"
        "table = [-1, 0, 1, 2, -1, -1]\nat = {N = 3}\n"
    )
    assert isinstance(verdicts(text)["a", "table"], Proved)


def test_hand_written_code_in_c_or_python():
    for syntax, offset in (
        ("python", "row*64 + (col ^ (row % 8) * 8)"),
        ("c", "row*64u + ((col) ^ ((row & 7) << 3))"),
    ):
        text = (
            f"[layout.a]\nindex = {{row = 16, col = 64}}\noffset = '{offset}'\nsyntax = '{syntax}'\n"
            "size = 1024\nclaims = ['bijective']\nequals = 'row*64 + (col ^ (row % 8) * 8)'\n"
        )
        assert all(isinstance(v, Proved) for v in verdicts(text).values())


def test_codes_are_numbered_once_and_selected_by_prefix():
    assert len({code.id for code in CODES}) == len({code.claim for code in CODES}) == len(CODES)
    assert code_named("la201") is code_named("one-to-one")
    with refused(LayoutError, "LA999"):
        code_named("LA999")
    assert is_selected("LA301", ["LA"], ["LA2"])
    assert not is_selected("LA301", ["LA1"], [])
    assert not is_selected("LA301", ["LA3"], ["LA3"])
    assert is_selected("LA301", ["LA301"], ["LA3"])


def test_c_rounds_towards_zero():
    """``(i - 1) % 8`` is -1 in C where Python says 7."""
    text = (
        "[layout.ring]\nindex = {i = 8}\noffset = '(i - 1) %% 8'\nsyntax = '%s'\nsize = 8\n"
        "claims = ['in bounds', 'bijective']\n"
    )
    assert all(isinstance(v, Proved) for v in verdicts(text % "python").values())
    found = verdicts(text % "c")
    assert isinstance(found["ring", "in memory bounds"], Refuted)
    assert found["ring", "in memory bounds"].point == {"i": 0}


@pytest.mark.parametrize(
    ("lines", "fits"),
    [
        ('offset = "(row*65536 + col)*4 // 4 // 65536"', False),
        ('offset = "row*256 + col"\nvalid = "row*65536 + col < 1000"', False),
        ('offset = "row*65536 + col if row < 4 else 0"', True),
        ('offset = "row*256 + col"', True),
    ],
)
def test_every_value_on_the_way_must_fit(lines, fits):
    text = f"[layout.a]\nindex = {{row = 65536, col = 65536}}\n{lines}\nclaims = ['fits int32']\n"
    assert isinstance(verdicts(text)["a", "fits int32"], Proved if fits else Refuted)


def test_maps_of_different_lengths_are_not_the_same():
    text = '[layout.b]\nindex = {i = 64}\noffset = "i"\n[layout.a]\nindex = {i = 8}\noffset = "i"\n'
    assert isinstance(
        verdicts(text + 'claims = [{claim = "same map", as = "b"}]\n')["a", "same map"], Refuted
    )


def test_divides_is_not_vacuous_where_an_axis_is_empty():
    text = (
        '[symbols]\nN = {max = 8}\n[layout.a]\nindex = {i = "N // 4"}\noffset = "i"\n'
        'claims = [{claim = "divides", divisor = 4, number = "0 if N >= 4 else 1"}]\n'
    )
    assert isinstance(verdicts(text)["a", "divides"], Refuted)


def test_symbols_and_facts_of_one_layout():
    text = (
        "[symbols]\nN = {}\n[layout.a]\nbase = {packed = ['N']}\nclaims = ['fits int32']\n"
        "[layout.b]\nbase = {packed = ['N']}\nfacts = ['N <= 4096']\nclaims = ['fits int32']\n"
    )
    found = verdicts(text)
    assert isinstance(found["a", "fits int32"], Refuted)
    assert isinstance(found["b", "fits int32"], Proved)


@pytest.mark.parametrize("columns", ["1000", "K"])
def test_masked_tails_cover(columns):
    text = (
        "[symbols]\nM = {}\nK = {min = 32}\n[layout.a]\n"
        f"index = {{m = 'M', k = '({columns} + 31) // 32*32'}}\n"
        f"offset = 'm*{columns} + k'\nvalid = 'k < {columns}'\nsize = 'M*{columns}'\n"
        "claims = ['in bounds', 'bijective']\n"
    )
    assert all(isinstance(v, Proved) for v in verdicts(text).values())
