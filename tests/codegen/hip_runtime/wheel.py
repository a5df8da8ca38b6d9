"""The wheel ``hip-python``, which the extra ``dev`` installs on Linux.

Without it the tests that go through it are left out with a reason; with ``LAYOUTALG_HIP_PYTHON=required``
they fail.
"""

from __future__ import annotations

import importlib.util
import os

import pytest

__all__ = ["require_wheel"]


def require_wheel() -> None:
    """Leave the test out, or fail it, where the wheel is missing."""
    if importlib.util.find_spec("hip") is None:
        asked = os.environ.get("LAYOUTALG_HIP_PYTHON")
        assert asked != "required", "wanted hip-python: pip install '.[dev]'"
        pytest.skip("no hip-python here: pip install '.[dev]'")
