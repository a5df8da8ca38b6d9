"""Reports: findings in, text out, one file for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.check.formats.concise import concise
from layoutalg.check.formats.full import full
from layoutalg.check.formats.github import github
from layoutalg.check.formats.json_report import json_report
from layoutalg.check.formats.junit import junit
from layoutalg.check.formats.markdown import markdown
from layoutalg.check.formats.sarif import sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from layoutalg.check.report import Report

__all__ = ["FORMATS"]

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "concise": concise,
    "full": full,
    "json": json_report,
    "junit": junit,
    "sarif": sarif,
    "github": github,
    "markdown": markdown,
}
