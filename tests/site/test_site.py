"""The site, built once: no warning, no broken link, every public name; and in a browser without a network,
every page in light and dark, wide and narrow, and the search.

The browser is found as in ``tests/layoutalg/pictures/test_browser.py``. Screenshots go to
``out/screenshots/site``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from urllib.parse import unquote, urlsplit

import pytest
from sphinx.util.inventory import InventoryFile

import layoutalg
from layoutalg.check.codes import CODES
from tests.browser import chromium

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "out" / "screenshots" / "site"
TERMS = tomllib.loads((Path(__file__).parent / "terms.toml").read_text(encoding="utf-8"))
PAGES = tomllib.loads((Path(__file__).parent / "first_three.toml").read_text(encoding="utf-8"))
VIEWS = [(scheme, width) for scheme in ("light", "dark") for width in (1400, 400)]
SEARCH = """terms => terms.map(term => {
    const [query, searchTerms, excludedTerms, highlightTerms, objectTerms] = Search._parseQuery(term);
    return Search._performSearch(query, searchTerms, excludedTerms, highlightTerms, objectTerms).length;
})"""
FIRST = """terms => terms.map(term => {
    const [query, searchTerms, excludedTerms, highlightTerms, objectTerms] = Search._parseQuery(term);
    const found = Search._performSearch(query, searchTerms, excludedTerms, highlightTerms, objectTerms);
    return found.reverse().slice(0, 3).map(result => result[0]);
})"""
# The theme hides what is too wide, so its scroll width says nothing: what stands out, out of reach?
TOO_WIDE = """() => [...document.querySelectorAll("article *")].filter(element => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.right <= window.innerWidth + 1) return false;
    for (let one = element; one && one.tagName !== "BODY"; one = one.parentElement)
        if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) return false;
    return true;
}).map(element => `${element.tagName} ${element.className}`).slice(0, 3)"""

pytestmark = [pytest.mark.slow]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the site, and what the build said; ``LAYOUTALG_SITE`` names one that is built."""
    if made := os.environ.get("LAYOUTALG_SITE"):
        return ROOT / made, (ROOT / f"{made}.said").read_text(encoding="utf-8")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-E", "notebooks", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out, done.stderr


@pytest.fixture(scope="module")
def site(built):
    return built[0]


class Links(HTMLParser):
    """Where a page leads, and the places in it."""

    def __init__(self):
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag, attrs):  # noqa: ARG002  its name in the base
        found = dict(attrs)
        self.places |= {found[name] for name in ("id", "name") if found.get(name)}
        self.links += [found[name] for name in ("href", "src") if found.get(name)]


def read(page):
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def broken(site):
    """Links inside the site that lead nowhere, with their pages."""
    pages = {page.resolve(): read(page) for page in site.rglob("*.html")}
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            place = unquote(parts.fragment)
            if not target.exists() or (place and target in pages and place not in pages[target].places):
                yield str(page.relative_to(site)), link


def test_the_build_says_nothing(built):
    assert "WARNING" not in built[1]
    assert "ERROR" not in built[1]


def test_no_link_is_broken(site):
    assert list(broken(site)) == []


def test_a_broken_link_is_seen(tmp_path):
    (tmp_path / "a.html").write_text('<p id="x"><a href="b.html">b</a><a href="#y">y</a><a href="#x">x</a>')
    assert list(broken(tmp_path)) == [("a.html", "b.html"), ("a.html", "#y")]


def test_nothing_is_fetched_from_a_network(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|img|iframe)[^>]*src="(?:https?:)?//', text), page
        assert not re.search(r'<link[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//', text), page


def public_names():
    """Every name of the ``__all__`` of every package, by its dotted name."""
    below = [one.name for one in walk_packages(layoutalg.__path__, "layoutalg.") if one.ispkg]
    for package in ("layoutalg", *below):
        for name in getattr(import_module(package), "__all__", ()):
            yield f"{package}.{name}"


def test_every_public_name_is_in_the_inventory(site):
    with (site / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, path: path)
    there = {name for role, names in inventory.items() if role.startswith("py:") for name in names}
    wanted = set(public_names())
    assert len(wanted) > 500
    assert wanted - there == set()


@pytest.fixture(scope="module")
def browser():
    with chromium() as made:
        yield made


def offline(browser, scheme, width):
    """A tab without a network, and what it asked of one all the same."""
    context = browser.new_context(viewport={"width": width, "height": 1000}, color_scheme=scheme)
    context.set_offline(True)
    tab = context.new_page()
    asked: list[str] = []

    def note(request):
        if not request.url.startswith(("file:", "data:")):
            asked.append(request.url)

    tab.on("request", note)
    return tab, asked


