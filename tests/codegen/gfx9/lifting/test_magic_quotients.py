"""Multiplications and shifts that stand for divisions are told where they are that for every number."""

from __future__ import annotations

import pytest

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.formula_quotients import Quotients
from layoutalg.domain import Domain
from layoutalg.rules.normal_form import NormalForm

PLACES = 256 * 515
BITS = 40


@pytest.mark.parametrize("scale", [1, 2, 4, 8])
@pytest.mark.parametrize("divisor", [3, 129, 513, 2145])
def test_the_quotient_of_a_multiple_is_told(divisor, scale):
    quotients = Quotients(Letters(NormalForm(Domain.of({"lane": 64, "wave": 4, "x": PLACES // 256}))))
    form = quotients.form
    place = form.symbol("x").scaled(256) + form.symbol("wave").scaled(64) + quotients.letters.lane
    magic, size = -(-(1 << BITS) // divisor), (1 << BITS) // scale
    wanted = form.divided(place.scaled(scale), form.integer(divisor))
    assert quotients.divided(place.scaled(magic), size) == wanted
    assert all(x * magic // size == scale * x // divisor for x in range(PLACES))
    short = quotients.divided(place.scaled(magic - 2**12), size)  # too small for the largest places
    assert short != wanted
    assert any(x * (magic - 2**12) // size != scale * x // divisor for x in range(PLACES))
