"""``conflict-free`` of an offset by hand: proved where no bank is asked for two words, lane by lane."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.check.layout_file import asked_of, obligations_of
from layoutalg.machine.lds import LdsPhases
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted

# An encoding, and by hand who holds what: the element of lane l of warp w in register r; how many of each.
ROWS = (
    (
        "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,"
        " tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
    ),
    lambda _, lane, register: (lane // 4, lane % 4 * 8 + register),
    (1, 64, 8),
    (16, 32),
)
COLUMNS = (  # 64 rows of 16: a lane has one row, 8 neighbours in it, and two waves share a row
    (
        "tile_distribution_encoding<sequence<>, tuple<sequence<64>, sequence<2, 8>>,"
        " tuple<sequence<2>, sequence<1>>, tuple<sequence<0>, sequence<0>>, sequence<2>, sequence<1>>"
    ),
    lambda warp, lane, register: (lane, warp * 8 + register),
    (2, 64, 8),
    (64, 16),
)
BYTES = {"f16": 2, "f32": 4, "i8": 1}
FORMS = (  # as the file has it, and as Python computes it
    ("row*{p} + col", lambda p, row, col: row * p + col),
    ("row*{p} + (col ^ row % 4 * 8)", lambda p, row, col: row * p + (col ^ row % 4 * 8)),
    ("row*{p} + (col ^ row // 2 % 2 * 8)", lambda p, row, col: row * p + (col ^ row // 2 % 2 * 8)),
    ("(row % 8 * 64 + row // 8)*{p} + col", lambda p, row, col: (row % 8 * 64 + row // 8) * p + col),
)


def has_conflict(tile, offset, element, width, phases, *, is_valid=lambda *_: True):
    """Whether somewhere two lanes of a phase want different words of one bank, by enumeration."""
    _, held, (warps, _, registers), _ = tile
    for warp, first in itertools.product(range(warps), range(0, registers, width)):
        for members in phases.phases:
            words: dict[int, set[int]] = {}
            for lane in members:
                index = held(warp, lane, first)
                if not is_valid(*index):
                    continue
                begin = offset(*index) * BYTES[element]
                for word in {byte // 4 for byte in range(begin, begin + width * BYTES[element])}:
                    words.setdefault(word % phases.banks, set()).add(word)
            if any(len(found) > 1 for found in words.values()):
                return True
    return False


def file_of(tile, offset, claim, *, index="", rest=""):
    rows, columns = tile[3]
    index = index or f"{{ row = {rows}, col = {columns} }}"
    given = ", ".join(f"{key} = {value!r}" for key, value in claim.items())
    return (
        f'[layout.tile]\ndistribution = "{tile[0]}"\n[layout.lds]\nindex = {index}\noffset = "{offset}"\n'
        f'{rest}claims = [{{ claim = "conflict-free", by = "tile", {given} }}]\n'
    )


def verdicts(text):
    found = [o for o in obligations_of(text, "x") if o.layout == "lds"]
    return {o.claim.name: prove(o.claim) for o in found}


CASES = st.tuples(
    st.sampled_from([ROWS, COLUMNS]),
    st.sampled_from(FORMS),
    st.sampled_from([32, 34, 36, 40, 48, 64, 72]),
    st.sampled_from([("f16", 1), ("f16", 2), ("f16", 4), ("f16", 8), ("f32", 1), ("f32", 4), ("i8", 8)]),
    st.sampled_from(["read", "write"]),
    st.sampled_from(["gfx942", "gfx950"]),
)


@pytest.mark.slow
@given(CASES)
def test_it_is_proved_where_enumeration_finds_no_conflict(case):
    tile, (text, offset), pitch, (element, width), access, target = case
    claim = {"access": access, "element": element, "target": target, "width": width}
    found = verdicts(file_of(tile, text.format(p=pitch), claim))
    phases = LdsPhases.of(target, access, BYTES[element] * 8 * width)
    assert all(isinstance(verdict, Proved | Refuted) for verdict in found.values())
    if isinstance(found["aligned in LDS"], Proved):
        free = not has_conflict(tile, lambda *at: offset(pitch, *at), element, width, phases)
        assert isinstance(found["conflict-free"], Proved) == free


WIDE = {"access": "read", "element": "f16", "target": "gfx942", "width": 8}


def test_there_are_conflicts_and_there_are_none():
    """64 rows of 32 bytes meet in the same banks; 16 bytes more to a row set them apart."""
    found = [verdicts(file_of(COLUMNS, f"row*{pitch} + col", WIDE)) for pitch in (32, 40)]
    assert [type(each["conflict-free"]) for each in found] == [Refuted, Proved]
    phases = LdsPhases.of("gfx942", "read", 128)
    point = found[0]["conflict-free"].point
    lanes = point["lane"], point["lane'"]
    assert any(set(lanes) <= set(members) for members in phases.phases)
    assert len({lane * 64 // 4 % 32 for lane in lanes}) == 1


@pytest.mark.parametrize("tile", [ROWS, COLUMNS])
@pytest.mark.parametrize("pitch", [32, 40, 64])
def test_a_hand_written_offset_is_judged_as_its_descriptor(tile, pitch):
    rows, columns = tile[3]
    by_hand = file_of(tile, f"row*{pitch} + col", WIDE)
    index = f'index = {{ row = {rows}, col = {columns} }}\noffset = "row*{pitch} + col"'
    chain = by_hand.replace(index, f"base = {{ lengths = [{rows}, {columns}], strides = [{pitch}, 1] }}")
    assert chain != by_hand
    one, other = ({name: type(v) for name, v in verdicts(text).items()} for text in (by_hand, chain))
    assert one == other


def test_lanes_that_are_not_valid_take_no_part():
    """Of rows that meet in the same banks, one to a phase is left."""
    text = file_of(COLUMNS, "row*32 + col", WIDE, rest='valid = "row % 32 == 0"\n')
    assert isinstance(verdicts(text)["conflict-free"], Proved)
    phases = LdsPhases.of("gfx942", "read", 128)
    found = [
        has_conflict(COLUMNS, lambda row, col: row * 32 + col, "f16", 8, phases, is_valid=is_valid)
        for is_valid in (lambda *_: True, lambda row, _: row % 32 == 0)
    ]
    assert found == [True, False]


def test_vectors_must_be_whole_and_aligned():
    narrow = verdicts(file_of(ROWS, "row*36 + col", WIDE))
    assert {name for name, v in narrow.items() if isinstance(v, Refuted)} >= {"vector aligned"}
    apart = verdicts(file_of(ROWS, "row*64 + 2*col", WIDE))
    assert isinstance(apart["vector contiguous"], Refuted)
    no_width = {key: value for key, value in WIDE.items() if key != "width"}
    alone = verdicts(file_of(ROWS, "row*64 + 2*col", no_width))
    assert set(alone) == {"aligned in LDS", "conflict-free"}  # without a width: element by element


@pytest.mark.slow
def test_a_pitch_left_open_is_proved_for_all():
    """Rows apart by an odd number of pieces of 16 bytes: free for every such number; any number: not."""
    head = "[symbols]\nn = { max = 100 }\n"
    odd, every = (
        verdicts(head + file_of(COLUMNS, f"row*({pitch}) + col", WIDE)) for pitch in ("16*n + 8", "8*n + 8")
    )
    assert isinstance(odd["conflict-free"], Proved)
    assert isinstance(every["conflict-free"], Refuted)
    n = every["conflict-free"].point["n"]
    phases = LdsPhases.of("gfx942", "read", 128)
    assert has_conflict(COLUMNS, lambda row, col: row * (8 * n + 8) + col, "f16", 8, phases)


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("{ row = 8, col = 32 }", "a tile of length 16 in dimension 0 does not fit 0 <= row < 8"),
        ("{ row = 16, col = 'n' }", "a tile of length 32 in dimension 1 does not fit 0 <= col < n"),
        ("{ row = [16, 32], col = 32 }", "does not fit 16 <= row < 32"),
        ("{ row = 16, col = 32, k = 2 }", "the layout has 3 axes, the tile 2 dimensions"),
    ],
)
def test_a_tile_that_does_not_fit_is_refused(index, said):
    text = "[symbols]\nn = {}\n" + file_of(ROWS, "row*32 + col", WIDE, index=index)
    (error,) = asked_of(text, "x").errors
    assert said in error.what
    assert error.line == 8


def test_a_tile_fits_sizes_that_are_large_enough():
    text = file_of(ROWS, "row*32 + col", WIDE, index="{ row = 16, col = 'n' }")
    assert asked_of("[symbols]\nn = { min = 32 }\n" + text, "x").errors == ()


def test_a_distribution_is_no_memory():
    text = file_of(ROWS, "row*32 + col", WIDE)
    offset = 'index = { row = 16, col = 32 }\noffset = "row*32 + col"'
    assert offset in text
    (error,) = asked_of(text.replace(offset, f'distribution = "{ROWS[0]}"'), "x").errors
    assert "wanted a layout of memory, lds is none" in error.what