@pytest.mark.browser
@pytest.mark.slow_sample(6)
@pytest.mark.parametrize(("scheme", "width"), VIEWS)
def test_every_page_fits_its_window(site, browser, scheme, width):
    tab, asked = offline(browser, scheme, width)
    too_wide = {}
    for page in sorted(site.rglob("*.html")):
        tab.goto(page.as_uri())
        name = str(page.relative_to(site))
        if found := tab.evaluate(TOO_WIDE):
            too_wide[name] = found
        shot = SCREENSHOTS / f"{scheme}_{width}" / name.replace("/", "_").replace(".html", ".png")
        shot.parent.mkdir(parents=True, exist_ok=True)
        tab.screenshot(path=shot)
    assert too_wide == {}
    assert asked == []


@pytest.mark.browser
def test_what_is_too_wide_is_seen(browser, tmp_path):
    page = tmp_path / "wide.html"
    wide = '<p style="width:900px">x</p>'
    page.write_text(
        f'<style>html {{ overflow-x: hidden }}</style><article><div style="overflow-x:auto">{wide}</div>'
    )
    tab, _ = offline(browser, "light", 400)
    tab.goto(page.as_uri())
    assert tab.evaluate(TOO_WIDE) == []
    page.write_text(f"<style>html {{ overflow-x: hidden }}</style><article>{wide}")
    tab.goto(page.as_uri())
    assert tab.evaluate(TOO_WIDE) == ["P "]


@pytest.mark.browser
def test_the_search_finds_every_word_of_the_documents(site, browser):
    tab, asked = offline(browser, "light", 1400)
    tab.goto((site / "search.html").as_uri())
    tab.wait_for_function("Search._index !== null")
    words = sorted({word for words in TERMS.values() for word in words})
    assert len(words) > 190
    counts = dict(zip(words, tab.evaluate(SEARCH, words), strict=True))
    assert [word for word, count in counts.items() if count == 0] == []
    assert tab.evaluate(SEARCH, ["nosuchword"]) == [0]
    assert asked == []


@pytest.mark.browser
def test_a_search_shows_its_results(site, browser):
    tab, asked = offline(browser, "light", 1400)
    tab.goto((site / "search.html").as_uri() + "?q=bank+conflict")
    tab.wait_for_selector("#search-results li")
    assert tab.locator("#search-results li").count() > 3
    assert asked == []


@pytest.mark.browser
def test_the_page_that_a_word_means_is_among_the_first_three(site, browser):
    tab, _ = offline(browser, "light", 1400)
    tab.goto((site / "search.html").as_uri())
    tab.wait_for_function("Search._index !== null")
    wanted = {word: page for page, words in PAGES.items() for word in words}
    found = dict(zip(wanted, tab.evaluate(FIRST, list(wanted)), strict=True))
    assert {word: pages for word, pages in found.items() if wanted[word] not in pages} == {}


@pytest.mark.browser
def test_a_rule_code_leads_to_its_own_page_first(site, browser):
    tab, _ = offline(browser, "light", 1400)
    tab.goto((site / "search.html").as_uri())
    tab.wait_for_function("Search._index !== null")
    codes = [code.id for code in CODES]
    found = dict(zip(codes, tab.evaluate(FIRST, codes), strict=True))
    assert {code: pages for code, pages in found.items() if pages[:1] != ["reference/rule_codes"]} == {}


def with_errors(tab):
    """The tab's errors, as they come."""
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    return errors


@pytest.mark.browser
def test_results_carry_excerpts_without_a_server(site, browser):
    tab, asked = offline(browser, "light", 1400)
    errors = with_errors(tab)
    tab.goto((site / "search.html").as_uri() + "?q=LA201")
    tab.wait_for_selector("#search-results li p.context")
    assert "LA201 one-to-one" in tab.locator("#search-results li p.context").first.inner_text()
    assert tab.locator("#search-results li p.context .highlighted").count() > 0
    tab.wait_for_function("document.querySelector('.search-summary').innerText.includes('finished')")
    without = tab.locator("#search-results li:not(:has(span)):not(:has(p.context))")
    assert without.count() == 0
    assert errors == []
    assert asked == []


@pytest.mark.browser
def test_words_of_a_search_are_marked_beside_pictures(site, browser):
    page = next(
        path for path in sorted(site.glob("*.html")) if "<title>bank" in path.read_text("utf-8").lower()
    )
    tab, _ = offline(browser, "light", 1400)
    errors = with_errors(tab)
    tab.goto(page.as_uri() + "?highlight=bank")
    tab.wait_for_selector("span.highlighted")
    assert errors == []
    assert tab.locator("style .highlighted, title .highlighted, title tspan").count() == 0
