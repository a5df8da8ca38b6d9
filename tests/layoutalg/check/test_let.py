"""``let``: a name means what stands behind it, in parentheses, wherever a layout file has an expression."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.check.file_error import FileError
from layoutalg.check.layout_file import asked_of, obligations_of, subjects_of
from layoutalg.index.evaluate import evaluate
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted

LEAVES = st.sampled_from(["row", "col", "N", "3", "7"])
INNER = st.recursive(
    LEAVES,
    lambda part: (
        st.tuples(part, st.sampled_from(["+", "-", "*", "^"]), part).map(" ".join)
        | part.map(lambda text: f"({text})")
        | st.tuples(part, st.sampled_from(["/", "%"]), st.sampled_from(["4", "5", "N"])).map(" ".join)
    ),
    max_leaves=4,
)
HEAD = "[symbols]\nN = {{ max = 64 }}\n[layout.a]\nindex = {{ row = 8, col = 8 }}\nsyntax = '{syntax}'\n"


def outputs_of(text):
    """Where the layout leads; nothing where it is refused, as bits of a negative number are."""
    try:
        return subjects_of(text, "x")["a"].map.outputs
    except FileError:
        return None


@given(INNER, INNER, st.sampled_from(["python", "c"]))
def test_a_name_is_its_text_in_parentheses(first, second, syntax):
    """Whatever binds more strongly beside it, in both syntaxes; the second name stands on the first."""
    first, second = (text.replace("/", "//") if syntax == "python" else text for text in (first, second))
    head = HEAD.format(syntax=syntax)
    by_name = f"let = {{ x = '{first}', y = 'x * 2 - ({second})' }}\noffset = 'x*y + row % 4 - x'\n"
    written = f"offset = '({first})*(({first}) * 2 - ({second})) + row % 4 - ({first})'\n"
    assert outputs_of(head + by_name) == outputs_of(head + written)


GROUPS = """
let = { num_m = "cdiv(M, 128)", num_n = "cdiv(N, 128)" }
[symbols]
M = {}
N = {}
[layout.named]
index = { pid = "num_m*num_n" }
let = { group = "pid // (8*num_n)", rows = "min(num_m - group*8, 8)", inside = "pid % (8*num_n)" }
offset = "(group*8 + inside % rows)*num_n + inside // rows"
size = "num_m*num_n"
claims = ["bijective", { claim = "same map", as = "written" }]
[layout.written]
index = { pid = "cdiv(M, 128)*cdiv(N, 128)" }
offset = '''(pid // (8*cdiv(N, 128))*8
  + pid % (8*cdiv(N, 128)) % min(cdiv(M, 128) - pid // (8*cdiv(N, 128))*8, 8))*cdiv(N, 128)
  + pid % (8*cdiv(N, 128)) // min(cdiv(M, 128) - pid // (8*cdiv(N, 128))*8, 8)'''
"""


def test_names_for_blocks_in_groups_say_what_the_long_text_says():
    assert all(isinstance(prove(o.claim), Proved) for o in obligations_of(GROUPS, "x"))
    wrong = GROUPS.replace("inside % rows", "inside // rows")
    assert any(isinstance(prove(o.claim), Refuted) for o in obligations_of(wrong, "x"))


EVERYWHERE = """
facts = ["tiles <= 40"]
let = { tiles = "cdiv(N, 16)", wide = "tiles*16", lanes = 64, most = "all_rows" }
[symbols]
N = { max = 640 }
all_rows = { max = 1000 }
[tables.count]
lengths = ["tiles"]
sums_to = "most"

[layout.by_index]
index = { t = "tiles", c = ["first", 16] }
let = { first = 0, place = "t*16 + c", inside = "place < N", area = "4*wide" }
offset = "4*place"
valid = "inside and c < 16"
size = "area"
element = ["place"]
equals = "place*4"
facts = ["wide <= 640 and area > 8"]
claims = [
  "in bounds",
  { claim = "determines", what = ["place"] },
  { claim = "divides", divisor = 16, number = "wide" },
  { claim = "agree", reader = "by_index" },
]

