"""Pages in a real browser: they open, pictures have size, nothing overflows, hover works, light and dark.

The browser is Debian's ``chromium`` or the one that ``LAYOUTALG_BROWSER`` names. Without one these tests are
left out with a reason; with ``LAYOUTALG_BROWSER=required`` they fail. Screenshots go to ``out/screenshots``.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter

from layoutalg.check.decide import Options, findings_of
from layoutalg.check.report import Report
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.length import sizes
from layoutalg.pictures import explore, report_page, view_of, write_view
from layoutalg.pictures.report_page import checked_page
from tests.layoutalg.cli.test_layout_commands import MODULE
from tests.layoutalg.pictures.shown_values import VALUES

ROOT = Path(__file__).parents[3]
REGRESSIONS = ROOT / "tests" / "regressions"
SCREENSHOTS = ROOT / "out" / "screenshots"
EXPLORER = ROOT / "layoutalg" / "pictures" / "templates" / "explorer.js"

COLOURED = ("coordinate", "distribution", "banks", "refuted", "kernel")  # seen in the dark too

pytestmark = pytest.mark.browser


@pytest.fixture(params=["light", "dark"])
def tab(browser, request):
    page = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme=request.param)
    page.trouble = []
    page.theme = request.param
    page.on("console", lambda message: page.trouble.append(message.text))
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith("file:") or page.trouble.append(asked.url))
    yield page
    assert page.trouble == []
    page.close()


def screenshot(tab, name):
    tab.screenshot(path=SCREENSHOTS / f"{name.replace(' ', '_')}_{tab.theme}.png")


def overflow(tab):
    return tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def contrast(tab, letters, ground):
    """WCAG's ratio between the colours of two elements."""
    return tab.evaluate(
        """([letters, ground]) => {
          const light = (selector) => {
            const fill = getComputedStyle(document.querySelector(selector)).fill;
            const parts = fill.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255);
            const [r, g, b] = parts.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
          };
          const [a, b] = [light(letters), light(ground)];
          return Math.max(a, b) / Math.min(a, b);
        }""",
        [letters, ground],
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "mine.layout.py").write_text(MODULE, encoding="utf-8")
    wrong = REGRESSIONS / "tvm_wrong_extent.layout.toml"
    path = folder / "report.html"
    path.write_text(report_page([str(folder / "mine.layout.py"), str(wrong)]), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.sample(2)
def test_the_report_opens_with_pictures_of_some_size(tab, report):
    tab.goto(report.as_uri())
    open_all(tab)
    boxes = tab.eval_on_selector_all("svg", "all => all.map((s) => [s.clientWidth, s.clientHeight])")
    assert len(boxes) >= 4
    assert all(width > 50 and height > 30 for width, height in boxes)
    assert tab.locator(".la-claim .refuted").count() > 0
    screenshot(tab, "report")


@pytest.fixture(scope="module")
def ten(tmp_path_factory):
    """Ten layouts, two of them wrong, with long names and places; as a report and as the page of a check."""
    folder = tmp_path_factory.mktemp("ten")
    file = folder / "all_the_tiles_of_the_kernel.layout.py"
    good = "".join(
        f"a_tile_of_shared_memory_{n} = la.make_naive_tensor_descriptor(({n} + 2, 64), (64, 1))\n"
        for n in range(8)
    )
    bad = "overlapping = la.make_naive_tensor_descriptor((4, 8), (7, 1))\n"
    more = "too_long = la.make_naive_tensor_descriptor((3, 8), (8, 2))\n"
    file.write_text(f"import layoutalg as la\n{good}{bad}{more}", encoding="utf-8")
    pages = {
        "report": report_page([str(file)]),
        "check": checked_page(Report.of(findings_of(str(file), Options()))),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report", "check"])
@pytest.mark.parametrize("width", [400, 1400])
def test_ten_layouts_take_three_screens_and_what_is_wrong_comes_first(tab, ten, name, width):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto((ten / f"{name}.html").as_uri())
    assert tab.evaluate("document.documentElement.scrollHeight") <= 3 * 900
    assert tab.locator(".la-entry").count() == 10
    assert tab.locator(".la-index a").count() == 10
    verdicts = tab.locator(".la-verdict").all_text_contents()
    assert verdicts == sorted(verdicts, key=["refuted", "unknown", "proved"].index)
    assert verdicts.count("refuted") == 2
    assert overflow(tab) <= 0
    screenshot(tab, f"{name} of ten {width}")
    tab.locator(".la-index a").nth(1).click()
    assert tab.locator(".la-entry").nth(1).get_attribute("open") is not None
    open_all(tab)
    assert overflow(tab) <= 0
    assert broken_words(tab) == []


def open_all(tab):
    tab.evaluate("document.querySelectorAll('details').forEach((entry) => entry.open = true)")


def broken_words(tab):
    """Words of at most 30 letters that do not stand on one line."""
    return tab.evaluate(
        """() => {
          const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode;
            const around = node.parentElement;
            if (!around.checkVisibility() || around.closest("svg, style, script, math")) continue;
            for (const word of node.data.matchAll(/[\\w']+/g)) {
              if (word[0].length > 30) continue;
              const range = document.createRange();
              range.setStart(node, word.index);
              range.setEnd(node, word.index + word[0].length);
              const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
              if (lines.size > 1) found.push(word[0]);
            }
          }
          return found;
        }"""
    )


@pytest.mark.slow
def test_a_pointer_over_a_cell_is_told_its_way(tab, report):
    tab.goto(report.as_uri())
    open_all(tab)
    cell = tab.locator("details[open] rect.la-cell:has(title)").nth(4)
    cell.hover()
    assert tab.locator("#la-path").text_content() == cell.locator("title").text_content()


@pytest.mark.sample(2)
def test_owners_have_colours(tab, report):
    tab.goto(report.as_uri())
    open_all(tab)
    fills = tab.eval_on_selector_all(
        "rect.la-cell[class*=' la-c']", "all => all.map((r) => getComputedStyle(r).fill)"
    )
    assert len(set(fills)) > 1
    assert "none" not in fills


@pytest.mark.sample(2)
def test_letters_are_readable(tab, report):
    tab.goto(report.as_uri())
    open_all(tab)
    font = tab.eval_on_selector(".la-text", "text => getComputedStyle(text).fontFamily")
    assert font.endswith("monospace")
    assert contrast(tab, ".la-text", ".la-ground") > 7
    assert contrast(tab, ".la-small", ".la-ground") > 4.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tab", "name"),
    [pytest.param("light", name, marks=() if name in COLOURED else pytest.mark.slow) for name in VALUES]
    + [("dark", name) for name in COLOURED],
    indirect=["tab"],
)
def test_the_page_of_a_value_is_good(tab, name, tmp_path):
    path = write_view(view_of(VALUES[name]), tmp_path / "value.html")
    tab.goto(path.as_uri())
    assert overflow(tab) <= 0
    open_all(tab)
    assert overflow(tab) <= 0
    for width, height in tab.eval_on_selector_all(
        "svg", "all => all.filter((s) => s.checkVisibility()).map((s) => [s.clientWidth, s.clientHeight])"
    ):
        assert width > 50
        assert height > 30
    clipped = tab.eval_on_selector_all(
        "svg",
        """all => all.filter((s) => s.checkVisibility()).flatMap((svg) =>
          [...svg.querySelectorAll("text")].filter((text) => {
          const [inner, outer] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
          return inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom;
        }).map((text) => text.textContent))""",
    )
    assert clipped == []
    screenshot(tab, name)


@pytest.mark.slow
def test_a_page_shows_one_phase_at_a_time(tab, tmp_path):
    path = write_view(view_of(VALUES["banks"]), tmp_path / "banks.html")
    tab.goto(path.as_uri())
    steps, choices = tab.locator(".la-step"), tab.locator(".la-choices input")
    assert steps.count() == choices.count() == 4
    for number in range(4):
        assert [steps.nth(i).is_visible() for i in range(4)] == [i == number for i in range(4)]
        choices.nth(number).press("ArrowRight")


@pytest.mark.slow
def test_an_exported_notebook_shows_the_picture_without_network(browser, tmp_path, monkeypatch):
    rows = make_naive_tensor_descriptor_packed(sizes("M K"))
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    explore(rows, M=3, K=5)._ipython_display_()
    outputs = [nbformat.v4.new_output("display_data", data=one) for one in shown]
    cell = nbformat.v4.new_code_cell("explore(rows)", outputs=outputs)
    text, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("svg.la").last.is_visible()
    assert page.locator("rect.la-cell:has(title):visible").count() == 15
    assert page.get_by_text("M = 3").is_visible()
    context.close()


@pytest.mark.slow
def test_the_widget_slides_and_shows_paths(tab, tmp_path):
    picture = VALUES["padded descriptor"]._repr_mimebundle_()["text/html"]
    script = EXPLORER.read_text(encoding="utf-8").replace("export default", "const widget =")
    path = tmp_path / "widget.html"
    path.write_text(
        f"""<!DOCTYPE html><title>widget</title><div id="here"></div><div id="left">left</div>
<template id="picture">{picture}</template>
<script>{script}
const state = {{ colours: ["value", "bank"], colour: "", label: "left",
  limits: [{{ name: "M", low: 2, high: 9, step: 1 }}], sizes: {{ M: 3 }},
  html: document.getElementById("picture").innerHTML }};
const heard = {{}};
window.saved = 0;
window.model = {{ get: (name) => state[name], set: (name, value) => {{ state[name] = value; }},
  save_changes: () => {{ window.saved += 1; }}, on: (name, then) => {{ heard[name] = then; }} }};
window.change = (html) => {{ state.html = html; heard["change:html"](); }};
widget.render({{ model, el: document.getElementById("here") }});
</script>""",
        encoding="utf-8",
    )
    tab.goto(path.as_uri())
    slider = tab.locator("input[type=range]")
    assert slider.input_value() == "3"
    slider.fill("7")
    assert tab.evaluate("model.get('sizes').M") == 7
    assert tab.evaluate("saved") == 1
    assert not tab.locator("#left").is_visible()
    tab.locator("select").select_option("bank")
    assert tab.evaluate("model.get('colour')") == "bank"
    cell = tab.locator("rect.la-cell:has(title)").nth(6)
    cell.hover()
    assert tab.locator("[aria-live]").text_content() == cell.locator("title").text_content()
    tab.evaluate("change('<p id=\"other\">other</p>')")
    assert tab.locator("#other").count() == 1
    screenshot(tab, "widget")
