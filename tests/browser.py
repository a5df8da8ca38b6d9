"""A browser that is there: Debian's chromium, or the one that LAYOUTALG_BROWSER names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

__all__ = ["chromium"]

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """Chromium; without one tests that need it are skipped, and fail where it is required."""
    asked = os.environ.get("LAYOUTALG_BROWSER", "")
    named = asked if asked != "required" else ""
    path = named or next((found for found in map(shutil.which, NAMES) if found), None)
    if path is None:
        assert asked != "required", "wanted chromium: apt-get install chromium"
        pytest.skip("no chromium here: apt-get install chromium, or name one in LAYOUTALG_BROWSER")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        made = playwright.chromium.launch(executable_path=path, args=arguments)
        yield made
        made.close()
