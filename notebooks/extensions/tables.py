"""Pages made of what the code has: rule codes, commands with their options, findings in Composable Kernel.

A page that is made cannot fall behind: ````{rule-codes}````, ````{commands}````, ````{ck-findings}````.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from layoutalg.check.codes import CODES, FAMILIES
from layoutalg.cli.main import app as commands

__all__ = ["setup"]

FINDINGS = Path(__file__).parents[2] / "tests" / "layoutalg" / "ck" / "findings.toml"
KINDS = {
    "defect": ("Defects", "The code does not do what its names and its callers say."),
    "by design": ("Refuted by design", "A claim that every layout gets, and this one is not meant to keep."),
    "by nature": ("Refuted by nature", "What the layout stands for overlaps."),
}


def rule_codes() -> Iterator[str]:
    """A section for each family, an entry for each code."""
    for family, codes in groupby(CODES, key=lambda code: code.id[:3]):
        yield f"## {family}: {FAMILIES[family]}\n"
        for code in codes:
            yield f"```{{index}} ! {code.id}\n```\n"
            yield f"({code.id})=\n`{code.id}` {code.claim}\n: {code.summary}\n\n  *Look at*: {code.look}\n"


def _plain(text: str) -> str:
    """A help text as Markdown: what looks like markup is text."""
    return re.sub(r"([<>*_|\[\]{}])", r"\\\1", " ".join(text.replace("\b", "").split()))


def _told(text: str) -> Iterator[str]:
    """A help text: paragraphs, and commands below them."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\b", "")):
        words, *shown = re.split(r"(?:(?<=:)|\n)\s*(?=layoutalg )", paragraph)
        yield f"{_plain(words)}\n"
        if shown:
            lines = "\n".join(" ".join(line.split()) for line in shown)
            yield f"```sh\n{lines}\n```\n"


def _options(command: Any) -> Iterator[str]:
    for option in command.params:
        if "--help" in option.opts or option.name in {"install_completion", "show_completion"}:
            continue
        is_option = option.param_type_name == "option"
        name = ", ".join(option.opts) if is_option else (option.metavar or str(option.name).upper())
        default = (
            "" if option.default in (None, False, "", (), []) or callable(option.default) else option.default
        )
        shown = ", ".join(map(str, default)) if isinstance(default, (list, tuple)) else str(default)
        told = f" Default: `{shown}`." if shown else ""
        yield f"`{name}`\n: {_plain(option.help or '')}{told}\n"


def command_line() -> Iterator[str]:
    """A section for each command, an entry for each option."""
    root: Any = typer.main.get_command(commands)
    for name, command in sorted(root.commands.items()):
        below = {f"{name} {sub}": one for sub, one in getattr(command, "commands", {}).items()}
        for words, one in {name: command, **below}.items():
            yield f"{'##' if words == name else '###'} layoutalg {words}\n"
            yield from _told(one.help or "")
            yield from _options(one)


def _index(values: Any) -> str:
    return f"({', '.join(map(str, values))})"


def _finding(found: dict[str, Any]) -> Iterator[str]:
    target = found["target"].removeprefix("include/ck_tile/")
    function = found["target"].rpartition("::")[2].partition("#")[0]
    yield f"### {function}: {found['claim']}\n"
    yield f"{found['why']}\n"
    yield f"- where: `{found['place'].removeprefix('include/ck_tile/')}`, on {' and '.join(found['arch'])}"
    if "witness" in found:
        point = ", ".join(f"{name} = {value}" for name, value in found["witness"].items())
        yield f"- witness: `{point}`"
    if "points" in found:
        places = " and ".join(str(offset) for offset in found["offsets"])
        points = " and ".join(map(_index, found["points"]))
        yield f"- the compiled header puts {points} at {places}"
    if "element" in found:
        yield f"- the element that no thread holds: {_index(found['element'])}"
    if "said" in found:
        yield f"- clang says: `{found['said']}`"
    yield f"\n```sh\nlayoutalg ck check '{target}' --defaults --arch {found['arch'][0]}\n```\n"


def ck_findings() -> Iterator[str]:
    """A section for each kind of finding, one for each finding."""
    found = tomllib.loads(FINDINGS.read_text(encoding="utf-8"))["finding"]
    for kind, (title, meaning) in KINDS.items():
        rows = [one for one in found if one["kind"] == kind]
        yield f"## {title}\n\n{meaning}\n"
        for one in rows:
            yield from _finding(one)


def _directive(lines: Any) -> type[SphinxDirective]:
    class Made(SphinxDirective):
        """Sections made of what the code has."""

        def run(self) -> list[nodes.Node]:
            self.env.note_dependency(str(FINDINGS))
            return self.parse_text_to_nodes("\n".join(lines()), allow_section_headings=True)

    return Made


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    for name, lines in (("rule-codes", rule_codes), ("commands", command_line), ("ck-findings", ck_findings)):
        app.add_directive(name, _directive(lines))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
