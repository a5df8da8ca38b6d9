"""The pages keep their word: examples and commands print what stands below them, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

from layoutalg.check.claim_words import WORDS
from layoutalg.check.schema import layout_schema
from layoutalg.transforms import TRANSFORMS
from tests.forked_commands import forked_commands

ROOT = Path(__file__).parent.parent
SITE = ROOT / "notebooks"
GUIDE = sorted(path for path in SITE.rglob("*.md") if "api" not in path.parts or path.stem == "index")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / ".github" / "CONTRIBUTING.md", *GUIDE]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
MARK = "@@end of a command@@"
EVERY_RUN = {"README.md"}


def consoles():
    """The pages that show commands; the long ones run among the slow tests."""
    for page in [ROOT / "README.md", *GUIDE]:
        if CONSOLE.search(page.read_text(encoding="utf-8")):
            marks = () if page.name in EVERY_RUN else (pytest.mark.slow,)
            yield pytest.param(page, id=name_of(page), marks=marks)


def name_of(page):
    """A page's name in its folder: there are several index pages."""
    return str(page.relative_to(SITE if page.is_relative_to(SITE) else ROOT))


def commands(page):
    """Every command of a page with what is printed below it, in order."""
    for block in CONSOLE.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


@pytest.fixture(scope="module")
def quick_commands():
    with forked_commands() as folder:
        yield folder


def outputs(lines, folder, commands_in):
    """What the commands print in one shell, each alone."""
    script = "".join(f"{line}\necho '{MARK}'\n" for line in lines)
    path = os.pathsep.join((str(commands_in), str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "COLUMNS": "120", "TERM": "dumb"}
    done = subprocess.run(
        ["/bin/bash", "-s"], input=script, cwd=folder, env=environment, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout.split(f"{MARK}\n")[:-1]


@pytest.mark.slow
@pytest.mark.parametrize("page", list(consoles()))
def test_commands_print_what_stands_below_them(page, tmp_path, quick_commands):
    shutil.copytree(ROOT / "notebooks" / "examples", tmp_path / "notebooks" / "examples")
    start = tmp_path if page.name == "README.md" else tmp_path / "notebooks" / "examples"
    shown = list(commands(page))
    as_installed = Path(sys.executable).parent
    where = as_installed if page.name in EVERY_RUN else quick_commands
    got = outputs([command for command, _ in shown], start, where)
    assert len(got) == len(shown)
    checker = doctest.OutputChecker()
    for (command, wanted), printed in zip(shown, got, strict=True):
        told = checker.output_difference(doctest.Example(command, wanted), printed, FLAGS)
        assert checker.check_output(wanted, printed, FLAGS), f"$ {command}\n{told}"


@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDE], ids=name_of)
def test_examples_print_what_they_say(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_every_page_stands_in_a_table_of_contents():
    entries = set()
    for page in SITE.rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            entries |= {str((page.parent / name).relative_to(SITE)) for name in names}
    pages = {str(page.relative_to(SITE).with_suffix("")) for page in SITE.rglob("*.md")} - {"index"}
    assert pages <= entries
    assert "[0-9]*" in entries  # all notebooks


def test_the_readme_stays_short_and_shows_the_way_to_the_site():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "notebooks/index.md" in text
    assert text.count("\n") < 180


def keys_of(schema):
    """Every key that a JSON schema speaks of."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    own = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set()
    return own | keys_of(list(schema.values()))


def test_the_page_on_layout_files_has_every_key_claim_and_transform():
    page = (ROOT / "notebooks" / "reference" / "layout_files.md").read_text(encoding="utf-8")
    page = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    phrases = set(re.findall(r"`([^`]+)`", page))
    told = {word for phrase in phrases for word in re.findall(r"\w+", phrase)}
    missing = keys_of(layout_schema()) - told - {"claim", "transform"}  # which head the tables
    assert missing | (set(WORDS) - phrases) | (set(TRANSFORMS) - phrases) == set()


def test_the_example_of_every_key_has_most_of_them():
    text = (ROOT / "notebooks" / "examples" / "every_key.layout.toml").read_text(encoding="utf-8")
    kept_for_the_page = {"from_ck", "target", "arch", "bind", "file", "function", "source"}
    transforms = {key for kind in TRANSFORMS.values() for key in signature(kind).parameters} | set(TRANSFORMS)
    missing = {key for key in keys_of(layout_schema()) if not re.search(rf"\b{key}\b", text)}
    assert missing - transforms - kept_for_the_page == set()
