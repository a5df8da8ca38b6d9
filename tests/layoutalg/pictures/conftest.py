"""A real browser for tests of pages."""

from __future__ import annotations

import pytest

from tests.browser import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as made:
        yield made
