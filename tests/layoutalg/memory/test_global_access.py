"""Global memory: lines by a plain count, alignment, verdicts, reach of buffers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import make_static_tile_distribution, make_tile_window, read_encoding
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.memory import WaveAccess, global_access
from tests.refusals import refused


def access(text, scalars=1, element="f16", **axes):
    return WaveAccess.of_expression(text, Domain.of({"lane": 64, **axes}), element, scalars, "read")


@given(st.integers(0, 300), st.integers(0, 70), st.sampled_from([1, 2, 4, 8]), st.sampled_from([32, 64, 128]))
def test_lines_are_those_that_the_bytes_lie_in(stride, start, scalars, line):
    found = global_access(access(f"lane*{stride} + {start}", scalars), "gfx942", line)
    touched = {
        byte // line
        for lane in range(64)
        for byte in range(2 * (lane * stride + start), 2 * (lane * stride + start + scalars))
    }
    ends = {
        end // line
        for lane in range(64)
        for end in (2 * (lane * stride + start), 2 * (lane * stride + start + scalars) - 1)
    }
    assert touched == ends
    assert found.lines.tolist() == [len(touched)]
    distinct = len({lane * stride for lane in range(64)})
    assert found.fewest_lines.tolist() == [-(-distinct * 2 * scalars // line)]
    assert found.is_coalesced == (len(touched) <= -(-distinct * 2 * scalars // line))


def test_the_tile_load_of_the_gemm_tutorial_is_partly_coalesced_and_whole_rows_are():
    encoding = read_encoding(
        "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>,"
        " tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>,"
        " sequence<1, 2>, sequence<0, 1>>"
    )
    tensor = make_naive_tensor_descriptor(
        (3328, 4096), (4096, 1), guaranteed_vector_length=8, guaranteed_vector_stride=1
    )
    window = make_tile_window(tensor, (256, 32), (256, 64), make_static_tile_distribution(encoding))
    found = global_access(WaveAccess.of_window(window, "f16", "read"), "gfx942")
    assert found.bytes_per_lane == 16
    assert set(found.lines.tolist()) == {16}  # rows of 64 bytes, half a line each
    assert found.verdict == "partly coalesced"
    assert global_access(found.access, "gfx942", 64).verdict == "coalesced"


def test_alignment_is_that_of_every_lane():
    assert global_access(access("lane*8", 8), "gfx942").alignment == 16
    assert global_access(access("lane*8 + 1", 8), "gfx942").alignment == 2
    assert not global_access(access("lane*8 + 1", 8), "gfx942").is_aligned
    assert global_access(access("lane*2", 2, "f16"), "gfx942").is_aligned


def test_reach_of_buffers_and_of_int32():
    far = global_access(access("lane + i*1073741824", i=2), "gfx942")
    assert far.fits_buffer
    assert not far.fits_int32
    assert "more than 31 bits" in str(far)
    further = global_access(access("lane + i*2147483648", i=2), "gfx942")
    assert not further.fits_buffer
    assert "beyond the 4 GiB" in str(further)


def test_wide_accesses_and_unknown_targets_are_told():
    wide = global_access(access("lane*16", 16), "gfx942")
    assert "wider than the 16 bytes" in str(wide)
    with refused(LayoutError):
        global_access(wide.access, "gfx1")


def test_symbolic_sizes_are_refused_until_they_are_bound():
    domain = Domain.of({"lane": 64}, {"K": (8, None)})
    symbolic = WaveAccess.of_expression("lane*K", domain, "f16", 8, "read")
    with refused(LayoutError):
        symbolic.addresses()
    assert symbolic.bind({"K": 8}).addresses()[0, 1] == 16
