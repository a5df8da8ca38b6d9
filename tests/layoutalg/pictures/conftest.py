"""A real browser for tests of pages: Debian's chromium, or the one that LAYOUTALG_BROWSER names."""

from __future__ import annotations

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser():
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
