"""A share of the long fuzz in every run; the whole of it in the scheduled one."""

from __future__ import annotations

import pytest

from layoutalg import Domain, Proved, parse
from layoutalg.rules.simplify import Simplified
from layoutalg.term.parse import parse_term
from tests.fuzz import claims, expressions
from tests.fuzz.chunk import part
from tests.fuzz.oracle import UndefinedError, value


def is_sound(kind, seed, count):
    found, failures = part(kind, seed, count)
    assert not failures, "\n".join(failures[:5])
    assert found["wrong"] == found["crashed"] == 0
    return found


@pytest.mark.slow
def test_a_share_of_the_expressions():
    assert is_sound("expressions", "share", 600)["points"] > 2000


@pytest.mark.slow
def test_a_share_of_the_claims():
    found = is_sound("claims", "share", 80)
    assert sum(n for kind, n in found.items() if kind.startswith("proved")) > 40
    assert sum(n for kind, n in found.items() if kind.startswith("refuted")) > 10


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_more_expressions(seed):
    is_sound("expressions", f"slow {seed}", 2500)


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("seed", range(4))
def test_more_claims(seed):
    is_sound("claims", f"slow {seed}", 250)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
def test_a_million_expressions(seed):
    is_sound("expressions", f"long {seed}", 20_000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
def test_a_hundred_thousand_claims(seed):
    is_sound("claims", f"long {seed}", 2_000)


def test_the_oracle_knows_what_is_not_defined():
    assert value("select(x < 3, x // 2 ^ 1, -x)", {"x": 5}) == -5
    for text in ("x // (x - 4)", "(x - 5) & 3", "x % (x - 4)", "1 << (x - 5)"):
        with pytest.raises(UndefinedError):
            value(text, {"x": 4})


def test_a_wrong_form_is_caught(monkeypatch):
    seven = parse_term("7")
    monkeypatch.setattr(expressions, "simplify", lambda _, domain, **__: Simplified(seven, domain, 0, 0))
    failures: list[str] = []
    assert expressions.run("wrong", 30, failures.append)["wrong"] > 30
    assert failures


def test_a_wrong_verdict_is_caught(monkeypatch):
    monkeypatch.setattr(claims, "prove", lambda *_, **__: Proved("nobody"))
    failures: list[str] = []
    assert claims.run("wrong", 40, failures.append)["wrong"] > 3
    assert failures


def test_single_points_may_be_all_there_is():
    domain = Domain.of({"x": (4, 5)})
    assert str(parse("x", domain)) == "x"