[layout.by_count]
index = { e = "tiles", r = "count[e]" }
offset = "sum_before(count, e) + r"
size = "most"
claims = ["bijective"]

[layout.by_chain]
let = { pitch = "wide + 8", both = "i0*4 + i1" }
base = { lengths = ["wide", 16], strides = ["pitch", 1] }
stages = [[
  { transform = "unmerge", up_lengths = ["tiles*4", 4], lower = [0], upper = [0, 1] },
  { transform = "pass_through", low_length = 16, lower = [1], upper = [2] },
]]
equals = "both*pitch + i2"
claims = ["in bounds"]

[layout.by_thread]
let = { row = "lane // 4", held = "lane % 4 * 8 + register" }
distribution = '''tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,
  tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>'''
threads = ["lanes"]
equals = ["row", "held"]
"""


def test_names_stand_in_every_expression_of_a_file():
    found = asked_of(EVERYWHERE, "x")
    assert found.errors == ()
    assert {o.layout for o in found.obligations} == {"by_index", "by_count", "by_chain", "by_thread"}
    verdicts = {(o.layout, o.claim.name): prove(o.claim) for o in found.obligations}
    assert {key for key, verdict in verdicts.items() if not isinstance(verdict, Proved)} == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('size = "area"', 'size = "area - 64"'),
        ('equals = "place*4"', 'equals = "place*4 + tiles"'),
        ('"both*pitch + i2"', '"both*wide + i2"'),
        ('["row", "held"]', '["row", "held + row"]'),
        ('sums_to = "most"', 'sums_to = "most"\nrange = [0, "tiles"]'),
    ],
)
def test_what_a_name_says_counts(old, new):
    """Another name, another map: all but the last, which states one fact more, are refuted."""
    assert old in EVERYWHERE
    verdicts = [prove(o.claim) for o in obligations_of(EVERYWHERE.replace(old, new), "x")]
    assert any(isinstance(v, Refuted) for v in verdicts) == ("range" not in new)


@pytest.mark.parametrize(
    ("of_file", "of_layout", "expected"),
    [
        ("(N - 9) // 8", "2*a", [-2, -2, 0]),  # read as Python: rounds down, wherever the name is used
        ("(N - 9) / 8", "2*a", [-2, 0, 0]),  # read as C: rounds towards zero
        ("N", "(a - 9) / 8", [-1, 0, 0]),  # the layout's own name, in the layout's syntax
        ("N - 9", "a / 8", [-1, 0, 0]),
    ],
)
def test_division_in_a_name_means_what_its_syntax_says(of_file, of_layout, expected):
    text = f"""
