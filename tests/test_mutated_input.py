"""Whatever is written, wrong or huge: one line, no traceback, no hang, no gigabyte."""

from __future__ import annotations

import pytest

from layoutalg import LayoutError
from layoutalg.check.decide import Options, findings_of
from layoutalg.domain import Domain
from layoutalg.errors import LimitError
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.from_text import parse
from tests.mutations import GIB, SYNTAXES, tried
from tests.refusals import refused

DOMAIN = Domain.of({"x": 1024, "row": 64, "col": 64})

QUICK = ("expression", "encoding", "pyproject")


def is_sound(count, seed, folder, kinds=()):
    found = tried(count, seed, folder, kinds)
    assert not found.wrong, found.wrong[0]
    assert sum(found.counts.values()) == count
    assert found.grown < GIB


@pytest.mark.slow
def test_a_few_hundred_mutated_inputs(tmp_path):
    is_sound(240, 7, tmp_path, QUICK)
    is_sound(16, 7, tmp_path)


@pytest.mark.slow
def test_a_hundred_mutated_inputs(tmp_path):
    is_sound(100, 11, tmp_path)


@pytest.mark.long
def test_ten_thousand_mutated_inputs(tmp_path):
    is_sound(10_000, 20251122, tmp_path)


REFUSED = {
    "250 parentheses": "(" * 250 + "x" + ")" * 250,
    "100000 parentheses": "(" * 100_000 + "x" + ")" * 100_000,
    "open ones": "(" * 100_000,
    "signs": "-" * 1000 + "x",
    "divisions": "x" + "//2" * 1500,
    "choices": "x if x < 3 else " * 400 + "0",
    "digits": "x + " + "7" * 5000,
    "hexadecimal": "x + 0x" + "7" * 5000,
    "shift": "x << 100000000",
    "large shift": "row << 60000000000",
    "shift by a shift": "x << (1 << 4000)",
    "powers of powers": "(" * 40 + "x" + "*x)**8" * 40,
    "products": "*".join(["9" * 900] * 100),
    "long": "x+" * 200_000 + "x",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_large_is_refused_in_one_line(name):
    for syntax in SYNTAXES:
        with pytest.raises(LayoutError) as found:
            parse(REFUSED[name], DOMAIN, syntax=syntax)
        if isinstance(found.value, LimitError):
            assert "\n" not in found.value.message
            assert "limit" in found.value.message
        assert len(str(found.value)) < 400


@pytest.mark.parametrize("name", [name for name in REFUSED if name not in ("divisions", "choices")])
def test_the_limit_is_named_in_pythons_syntax(name):
    with pytest.raises(LimitError, match=r"\(limit [A-Z]+\)"):
        parse(REFUSED[name], DOMAIN, syntax="python")


FLAT = {
    "xors": ("^".join(f"x//{i + 1}" for i in range(400)), lambda x: [x // (i + 1) for i in range(400)], "^"),
    "sum": ("+".join(f"x//{i + 1}" for i in range(400)), lambda x: [x // (i + 1) for i in range(400)], "+"),
    "minima": ("min(" + ",".join(f"x//{i + 1}+{i}" for i in range(400)) + ")", None, "min"),
    "conditions": (" and ".join(f"x != {i + 700}" for i in range(200)), None, "and"),
}


@pytest.mark.parametrize("name", FLAT)
def test_long_flat_chains_are_read(name):
    text, parts, op = FLAT[name]
    found = parse(text, DOMAIN, syntax="python")
    for x in (0, 700, 1023):
        value = evaluate(found, {"x": x})
        if parts is not None:
            wanted = 0
            for part in parts(x):
                wanted = wanted ^ part if op == "^" else wanted + part
            assert value == wanted
        else:
            assert value == eval(text, {"x": x, "min": min})  # noqa: S307  our own text


@pytest.mark.parametrize(
    ("text", "syntax", "facts"),
    [
        ("x+010", "python", "010 0"),
        ("x+010", "c", "010 0"),
        ("row / 0 * 8", "sympy", "0"),
        ("row*65 + (col ^ (row % 8) * -9223372036854775809)", None, ""),
    ],
)
def test_bad_numbers_are_told(text, syntax, facts):
    with refused(LayoutError, *facts.split()):
        parse(text, DOMAIN, syntax=syntax)


def test_numbers_beyond_64_bits_are_exact_in_arrays():
    found = parse("x % 99999999999999999999", DOMAIN)
    assert evaluate(found, {"x": [1, 5]}).tolist() == [1, 5]


LAYOUT = "[layout.a]\nindex = {{ x = 64, row = 64 }}\noffset = {}\nsize = 4096\n"
FILES: dict[str, str | bytes] = {
    "parentheses": LAYOUT.format('"' + "(" * 250 + "x" + ")" * 250 + '"'),
    "shift": LAYOUT.format('"row << 60000000000"'),
    "digits": "[layout.a]\nbase = { packed = [" + "9" * 6000 + "] }\n",
    "hexadecimal": "[layout.a]\nbase = { packed = [0x" + "f" * 6000 + "] }\n",
    "arrays": "a = " + "[" * 5000 + "]" * 5000 + "\n",
    "types": "[layout]\na = 5\n",
    "list": "layout = [1]\n",
    "not utf-8": b"[layout.a]\nbase = { packed = [\xff] }\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_is_one_finding_with_its_place(name, tmp_path):
    path = tmp_path / "a.layout.toml"
    content = FILES[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (found,) = findings_of(str(path), Options())
    assert found.status == "error"
    assert found.file == str(path)
    assert found.line >= 1
    assert "\n" not in found.summary
    assert len(found.summary) < 400
