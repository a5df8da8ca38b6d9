"""The widget in JupyterLab itself: sliders draw, colours change, a pointer is told, one picture is seen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELL = """import layoutalg as la
M, K = la.sizes("M K")
la.explore(la.make_naive_tensor_descriptor_packed((M, K)), M=3, K=5)"""
OPTIONS = ("--no-browser", "--allow-root", "--ServerApp.token=", "--ServerApp.password=")
SECONDS = 60


@pytest.fixture
def lab(tmp_path):
    """The address of a server for a folder with one notebook; the server ends with the test."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, tmp_path / "widget.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *OPTIONS,
        f"--port={port}",
        f"--ServerApp.root_dir={tmp_path}",
    ]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/api")
            yield f"http://127.0.0.1:{port}/lab/tree/widget.ipynb"
        finally:
            server.terminate()
            server.wait(SECONDS)


def wait_for(address):
    for _ in range(SECONDS):
        try:
            with urlopen(address):  # noqa: S310  our own server
                return
        except URLError:
            time.sleep(1)
    pytest.fail(f"no answer from {address}")


def test_the_widget_lives_in_jupyterlab(browser, lab):
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.goto(lab)
    page.locator(".jp-CodeCell").first.click(timeout=1000 * SECONDS)
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=1000 * SECONDS)
    page.keyboard.press("Shift+Enter")
    sliders = page.locator("input[type=range]")
    sliders.first.wait_for(timeout=1000 * SECONDS)
    shown = page.locator(".jp-OutputArea h3:visible")
    shown.first.wait_for()
    assert shown.all_text_contents() == ["descriptor of lengths (3, 5), 15 indices, element space 15"]
    sliders.nth(1).fill("4")
    sliders.nth(1).dispatch_event("change")
    page.get_by_text("descriptor of lengths (4, 5)").locator("visible=true").wait_for()
    page.locator("rect.la-cell:has(title):visible").nth(6).hover()
    assert page.locator("[aria-live=polite]:visible", has_text="bank").count() == 1
    page.locator("select:visible", has_text="by default").select_option("bank")
    page.get_by_text("colour: bank").locator("visible=true").wait_for()
    page.close()