let = {{ a = "{of_file}" }}
[symbols]
N = {{ max = 64 }}
[layout.a]
index = {{ i = 4 }}
let = {{ b = "{of_layout}" }}
syntax = "c"
offset = "b + i * 0"
"""
    outputs = subjects_of(text, "x")["a"].map.outputs
    assert [int(evaluate(outputs[0], {"N": n, "i": 0})) for n in (1, 2, 9)] == expected


def errors_of(text):
    return [(error.line, error.what, error.hint) for error in asked_of(text, "x.layout.toml").errors]


FILE = 'let = {{ {let} }}\n[symbols]\nM = {{}}\n[tables.page]\nlengths = ["M"]\n{rest}'
PLAIN = '[layout.a]\nindex = { row = 4, col = "M" }\n'
OFFSET = 'offset = "row*M + col"\n'


@pytest.mark.parametrize(
    ("let", "rest", "line", "said"),
    [
        ("M = 4", "", 1, "let.M: M is a size already"),
        ("page = 4", "", 1, "let.page: page is a table already"),
        ("min = 4", "", 1, "let.min: min is a word of expressions already"),
        ("a = 'a + 1'", "", 1, "let.a: a is defined by itself"),
        ("a = 'b', b = 'M'", "", 1, "let.a: b is used before it is defined"),
        ("a = 'b', b = 'c + M', c = '2*a'", "", 1, "let.a: a and b define each other"),
        ("a = 'MM'", "", 1, "let.a: MM is not declared"),
        ("a = 'M +'", "", 1, "let.a: wanted a number"),
        ("a = 'row'", f"{PLAIN}{OFFSET}", 1, "let.a: row is not declared"),
        ("a = 4", f"{PLAIN}{OFFSET}let = {{ a = 3 }}", 9, "layout.a.let.a: a is a name of the file's let"),
        ("a = 4", f"{PLAIN}{OFFSET}let = {{ row = 3 }}", 9, "layout.a.let.row: row is an axis already"),
        ("a = 4", f"{PLAIN}{OFFSET}let = {{ M = 3 }}", 9, "layout.a.let.M: M is a size already"),
        (
            "a = 4",
            f"{PLAIN}{OFFSET}[layout.a.let]\nb = 1\nc = 'rwo'",
            11,
            "layout.a.let.c: rwo is not declared",
        ),
        ("row = 4", f"{PLAIN}{OFFSET}", 7, "layout.a.index.row: row is an axis or a size here"),
        (
            "a = 4",
            f"{PLAIN}{OFFSET}symbols = {{ a = {{}} }}",
            9,
            "layout.a.symbols.a: a is a name of the file",
        ),
        ("i1 = 4", "[layout.a]\nbase = { packed = [4, 8] }", 6, "layout.a: i1 is an axis or a size here"),
        (
            "a = 4",
            f"{PLAIN}offset = 'gruop'\nlet = {{ group = 'row' }}",
            8,
            "layout.a.offset: gruop is not decl",
        ),
        (
            "a = 4",
            f"{PLAIN}{OFFSET}size = 'g'\nlet = {{ g = 'row + 1' }}",
            9,
            "layout.a.size: g stands for row + 1, and row is not known here",
        ),
        ("a = 4", f"{PLAIN}{OFFSET}valid = 'row + a'", 9, "layout.a.valid: wanted a condition"),
        ("a = 'M < 4'", f"{PLAIN}{OFFSET}size = '4 + a'", 9, "layout.a.size: wanted an integer"),
        ("a = [4]", "", 1, "let.a: wanted an expression, or a number, got [4]"),
        ("4a = 4", "", 1, "let"),
    ],
)
def test_errors_of_names_have_their_line(let, rest, line, said):
    found = errors_of(FILE.format(let=let, rest=rest or PLAIN + OFFSET))
    assert len(found) == 1
    assert (found[0][0], found[0][1][: len(said)]) == (line, said)


def test_near_names_are_told():
    text = PLAIN + 'offset = "gruop"\nlet = { group = "row", last = "gruop" }\n[symbols]\nM = {}\n'
    ((line, _, hint),) = errors_of(text)
    assert line == 4
    assert "did you mean group?" in hint


def test_an_error_in_a_name_is_told_once():
    """Neither what stands on it is told again, nor is a layout judged that uses it; others are."""
    text = """let = { a = "NN", b = "a + 1", c = "N", d = "b + )" }
[symbols]
N = {}
[layout.uses]
index = { i = 4 }
offset = "i + b"
claims = ["one-to-one"]
[layout.own]
index = { i = 4 }
let = { x = "jj", y = "x + 1" }
offset = "i + y"
[layout.other]
index = { i = 4 }
offset = "i"
claims = ["one-to-one"]
"""
    found = asked_of(text, "x")
    assert sorted((e.line, e.key) for e in found.errors) == [
        *((1, "let.a"), (1, "let.d")),
        (10, "layout.own.let.x"),
    ]
    assert [p.layout for p in found.passed] == ["uses"]
    assert {o.layout for o in found.obligations} == {"other"}


def test_names_that_double_are_refused_before_they_grow():
    let = ", ".join(["x0 = 'i'", *(f"x{k} = 'x{k - 1} + x{k - 1}'" for k in range(1, 60))])
    ((line, what, _),) = errors_of(f"[layout.a]\nindex = {{ i = 4 }}\nlet = {{ {let} }}\noffset = 'x59'\n")
    assert line == 4
    assert re.search(r"limit \w+", what)
