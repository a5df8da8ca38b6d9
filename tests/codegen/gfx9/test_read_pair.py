"""A read of two places whose first target is the register of the address."""

from __future__ import annotations

import numpy as np

from tests.codegen.gfx9.snippet import run_snippet


def test_the_address_is_taken_before_anything_is_written():
    lanes = np.arange(64)
    lines = """
        ds_write2st64_b32 v0, v2, v3 offset1:1
        s_waitcnt lgkmcnt(0)
        ds_read2st64_b32 v[0:1], v0 offset1:1
        s_waitcnt lgkmcnt(0)
    """
    found = run_snippet(lines, v={0: 4 * lanes, 2: 1000 + lanes, 3: 5000 + lanes}, lds=512)
    assert np.array_equal(found.v(0), 1000 + lanes)
    assert np.array_equal(found.v(1), 5000 + lanes)
