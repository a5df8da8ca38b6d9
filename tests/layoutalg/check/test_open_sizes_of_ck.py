"""``from_ck`` with sizes left open: one layout for all of them, equal to the one of each number."""

from __future__ import annotations

import itertools

import pytest

from layoutalg.check import from_ck
from layoutalg.ck import bindings_of
from layoutalg.ck.importer import import_layout
from layoutalg.errors import LayoutError
from tests.layoutalg.ck.headers import index_of
from tests.refusals import refused

HEADER = """
struct Kargs
{
    std::array<index_t, 2> lengths;
    index_t K;
};
struct Maker
{
    static constexpr auto MakeRows(const Kargs& kargs)
    {
        const auto rows = make_naive_tensor_descriptor(
            make_tuple(kargs.lengths[0], kargs.lengths[1], kargs.K),
            make_tuple(kargs.lengths[1] * kargs.K, kargs.K, 1), number<8>{}, number<1>{});
        return transform_tensor_descriptor(rows,
            make_tuple(make_merge_transform(make_tuple(kargs.lengths[0], kargs.lengths[1])),
                       make_pass_through_transform(kargs.K)),
            make_tuple(sequence<0, 1>{}, sequence<2>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    }
    static constexpr auto MakeTwo(const Kargs& kargs)
    {
        const index_t pitch = kargs.K > 64 ? 1 : 2;
        return make_naive_tensor_descriptor(make_tuple(kargs.K), make_tuple(pitch));
    }
};
"""
INDEX = index_of(HEADER)
TARGET = "a.hpp::Maker::MakeRows"


@pytest.fixture(autouse=True)
def own_headers(monkeypatch):
    monkeypatch.setattr(from_ck, "headers", lambda *_: INDEX)
    monkeypatch.setattr(from_ck, "find_root", lambda *_: None)


def subject(target, **bind):
    return from_ck.subject_from_ck("rows", {"target": target, "bind": {"kargs": bind}})


def test_open_sizes_in_structs_and_lists_stand_for_every_number():
    found = subject(TARGET, lengths=["symbol(min=2, max=9)", 3], K="symbol(multiple_of=8)").chain
    assert {symbol.name for symbol in found.free_symbols} == {"lengths0", "K_over_8"}
    assert "2 <= lengths0" in str(found.domain)
    for rows, groups in itertools.product((2, 5, 9), (1, 2, 7)):
        bindings = {"kargs.lengths": (rows, 3), "kargs.K": 8 * groups}
        wanted = import_layout(TARGET, bindings, index=INDEX).layout
        bound = found.bind({"lengths0": rows, "K_over_8": groups})
        assert bound.lengths == wanted.lengths
        for point in [(0, 0), (3 * rows - 1, 8 * groups - 1), (rows, 1)]:
            assert bound.calculate_offset(point) == wanted.calculate_offset(point)


def test_open_sizes_that_give_two_layouts_are_refused_with_their_conditions():
    with refused(LayoutError, "K", "64") as error:
        subject("a.hpp::Maker::MakeTwo", K="symbol()")
    assert "multiple_of" in error.value.hint
    assert subject("a.hpp::Maker::MakeTwo", K="symbol(max=64)").chain.calculate_offset((3,)) == 6
    assert subject("a.hpp::Maker::MakeTwo", K="symbol(min=65)").chain.calculate_offset((3,)) == 3


def test_the_command_line_spells_lists_with_open_sizes():
    (bound,) = bindings_of(["kargs.lengths=[symbol(min=2, max=9), 3, symbol()]"]).values()
    assert [getattr(entry, "maximum", entry) for entry in bound] == [9, 3, None]
    with refused(LayoutError):
        bindings_of(["kargs.lengths=[symbol(least=2), 3]"])
